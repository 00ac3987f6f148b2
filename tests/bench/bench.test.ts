// Runs the benchmarks on little data: they complete, measure what they say and are repeatable. The tests do not check
// times. Those that take long are run by `npm run test:long`.
import { expect, test } from 'vitest';
import type { Report } from '../../bench/harness/report.ts';
import { importBench } from '../../bench/import/import.ts';
import { liveCostBench } from '../../bench/live-cost/cost.ts';
import { appendBench } from '../../bench/log/append.ts';
import { replayBench } from '../../bench/projections/replay.ts';
import { knownItemsBench } from '../../bench/recall/known-items.ts';
import { scaleBench } from '../../bench/scale/scale.ts';

const longTest = test.runIf(process.env.ANNALS_TEST_BENCHES === 'all');

test('the replay bench makes the same rows by replay and in its loops, on every run', async () => {
  const reports = await replayBench('small');
  expect(figureNames(reports)).toContain('replay / same rows');
  expect(digests(await replayBench('small'))).toEqual(digests(reports));
});

test('the append bench compares calls of each size with a put and with a log without hashes', async () => {
  const reports = await appendBench('small');
  expect(figureNames(reports)).toEqual(
    expect.arrayContaining(['calls of 1: log / put', 'calls of 8: log / unhashed']),
  );
  expect(digests(await appendBench('small'))).toEqual(digests(reports));
});

longTest(
  'the import bench imports the example, finds it at once, and appends nothing the second time',
  async () => {
    const reports = await importBench('small');
    expect(figureNames(reports)).toContain('annals search, a process');
    const again = reports[0]!.figures.find(({ name }) => name === 'appended by the import again');
    expect(again).toMatchObject({ value: 0 });
  },
);

test('the recall bench finds each document of the example by its own title', async () => {
  const reports = await knownItemsBench('small');
  expect(figureNames(reports)).toContain('FTS5 porter, frozen, MRR');
  const found = reports[0]!.figures.find(({ name }) => name === 'annals, tuning, hit@10');
  expect(found).toMatchObject({ value: 100 });
});

longTest(
  'the scale bench gets equal answers from live and rebuilt views, and finds nothing that was removed',
  async () => {
    const reports = await scaleBench('small');
    expect(figureNames(reports)).toEqual(
      expect.arrayContaining(['words and vectors', 'SQLite FTS5, porter', 'annals search, a process']),
    );
    const figures = new Map(
      reports.flatMap((report) => report.figures.map(({ name, value }) => [name, value])),
    );
    expect(figures.get('equal answers, live and rebuilt')).toBe(20);
    expect(figures.get('equal digests, live and rebuilt')).toBe(1);
    expect(figures.get('forgotten records found')).toBe(0);
  },
);

longTest('the live-cost bench measures every stage and makes the same rows on every run', async () => {
  const reports = await liveCostBench('small', ['endless', 'fork']);
  expect(figureNames(reports)).toEqual(expect.arrayContaining(['— turns', '— memory', '— text']));
  const again = digests(await liveCostBench('small', ['endless']));
  expect(again).toEqual(digests(reports).slice(0, again.length));
  expect(again.length).toBeGreaterThan(0);
});

function figureNames(reports: readonly Report[]): string[] {
  expect(reports.length).toBeGreaterThan(0);
  for (const figure of reports.flatMap(({ figures }) => figures))
    expect(figure, figure.name).toMatchObject({ value: expect.closeTo(figure.value) });
  return reports.flatMap(({ figures }) => figures.map(({ name }) => name));
}

function digests(reports: readonly Report[]): string[] {
  return reports.map(({ digest }) => digest);
}
