// The list of sessions: what happened last comes first, under the day on which it happened.
import { expect, test } from 'vitest';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('the list of sessions', () => {
  test('has a session that went on for long before those that ended meanwhile, below its day as the first screen has it', async () => {
    const { page, open, annals } = await viewed({ timezoneId: 'UTC', locale: 'en-US' });
    const report = { kind: 'prompt', agent: 'api', cwd: '/home/u/feeder' } as const;
    const at = (hour: number) => Date.UTC(2026, 4, 3, hour);
    await annals.report({ ...report, session: 'long-1', text: 'Oil the hinge', at: at(8) });
    await annals.report({ ...report, session: 'short-1', text: 'Weigh the seeds', at: at(10) });
    await annals.report({ ...report, session: 'long-1', text: 'Close the lid', at: at(20) });
    await open('sessions');
    await page.getByText('4 sessions').waitFor();
    const titles = page.locator('.list .row-title');
    await titles.filter({ hasText: 'Weigh the seeds' }).waitFor();
    // The views may still be at an earlier report.
    await expect
      .poll(async () => (await titles.allInnerTexts()).slice(0, 2))
      .toEqual(['Oil the hinge', 'Weigh the seeds']);
    expect(await page.locator('.list .row-meta').first().innerText()).toMatch(/8:00\sAM – 0?8:00\sPM/);
    const days = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    expect(days.map((day) => /May \d/.exec(day)?.[0])).toEqual(['May 3', 'May 2', 'May 1']);
    const heights = await page
      .locator('.list li')
      .evaluateAll((all) => all.slice(0, 2).map((row) => row.getBoundingClientRect().height));
    expect(heights[0]).toBeLessThan(heights[1]!);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.locator('.selected', { hasText: 'Weigh the seeds' }).waitFor();
    await open('now');
    await page.getByText('Close the lid').first().waitFor();
    // What was saved a moment ago is the first. The screen reads it apart from the turns.
    await expect
      .poll(() => page.getByRole('heading', { level: 2 }).allInnerTexts())
      .toEqual(['Today', ...days]);
  });

  test('is read further while its filter leaves few, and says that none matches only at its end', async () => {
    const { page, open, call } = await viewed();
    const { items, ...rest } = (await call('GET', '/api/sessions')).json;
    const rows = (from: number) =>
      Array.from({ length: 500 }, (_, row) => ({
        ...items[0],
        id: `s-${from + row}`,
        title: `Row ${from + row}`,
      }));
    // Agents may give their sessions the same id.
    const oldestOf = (agent: string) => ({ ...items[0], agent, id: 'oldest', title: `Weigh for ${agent}` });
    await page.route('**/api/sessions?*', async (route) => {
      const after = new URL(route.request().url()).searchParams.get('after');
      const pages: Record<string, unknown> = {
        first: { items: rows(0), next: 'second' },
        second: { items: rows(500), next: 'third' },
        third: { items: ['aa', 'bb'].map(oldestOf), next: null },
      };
      await route.fulfill({ json: { ...rest, ...(pages[after ?? 'first'] as object) } });
    });
    await open('sessions');
    await page.getByText('500 sessions so far', { exact: true }).waitFor();
    const filter = page.getByLabel('Filter the sessions on the screen');
    await filter.fill('oldest');
    for (const agent of ['aa', 'bb'])
      await page.locator('.list .row-title', { hasText: `Weigh for ${agent}` }).waitFor();
    await page.getByText('2 sessions', { exact: true }).waitFor();
    await filter.fill('youngest');
    await page.getByRole('heading', { name: 'No session matches' }).waitFor();
    await page.getByText('0 sessions', { exact: true }).waitFor();
  });
});
