// Some of the runs of `npm run simulate`. A failing seed prints itself;
// `npm run simulate -- --runs 1 --seed N --trace` shows its trace.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DirectoryBacking } from './directory-backing.ts';
import { KINDS } from './faults.ts';
import { type Outcome, simulate } from './run.ts';
import { scratchFolder } from './scratch.ts';
import { SimulatedDisk } from './simulated-disk.ts';

const FIRST = Number(process.env.ANNALS_TEST_SEED ?? 1);
const RUNS_IN_MEMORY = Number(process.env.ANNALS_TEST_SIMULATED_RUNS ?? 50);
const RUNS_ON_DISK = Math.min(20, RUNS_IN_MEMORY / 5);
const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function seedsOf(runs: number, kind: number): readonly number[] {
  return Array.from({ length: runs }, (_, index) => FIRST + index).filter(
    (seed) => seed % KINDS.length === kind,
  );
}

describe.each(KINDS.map((kind, index) => ({ kind, index })))('a world with $kind', ({ index }) => {
  test('loses no event, stores none twice, and shows the same views as a replay', async () => {
    for (const seed of seedsOf(RUNS_IN_MEMORY, index)) {
      const { wrong } = await simulate(seed);
      expect(wrong, `seed ${seed}`).toEqual([]);
    }
  });

  test('does the same on real LevelDB', async () => {
    let workdirs = 0;
    const disk = () =>
      new SimulatedDisk((encoding) => new DirectoryBacking(join(folder, `${index}-${workdirs++}`), encoding));
    for (const seed of seedsOf(RUNS_ON_DISK, index)) {
      const { wrong } = await simulate(seed, { disk });
      expect(wrong, `seed ${seed} on LevelDB`).toEqual([]);
    }
  });
});

describe('a seed', () => {
  test.each([3, 19, 38])('gives the same trace each time (seed %i)', async (seed) => {
    const one = await simulate(seed);
    const other = await simulate(seed);
    expect(one.trace.length).toBeGreaterThan(10);
    expect(other).toEqual(one);
  });

  test('gives another trace than the next seed of its kind', async () => {
    const { trace } = await simulate(9);
    expect((await simulate(19)).trace).not.toEqual(trace);
  });
});

test('the faults do happen: processes die, writes are refused, tails are lost', async () => {
  const runs: Outcome[] = [];
  for (const seed of Array.from({ length: 40 }, (_, index) => 5_000 + index)) runs.push(await simulate(seed));
  const sum = (kind: string, of: 'kills' | 'refused' | 'events') =>
    runs.filter((run) => run.kind === kind).reduce((total, run) => total + run[of], 0);
  for (const kind of ['killed at any write', 'power cut', 'log loses its tail', 'everything at once'])
    expect(sum(kind, 'kills'), kind).toBeGreaterThan(2);
  for (const kind of ['n-th write fails', 'disk full']) expect(sum(kind, 'refused'), kind).toBeGreaterThan(2);
  for (const kind of KINDS) expect(sum(kind, 'events'), kind).toBeGreaterThan(20);
  expect(new Set(runs.map(({ views }) => views)).size).toBe(2);
});
