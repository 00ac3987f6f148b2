// The passphrase prompt on a real terminal: a pseudo-terminal made by `script` of util-linux, if installed.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { buildCommand, COMMAND } from './command.ts';
import { sharedFolder, withHome } from './homes.ts';

const hasTerminals =
  process.platform === 'linux' && spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
const folder = sharedFolder('terminal');
const home = join(folder, 'home');
const out = join(folder, 'out');
const FIRST = /it is not shown\):\s*$/;
const AGAIN = /Repeat the passphrase:\s*$/;

/** Types each answer when its question is at the end of the screen. */
function exportAt(
  answers: readonly (readonly [question: RegExp, typed: string])[],
): Promise<{ code: number | null; screen: string }> {
  const line = `'${process.execPath}' '${COMMAND}' export '${out}' --encrypt`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: home, ANNALS_HOME: home, TERM: 'xterm' },
  });
  const left = [...answers];
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    if (left[0]?.[0].test(screen) === true) child.stdin.write(left.shift()![1]);
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, screen })));
}

describe.skipIf(!hasTerminals)('at a terminal the passphrase of an export', () => {
  beforeAll(async () => {
    buildCommand();
    await withHome(home, (annals) => annals.save({ title: 'One', text: 'thing', cwd: '/srv/app' }));
  });

  test('is asked twice, and nothing is written if they differ', async () => {
    const { code, screen } = await exportAt([
      [FIRST, 'green-tomatoes\r'],
      [AGAIN, 'green-potatoes\r'],
    ]);
    expect({ code, exists: existsSync(out) }).toEqual({ code: 2, exists: false });
    expect(screen).toContain('The passphrases differ. Nothing was written.');
    expect(screen).not.toMatch(/green|toes/);
  });

  test('is empty after Ctrl-D, and nothing is written', async () => {
    const { code, screen } = await exportAt([[FIRST, '\x04']]);
    expect({ code, exists: existsSync(out) }).toEqual({ code: 2, exists: false });
    expect(screen).toContain('The passphrase is empty.');
  });

  test('leaves nothing behind after Ctrl-C', async () => {
    const { code, screen } = await exportAt([[FIRST, 'green-tom\x03']]);
    expect({ code, exists: existsSync(out) }).toEqual({ code: 130, exists: false });
    expect(screen).not.toMatch(/green|error/);
  });

  test('is never shown and can be edited while typing', async () => {
    const { code, screen } = await exportAt([
      [FIRST, 'green-tomatoex\x7fs\r'],
      [AGAIN, 'green-tomatoes\r'],
    ]);
    expect({ code, exists: existsSync(join(out, 'manifest.json.age')) }).toEqual({ code: 0, exists: true });
    expect(screen).toContain('Wrote 1 event');
    expect(screen).not.toMatch(/green|toes/);
  });
});
