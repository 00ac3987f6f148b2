import { expect, test } from 'vitest';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('a project', () => {
  test('has a calendar that ends today and says how many of its sessions are in it', async () => {
    const { page, open, annals } = await viewed();
    await annals.report({
      kind: 'prompt',
      agent: 'api',
      session: 'today',
      cwd: '/home/u/feeder',
      text: 'Oil it',
    });
    await open('project/feeder');
    const calendar = page.getByRole('img', { name: /^(1 of )?3 sessions since / });
    await calendar.waitFor();
    const days = calendar.locator('span[title]');
    expect(await days.last().getAttribute('title')).toBe('Today: 1 session');
    // A session counts on each day on which something of it is known, and once in all.
    const earlier = Date.now() - 3 * 86_400_000;
    const report = { kind: 'prompt', agent: 'api', cwd: '/home/u/feeder', text: 'Oil it' } as const;
    await annals.report({ ...report, session: 'today', at: earlier });
    await open('now');
    await open('project/feeder');
    await page.getByText(/^(1 of )?3 sessions since /).waitFor();
    expect(await calendar.locator('.level-1').count()).toBe(2);
    expect(await days.last().getAttribute('title')).toBe('Today: 1 session');
    // 25 whole weeks and what has passed of this one, which begins on Monday.
    expect(await days.count()).toBe(25 * 7 + ((new Date().getDay() + 6) % 7) + 1);
  });

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

  test('shows what the next session is given as headings and lists, and letter by letter on request', async () => {
    const { page, open, call } = await viewed();
    const { text } = (await call('GET', '/api/context?project=feeder')).json;
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings.length).toBeGreaterThan(0);
    await open('project/feeder');
    const given = page.getByRole('region', { name: 'What the next session is given' });
    await given.getByRole('heading', { level: 3, name: headings[0] }).waitFor();
    if (headings.length > 2) await given.getByRole('button', { name: 'Show all' }).click();
    expect(await given.getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(headings);
    expect(await given.innerText()).not.toMatch(/annals-context|\d\d\d\d-\d\d-\d\d \d\d:\d\d/);
    await given.locator('li a time').first().waitFor();
    await given.getByRole('button', { name: 'As the agent gets it' }).click();
    expect(await given.getByLabel('The text as the agent gets it').textContent()).toBe(text);
  });
});
