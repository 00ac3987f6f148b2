import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Annals, openAnnals } from '../../src/index.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 25, 12);

/** Saved memories: a title, and other fields to filter by. */
const MEMORIES = [
  {
    title: 'Seed the clock',
    project: 'feeder',
    type: 'decision',
    concepts: ['gotcha'],
    files: ['src/clock.ts'],
  },
  { title: 'Feed at dusk', project: 'feeder', type: 'note', concepts: [], files: ['src/a b.ts'] },
  { title: 'Fold the report', project: 'report', type: 'decision', concepts: ['pattern'], files: [] },
  { title: 'Keep the clock', project: 'report', type: 'note', concepts: ['gotcha', 'pattern'], files: [] },
];

describe('A search of a home', () => {
  let home: string;
  let annals: Annals;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'annals-search-'));
    annals = await openAnnals({ home });
    await annals.save(
      MEMORIES.map((memory, index) => ({ ...memory, text: 'what was said', at: NOW + index * DAY })),
    );
  });

  afterAll(async () => {
    await annals.close();
    await rm(home, { recursive: true, force: true });
  });

  const titles = async (query: string, options = {}) =>
    (await annals.search(query, options)).results.map(({ title }) => title);

  it.each<[string, object, string[]]>([
    ['type:decision', {}, ['Fold the report', 'Seed the clock']],
    ['', { type: 'Decision' }, ['Fold the report', 'Seed the clock']],
    ['type:decision project:feeder', {}, ['Seed the clock']],
    ['type:decision', { project: 'feeder' }, ['Seed the clock']],
    ['project:report', { project: 'feeder' }, []],
    ['-project:feeder', {}, ['Keep the clock', 'Fold the report']],
    ['concept:gotcha', {}, ['Keep the clock', 'Seed the clock']],
    ['concept:gotcha concept:pattern', {}, ['Keep the clock']],
    ['file:"a b.ts"', {}, ['Feed at dusk']],
    ['kind:memory', { limit: 3 }, ['Keep the clock', 'Fold the report', 'Feed at dusk']],
    ['kind:memory -type:note', {}, ['Fold the report', 'Seed the clock']],
    ['until:2026-03-26', {}, ['Feed at dusk', 'Seed the clock']],
    ['kind:tool', {}, []],
    ['clock type:note', {}, ['Keep the clock']],
  ])('%s with %j', async (query, options, found) => {
    expect(await titles(query, options)).toEqual(found);
  });

  it('is the same for an earlier state', async () => {
    const { results } = await annals.search('type:decision', { asOf: '2026-03-26' });
    expect(results.map(({ title }) => title)).toEqual(['Seed the clock']);
  });

  it('stops when its caller has gone, and the next search is answered', async () => {
    const gone = new AbortController();
    const { signal } = gone;
    const waiting = [annals.search('clock', { signal }), annals.search('type:note', { signal })];
    const others = annals.search('clock');
    gone.abort();
    for (const one of waiting) await expect(one).rejects.toMatchObject({ name: 'AbortError' });
    expect((await others).results).not.toEqual([]);
    await expect(annals.search('clock', { signal })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('does not find what was forgotten', async () => {
    const [lost] = (await annals.search('concept:pattern type:decision')).results;
    await annals.forget({ ids: [lost!.id] });
    expect(await titles('type:decision')).toEqual(['Seed the clock']);
    expect((await annals.verify({ rebuilt: true })).ok).toBe(true);
  });

  it('knows its projects, even in the query', async () => {
    await expect(annals.search('project:nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(annals.search(' ')).rejects.toMatchObject({ code: 'USAGE' });
  });
});
