// Agents on the settings screen: what would change is shown before it is done.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { served } from '../http/served.ts';
import { describeInChromium, viewed } from './browser.ts';

describeInChromium('the agents', () => {
  test('are installed and uninstalled after the change was shown', async () => {
    const server = await served({ filled: true });
    const settings = join(server.home, '../user/.claude/settings.json');
    mkdirSync(join(settings, '..'), { recursive: true });
    writeFileSync(settings, '{ "enabledPlugins": { "claude-mem@somewhere": true } }\n');
    const before = readFileSync(settings, 'utf8');
    const { page, open, problems } = await viewed({ server });
    await page.getByText('Live').waitFor();
    await open('settings');
    await page.getByText('claude-mem runs in Claude Code too').waitFor();
    await page.getByRole('button', { name: 'Install Claude Code' }).click();
    const dialog = page.getByRole('dialog', { name: 'Install Claude Code' });
    await dialog.locator('.diff .added', { hasText: 'bin/capture' }).first().waitFor();
    expect(readFileSync(settings, 'utf8')).toBe(before);
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await dialog.getByText('Hooks write to').waitFor();
    expect(readFileSync(settings, 'utf8')).toContain('bin/capture');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Its sessions are recorded as they happen.').waitFor();
    await page.getByRole('button', { name: 'Uninstall Claude Code' }).click();
    const undo = page.getByRole('dialog', { name: 'Uninstall Claude Code' });
    await undo.getByRole('button', { name: 'Uninstall', exact: true }).click();
    await undo.getByText('Everything recorded so far is kept.').waitFor();
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(problems).toEqual([]);
  });
});
