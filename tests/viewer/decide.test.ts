// What a person decides in the viewer: settings, and what agents proposed.
import { expect, test } from 'vitest';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('in the viewer a person', () => {
  test('changes a setting, reads what is wrong with a value, and restores the default', async () => {
    const { page, open, call } = await viewed();
    await open('settings');
    const field = page.getByRole('textbox', { name: 'worker.idleMinutes' });
    const row = page.getByRole('listitem').filter({ has: field });
    await row.getByText('default', { exact: true }).waitFor();
    const before = await field.inputValue();
    await field.fill('often');
    await row.getByRole('button', { name: 'Save' }).click();
    await row.getByRole('alert').getByText('expected number').waitFor();
    await field.fill('90');
    await row.getByRole('button', { name: 'Save' }).click();
    await row.getByText('from your settings file').waitFor();
    const { settings } = (await call('GET', '/api/settings')).json;
    const saved = settings.find(({ name }: { name: string }) => name === 'worker.idleMinutes');
    expect([saved.value, saved.source]).toEqual([90, 'file']);
    await row.getByRole('button', { name: 'Restore the default' }).click();
    await row.getByText('default', { exact: true }).waitFor();
    expect(await field.inputValue()).toBe(before);
    await page.getByRole('checkbox', { name: 'recall.prompt' }).waitFor();
    await page.getByRole('combobox', { name: 'observer.provider' }).waitFor();
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
});
