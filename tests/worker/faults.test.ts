// Faults around a real worker: its second thread dies, the clock is set, the disk is full, another build takes over.
// Whatever happens, nothing that a hook or a command handed over is lost, and the next command finds or starts a worker.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { captureScript } from '../../src/capture/spool/capture-script.ts';
import { annals, buildCommand, complaintOf, type Ended } from '../e2e/command.ts';
import { REPOSITORY } from '../helpers/program.ts';
import { asked, leave, type Payload, used, waiting } from '../helpers/spool.ts';
import { afterwards, connected, found, type TestHome, testHome, whenChanged } from './homes.ts';
import { lives, pidOf } from './processes.ts';

const DAY_MS = 24 * 3_600_000;

beforeAll(buildCommand);

/** Runs the command; what `program` says is loaded first in each of its threads. */
function runWith(at: TestHome, program: string, ...words: string[]): Promise<Ended> {
  const path = join(at.folder, 'first.cjs');
  writeFileSync(path, program);
  const env = {
    ...at.environment,
    NODE_OPTIONS: `--max-old-space-size=200 --require ${JSON.stringify(path)}`,
  };
  return annals(words, { home: at.home, cwd: at.folder, env });
}

/** A hook's file, which is complete and has its time from its first moment in the spool on. */
function handOver({ home, folder }: TestHome, name: string, payload: Payload, time = Date.now()): void {
  renameSync(leave(folder, name, payload, time), join(home, 'spool/new', name));
}

/** Resolves when nothing waits in the spool. */
async function drained(at: TestHome): Promise<void> {
  const worker = await connected(at.home);
  await whenChanged(worker, async () => (waiting(at.home).length === 0 ? true : null));
  await worker.close();
}

async function titles(at: TestHome, words: string): Promise<readonly string[]> {
  const { results } = JSON.parse((await at.run('search', words, '--json')).stdout);
  return results.map(({ title }: { title: string }) => title);
}

/** Asks the worker that runs. */
async function expectSound(at: TestHome): Promise<void> {
  const worker = await connected(at.home);
  expect(await worker.verify({ rebuilt: true })).toMatchObject({ ok: true });
  await worker.close();
}

describe('the thread that writes', () => {
  const DEATHS = {
    exits: [
      'process.exit(0)',
      /: INTERNAL The thread that writes the log has ended, with code 0\./,
      'feed the heron',
    ],
    // Sometimes Node reports only its end, not its error.
    throws: [
      "throw new TypeError('no')",
      /: (?:TypeError|INTERNAL The thread that writes the log has ended, with code 1\.)/,
      'where does a heron nest?',
    ],
    'runs out of memory': [
      'const all = []; for (;;) all.push(Array(1e5).fill(all.length))',
      /: Error ERR_WORKER_OUT_OF_MEMORY/,
      'count all eggs of this heron',
    ],
  } as const;

  test(`${Object.keys(DEATHS).join(', ')}: the worker says so and ends, and the next one has everything`, async () => {
    const at = testHome();
    const sign = join(at.folder, 'die');
    const fed: string[] = [];
    for (const [death, reason, prompt] of Object.values(DEATHS)) {
      const program = `
        const { isMainThread } = require('node:worker_threads');
        const { existsSync } = require('node:fs');
        if (!isMainThread) setInterval(() => { if (existsSync(${JSON.stringify(sign)})) { ${death}; } }, 10).unref();`;
      expect(JSON.parse((await runWith(at, program, 'worker', 'start', '--json')).stdout)).toMatchObject({
        outcome: 'started',
      });
      expect(waiting(at.home)).toEqual([]);
      const number = fed.push(prompt);
      const turn = { session_id: `session-${number}`, prompt_id: `p-${number}` };
      handOver(at, `c-${number}-0`, asked(prompt, turn));
      await drained(at);
      const pid = pidOf(at.home);
      writeFileSync(sign, '');
      await expect.poll(() => lives(pid)).toBe(false);
      rmSync(sign);
      expect(at.log().at(-1)).toContain('The worker failed and ends: ');
      expect(at.log().at(-1)).toMatch(reason);
      handOver(at, `c-${number}-1`, used(`toolu_${number}`, 'two fish', turn));
      expect((await titles(at, 'heron')).toSorted()).toEqual(fed.toSorted());
    }
    expect(JSON.parse((await at.run('worker', 'start', '--json')).stdout)).toMatchObject({
      outcome: 'started',
    });
    expect((await titles(at, 'heron')).toSorted()).toEqual(fed.toSorted());
    await expectSound(at);
  });
});

describe('the clock', () => {
  test.each([
    ['forward', 2 * DAY_MS],
    ['back', -2 * DAY_MS],
  ])('is set %s: the worker goes on and records what comes then', async (_, jump) => {
    const at = testHome();
    const clock = join(at.folder, 'clock');
    const program = `
      const { readFileSync } = require('node:fs');
      const System = Date;
      const jump = () => { try { return Number(readFileSync(${JSON.stringify(clock)}, 'utf8')); } catch { return 0; } };
      globalThis.Date = class extends System {
        constructor(...given) { super(...(given.length === 0 ? [System.now() + jump()] : given)); }
        static now() { return System.now() + jump(); }
      };`;
    expect((await runWith(at, program, 'worker', 'start')).code).toBe(0);
    const pid = pidOf(at.home);
    handOver(at, 'c-0', asked('feed the heron'));
    await drained(at);
    writeFileSync(clock, String(jump));
    const later = (name: string, payload: Payload) => handOver(at, name, payload, Date.now() + jump);
    // Its prompt is not known yet.
    later('c-1', used('toolu_1', 'two fish', { session_id: 'other', prompt_id: 'p-2' }));
    later('c-2', asked('feed the egret', { prompt_id: 'p-3' }));
    const worker = await connected(at.home);
    await whenChanged(worker, () => found(worker, 'egret'));
    expect(waiting(at.home)).toEqual(['c-1']);
    later('c-3', asked('feed the ibis', { session_id: 'other', prompt_id: 'p-2' }));
    await whenChanged(worker, async () => (waiting(at.home).length === 0 ? true : null));
    const types: string[] = [];
    for await (const { type } of worker.log()) if (type !== 'workdir.seen') types.push(type);
    expect(types.sort()).toEqual(['prompt.submitted', 'prompt.submitted', 'prompt.submitted', 'tool.used']);
    await worker.close();
    expect(pidOf(at.home)).toBe(pid);
    expect(await titles(at, 'ibis')).toEqual(['feed the ibis']);
    await expectSound(at);
  });
});

describe('two builds of one version', () => {
  test('the newer one serves: it takes the place of the older one, which uses it from then on', async () => {
    const at = testHome();
    const build = (name: string, built: Date): string => {
      const folder = join(at.folder, name);
      cpSync(join(REPOSITORY, 'dist'), join(folder, 'dist'), {
        recursive: true,
        filter: (path) => !/\.map$|\/(chunks|types|viewer)$/.test(path),
      });
      cpSync(join(REPOSITORY, 'package.json'), join(folder, 'package.json'));
      symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
      utimesSync(join(folder, 'dist/worker.cjs'), built, built);
      return join(folder, 'dist/cli.cjs');
    };
    const older = build('older', new Date('2026-03-01T10:00:00Z'));
    const newer = build('newer', new Date('2026-03-01T10:00:01Z'));
    const run = async (command: string, ...words: string[]) => {
      const env = at.environment;
      const ended = await annals([...words, '--json'], { home: at.home, cwd: at.folder, env, command });
      expect(ended.code, ended.stdout).toBe(0);
      return JSON.parse(ended.stdout);
    };
    const first = await run(older, 'worker', 'start');
    expect(first.outcome).toBe('started');
    handOver(at, 'c-0', asked('feed the heron'));
    // A command of the newer one: the older worker ends, the command opens the log itself.
    expect((await run(newer, 'search', 'heron')).results).toHaveLength(1);
    expect(at.log().at(-2)).toBe('Stopping: asked by a command of version 0.1.0');
    const second = await run(newer, 'worker', 'start');
    expect(second.outcome).toBe('started');
    expect(second.pid).not.toBe(first.pid);
    expect((await run(older, 'search', 'heron')).results).toHaveLength(1);
    expect(await run(older, 'worker', 'start')).toMatchObject({ outcome: 'already', pid: second.pid });
    expect((await run(older, 'status')).worker).toEqual({ pid: second.pid });
  });
});

describe('the disk', () => {
  test('is full while the worker runs: hooks go on, and when there is space everything works again', async (context) => {
    const at = testHome('disk/home');
    const disk = join(at.folder, 'disk');
    mkdirSync(disk);
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk], { stdio: 'pipe' });
    } catch {
      context.skip('a small disk can only be mounted by root');
    }
    afterwards(() => execFileSync('umount', ['--lazy', disk]));
    afterwards(() => at.run('worker', 'stop'));
    expect((await at.run('worker', 'start')).code).toBe(0);
    const pid = pidOf(at.home);
    const script = join(at.folder, 'capture');
    writeFileSync(script, captureScript(at.home, { node: process.execPath, cli: '/nonexistent' }));
    chmodSync(script, 0o755);
    const fire = (payload: Payload) =>
      execFileSync(script, ['claude-code'], { input: JSON.stringify(payload), encoding: 'utf8' });
    fire(asked('feed the heron'));
    await drained(at);
    let filler = 0;
    const fill = () => {
      for (let bytes = 1_048_576; bytes >= 1; bytes = Math.floor(bytes / 2)) {
        try {
          for (;;) writeFileSync(join(disk, `filler-${filler++}`), Buffer.alloc(bytes));
        } catch {
          // Full for this size: smaller files fill the rest.
        }
      }
    };
    fill();
    expect(fire(asked('feed the egret', { prompt_id: 'p-2' }))).toBe('');
    // More than what is left of the last page of any file.
    const save = () => at.run('save', '--title', 'Ibis', '--text', 'fish '.repeat(4_000), '--json');
    expect(complaintOf(await save()).code).toBe('DISK_FULL');
    const search = await at.run('search', 'heron', '--json');
    if (search.code !== 0) expect(complaintOf(search).code).toBe('DISK_FULL');
    expect(lives(pid)).toBe(true);
    for (let file = 0; file < filler; file++) rmSync(join(disk, `filler-${file}`), { force: true });
    fire(asked('feed the stork', { prompt_id: 'p-3' }));
    expect(await titles(at, 'stork')).toEqual(['feed the stork']);
    expect((await save()).code).toBe(0);
    expect(await titles(at, 'ibis')).toEqual(['Ibis']);
    expect(pidOf(at.home)).toBe(pid);
    await expectSound(at);
    // It ends, although it cannot write what it wants to keep.
    fill();
    expect(complaintOf(await save()).code).toBe('DISK_FULL');
    await at.run('worker', 'stop');
    await expect.poll(() => lives(pid)).toBe(false);
  });
});
