import { expect, test } from 'vitest';
import type { Annals } from '../../src/index.ts';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('a past day', () => {
  test('says how far its reading is, and to cancel it ends the request', async () => {
    const { annals } = await served({ filled: true });
    const asked: AbortSignal[] = [];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    // The real answer, given later.
    const list: Annals['list'] = async (kind, options) => {
      const answer = await annals.list(kind, options);
      if (options?.asOf === undefined) return answer;
      asked.push(options.signal!);
      const { signal } = options;
      await Promise.race([held, new Promise((resolve) => signal!.addEventListener('abort', resolve))]);
      options.signal!.throwIfAborted();
      return answer;
    };
    const { page, open } = await viewed({ server: await served({ annals: { ...annals, list } }) });
    const { head } = (await annals.status()).log;
    await page.getByText('Connected', { exact: true }).waitFor();
    await open('project?asOf=2026-05-02');
    await page.getByText('This list shows the present. A project opens as it was at the end of').waitFor();
    await open('sessions?asOf=2026-05-02');
    await page.getByText('Reads the log up to Saturday, ').waitFor();
    await page.getByText(`${head} of ${head} events`).waitFor();
    expect(await page.getByLabel('Events read').getAttribute('max')).toBe(String(head));
    expect(asked[0]!.aborted).toBe(false);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => asked[0]!.aborted).toBe(true);
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(page.url()).not.toContain('asOf');
    await open('sessions?asOf=2026-05-01');
    await page.getByText('Reads the log up to Friday, ').waitFor();
    letGo();
    await page.getByText('The memory as it was at the end of Friday, ').waitFor();
    await page.getByText('Why does the feeder jam at night?').first().waitFor();
  });
});
