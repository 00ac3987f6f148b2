import { expect, test } from 'vitest';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('a project', () => {
  test('begins with its decisions and open work, and counts its sessions once', async () => {
    const { page, open, annals } = await viewed();
    const decisions = ['Oak', 'Pine', 'Elm', 'Ash', 'Yew', 'Fir', 'Box'].map((wood) => ({
      ...{ title: `The feeder is of ${wood}`, text: `We chose ${wood}`, type: 'decision', project: 'feeder' },
    }));
    await annals.save(decisions);
    await open('project/feeder');
    await page.getByText('tokens, from').waitFor();
    await page.getByText('all by claude-code').waitFor();
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    expect(headings.slice(0, 3)).toEqual(['Decisions', 'Open work', 'What the next session is given']);
    const listed = page.getByRole('region', { name: 'Decisions' });
    await listed.getByText('2 more').click();
    for (const { title } of decisions) await listed.getByRole('link', { name: title }).waitFor();
    const text = await page.getByRole('article').innerText();
    expect([...text.matchAll(/(\d+) sessions?/g)].map(([, many]) => many)).toEqual(['2', '2']);
    const files = page.getByRole('region', { name: 'Files, by how much is known of them' });
    await files.getByRole('listitem').filter({ hasText: 'chute.ts' }).getByText('2 observations').waitFor();
  });
});
