// The capture script in working and broken environments: it always exits 0 and prints nothing.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  captureCommand,
  captureScript,
  scriptPath,
  sourcedCommand,
} from '../../../src/capture/spool/capture-script.ts';
import { END_MARK, wholePayload } from '../../../src/capture/spool/end-mark.ts';
import { writeToSpool } from '../../../src/capture/spool/write-to-spool.ts';
import { run } from '../../helpers/child.ts';
import { shells } from '../../helpers/hooks/shells.ts';
import { asked, used, waiting } from '../../helpers/spool.ts';
import { temporaryFolder } from '../../helpers/world.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const PROGRAM = { node: '/none/node', cli: '/none/cli.cjs' };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let home: string;
let lineOf: typeof captureCommand;

beforeEach(async () => {
  folder = await temporaryFolder();
  chmodSync(folder.path, 0o755);
  home = put(join(folder.path, 'home'));
});
afterEach(() => folder.remove());

function put(path: string): string {
  for (const part of ['bin', 'spool/new']) mkdirSync(join(path, part), { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  writeFileSync(scriptPath(path), captureScript(path, PROGRAM), { mode: 0o700 });
  return path;
}

interface Fired {
  readonly code: number | null;
  readonly output: string;
}

interface FireOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: number;
  readonly shell?: readonly string[];
  readonly before?: string;
}

/** Runs the command line of the settings, as the agent does. */
async function fire(
  stdin: string,
  { env = { HOME: '/' }, user, shell = ['sh'], before = '' }: FireOptions = {},
  at = home,
): Promise<Fired> {
  const [name = 'sh', ...words] = shell;
  const { code, stdout, stderr } = await run(name, [...words, '-c', before + lineOf(at, 'claude-code')], {
    ...{ cwd: folder.path, stdin, uid: user },
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', ...env },
  });
  return { code, output: stdout + stderr };
}

/** Complete files in spool/new, sorted. */
function completeFiles(at = home): readonly string[] {
  return waiting(at)
    .map((name) => wholePayload(readFileSync(join(at, 'spool/new', name)))?.toString('utf8'))
    .filter((payload) => payload !== undefined)
    .sort();
}

const QUIET: Fired = { code: 0, output: '' };
const prompt = JSON.stringify(asked('Why does it fail?'));

describe.each([
  ['any shell', captureCommand],
  ['sh', sourcedCommand],
] as const)('For %s:', (_, line) => {
  beforeEach(() => {
    lineOf = line;
  });

  describe.each(shells.map((shell) => [shell.join(' '), shell] as const))(
    'With %s, the script',
    (__, shell) => {
      test('keeps the payload byte for byte, closed to others', async () => {
        const script = captureScript(home, PROGRAM).replace('#!/bin/sh\n', '');
        writeFileSync(scriptPath(home), `#!/usr/bin/env -S ${shell.join(' ')}\n${script}`);
        const big = JSON.stringify(used('toolu_1', `\\ % "é😀"\n${'x'.repeat(1_000_000)}`));
        expect(await fire(prompt, { shell })).toEqual(QUIET);
        expect(await fire(big, { shell })).toEqual(QUIET);
        const names = waiting(home);
        expect(names).toHaveLength(2);
        for (const name of names) expect(name).toMatch(/^claude-code-\d{10}-\d{7}-\d+-0$/);
        expect(completeFiles()).toEqual([big, prompt].sort());
        for (const name of names) {
          const path = join(home, 'spool/new', name);
          expect(statSync(path).mode & 0o777).toBe(0o600);
          expect(readFileSync(path, 'utf8').endsWith(END_MARK)).toBe(true);
        }
      });
    },
  );

  describe('The line in the settings', () => {
    test.each([
      ["o'dd $(touch x) home"],
      ['two  spaces and "quotes"'],
      ['back\\slash `touch x` $HOME'],
      ['new\nline'],
      ['-n --help'],
      ['*[x]?{a,b};&|<>#!~'],
      ['ünï 😀'],
    ])('writes to a home named %j, and runs nothing of its name', async (name) => {
      const odd = put(join(folder.path, name));
      expect(await fire(prompt, {}, odd)).toEqual(QUIET);
      expect(completeFiles(odd)).toEqual([prompt]);
      expect(readdirSync(folder.path)).not.toContain('x');
    });

    test('does not depend on HOME or the current folder', async () => {
      for (const env of [
        {},
        { HOME: '' },
        { HOME: '/nonexistent' },
        { HOME: '/root', CDPATH: '/', ENV: '/dev/null', IFS: '/' },
      ])
        expect(await fire(prompt, { env })).toEqual(QUIET);
      expect(completeFiles()).toHaveLength(4);
    });

    test('leaves 20 files when run 20 times at once', async () => {
      const fired = await Promise.all(Array.from({ length: 20 }, (_, index) => fire(`{"n":${index}}`)));
      expect(new Set(fired.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(QUIET)]));
      expect(new Set(completeFiles()).size).toBe(20);
    });

    test('does nothing inside our own processes', async () => {
      for (const value of ['1', ''])
        expect(await fire(prompt, { env: { ANNALS_INTERNAL: value } })).toEqual(QUIET);
      expect(waiting(home)).toEqual([]);
    });
  });

  describe('The script exits 0 and prints nothing when', () => {
    test('it is missing or not executable', async () => {
      chmodSync(scriptPath(home), 0o600);
      expect(await fire(prompt)).toEqual(QUIET);
      rmSync(scriptPath(home));
      expect(await fire(prompt)).toEqual(QUIET);
      rmSync(home, { recursive: true });
      expect(await fire(prompt)).toEqual(QUIET);
      expect(existsSync(home)).toBe(false);
    });

    test('the spool is missing, and it makes a new one', async () => {
      rmSync(join(home, 'spool'), { recursive: true });
      expect(await fire(prompt)).toEqual(QUIET);
      expect(waiting(home)).toHaveLength(1);
      expect(statSync(join(home, 'spool')).mode & 0o777).toBe(0o700);
    });

    test('the spool is a file, or a link', async () => {
      rmSync(join(home, 'spool'), { recursive: true });
      writeFileSync(join(home, 'spool'), 'mine');
      expect(await fire(prompt)).toEqual(QUIET);
      expect(readFileSync(join(home, 'spool'), 'utf8')).toBe('mine');
      for (const [link, parts] of [
        ['spool', ['new']],
        ['spool/new', ['']],
      ] as const) {
        rmSync(join(home, 'spool'), { recursive: true, force: true });
        const elsewhere = join(folder.path, `elsewhere-${link.length}`);
        for (const part of parts) mkdirSync(join(elsewhere, part), { recursive: true });
        mkdirSync(join(home, link, '..'), { recursive: true });
        symlinkSync(elsewhere, join(home, link));
        expect(await fire(prompt)).toEqual(QUIET);
        for (const part of parts) expect(readdirSync(join(elsewhere, part))).toEqual([]);
      }
    });

    test('standard input, output and errors are closed', async () => {
      for (const closed of ['exec <&-; ', 'exec >&-; ', 'exec 2>&-; ', 'exec <&- >&- 2>&-; '])
        expect(await fire(prompt, { before: closed })).toEqual(QUIET);
      expect(completeFiles()).toEqual([prompt, prompt]);
    });

    test('files cannot grow, as on a full disk', async () => {
      expect(
        await fire(JSON.stringify(used('toolu_1', 'x'.repeat(100_000))), { before: 'ulimit -f 8; ' }),
      ).toEqual(QUIET);
      expect(completeFiles()).toEqual([]);
      expect(waiting(home)).toHaveLength(1);
      expect(await fire(prompt)).toEqual(QUIET);
      expect(completeFiles()).toEqual([prompt]);
    });

    test('there is no cat', async () => {
      expect(await fire(prompt, { env: { PATH: '/nonexistent' }, shell: ['/bin/sh'] })).toEqual(QUIET);
      expect(completeFiles()).toEqual([]);
    });

    test.skipIf(!isRoot)('the spool is not writable', async () => {
      for (const part of ['', 'bin', 'bin/capture', 'spool', 'spool/new'])
        chownSync(join(home, part), NOBODY, NOBODY);
      chmodSync(join(home, 'spool/new'), 0o500);
      expect(await fire(prompt, { user: NOBODY })).toEqual(QUIET);
      expect(waiting(home)).toEqual([]);
      chmodSync(join(home, 'spool/new'), 0o700);
      expect(await fire(prompt, { user: NOBODY })).toEqual(QUIET);
      expect(completeFiles()).toEqual([prompt]);
    });

    test.skipIf(!isRoot)('the home belongs to another user, where root writes nothing', async () => {
      for (const part of ['', 'spool', 'spool/new']) chownSync(join(home, part), NOBODY, NOBODY);
      expect(await fire(prompt)).toEqual(QUIET);
      chownSync(home, 0, 0);
      expect(await fire(prompt)).toEqual(QUIET);
      expect(waiting(home)).toEqual([]);
    });

    test.skipIf(!isRoot)('the disk is full', async () => {
      const disk = join(folder.path, 'disk');
      mkdirSync(disk);
      try {
        execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { stdio: 'ignore' });
      } catch {
        return;
      }
      try {
        const full = put(join(disk, 'home'));
        expect(await fire(JSON.stringify(used('toolu_1', 'x'.repeat(1_000_000))), {}, full)).toEqual(QUIET);
        expect(await fire(prompt, {}, full)).toEqual(QUIET);
        expect(completeFiles(full)).toEqual([]);
        rmSync(join(full, 'spool/new'), { recursive: true });
        expect(await fire(prompt, {}, full)).toEqual(QUIET);
        expect(completeFiles(full)).toEqual([prompt]);
        // `POST /hooks` tells the caller, who keeps the payload: nothing of it may stay.
        const before = waiting(full);
        const capture = { agent: 'claude-code', uptime: 0, processId: 1, random: 'a' };
        expect(() => writeToSpool({ ...capture, home: full, payload: 'x'.repeat(1_000_000) })).toThrow(
          'ENOSPC',
        );
        expect(waiting(full)).toEqual(before);
      } finally {
        execFileSync('umount', [disk]);
      }
    });
  });
});
