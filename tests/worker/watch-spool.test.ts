import { appendFileSync, existsSync, mkdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DrainReport } from '../../src/api.ts';
import { SpoolWatch } from '../../src/worker/watch-spool.ts';
import { testFolder } from '../helpers/views.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A new file is two changes: it is there, and it is written. */
const NEW_FILE = 2;

/** Resolves when the system has reported `count` changes in the folder. */
function changes(folder: string, count: number): Promise<void> {
  return new Promise((done) => {
    let left = count;
    const watcher = watch(folder, () => {
      left -= 1;
      if (left > 0) return;
      watcher.close();
      // By then every other watcher of the folder has had the event too.
      setImmediate(done);
    });
  });
}

async function watched(report: () => Partial<DrainReport> = () => ({})) {
  const folder = join(await testFolder(), 'home/spool/new');
  let drains = 0;
  const nothing = { waiting: 0, unfinished: 0, problems: [] as readonly string[] } as DrainReport;
  const spool = new SpoolWatch({
    folder,
    drain: async () => {
      drains += 1;
      return { ...nothing, ...report() };
    },
    onDrained: () => {},
    onProblem: (text, error) => {
      if ((error as Error).message !== 'The disk is full') throw new Error(text);
    },
  });
  await spool.start();
  await spool.drained();
  drains = 0;
  return { folder, spool, drains: () => drains };
}

it('a file that a hook writes in steps is drained once, a moment later', async () => {
  const { folder, spool, drains } = await watched();
  const made = changes(folder, NEW_FILE);
  writeFileSync(join(folder, 'a'), '{}');
  await made;
  const seen = changes(folder, 1);
  appendFileSync(join(folder, 'a'), '\n');
  await seen;
  expect(drains()).toBe(0);
  await vi.advanceTimersByTimeAsync(200);
  expect(drains()).toBe(1);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(drains()).toBe(1);
  spool.end();
});

it('a call that needs what is in the folder does not wait for that moment', async () => {
  const { folder, spool, drains } = await watched();
  const seen = changes(folder, NEW_FILE);
  writeFileSync(join(folder, 'a'), '{}');
  await seen;
  await spool.drained();
  expect(drains()).toBe(1);
  spool.end();
});

it('a folder that is removed is not made again, and watched when a hook makes it', async () => {
  const { folder, spool, drains } = await watched();
  const home = dirname(dirname(folder));
  const gone = changes(home, 1);
  rmSync(dirname(folder), { recursive: true });
  await gone;
  expect(existsSync(dirname(folder))).toBe(false);
  const made = changes(home, 1);
  mkdirSync(folder, { recursive: true });
  await made;
  const seen = changes(folder, NEW_FILE);
  writeFileSync(join(folder, 'a'), '{}');
  await seen;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(drains()).toBe(1);
  spool.end();
});

it('what could not be drained is tried again after pauses that grow, whatever hooks do, until it works', async () => {
  let problems: readonly string[] = [];
  const { folder, spool, drains } = await watched(() => {
    if (problems.length > 1) throw new Error('The disk is full');
    return { problems };
  });
  for (const failing of [['one'], ['one', 'two']]) {
    problems = failing;
    const before = drains();
    const seen = changes(folder, NEW_FILE);
    writeFileSync(join(folder, `${failing.length}`), '{}');
    await seen;
    await spool.drained();
    expect(drains() - before).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(drains() - before).toBe(2);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(drains() - before).toBe(2);
    problems = [];
    await vi.advanceTimersByTimeAsync(10_000);
    expect(drains() - before).toBe(3);
    await vi.advanceTimersByTimeAsync(10 * 60 * 60_000);
    expect(drains() - before).toBe(3);
  }
  spool.end();
});
