// What a person decides in the viewer: settings, and what agents proposed.
import { expect, test } from 'vitest';
import type { ActInput } from '../../src/api.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('in the viewer a person', () => {
  test('changes a setting, reads what is wrong with a value, and restores the default', async () => {
    const { page, open, call } = await viewed();
    await open('settings');
    const field = page.getByRole('textbox', { name: 'Stop the worker after' });
    const row = page.getByRole('listitem').filter({ has: field });
    await row.getByText('Default', { exact: true }).waitFor();
    await row.getByText('worker.idleMinutes', { exact: true }).waitFor();
    await row.getByText('minutes', { exact: true }).waitFor();
    const before = await field.inputValue();
    for (const wrong of ['often', '-1', '40000']) {
      await field.fill(wrong);
      await row.getByRole('button', { name: 'Save' }).click();
      await row.getByRole('alert').getByText('Enter a number from 0 to 35,000.').waitFor();
    }
    await field.fill('90');
    await row.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Set in config.json').waitFor();
    await row.getByText('default: 30 minutes').waitFor();
    const { settings } = (await call('GET', '/api/settings')).json;
    const saved = settings.find(({ name }: { name: string }) => name === 'worker.idleMinutes');
    expect([saved.value, saved.source]).toEqual([90, 'file']);
    await row.getByRole('button', { name: 'Restore the default' }).click();
    await row.getByText('Default', { exact: true }).waitFor();
    await expect.poll(() => field.inputValue()).toBe(before);
    const port = page.getByRole('textbox', { name: 'Port' });
    await port.fill('none');
    await port.press('Enter');
    await page.getByRole('status').getByText('Applies when the worker starts next').waitFor();
    await page.getByRole('switch', { name: 'With a prompt' }).click();
    await page.getByText('default: off').waitFor();
  });

  test('finds each setting by a name in words, in sections, and those without effect folded', async () => {
    const { page, open, call } = await viewed();
    await call('PUT', '/api/settings', {
      body: { 'observer.command': 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' },
    });
    await open('settings');
    await page.getByRole('heading', { name: 'Agents on this machine' }).waitFor();
    const { settings } = (await call('GET', '/api/settings')).json;
    const names = settings.map(({ name }: { name: string }) => name);
    const headings = await page.locator('.setting h3').allInnerTexts();
    expect(headings.filter((heading) => names.includes(heading))).toEqual([]);
    expect(await page.locator('.setting').count()).toBe(names.length);
    const command = page.getByRole('textbox', { name: 'Command' });
    expect(await command.getAttribute('placeholder')).toContain('hidden');
    expect(await command.inputValue()).toBe('');
    const address = page.getByRole('textbox', { name: 'Address of the service' });
    expect(await address.isVisible()).toBe(false);
    await page
      .getByRole('combobox', { name: 'Search by meaning' })
      .selectOption({ label: 'A service, which gets the texts' });
    await page.getByRole('listitem').filter({ hasText: 'Search by meaning' }).getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Worker', exact: true }).click();
    await expect
      .poll(async () => (await page.getByRole('region', { name: 'Worker' }).boundingBox())!.y)
      .toBeLessThan(600);
    await page.getByLabel('Filter the settings').fill('price reading');
    await page.getByRole('textbox', { name: 'Price of reading' }).waitFor();
    expect(await page.locator('.setting').count()).toBe(1);
  });

  test('confirms and refuses what agents proposed', async () => {
    const { page, annals, call } = await viewed();
    const { id } = (await call('GET', '/api/memories')).json.items[0];
    await annals.act({ act: 'pin', id, author: 'agent', client: 'codex' });
    await annals.act({ act: 'note', text: 'Feed at dawn', project: 'feeder', author: 'agent' });
    await page.getByRole('heading', { name: '2 proposals of agents' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Pin A secret place' }).getByText('Confirm').click();
    await page.getByRole('heading', { name: '1 proposal of agents' }).waitFor();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.getByText('proposal of agents').waitFor({ state: 'detached' });
    expect((await call('GET', `/api/items/${id}`)).json.marks.pinned).toBeDefined();
    expect((await call('GET', '/api/notes?project=feeder')).json.notes).toEqual([]);
  });

  test('sees what a proposal would forget, in words and as a plan, and forgets it with proof', async () => {
    const { page, annals, call } = await viewed();
    const { id } = (await call('GET', '/api/memories')).json.items[0];
    const propose = (selection: NonNullable<ActInput['selection']>) =>
      annals.act({ act: 'forget', selection, author: 'agent', client: 'codex' });
    await propose({ ids: [id] });
    await propose({ project: 'feeder', withCopies: true });
    await page.getByText('Forget The project feeder with copies by codex').waitFor();
    const proposal = page.getByRole('listitem').filter({ hasText: 'Forget memory A secret place by codex' });
    await proposal.getByRole('link', { name: 'Show what would be forgotten' }).click();
    await page.getByText(`The item ${id}`).waitFor();
    expect((await call('GET', `/api/items/${id}`)).status).toBe(200);
    await page.getByRole('button', { name: 'Forget 1 item for good' }).click();
    await page.getByText('0 places found').waitFor();
    expect((await call('GET', `/api/items/${id}`)).status).toBe(410);
    const { proposals } = (await call('GET', '/api/proposals')).json;
    expect(proposals).toMatchObject([{ selection: { project: 'feeder' } }]);
  });
});
