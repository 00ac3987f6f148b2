import { describe, expect, it } from 'vitest';
import type { MemoryDocument } from '../../projections/memory/document.ts';
import type { SearchOptions } from '../../src/api.ts';
import { search } from '../../src/search/index.ts';
import { searchWorld } from '../helpers/search-world.ts';
import { DocumentsInMemory, document } from '../projections/text-index/documents-in-memory.ts';

const NOW = Date.UTC(2026, 2, 25, 12);
const DAY = 86_400_000;
const PROJECTS = [
  { id: 'p1', name: 'one', places: ['/home/u/one'] },
  { id: 'p2', name: 'two', places: ['/home/u/two'] },
];

const DOCUMENTS = [
  document({ id: 'p-1', body: 'walrus in a prompt', at: NOW - 10 * DAY, session: 'abcd-1', tokens: 5 }),
  document({ id: 'a-1', kind: 'answer', body: 'walrus in an answer', at: NOW - DAY, session: 'abcd-2' }),
  document({
    id: 't-1',
    kind: 'tool',
    type: 'Bash',
    body: 'grep walrus',
    files: ['D:\\repo\\src\\Zoo.ts', '/home/user/repo/docs/zoo.md'],
    at: NOW - 2 * DAY,
  }),
  document({
    id: 'm-1',
    kind: 'memory',
    type: 'decision',
    body: 'walrus saved',
    place: '/home/u/two',
    session: null,
  }),
];

async function found(
  options: Omit<SearchOptions, 'project'>,
  documents: readonly MemoryDocument[] = DOCUMENTS,
) {
  const source = new DocumentsInMemory(documents);
  const world = searchWorld(source, () => NOW);
  return search(world, PROJECTS, 'walrus', options);
}

describe('A search', () => {
  it('gives results in the documented shape', async () => {
    const { results, degraded } = await found({ session: 'abcd-1' });
    expect(degraded).toEqual([]);
    expect(results).toEqual([
      {
        id: 'p-1',
        kind: 'prompt',
        type: null,
        title: '',
        project: 'one',
        session: 'abcd-1',
        at: '2026-03-15T12:00:00.000Z',
        score: expect.any(Number),
        snippet: 'walrus in a prompt',
        tokens: 5,
      },
    ]);
  });

  it.each<[Omit<SearchOptions, 'project'>, string[]]>([
    [{}, ['a-1', 'm-1', 'p-1', 't-1']],
    [{ kind: 'tool' }, ['t-1']],
    [{ type: 'bash' }, ['t-1']],
    [{ type: 'decision' }, ['m-1']],
    [{ file: 'zoo.ts' }, ['t-1']],
    [{ file: 'src/Zoo.ts' }, ['t-1']],
    [{ file: 'src\\zoo.ts' }, ['t-1']],
    [{ file: '/home/user/repo' }, ['t-1']],
    [{ file: 'docs/' }, ['t-1']],
    [{ file: 'oo.ts' }, []],
    [{ session: 'abcd' }, ['a-1', 'p-1']],
    [{ since: '3d' }, ['a-1', 't-1']],
    [{ until: NOW - 3 * DAY }, ['p-1']],
    [{ since: '3d', until: '36h' }, ['t-1']],
    [{ kind: 'tool', since: '1h' }, []],
  ])('with %j', async (options, ids) => {
    expect((await found(options)).results.map(({ id }) => id).sort()).toEqual(ids);
  });

  it('finds the one that passes a filter among hundreds that do not', async () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      document({ id: `x-${n}`, title: 'walrus', body: 'walrus' }),
    );
    const { results } = await found({ kind: 'memory' }, [...many, DOCUMENTS[3]!]);
    expect(results.map(({ id }) => id)).toEqual(['m-1']);
  });

  it('gives ten results, or as many as asked', async () => {
    const many = Array.from({ length: 50 }, (_, n) => document({ id: `x-${n}`, body: 'walrus' }));
    expect((await found({}, many)).results).toHaveLength(10);
    expect((await found({ limit: 45 }, many)).results).toHaveLength(45);
    expect((await found({ limit: 0 }, many)).results).toHaveLength(1);
  });

  it('says that a query of common words finds nothing, and refuses an empty one', async () => {
    const source = new DocumentsInMemory(DOCUMENTS);
    const world = searchWorld(source, () => NOW);
    const answer = await search(world, PROJECTS, 'what was it about');
    expect(answer.results).toEqual([]);
    expect(answer.degraded).toEqual(['The query holds only words that are too common to search for.']);
    await expect(search(world, PROJECTS, '  ')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('cuts a pasted book and says so', async () => {
    const source = new DocumentsInMemory(DOCUMENTS);
    const world = searchWorld(source, () => NOW);
    const answer = await search(world, PROJECTS, `walrus ${'word '.repeat(2_000)}`);
    expect(answer.results.length).toBeGreaterThan(0);
    expect(answer.degraded).toEqual(['The query was cut to its first 4,000 characters.']);
  });
});
