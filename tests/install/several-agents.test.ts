// `annals install` and `annals uninstall` for several agents at once.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { scriptPath } from '../../src/capture/spool/capture-script.ts';
import { mcpScriptPath } from '../../src/install/mcp-script.ts';
import { type CallOptions, call } from '../cli/call.ts';
import { testFolder } from '../helpers/views.ts';

let folder: string;
let home: string;

beforeEach(async () => {
  folder = await testFolder();
  home = join(folder, '.annals');
});

const annals = (words: readonly string[], options: CallOptions = {}) =>
  call(words, {
    ...options,
    environment: { ANNALS_HOME: home, PATH: join(folder, 'bin') },
    userHome: folder,
  });

function leave(path: string, text: string, mode = 0o644): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
  chmodSync(join(folder, path), mode);
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const filesIn = ({ files }: Record<string, unknown>) => files as readonly Record<string, unknown>[];

describe('without a name', () => {
  test('install finds agents by their folder or their program', async () => {
    mkdirSync(join(folder, '.codex'));
    leave('bin/gemini', '#!/bin/sh\n', 0o755);
    leave('bin/qwen', 'not a program');
    const { json, code } = await annals(['install', '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(filesIn(json()).map(({ agent, holds, changed }) => [agent, holds, changed])).toEqual([
      ['codex', ['hooks'], true],
      ['codex', ['mcp'], true],
      ['gemini-cli', ['hooks', 'mcp'], true],
    ]);
    expect(existsSync(join(folder, '.gemini'))).toBe(false);
  });

  test('install shows each change and asks once', async () => {
    leave('.codex/hooks.json', '{}\n');
    leave('.cursor/hooks.json', '{ "version": 1 }\n');
    const terminal = { columns: 100 };
    const no = await annals(['install'], { terminal, answer: 'n' });
    expect(no.code).toBe(0);
    expect(no.stdout).toContain(`Codex: ${join(folder, '.codex/hooks.json')}`);
    expect(no.stdout).toContain(`Cursor: ${join(folder, '.cursor/hooks.json')}`);
    expect(no.stderr.match(/\[y\/N\]/g)).toHaveLength(1);
    expect([read('.codex/hooks.json'), read('.cursor/hooks.json')]).toEqual(['{}\n', '{ "version": 1 }\n']);
    const yes = await annals(['install'], { terminal, answer: 'y' });
    expect(yes.stdout).toContain('trust the hooks of Annals');
    expect(yes.stdout).toContain(`Hooks write to ${home}.`);
    expect(read('.codex/hooks.json')).toContain('bin/capture');
    expect(read('.cursor/hooks.json')).toContain('bin/capture');
  });

  test('install fails where no agent is found, and names the known ones', async () => {
    const { code, stderr } = await annals(['install', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/No coding agent was found.*\n.*Known: claude-code, codex, /);
    expect(existsSync(home)).toBe(false);
  });

  test('uninstall takes all that have hooks, and then the script', async () => {
    mkdirSync(join(folder, '.cursor'));
    await annals(['install', 'codex', 'qwen-code', '--yes']);
    const { json } = await annals(['uninstall', '--yes', '--json']);
    expect(filesIn(json()).map(({ agent, holds, installed }) => [agent, holds, installed])).toEqual([
      ['codex', ['mcp'], false],
      ['codex', ['hooks'], false],
      ['qwen-code', ['hooks', 'mcp'], false],
    ]);
    expect(existsSync(mcpScriptPath(home))).toBe(false);
    expect(existsSync(scriptPath(home))).toBe(false);
    expect(existsSync(join(folder, '.codex'))).toBe(false);
    const again = await annals(['uninstall', '--yes']);
    expect([again.code, again.stdout]).toEqual([0, 'Nothing of Annals is installed in an agent.\n']);
  });
});

test('uninstall with --home takes only what is of that home, and refuses one that no agent has', async () => {
  const other = join(folder, 'other');
  await annals(['install', 'codex', '--yes']);
  await annals(['install', 'qwen-code', '--home', other, '--yes']);
  const before = [read('.codex/hooks.json'), read('.qwen/settings.json')];
  for (const [words, who] of [
    [[], 'No agent has anything'],
    [['codex'], 'Codex has nothing'],
  ] as const) {
    const { code, stderr } = await annals(['uninstall', ...words, '--home', `${home}x`, '--yes']);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${who} of the home ${home}x.`)]);
  }
  expect([read('.codex/hooks.json'), read('.qwen/settings.json')]).toEqual(before);
  expect((await annals(['uninstall', '--home', other, '--yes'])).code).toBe(0);
  expect([read('.codex/hooks.json'), existsSync(join(folder, '.qwen'))]).toEqual([before[0], false]);
  expect([existsSync(scriptPath(other)), existsSync(scriptPath(home))]).toEqual([false, true]);
  // The server stays that of the first home.
  await annals(['install', 'codex', '--no-mcp', '--home', other, '--yes']);
  await annals(['uninstall', '--home', other, '--yes']);
  expect(read('.codex/config.toml')).toContain(mcpScriptPath(home));
  expect([existsSync(scriptPath(other)), existsSync(mcpScriptPath(home))]).toEqual([false, true]);
  expect((await annals(['uninstall', '--home', home, '--yes'])).code).toBe(0);
  expect([existsSync(join(folder, '.codex/config.toml')), existsSync(mcpScriptPath(home))]).toEqual([
    false,
    false,
  ]);
});

test('up names the agents without hooks, and the command that installs them', async () => {
  mkdirSync(join(folder, '.cursor'));
  mkdirSync(join(folder, '.codex'));
  leave('.claude/settings.json', '{"enabledPlugins": {"annals@annals": true}}');
  expect((await annals(['up'])).stderr).toContain('Without hooks: Codex, Cursor. ');
  await annals(['install', 'codex', 'cursor', '--yes']);
  expect((await annals(['up'])).stderr).not.toContain('Without hooks');
});

test('the script stays as long as another agent has hooks', async () => {
  await annals(['install', 'codex', 'copilot', '--yes']);
  await annals(['uninstall', 'codex', '--yes']);
  expect(existsSync(scriptPath(home))).toBe(true);
  await annals(['uninstall', 'copilot', '--yes']);
  expect(existsSync(scriptPath(home))).toBe(false);
});

test('settings that are broken keep only their own agent from being installed', async () => {
  leave('.codex/hooks.json', '{"hooks": ');
  leave('.gemini/settings.json', '{}', 0o444);
  const { code, stdout, stderr } = await annals(['install', 'codex', 'gemini-cli', 'qwen-code', '--yes']);
  expect(code).toBe(1);
  expect(stderr).toContain(`Codex: The settings file ${join(folder, '.codex/hooks.json')} cannot be used`);
  expect(stderr).toContain('Gemini CLI: The settings file');
  expect(stdout).toContain(`Qwen Code: ${join(folder, '.qwen/settings.json')} was made.`);
  expect(read('.codex/hooks.json')).toBe('{"hooks": ');
  const { json } = await annals(['install', 'codex', 'qwen-code', '--yes', '--json']);
  expect(filesIn(json())).toMatchObject([
    { agent: 'codex', installed: null, changed: false, error: { code: 'INPUT_INVALID' } },
    { agent: 'codex', installed: true, changed: false, error: null },
    { agent: 'qwen-code', installed: true, changed: false, error: null },
  ]);
});

test('settings that are broken and hold nothing of ours do not concern an uninstallation', async () => {
  leave('.codex/hooks.json', '{"hooks": ');
  await annals(['install', 'cursor', '--yes']);
  const { code, stdout } = await annals(['uninstall', '--yes']);
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('Codex')]);
  expect(existsSync(scriptPath(home))).toBe(false);
});

test('settings that cannot be used are reported once', async () => {
  leave('.codex/hooks.json', '[]');
  const { code, stderr } = await annals(['install', 'codex', 'cursor'], {
    terminal: { columns: 99 },
    answer: 'y',
  });
  expect(code).toBe(1);
  expect(stderr.match(/does not hold an object/g)).toHaveLength(1);
});

test('an unknown name changes nothing, and the known ones are named', async () => {
  const { code, stderr } = await annals(['install', 'codex', 'emacs', '--yes']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/named "emacs".*\n.*Known: claude-code, codex, /);
  expect(existsSync(join(folder, '.codex'))).toBe(false);
});

test('install registers the MCP server with the hooks, unless --no-mcp', async () => {
  await annals(['install', 'codex', 'gemini-cli', '--no-mcp', '--yes']);
  expect(existsSync(join(folder, '.codex/config.toml'))).toBe(false);
  expect(read('.gemini/settings.json')).not.toContain('mcpServers');
  const { stdout } = await annals(['install', 'codex', 'gemini-cli', '--dry-run']);
  expect(stdout).toContain(`+ [mcp_servers.annals]\n+ command = "${mcpScriptPath(home)}"`);
  await annals(['install', 'codex', 'gemini-cli', '--yes']);
  expect(read('.codex/config.toml')).toContain(mcpScriptPath(home));
  expect(read('.gemini/settings.json')).toContain(mcpScriptPath(home));
  await annals(['install', 'codex', 'gemini-cli', '--no-mcp', '--yes']);
  expect(read('.codex/config.toml')).toContain(mcpScriptPath(home));
});

test('a server of the same name that a person added stays, and install says so', async () => {
  leave('.codex/config.toml', '[mcp_servers.annals]\ncommand = "annals"\nargs = ["mcp"]\n');
  const { code, stderr } = await annals(['install', 'codex', '--yes']);
  expect(code).toBe(0);
  expect(stderr).toContain('config.toml has an MCP server named annals that `annals install` did not write');
  expect(read('.codex/config.toml')).toContain('args = ["mcp"]');
});

test("the server is not registered a second time beside Claude Code's plugin", async () => {
  leave('.claude/settings.json', '{"enabledPlugins": {"annals@annals": true}}');
  const { stderr } = await annals(['install', 'claude-code', '--yes']);
  expect(stderr).toContain('Its MCP server is not registered a second time.');
  expect(existsSync(join(folder, '.claude.json'))).toBe(false);
});
