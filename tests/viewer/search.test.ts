import { expect, test } from 'vitest';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('a search', () => {
  test('that fits nothing says so once, and shows what is nearest only when asked to', async () => {
    const { page, open, call } = await viewed();
    const words = 'violin concerto tickets';
    const answer = (await call('GET', `/api/search?q=${encodeURIComponent(words)}&limit=40`)).json;
    expect([answer.lowConfidence, answer.results.length > 0]).toEqual([true, true]);
    await open(`search?q=${words}`);
    await page.getByRole('heading', { name: `Nothing that is remembered fits “${words}”` }).waitFor();
    const results = page.getByRole('list', { name: 'Results, best first' });
    expect(await results.count()).toBe(0);
    expect(await page.locator('.notice').count()).toBe(0);
    await page.getByLabel('Search everything').press('Enter');
    await page.getByRole('button', { name: `Show the nearest ${answer.results.length} anyway` }).click();
    expect(await results.locator('> li').count()).toBe(answer.results.length);
    await page.getByLabel('Search everything').fill('frost chute');
    await page.getByText(/^\d+ results? ·/).waitFor();
  });

  test('counts in its filters what its results have', async () => {
    const { page, open } = await viewed();
    await open('search?q=frost chute');
    await page.getByText(/^\d+ results? ·/).waitFor();
    const kinds = await page
      .locator('.results > li > a .kind')
      .evaluateAll((all) => all.map((one) => one.firstChild?.textContent));
    const counted = page.getByLabel('Kind').locator('optgroup[label="In these results"] option');
    const shown = (await counted.allTextContents()).map((text) => text.split(' · '));
    expect(shown.length).toBeGreaterThan(0);
    for (const [kind, count] of shown) {
      const isKind = (name: unknown) =>
        name === kind ||
        (kind === 'Tool use' && !/^(Prompt|Answer|Observation|Summary|Memory)$/.test(String(name)));
      expect(kinds.filter(isKind), kind).toHaveLength(Number(count));
    }
  });
});
