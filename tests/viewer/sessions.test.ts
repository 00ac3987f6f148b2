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
    expect((await titles.allInnerTexts()).slice(0, 2)).toEqual(['Oil the hinge', 'Weigh the seeds']);
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
    // What was saved a moment ago is the first.
    expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Today', ...days]);
  });
});
