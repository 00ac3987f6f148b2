import { expect, test } from 'vitest';
import { SECRET, served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('forgetting in the viewer', () => {
  test('shows the plan, then the proof, and the item is gone from every open page', async () => {
    const server = await served({ filled: true });
    const { id } = (await server.call('GET', '/api/memories')).json.items[0];
    const item = await viewed({ server });
    await item.open(`item/${id}`);
    await item.page.getByText(SECRET).first().waitFor();
    const feed = await viewed({ server });
    await feed.page.getByText('A secret place').waitFor();
    const { page, open } = await viewed({ server });
    await open(`item/${id}`);
    await page.getByRole('article').getByRole('link', { name: 'Forget' }).click();
    await page.getByRole('heading', { name: 'What would be forgotten' }).waitFor();
    await page.getByText('A secret place').waitFor();
    expect((await server.call('GET', `/api/items/${id}`)).status).toBe(200);
    await page.getByRole('button', { name: 'Forget 1 event for good' }).click();
    await page.getByText('0 places found').waitFor();
    await item.page.getByText(SECRET).waitFor({ state: 'detached' });
    await item.page.getByRole('alert').waitFor();
    await feed.page.getByText('A secret place').waitFor({ state: 'detached' });
    expect(await item.page.content()).not.toContain('axolotl');
    expect((await server.call('GET', `/api/items/${id}`)).status).toBe(410);
  });
});
