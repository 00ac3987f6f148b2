import { describe, expect, it } from 'vitest';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import type { SearchOptions } from '../../src/api.ts';
import { parseQuery, search } from '../../src/search/index.ts';
import { searchWorld } from '../helpers/search-world.ts';
import { DocumentsInMemory, document } from '../projections/text/documents-in-memory.ts';

const NOW = Date.UTC(2026, 2, 25, 12);
const DAY = 86_400_000;
const PROJECTS = [
  { id: 'p1', name: 'one', workdirs: ['/home/u/one'] },
  { id: 'p2', name: 'two', workdirs: ['/home/u/two'] },
];

const DOCUMENTS = [
  document({ id: 'p-1', body: 'walrus in a prompt', at: NOW - 10 * DAY, session: 'abcd-1', tokens: 5 }),
  document({ id: 'a-1', kind: 'answer', body: 'walrus in an answer', at: NOW - DAY, session: 'abcd-2' }),
  document({
    id: 't-1',
    kind: 'tool',
    type: 'Bash',
    body: 'grep walrus',
    files: ['D:\\repo\\src\\Zoo.ts', '/home/user/repo/docs/zoo.md', 'größe.md'.normalize('NFD')],
    at: NOW - 2 * DAY,
  }),
  document({
    id: 'm-1',
    kind: 'memory',
    type: 'decision',
    body: 'walrus saved',
    concepts: ['gotcha'],
    agent: 'codex',
    workdir: '/home/u/two',
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
  it('that finds nothing because of a mistyped value says so, with what there is', async () => {
    const hints = async (options: Omit<SearchOptions, 'project'>) => (await found(options)).hints;
    expect(await hints({ type: 'decison' })).toEqual([
      'Nothing here has the type “decison”. Did you mean type:decision? Types: Bash, decision.',
    ]);
    expect((await hints({ type: 'prompt' }))?.[0]).toContain('Did you mean kind:prompt?');
    expect((await hints({ agent: 'cluade' }))?.[0]).toContain('Did you mean agent:claude?');
    expect((await hints({ concept: 'gotca' }))?.[0]).toContain('Concepts: gotcha.');
    expect(await hints({ type: 'test', agent: 'cod' })).toBe(undefined);
    expect(await hints({})).toBe(undefined);
  });

  it('that leaves nothing out because of a mistyped value says so, although it finds something', async () => {
    const hints = async (query: string) => {
      const world = searchWorld(new DocumentsInMemory(DOCUMENTS), () => NOW);
      const answer = await search(world, PROJECTS, query);
      expect(answer.results).not.toEqual([]);
      return answer.hints;
    };
    expect(await hints('walrus -type:decison -type:decison')).toEqual([
      'Nothing here has the type “decison”. Did you mean -type:decision? Types: Bash, decision.',
    ]);
    expect(await hints('walrus -type:decision -agent:cod')).toBe(undefined);
    expect(await hints('walrus -agent:nobody')).toBe(undefined);
  });

  it('goes no further when its caller has gone while it ranked', async () => {
    const world = searchWorld(new DocumentsInMemory(DOCUMENTS), () => NOW);
    const gone = new AbortController();
    const steps: string[] = [];
    const watched: typeof world = {
      ...world,
      index: {
        search(...given) {
          steps.push('ranked');
          // As a connection that closes meanwhile.
          setImmediate(() => gone.abort());
          return world.index.search(...given);
        },
      },
      documents: {
        getMany(ids) {
          steps.push('read');
          return world.documents.getMany(ids);
        },
      },
    };
    const asked = search(watched, PROJECTS, 'walrus', { signal: gone.signal });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(steps).toEqual(['ranked']);
  });

  it('returns results in the documented shape', async () => {
    const { results, degraded } = await found({ session: 'abcd-1' });
    expect(degraded).toEqual([]);
    expect(results).toEqual([
      {
        id: 'p-1',
        kind: 'prompt',
        type: null,
        outcome: null,
        title: '',
        project: 'one',
        session: 'abcd-1',
        at: '2026-03-15T12:00:00.000Z',
        score: expect.any(Number),
        snippet: 'walrus in a prompt',
        tokens: 5,
        turn: null,
        parts: [],
        nearDuplicates: [],
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
    [{ file: './src/zoo.ts' }, ['t-1']],
    [{ file: '/home/user/repo' }, ['t-1']],
    [{ file: 'docs/' }, ['t-1']],
    [{ file: 'größe.md' }, ['t-1']],
    [{ file: 'größe.md'.normalize('NFD') }, ['t-1']],
    [{ file: 'oo.ts' }, []],
    [{ session: 'ABCD-1' }, ['p-1']],
    [{ concept: 'Gotcha' }, ['m-1']],
    [{ agent: 'codex' }, ['m-1']],
    [{ agent: 'claude' }, ['a-1', 'p-1', 't-1']],
    [{ since: 'last sunday' }, ['a-1', 't-1']],
    [{ until: 'march-20' }, ['p-1']],
    [{ since: '3d' }, ['a-1', 't-1']],
    [{ until: NOW - 3 * DAY }, ['p-1']],
    [{ since: '3d', until: '36h' }, ['t-1']],
    [{ kind: 'tool', since: '1h' }, []],
  ])('with %j', async (options, ids) => {
    expect((await found(options)).results.map(({ id }) => id).sort()).toEqual(ids);
  });

  it('finds the one document that passes a filter among hundreds', async () => {
    const many = Array.from({ length: 500 }, (_, n) =>
      document({ id: `x-${n}`, title: 'walrus', body: 'walrus' }),
    );
    const { results } = await found({ kind: 'memory' }, [...many, DOCUMENTS[3]!]);
    expect(results.map(({ id }) => id)).toEqual(['m-1']);
  });

  it('returns ten results, or as many as requested', async () => {
    const many = Array.from({ length: 50 }, (_, n) => document({ id: `x-${n}`, body: `walrus ${n + 10}` }));
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
    const signs = await search(world, PROJECTS, '🔥 "');
    expect([signs.results, signs.degraded]).toEqual([[], ['The query holds no words to search for.']]);
    await expect(search(world, PROJECTS, '  ')).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('cuts a pasted book and says so', async () => {
    const source = new DocumentsInMemory(DOCUMENTS);
    const world = searchWorld(source, () => NOW);
    const answer = await search(world, PROJECTS, `walrus ${'word '.repeat(2_000)}`);
    expect(answer.results.length).toBeGreaterThan(0);
    expect(answer.degraded).toEqual(['The query was cut to its first 4,000 characters.']);
    const { text } = parseQuery(`walrus ${'a'.repeat(3_992)}\u{1f9ad} at sea`);
    expect(text).toHaveLength(4_000);
    expect(text.isWellFormed()).toBe(true);
  });
});

/** The ids of these documents that a query finds, in order. */
async function idsOf(
  query: string,
  options: SearchOptions = {},
  documents: readonly MemoryDocument[] = DOCUMENTS,
) {
  const world = searchWorld(new DocumentsInMemory(documents), () => NOW);
  const { results, degraded } = await search(world, PROJECTS, query, options);
  return { ids: results.map(({ id }) => id), degraded };
}

describe('An operator in the query', () => {
  it.each<[string, SearchOptions, string[]]>([
    ['walrus kind:tool', {}, ['t-1']],
    ['walrus -kind:tool', {}, ['a-1', 'm-1', 'p-1']],
    ['walrus type:decision', {}, ['m-1']],
    ['walrus file:zoo.ts', {}, ['t-1']],
    ['walrus concept:gotcha', {}, ['m-1']],
    ['walrus agent:codex', {}, ['m-1']],
    ['walrus -agent:codex', {}, ['a-1', 'p-1', 't-1']],
    ['walrus since:3d', {}, ['a-1', 't-1']],
    ['walrus since:3d', { until: '36h' }, ['t-1']],
    ['walrus since:20d', { since: '3d' }, ['a-1', 't-1']],
    ['walrus since:3d', { since: '20d' }, ['a-1', 't-1']],
    ['walrus until:36h', { until: '1h' }, ['p-1', 't-1']],
    ['walrus kind:tool', { kind: 'prompt' }, []],
    ['walrus -answer', {}, ['m-1', 'p-1', 't-1']],
    ['walrus -"in an answer" -saved', {}, ['p-1', 't-1']],
  ])('%s with %j', async (query, options, ids) => {
    expect((await idsOf(query, options)).ids.sort()).toEqual(ids);
  });

  it('is reported as understood, with the options', async () => {
    const world = searchWorld(new DocumentsInMemory(DOCUMENTS), () => NOW);
    const { query } = await search(world, PROJECTS, '"walrus saved" -jest kind:memory', { agent: 'codex' });
    expect(query).toEqual({
      text: 'walrus saved',
      phrases: ['walrus saved'],
      without: ['jest'],
      times: [],
      conditions: [
        { field: 'kind', value: 'memory', not: false },
        { field: 'agent', value: 'codex', not: false },
      ],
    });
  });

  it('with an invalid time is a usage error', async () => {
    await expect(idsOf('walrus since:blah')).rejects.toMatchObject({
      code: 'USAGE',
      message: '“blah” is not a time (since).',
    });
  });
});

describe('A phrase in quotes', () => {
  const many = [
    document({ id: 'p-1', body: 'the import of a cycle lane' }),
    document({ id: 'p-2', body: 'an import cycle, and how to break it' }),
    document({ id: 'p-3', title: 'Import cycles', body: 'everything else' }),
    document({ id: 'p-4', body: 'cycle import cycle-import' }),
  ];

  it('must occur: adjacent words, by stem and across punctuation', async () => {
    const { ids, degraded } = await idsOf('"import cycle"', {}, many);
    expect(ids.sort()).toEqual(['p-2', 'p-3', 'p-4']);
    expect(degraded).toEqual([]);
    expect((await idsOf('"cycle lane"', {}, many)).ids).toEqual(['p-1']);
    expect((await idsOf('"import cycle" break', {}, many)).ids[0]).toBe('p-2');
    expect((await idsOf('"import cycle" "break it"', {}, many)).ids).toEqual(['p-2']);
  });

  it('ignores case, even in words too common to be indexed', async () => {
    expect((await idsOf('"the import OF A cycle"', {}, many)).ids).toEqual(['p-1']);
    expect((await idsOf('"and HOW to break"', {}, many)).ids).toEqual(['p-2']);
  });

  it('that occurs nowhere is searched for without the quotes, with a note', async () => {
    const { ids, degraded } = await idsOf('"lane import"', {}, many);
    expect(ids).toContain('p-1');
    expect(degraded).toEqual([
      'Nothing that is searched holds “lane import” exactly; these are the nearest results without the quotes. What tools printed is not searched, except errors.',
    ]);
    const nothing = await idsOf('"quokka zebra"', { kind: 'tool' }, many);
    expect(nothing.ids).toEqual([]);
    expect(nothing.degraded).toEqual([
      'Nothing that is searched holds “quokka zebra”. What tools printed is not searched, except errors.',
    ]);
  });

  it('is found however far it ranks below documents with only its words', async () => {
    const filler = Array.from({ length: 600 }, (_, n) =>
      document({ id: `x-${n}`, title: 'import', body: 'import import cycles of an import' }),
    );
    const buried = document({ id: 'z-1', body: `${'word '.repeat(900)} import cycle` });
    expect((await idsOf('"word import cycle"', {}, [...filler, buried])).ids).toEqual(['z-1']);
  });
});

describe('A search without words', () => {
  it.each<[string, SearchOptions, string[]]>([
    ['type:decision', {}, ['m-1']],
    ['', { concept: 'gotcha' }, ['m-1']],
    ['', { file: 'zoo.ts' }, ['t-1']],
    ['agent:claude-code', {}, ['a-1', 't-1', 'p-1']],
    ['-kind:memory', {}, ['a-1', 't-1', 'p-1']],
    ['-walrus', {}, []],
    ['-saved', {}, ['a-1', 't-1', 'p-1']],
    ['agent:claude-code', { limit: 2 }, ['a-1', 't-1']],
    ['until:2d', {}, ['t-1', 'p-1']],
    ['type:nothing', {}, []],
  ])('lists what passes, the newest first: %s with %j', async (query, options, ids) => {
    expect(await idsOf(query, options)).toEqual({ ids, degraded: [] });
  });

  it('reads only the documents that it shows', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) =>
      document({ id: `x-${n}`, body: 'walrus', at: n, kind: n % 100 === 0 ? 'tool' : 'prompt' }),
    );
    const source = new DocumentsInMemory(many);
    const read: string[] = [];
    const world = { ...searchWorld(source, () => NOW), documents: reading(source, read) };
    const { results } = await search(world, PROJECTS, 'kind:tool', { limit: 3 });
    expect(results.map(({ id }) => id)).toEqual(['x-2900', 'x-2800', 'x-2700']);
    expect(read).toHaveLength(3);
    expect((await search(world, PROJECTS, 'type:nothing')).results).toEqual([]);
    expect(read).toHaveLength(3);
  });

  it('with words does not read all word matches if nothing passes', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => document({ id: `x-${n}`, body: 'walrus', at: n }));
    const source = new DocumentsInMemory(many);
    const read: string[] = [];
    const world = { ...searchWorld(source, () => NOW), documents: reading(source, read) };
    expect((await search(world, PROJECTS, 'walrus type:nothing')).results).toEqual([]);
    expect(read.length).toBeLessThan(1_000);
  });
});

function reading(source: DocumentsInMemory, read: string[]) {
  return {
    getMany(ids: readonly string[]) {
      read.push(...ids);
      return source.getMany(ids);
    },
  };
}
