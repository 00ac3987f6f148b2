import { describe, expect, it } from 'vitest';
import { search } from '../../src/search/index.ts';
import { timeShare, timesInQuery } from '../../src/search/ranking/query-times.ts';
import { searchWorld } from '../helpers/search-world.ts';
import { DocumentsInMemory, document } from '../projections/text/documents-in-memory.ts';

/** A Wednesday. */
const NOW = new Date(2026, 2, 25, 14, 30).getTime();
const DAY = 86_400_000;
const local = (year: number, month: number, day: number) => new Date(year, month - 1, day).getTime();
const spansOf = (query: string) =>
  timesInQuery(query, NOW).map(({ first, last }) => [first, Math.ceil(last / 1_000) * 1_000]);

describe('A query that names a time', () => {
  it.each<[string, readonly [number, number, number], readonly [number, number, number]]>([
    ['what did we change on 3 March, 2025?', [2025, 3, 3], [2025, 3, 4]],
    ['what broke on March 3rd', [2026, 3, 3], [2026, 3, 4]],
    ['the outage of 3rd of march 2025', [2025, 3, 3], [2025, 3, 4]],
    ['released in August 2025', [2025, 8, 1], [2025, 9, 1]],
    ['what did we change in February 2025', [2025, 2, 1], [2025, 3, 1]],
    ['in november of 2024', [2024, 11, 1], [2024, 12, 1]],
    ['until may, 2023', [2023, 5, 1], [2023, 6, 1]],
    ['done by March 3, 2025', [2025, 3, 3], [2025, 3, 4]],
    ['the outage of march 3rd', [2026, 3, 3], [2026, 3, 4]],
    ['in march 404 errors', [2026, 3, 1], [2026, 4, 1]],
    ['who joined in november', [2025, 11, 1], [2025, 12, 1]],
    ['mid-may incident', [2025, 5, 1], [2025, 6, 1]],
    ['decisions from 2024', [2024, 1, 1], [2025, 1, 1]],
    ['the crash of last week', [2026, 3, 16], [2026, 3, 23]],
    ['what did I ask on Tuesday', [2026, 3, 24], [2026, 3, 25]],
    ['tests that failed yesterday', [2026, 3, 24], [2026, 3, 25]],
    ['the build of 2026-03-20 failed', [2026, 3, 20], [2026, 3, 21]],
  ])('means by “%s” that span', (query, first, next) => {
    expect(spansOf(query)).toEqual([[local(...first), local(...next)]]);
  });

  it('takes “two weeks ago” as about two weeks ago', () => {
    const [span] = timesInQuery('the merge 2 weeks ago', NOW);
    expect(NOW - 14 * DAY - span!.first).toBe(3.5 * DAY);
    expect(span!.last - (NOW - 14 * DAY)).toBe(3.5 * DAY);
  });

  it.each([
    'may the tests march on',
    'port 2024 is taken',
    'file 2026-03-20-add-users.sql',
    'February 31',
    'a week of work',
    'sun and sat',
  ])('takes “%s” for words', (query) => {
    expect(timesInQuery(query, NOW)).toEqual([]);
  });

  it('finds all times', () => {
    expect(spansOf('between August 11 and August 15 2025')).toHaveLength(2);
  });

  it('gives the full share within the span, and less with each day after', () => {
    const spans = timesInQuery('on 3 March 2025', NOW);
    const at = (days: number) => local(2025, 3, 4) - 1 + days * DAY;
    expect([0, 3.5, 7, 30].map((days) => timeShare(spans, at(days)))).toEqual([1, 0.5, 0, 0]);
    expect(timeShare(spans, local(2025, 3, 3) - 1)).toBe(0);
    expect(timeShare(spans, null)).toBe(0);
  });

  it('moves up documents of that time, and reports the times', async () => {
    const said = (id: string, at: number | null) =>
      document({ id, body: `We moved the walrus to ${id}.`, tokens: 20, session: id, at });
    const documents = [said('p-1', local(2026, 1, 9)), said('p-2', null), said('p-3', local(2025, 8, 20))];
    const world = searchWorld(new DocumentsInMemory(documents), () => NOW);
    const projects = [{ id: 'p', name: 'zoo', workdirs: ['/home/u/one'] }];
    const found = (query: string) => search(world, projects, query, { explain: true });
    const dated = await found('walrus moved in August 2025');
    expect(dated.results[0]).toMatchObject({ id: 'p-3', shares: { time: 1 } });
    expect(dated.results.slice(1).map(({ shares }) => shares!.time)).toEqual([0, 0]);
    expect(dated.query.times).toEqual([
      {
        first: new Date(2025, 7, 1).toISOString(),
        last: new Date(local(2025, 9, 1) - 1).toISOString(),
      },
    ]);
    for (const { shares } of (await found('walrus moved')).results) expect(shares!.time).toBe(0);
  });
});
