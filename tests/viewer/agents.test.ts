// Agents on the settings screen: what would change is shown before it is done.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('the agents', () => {
  test('are connected and disconnected after the change was shown', async () => {
    const control = { intake: () => ({ folders: [], problems: [] }) };
    const server = await served({ filled: true, control });
    const settings = join(server.home, '../user/.claude/settings.json');
    mkdirSync(join(settings, '..'), { recursive: true });
    writeFileSync(settings, '{ "enabledPlugins": { "claude-mem@somewhere": true } }\n');
    const before = readFileSync(settings, 'utf8');
    const { page, open, problems } = await viewed({ server });
    await page.getByText('Connected', { exact: true }).waitFor();
    await open('settings');
    const notice = page.getByText('New sessions are not recorded');
    await notice.waitFor();
    await page.getByText('claude-mem runs in Claude Code too').waitFor();
    await page.getByRole('button', { name: 'Connect Claude Code' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Claude Code' });
    await dialog.getByText('Adds hooks that record its sessions').waitFor();
    expect(await dialog.locator('.diff').first().isVisible()).toBe(false);
    await dialog.locator('summary', { hasText: 'settings.json' }).click();
    await dialog.locator('.diff .added', { hasText: 'bin/capture' }).first().waitFor();
    expect(readFileSync(settings, 'utf8')).toBe(before);
    await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
    const done = page.getByRole('dialog', { name: 'Claude Code is connected' });
    await done.getByText('Hooks write to').waitFor();
    await done.getByText('.claude.json was created.').waitFor();
    await done.getByText('settings.json was changed.').waitFor();
    await notice.waitFor({ state: 'detached' });
    expect(readFileSync(settings, 'utf8')).toContain('bin/capture');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Done');
    // Also when nothing in the dialog has the focus, Escape closes it and goes nowhere.
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('Escape');
    await page.getByText('Its sessions are recorded as they happen.').waitFor();
    expect(page.url()).toContain('#/settings');
    await page.getByRole('button', { name: 'Disconnect Claude Code' }).click();
    const undo = page.getByRole('dialog', { name: 'Disconnect Claude Code' });
    await undo.getByRole('button', { name: 'Disconnect', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Claude Code is disconnected' })
      .getByText('Everything recorded so far is kept.')
      .waitFor();
    await page.getByText('.claude.json was deleted.').waitFor();
    await notice.waitFor();
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(problems).toEqual([]);
  });

  test('have their buttons in sight on a narrow screen, and without a session Now leads there', async () => {
    const server = await served();
    mkdirSync(join(server.home, '../user/.claude'), { recursive: true });
    const { page } = await viewed({ server, viewport: { width: 400, height: 700 } });
    await page.locator('a.button', { hasText: 'Connect an agent' }).click();
    await page.getByRole('button', { name: 'Connect Claude Code' }).click();
    const dialog = page.getByRole('dialog', { name: 'Connect Claude Code' });
    await dialog.locator('summary').first().waitFor();
    for (const file of await dialog.locator('summary').all()) await file.click();
    await dialog.locator('.diff').first().waitFor();
    for (const name of ['Connect', 'Cancel']) {
      const box = (await dialog.getByRole('button', { name, exact: true }).boundingBox())!;
      expect(box.y + box.height, name).toBeLessThanOrEqual(700);
    }
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});
