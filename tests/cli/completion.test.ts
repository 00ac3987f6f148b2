// The completion scripts in real shells: what they offer for a line. A shell that is not installed is skipped.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { call } from './call.ts';

const folder = mkdtempSync(join(tmpdir(), 'annals-completion-'));
const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];
const scriptOf = (shell: Shell) => join(folder, `annals.${shell}`);

beforeAll(async () => {
  for (const shell of SHELLS) {
    const { code, stdout, opened } = await call(['completion', shell]);
    expect({ code, opened }).toEqual({ code: 0, opened: [] });
    writeFileSync(scriptOf(shell), stdout);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isInstalled = (shell: Shell) => spawnSync(shell, ['-c', 'true']).status === 0;

/** The words that a shell offers for the last word of a line, sorted. */
const OFFERED: Readonly<Record<Shell, (words: readonly string[]) => string>> = {
  bash: (words) =>
    run('bash', [
      '--norc',
      '-c',
      'source "$0"; COMP_WORDS=(annals "$@"); COMP_CWORD=$#; _annals; printf "%s\\n" "${COMPREPLY[@]}"',
      scriptOf('bash'),
      ...words,
    ]),
  // Outside of its line editor zsh completes nothing, so its helpers are replaced by ones that print.
  zsh: (words) =>
    run('zsh', [
      '-f',
      '-c',
      'compdef() { }; _files() { }; _describe() { local item; for item in ${(P)2}; do item=${item%%:*}; [[ $item == $words[CURRENT]* ]] && print -r -- $item; done; true; }; ' +
        'source "$0"; words=(annals "$@"); CURRENT=$#words; _annals',
      scriptOf('zsh'),
      ...words,
    ]),
  fish: (words) =>
    run('fish', [
      '--no-config',
      '-c',
      `source ${scriptOf('fish')}; complete -C "annals ${words.join(' ')}" | string replace -r "\\t.*" ""; true`,
    ]),
};

function run(shell: Shell, words: readonly string[]): string {
  return execFileSync(shell, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder },
  });
}

describe.each(SHELLS)('in %s', (shell) => {
  const offered = (...words: readonly string[]) =>
    OFFERED[shell](words)
      .split('\n')
      .filter((word) => word !== '')
      .sort();

  test.skipIf(!isInstalled(shell))('commands, options and fixed words are completed', () => {
    expect(offered('')).toEqual([...COMMANDS.map(({ name }) => name), 'help'].sort());
    expect(offered('re')).toEqual(['rebuild', 'receipts', 'replay', 'restore']);
    expect(offered('search', '--ki')).toEqual(['--kind']);
    expect(offered('logs', '--fo')).toEqual(['--follow']);
    expect(offered('worker', 'st')).toEqual(['start', 'status', 'stop']);
    expect(offered('--home', 'x', 'worker', 'r')).toEqual(['run']);
    expect(offered('completion', '')).toEqual(['bash', 'fish', 'zsh']);
    expect(offered('install', 'cl')).toEqual(['claude-code']);
    expect(offered('install', 'codex', 'cl')).toEqual(['claude-code']);
    expect(offered('help', 'ver')).toEqual(['verify']);
  });

  test.skipIf(!isInstalled(shell))('the words of an option are those of the command', () => {
    expect(offered('search', '--outcome', '')).toEqual(['cancelled', 'failed', 'ok']);
    expect(offered('search', 'clock', '--kind', 'p')).toEqual(['prompt']);
    expect(offered('context', '--kind', 'c')).toEqual(['clear', 'compact']);
    expect(offered('log', '--type', 'prompt.')).toEqual(['prompt.submitted']);
    expect(offered('import', '--from', 'claude-mem')).toEqual(['claude-mem', 'claude-memory']);
  });

  test.skipIf(!isInstalled(shell))('each argument has its own words', () => {
    expect(offered('config', 's')).toEqual(['set']);
    expect(offered('config', 'set', 'recall.')).toEqual(['recall.edit', 'recall.error', 'recall.prompt']);
    expect(offered('config', '--home', 'x', 'set', '--json', 'exc')).toEqual(['exclude']);
    expect(offered('config', 'set', 'exclude', 'zz')).toEqual([]);
    expect(offered('worker', 'stop', 'st')).toEqual([]);
    expect(offered('search', 'worker', 'st')).toEqual([]);
    expect(offered('context', '--remove', '--ki')).toEqual(['--kind']);
  });
});

test('a shell without a script is wrong use', async () => {
  const { code, stderr } = await call(['completion', 'tcsh']);
  expect(code).toBe(2);
  expect(stderr).toBe('error: There is no completion for a shell named "tcsh".\nKnown: bash, zsh, fish.\n');
});
