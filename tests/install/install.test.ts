// Edge cases of `annals install`: prompts, dry runs, links, modes, unusable files.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { scriptPath } from '../../src/capture/spool/capture-script.ts';
import { captureProblems } from '../../src/install/home-scripts.ts';
import { hookState } from '../../src/install/hook-status.ts';
import { lineDiff } from '../../src/install/line-diff.ts';
import { type CallOptions, call } from '../cli/call.ts';
import { CLAUDE, claudeRequest } from '../helpers/installed-hooks.ts';
import { temporaryFolder } from '../helpers/world.ts';

const TEXT = '{\n  "model": "opus"\n}\n';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let claude: string;
let home: string;
let settings: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  claude = join(folder.path, 'claude');
  home = join(folder.path, 'home');
  settings = join(claude, 'settings.json');
  mkdirSync(claude);
  writeFileSync(settings, TEXT);
});
afterEach(() => folder.remove());

const annals = (words: readonly string[], options: CallOptions = {}) =>
  call(words, {
    ...options,
    environment: { ANNALS_HOME: home, CLAUDE_CONFIG_DIR: claude },
    userHome: folder.path,
  });
const text = () => readFileSync(settings, 'utf8');

describe('Nothing is changed', () => {
  test('by a dry run, which shows the changes', async () => {
    const { code, stdout } = await annals(['install', 'claude-code', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout).toContain('-   "model": "opus"\n+   "model": "opus",\n+   "hooks": {');
    expect(text()).toBe(TEXT);
    expect(readdirSync(folder.path)).toEqual(['claude']);
  });

  test('without a terminal and without --yes', async () => {
    const { code, stderr } = await annals(['install', 'claude-code']);
    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
    expect(text()).toBe(TEXT);
  });

  test('when the person does not answer yes', async () => {
    for (const answer of ['', 'n', 'later']) {
      const { code } = await annals(['install', 'claude-code'], { terminal: { columns: 100 }, answer });
      expect(code).toBe(0);
      expect(text()).toBe(TEXT);
    }
  });

  test.each([['{"model": }'], ['[]'], ['{"hooks": 5}']])('in an unusable file: %s', async (bad) => {
    writeFileSync(settings, bad);
    const { code, stderr } = await annals(['install', 'claude-code', '--no-mcp', '--yes']);
    expect(code).toBe(1);
    expect(stderr).toContain(`${settings} cannot be used`);
    expect(stderr).toContain('It was not changed.');
    expect(text()).toBe(bad);
    expect(readdirSync(claude)).toEqual(['settings.json']);
  });

  test('in a file that is not UTF-8', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
    writeFileSync(settings, bytes);
    expect((await annals(['install', 'claude-code', '--no-mcp', '--yes'])).code).toBe(1);
    expect(readFileSync(settings).equals(bytes)).toBe(true);
  });

  test('for an unknown agent', async () => {
    expect((await annals(['install', 'emacs', '--yes'])).code).toBe(2);
    expect((await annals(['uninstall', 'emacs', '--yes'])).code).toBe(2);
  });
});

describe('An install', () => {
  test('happens when the person answers yes', async () => {
    const { code } = await annals(['install', 'claude-code'], { terminal: { columns: 100 }, answer: 'y' });
    expect(code).toBe(0);
    expect(text()).toContain('bin/capture');
    expect(statSync(scriptPath(home)).mode & 0o777).toBe(0o700);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  test.each([0o640, 0o666])('keeps the mode of the file, of its backup too: %i', async (mode) => {
    chmodSync(settings, mode);
    await annals(['install', 'claude-code', '--no-mcp', '--yes']);
    for (const name of readdirSync(claude)) expect(statSync(join(claude, name)).mode & 0o777).toBe(mode);
    expect(readdirSync(claude)).toHaveLength(2);
  });

  test('creates a missing file and folder, closed to others', async () => {
    claude = join(folder.path, 'new', 'claude');
    settings = join(claude, 'settings.json');
    expect((await annals(['install', 'claude-code', '--no-mcp', '--yes'])).code).toBe(0);
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    expect(readdirSync(claude)).toEqual(['settings.json']);
    expect(text().startsWith('{\n  "hooks"')).toBe(true);
  });

  test('an uninstall of a file that was changed since names the backup that stays, and why', async () => {
    await annals(['install', 'claude-code', '--no-mcp', '--yes']);
    writeFileSync(settings, text().replace('opus', 'sonnet'));
    const { stdout } = await annals(['uninstall', 'claude-code', '--yes']);
    const [, backup] = /A backup stays, because it differs from the file: (.*)/.exec(stdout)!;
    expect(readFileSync(backup!, 'utf8')).toContain('bin/capture');
  });

  test('edits the file that a link leads to, says so, and leaves the link', async () => {
    const dotfiles = join(folder.path, 'dotfiles.json');
    writeFileSync(dotfiles, TEXT);
    claude = join(folder.path, 'linked');
    mkdirSync(claude);
    settings = join(claude, 'settings.json');
    symlinkSync('../dotfiles.json', settings);
    const { stderr, stdout } = await annals(['install', 'claude-code', '--no-mcp', '--yes']);
    expect(stderr).toContain(`is a link; the edited file is ${dotfiles}`);
    expect(stdout).toContain(dotfiles);
    expect(readFileSync(dotfiles, 'utf8')).toContain('bin/capture');
    expect(readdirSync(claude)).toEqual(['settings.json']);
  });

  test('refuses a broken link', async () => {
    claude = join(folder.path, 'linked');
    mkdirSync(claude);
    symlinkSync('nowhere.json', join(claude, 'settings.json'));
    expect((await annals(['install', 'claude-code', '--no-mcp', '--yes'])).stderr).toContain(
      'is a broken link',
    );
  });
});

describe('Problems of installed hooks', () => {
  const state = () => hookState(CLAUDE, claudeRequest(home, claude));

  test('are none when all work', async () => {
    expect(await state()).toMatchObject({ present: true, installed: false, current: false, problem: null });
    await annals(['install', 'claude-code', '--no-mcp', '--yes']);
    expect(await state()).toMatchObject({ installed: true, current: true, problem: null });
    expect(await captureProblems(claudeRequest(home, claude))).toEqual([]);
    const another = claudeRequest(join(folder.path, 'another home'), claude);
    expect(await hookState(CLAUDE, another)).toMatchObject({ installed: false, elsewhere: true });
  });

  test('include a script that is not executable and a settings file that cannot be read', async () => {
    await annals(['install', 'claude-code', '--no-mcp', '--yes']);
    chmodSync(scriptPath(home), 0o600);
    expect((await captureProblems(claudeRequest(home, claude))).join()).toContain('hooks record nothing');
    writeFileSync(settings, text().slice(0, -20));
    expect(await state()).toMatchObject({ installed: null, problem: expect.stringContaining(settings) });
    writeFileSync(settings, '{');
    expect(await state()).toMatchObject({ installed: false, problem: expect.stringContaining(settings) });
  });
});

test('a diff shows changed lines with three around them', () => {
  const before = Array.from({ length: 26 }, (_, line) => `line ${line}`);
  const after = before.with(10, 'changed').toSpliced(15, 0, 'new').slice(0, -1);
  expect(lineDiff(before.join('\n'), after.join('\n'))).toEqual([
    '  line 7',
    '  line 8',
    '  line 9',
    '- line 10',
    '+ changed',
    '  line 11',
    '  line 12',
    '  line 13',
    '  line 14',
    '+ new',
    '  line 15',
    '  line 16',
    '  line 17',
    '…',
    '  line 22',
    '  line 23',
    '  line 24',
    '- line 25',
  ]);
  expect(lineDiff('a\n', 'a\n')).toEqual([]);
});

test('The hook before reads and edits is installed only while it is used, and the setting names the command', async () => {
  const set = (value: string) => annals(['config', 'set', 'recall.edit', value]);
  const again = 'Run `annals install claude-code` again';
  await annals(['install', 'claude-code', '--yes']);
  expect(text()).not.toContain('PreToolUse');
  expect((await set('true')).stderr).toContain(again);
  expect((await set('true')).stderr).not.toContain(again);
  expect((await hookState(CLAUDE, claudeRequest(home, claude))).current).toBe(false);
  await annals(['install', 'claude-code', '--yes']);
  expect(JSON.parse(text()).hooks.PreToolUse).toHaveLength(1);
  await set('false');
  await annals(['install', 'claude-code', '--yes']);
  expect(text()).not.toContain('PreToolUse');
});
