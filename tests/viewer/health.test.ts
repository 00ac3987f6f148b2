// The health screen: what doctor finds, figures, and work that is started from the page.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('the health screen', () => {
  test('shows what is wrong with what to do, figures as tables, and verifies after a question', async () => {
    const server = await served({ filled: true });
    mkdirSync(join(server.home, 'spool/bad'), { recursive: true });
    writeFileSync(join(server.home, 'spool/bad/one'), 'no JSON\n{');
    const { page, open, problems, requested } = await viewed({ server });
    await page.getByText('Connected', { exact: true }).waitFor();
    const status = (await server.call('GET', '/api/status')).json;
    const model = { provider: 'openai', model: 'small', place: 'one.test', auto: 'cheap', waiting: 3 };
    const withModel = { ...status, observer: { ...status.observer, ...model } };
    await page.route('**/api/status', (route) => route.fulfill({ json: withModel }));
    await open('health');
    await page.getByText('small at one.test writes observations; 3 requests to send.').waitFor();
    await page.getByText('Figures of Events by day').click();
    const figures = page.getByRole('region', { name: 'Figures: Events by day' });
    await figures.getByRole('row', { name: /May 2, 2026/ }).waitFor();
    await page.getByText('1 file of hooks could not be used.').waitFor();
    await page
      .getByRole('status')
      .getByText(/^(Annals works\. \d+ things? to look at|\d+ problems? to solve)/)
      .waitFor();
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    expect(headings[0]).toBe('What needs attention');
    expect(requested.filter((url) => url.includes('/api/search'))).toEqual([]);
    await page.getByRole('button', { name: 'Measure 20 searches' }).click();
    await page.getByRole('rowheader', { name: 'Search, p95' }).waitFor();
    await page.getByText('What to do: The first line of each file').waitFor();
    await page.getByRole('rowheader', { name: 'A hook, p95' }).waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    const dialog = page.getByRole('dialog', { name: 'Verify the log?' });
    await dialog.getByLabel('Also build every view again and compare.').check();
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Every view is equal to its rebuild.').waitFor();
    await page.getByRole('button', { name: 'Rebuild' }).click();
    await page
      .getByRole('dialog', { name: 'Rebuild everything from the log?' })
      .getByRole('button', { name: 'Rebuild' })
      .click();
    await page.getByText('Built again from the log:').waitFor();
    await page.getByText(/checks? without a finding/).click();
    await page.getByText('the slowest:').waitFor();
    await open('settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await open('health');
    await page.getByText('checked just now').waitFor();
    await page.getByRole('rowheader', { name: 'Search, p95' }).waitFor();
    await page.getByText(/^Model cost in 24 hours: \$0\.00(, without a limit| of \$\S+)$/).waitFor();
    expect(requested.filter((url) => url.endsWith('/api/doctor'))).toHaveLength(1);
    expect(problems).toEqual([]);
    // What was found is known at once on the next visit.
    await page.reload();
    await page.getByText(/^checked (just now|\d+ (s|min) ago)$/).waitFor();
    expect(requested.filter((url) => url.endsWith('/api/doctor'))).toHaveLength(1);
  });
});
