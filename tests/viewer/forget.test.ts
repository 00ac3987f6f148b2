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
    await page.getByRole('button', { name: 'Forget 1 item for good' }).click();
    await page.getByText('0 places found').waitFor();
    await item.page.getByText(SECRET).waitFor({ state: 'detached' });
    await item.page.getByRole('heading', { level: 1, name: 'This was forgotten' }).waitFor();
    await item.page.getByText(/^It was forgotten on \w+, /).waitFor();
    await feed.page.getByText('A secret place').waitFor({ state: 'detached' });
    expect(await item.page.content()).not.toContain('axolotl');
    expect((await server.call('GET', `/api/items/${id}`)).status).toBe(410);
  });

  test('makes it disappear from a page that was not connected meanwhile', async () => {
    const server = await served({ filled: true });
    const { page, open } = await viewed({ server });
    await open('sessions');
    await page.getByText('2 sessions').waitFor();
    const { id } = (await server.call('GET', '/api/sessions')).json.items[0];
    const serveAgain = await server.interrupt();
    await server.annals.forget({ session: id }, { confirm: async () => true });
    await serveAgain();
    await page.getByText('1 session', { exact: true }).waitFor();
  });

  test('says why each item is named and what happens to copies, and what is not ticked stays', async () => {
    const server = await served({ filled: true });
    const saved = await server.annals.save([
      { title: 'The pump', text: 'The PUMPHOUSE code hangs on the wall', project: 'feeder' },
      { title: 'The wall', text: 'Nobody painted the wall of the pumphouse code', project: 'feeder' },
      { title: 'The shed', text: 'No pumphouse code opens the shed', project: 'feeder' },
    ]);
    const { page, open } = await viewed({ server });
    await open('forget?query=pumphouse code');
    const items = page.getByRole('list', { name: 'What would be forgotten' }).getByRole('listitem');
    await page.getByText('Everything that contains “pumphouse code”').waitFor();
    await items
      .filter({ hasText: 'The pump' })
      .getByText('PUMPHOUSE code', { exact: true })
      .first()
      .waitFor();
    expect(await items.locator('mark').count()).toBe(3);
    // They are of no session.
    await page.getByText(/^3 events, \d+ B of text/).waitFor();
    expect(await items.getByText('feeder', { exact: true }).count()).toBe(3);
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    expect(headings.slice(0, 3)).toEqual([
      'What would be forgotten',
      'What happens to copies',
      'Item by item',
    ]);
    for (const place of [
      'Views and indexes',
      'Other machines',
      'Transcripts of the agents',
      'Exports and backups',
    ])
      await page.getByText(place, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Forget 3 items for good' }).waitFor();
    await page.getByRole('checkbox', { name: 'Forget: The wall' }).uncheck();
    await page.getByText('2 of 3 ticked').waitFor();
    await page.getByRole('button', { name: 'Forget 2 items for good' }).waitFor();
    await page.getByText('2 of 3 ticked').click();
    await page.getByRole('button', { name: 'Forget 3 items for good' }).waitFor();
    await page.getByText('3 of 3 ticked').click();
    await page.getByRole('button', { name: 'Nothing is ticked' }).waitFor();
    expect(await page.getByRole('button', { name: 'Nothing is ticked' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Forget: The shed' }).check();
    await page.getByRole('button', { name: 'Forget 1 item for good' }).click();
    await page.getByRole('heading', { name: 'Proof' }).waitFor();
    await page.getByText(/^1 event forgotten in .* It was 1 memory, of \w+\.$/).waitFor();
    const states = await Promise.all(saved.map(({ id }) => server.call('GET', `/api/items/${id}`)));
    expect(states.map(({ status }) => status)).toEqual([200, 200, 410]);
  });

  test('offers other items that share words with it, but not more than can be looked at', async () => {
    const server = await served({ filled: true });
    const save = (text: string, title: string) => ({ title, text, project: 'feeder' });
    const word = (number: number) => `shared${'abcdefghijkl'[number]}${'x'.repeat(12)}`;
    await server.annals.save([save('Every pumphouse has a barometerstand', 'The pump')]);
    await server.annals.save([save('A barometerstand is of oak', 'The oak')]);
    const { page, open } = await viewed({ server });
    await open('forget?query=pumphouse');
    const other = page.getByRole('checkbox', { name: 'Forget: The oak' });
    await page.getByText('1 other item holds a long word or the beginning of a line of it').waitFor();
    expect(await other.count()).toBe(0);
    await page.getByRole('checkbox', { name: 'Choose of them too' }).check();
    await other.waitFor();
    await page.getByRole('button', { name: 'Forget 2 items for good' }).waitFor();

    const words = Array.from({ length: 10 }, (_, number) => word(number));
    await server.annals.save(words.map((one) => save(`The pumphouse knows ${one}`, `Known ${one}`)));
    await server.annals.save(
      Array.from({ length: 210 }, (_, number) =>
        save(`Number ${number} has ${words[number % 10]}`, `Item ${number}`),
      ),
    );
    await page.reload();
    await page.getByText('They are too many to look at').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Choose of them too' }).count()).toBe(0);
  });
});
