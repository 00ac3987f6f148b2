import { describe, expect, it } from 'vitest';
import {
  lastingRows,
  mostFrequentTests,
  newestRows,
  rowsBetween,
  sessionRows,
  type ViewReader,
} from '../../../projections/index.ts';
import { chance } from '../../helpers/chance.ts';
import { HOUR, observation, START, summary, told, viewOf, WORKDIR, withdrawn } from './rows.ts';

const OTHER = '/home/u/app-worktree';
const lasting = { evidence: { decisions: ['Tabs, because the linter wants them.'] } };

it('The newest rows of several workdirs are merged, newest first, up to the limit', async () => {
  const rows = [1, 5, 3, 2, 4].map((number) =>
    observation(number, { workdir: number % 2 ? WORKDIR : OTHER }),
  );
  const view = await viewOf(rows.map((row) => told(row)));
  const found = await newestRows(view, [WORKDIR, OTHER], 'observation', 3);
  expect(found.map(({ id }) => id)).toEqual([5, 4, 3].map((number) => observation(number).id));
  expect(await newestRows(view, ['/elsewhere'], 'observation', 3)).toEqual([]);
});

it('The newest rows may all be of one workdir among many, and few others are read', async () => {
  const quiet = Array.from({ length: 30 }, (_, index) => `${OTHER}-${index}`);
  const view = await viewOf([
    ...quiet.map((workdir, index) => told(observation(index, { workdir }))),
    ...Array.from({ length: 200 }, (_, index) => told(observation(100 + index, lasting))),
  ]);
  let read = 0;
  const counting: ViewReader = {
    ...view,
    range: async <R>(...range: Parameters<ViewReader['range']>) => {
      const rows = await view.range<R>(...range);
      read += rows.length;
      return rows;
    },
  };
  const workdirs = [...quiet, WORKDIR];
  const expected = Array.from({ length: 120 }, (_, index) => observation(299 - index).id);
  expect((await newestRows(counting, workdirs, 'observation', 120)).map(({ id }) => id)).toEqual(expected);
  expect((await lastingRows(counting, workdirs, 'decision', 120)).map(({ id }) => id)).toEqual(expected);
  expect(read).toBeLessThan(2 * (2 * 120 + quiet.length));
});

it('Rows without a time are the oldest', async () => {
  const view = await viewOf([told(observation(1, { at: null })), told(observation(2))]);
  const found = await newestRows(view, [WORKDIR], 'observation', 5);
  expect(found.map(({ at }) => at)).toEqual([START + 2 * HOUR, null]);
});

it('A span includes both of its ends', async () => {
  const view = await viewOf([1, 2, 3, 4, 5].map((number) => told(observation(number))));
  const span = { since: START + 2 * HOUR, until: START + 4 * HOUR };
  const between = (limit: number, oldest: boolean) =>
    rowsBetween(view, [WORKDIR], ['observation', 'summary'], span, limit, oldest);
  expect((await between(9, false)).map(({ turn }) => turn)).toEqual(['t-4', 't-3', 't-2']);
  expect((await between(2, false)).map(({ turn }) => turn)).toEqual(['t-4', 't-3']);
  expect((await between(2, true)).map(({ turn }) => turn)).toEqual(['t-3', 't-2']);
});

it('An observation that is removed, changed or moved leaves no old rows', async () => {
  const decided = observation(1, { evidence: { decisions: ['Tabs, because the linter wants them.'] } });
  const moved = observation(2);
  const view = await viewOf([
    told(decided),
    told(moved),
    told({ ...decided, title: 'Another title', evidence: { ...decided.evidence, decisions: [] } }, decided),
    told({ ...moved, workdir: OTHER }, moved),
  ]);
  expect(await lastingRows(view, [WORKDIR], 'decision', 9)).toEqual([]);
  expect((await newestRows(view, [WORKDIR], 'observation', 9)).map(({ title }) => title)).toEqual([
    'Another title',
  ]);
  expect(await newestRows(view, [OTHER], 'observation', 9)).toHaveLength(1);
  const empty = await viewOf([told(decided), told(moved), withdrawn(decided), withdrawn(moved)], 1);
  expect(empty.dump()).toEqual([]);
});

it('Counts are numbers of observations, whatever the order and the pages', async () => {
  const ran = (number: number) =>
    observation(number, {
      filesModified: ['src/clock.ts'],
      evidence: {
        commands: [
          { command: 'npm run build', outcome: number === 3 ? 'failed' : 'ok' },
          { command: 'npm run build', outcome: 'ok' },
          { command: 'npm test', outcome: 'ok' },
        ],
        tests: [
          {
            command: 'npm test',
            before: 'failed',
            after: number === 4 ? 'failed' : 'passed',
            runnerLine: null,
          },
        ],
      },
    });
  const changes = [...[1, 2, 3, 4].map((number) => told(ran(number))), withdrawn(ran(1)), told(summary(9))];
  const view = await viewOf(changes);
  expect(await mostFrequentTests(view, [WORKDIR], 5)).toEqual([{ name: 'npm test', count: 2 }]);
  const { shuffled } = chance(7);
  const kept = [2, 3, 4].map((number) => told(ran(number)));
  const others = await viewOf([...shuffled(kept), told(summary(9))], 1);
  expect(others.dump()).toEqual(view.dump());
});

it('The rows of a session are returned newest first', async () => {
  const view = await viewOf([told(observation(11)), told(summary(12)), told(observation(25))]);
  const found = await sessionRows(view, 'session-1', 9);
  expect(found.map(({ kind, turn }) => [kind, turn])).toEqual([
    ['summary', 't-12'],
    ['observation', 't-11'],
  ]);
  const [first] = found.slice(-1);
  expect(await sessionRows(view, 'session-1', 1, first!.at!)).toEqual([first]);
});

it('The size of a row is bounded, however much an agent wrote', async () => {
  const long = 'word '.repeat(5_000);
  const commands = Array.from({ length: 500 }, () => ({ command: long, outcome: 'ok' as const }));
  const view = await viewOf([
    told(
      observation(1, {
        title: long,
        subtitle: long,
        narrative: long,
        evidence: { commands, decisions: [long] },
      }),
    ),
  ]);
  const rows = await newestRows(view, [WORKDIR], 'observation', 1);
  expect(JSON.stringify(rows).length).toBeLessThan(12_000);
});

describe('What a summary quotes', () => {
  const shownOf = async (completed: string) => {
    const view = await viewOf([told(summary(1, { completed }))]);
    const [row] = await newestRows(view, [WORKDIR], 'summary', 1);
    return row!.completed;
  };
  it.each([
    [
      '“Opens early.\n\n[…]\n\nThe hatch\n\n- closes at dusk\n- stays shut”\n\nCommitted 1a2b3c4: Open early.',
      'Opens early. The hatch: closes at dusk. stays shut. Committed 1a2b3c4: Open early.',
    ],
    [
      '“What changed\n\nIt opens early.\n\nDraft: https://example.org/pull/7\n\nIn UTC”',
      'It opens early. Draft: https://example.org/pull/7.',
    ],
    ['“Based on the plan, here’s my review:\n\nIt opens early.”', 'It opens early.'],
    ['“The shape is:\n\n[…]\n\nIt is old.\n\n[…]\n\nIt stays.”', 'The shape is: […] It is old. It stays.'],
    ['“Options\n\n1. Open early\n2. Stay shut”', 'Options: Open early. Stay shut.'],
    ['“It says:\n\n- “do not”\n- open early”', 'It says: “do not”. open early.'],
    ['Changed “feed.ts”.', 'Changed “feed.ts”.'],
  ])('is split into sentences: %#', async (completed, shown) => {
    expect(await shownOf(completed)).toBe(shown);
  });
});
