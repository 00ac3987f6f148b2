// A turn is one result: its best part, with the ids of its other parts.
import { describe, expect, it } from 'vitest';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import type { SearchOptions } from '../../src/api.ts';
import { search } from '../../src/search/index.ts';
import { searchWorld } from '../helpers/search-world.ts';
import { DocumentsInMemory, document } from '../projections/text/documents-in-memory.ts';

const PROJECTS = [
  { id: 'p1', name: 'birdfeeder', workdirs: ['/home/u/one'] },
  { id: 'p2', name: 'clockwork', workdirs: ['/home/u/two'] },
];

/** One turn as five documents, as the views make them: a prompt, two answers, an observation and a summary. */
function turnDocuments(turn: string, about: string): MemoryDocument[] {
  const part = (id: string, kind: MemoryDocument['kind'], body: string, type: string | null = null) =>
    document({ id: `${id}-${turn}`, kind, type, title: body, body, turn, tokens: 30, session: 's-1' });
  return [
    part('p', 'prompt', `Why does the walrus ${about} refuse its fish in the morning?`),
    part('a1', 'answer', `I look at the walrus ${about} and at its fish first.`),
    part('a2', 'answer', `The walrus ${about} refuses its fish because the bucket is warm. It needs ice.`),
    part(
      'o',
      'observation',
      `The bucket of the walrus ${about} is warm in the morning, so the fish spoils.`,
      'discovery',
    ),
    part(
      'y',
      'summary',
      `Asked why the walrus ${about} refuses fish. Learned: the bucket is warm. Next: ice.`,
    ),
  ];
}

const use = (id: string, turn: string, body: string) =>
  document({ id, kind: 'tool', type: 'Bash', title: body, body, turn, tokens: 30, outcome: 'ok' });

async function found(
  documents: readonly MemoryDocument[],
  options: SearchOptions = {},
  query = 'walrus fish',
) {
  const world = searchWorld(new DocumentsInMemory(documents));
  return (await search(world, PROJECTS, query, options)).results;
}

describe('A turn among results', () => {
  it('is one row that lists its other parts', async () => {
    const results = await found([...turnDocuments('t-1', 'Otto'), ...turnDocuments('t-2', 'Emma')]);
    expect(results.map(({ turn }) => turn).sort()).toEqual(['t-1', 't-2']);
    for (const { id, turn, parts, nearDuplicates } of results) {
      const ids = [id, ...parts.map((part) => part.id), ...nearDuplicates];
      expect(ids.sort()).toEqual(['a1', 'a2', 'o', 'p', 'y'].map((one) => `${one}-${turn}`));
    }
    expect(results[0]!.parts.map(({ kind }) => kind).sort()).toHaveLength(4);
  });

  it('leaves the other rows to other turns', async () => {
    const turns = ['Otto', 'Emma', 'Anna', 'Bob', 'Eve'];
    const documents = turns.flatMap((name, index) => turnDocuments(`t-${index}`, name));
    const results = await found(documents, { limit: 5 });
    expect(new Set(results.map(({ turn }) => turn)).size).toBe(5);
  });

  it('shows the part that matches best', async () => {
    const [first] = await found(
      [...turnDocuments('t-1', 'Otto'), ...turnDocuments('t-2', 'Emma')],
      {},
      'warm bucket spoils Emma',
    );
    expect(first).toMatchObject({ id: 'o-t-2', kind: 'observation', type: 'discovery' });
  });

  it('includes its tool uses, unless the query asks for tool uses', async () => {
    const documents = [
      ...turnDocuments('t-1', 'Otto'),
      use('u-1', 't-1', 'grep walrus fish.txt'),
      use('u-2', 't-1', 'cat walrus fish.log'),
    ];
    const [row, ...others] = await found(documents);
    const ids = [row!.id, ...row!.parts.map(({ id }) => id)];
    expect(others).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['u-1', 'u-2']));
    for (const options of [{ kind: 'tool' }, { type: 'bash' }] as const)
      expect((await found(documents, options)).map(({ id }) => id).sort()).toEqual(['u-1', 'u-2']);
    expect(await found(documents, { kind: 'answer' })).toHaveLength(1);
  });

  it('is not folded across projects, and memories have no turn', async () => {
    const elsewhere = turnDocuments('t-1', 'Otto').map((one) => ({
      ...one,
      id: `${one.id}-b`,
      workdir: '/home/u/two',
    }));
    expect(await found([...turnDocuments('t-1', 'Otto'), ...elsewhere])).toHaveLength(2);
    const saved = ['walrus fish is cold', 'walrus eats at noon', 'fish comes by ship'].map((body, index) =>
      document({ id: `m-${index}`, kind: 'memory', type: 'decision', body, turn: null, session: null }),
    );
    const results = await found(saved);
    expect(results.map(({ parts }) => parts)).toEqual([[], [], []]);
  });

  it('is not folded in a list without words', async () => {
    expect(await found(turnDocuments('t-1', 'Otto'), { session: 's-1' }, '')).toHaveLength(5);
  });

  it('counts once towards the limit, even if its parts are far below', async () => {
    const filler = Array.from({ length: 60 }, (_, n) =>
      document({
        id: `x-${n}`,
        body: `walrus fish note ${n}`,
        turn: `f-${n % 30}`,
        tokens: 40,
        session: 's-2',
      }),
    );
    const results = await found([...turnDocuments('t-1', 'Otto'), ...filler], { limit: 10 });
    expect(results).toHaveLength(10);
    expect(new Set(results.map(({ turn }) => turn)).size).toBe(10);
  });
});
