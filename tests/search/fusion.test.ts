// The parts of a score, on documents where only one part differs.
import { describe, expect, it } from 'vitest';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import { emptyColumns } from '../../projections/vectors/columns.ts';
import { contentOf } from '../../projections/vectors/vector-content.ts';
import type { SearchResult } from '../../src/api.ts';
import { search } from '../../src/search/index.ts';
import { queryFormOf } from '../../src/search/ranking/query-form.ts';
import { sessionScores } from '../../src/search/ranking/session-prior.ts';
import { WEIGHTS } from '../../src/search/ranking/weights.ts';
import { searchWorld } from '../helpers/search-world.ts';
import { DocumentsInMemory, document } from '../projections/text/documents-in-memory.ts';

const PROJECTS = [
  { id: 'p1', name: 'birdfeeder', workdirs: ['/home/u/one'] },
  { id: 'p2', name: 'clockwork', workdirs: ['/home/u/two'] },
];

async function results(
  documents: readonly MemoryDocument[],
  query: string,
): Promise<readonly SearchResult[]> {
  const world = searchWorld(new DocumentsInMemory(documents));
  return (await search(world, PROJECTS, query, { explain: true })).results;
}

async function ids(documents: readonly MemoryDocument[], query: string): Promise<string[]> {
  return (await results(documents, query)).map(({ id }) => id);
}

describe('A fused search', () => {
  it('finds documents that share no word with the query', async () => {
    const documents = [
      document({ id: 'p-1', body: 'SQL server cannot be reached' }),
      document({ id: 'p-2', body: 'paint the kitchen wall blue' }),
    ];
    expect(await ids(documents, 'database connection times out')).toEqual(['p-1']);
  });

  it('scores the sessions of a word however many they are', () => {
    const sessions = new Map(Array.from({ length: 130_000 }, (_, number) => [`session-${number}`, 1]));
    const names = [...sessions.keys()];
    const tokens = new Uint32Array(names.length).fill(1);
    const numbers = Uint32Array.from(names.keys());
    const content = contentOf({ ...emptyColumns(16), sessions: { names, numbers }, tokens });
    expect(
      sessionScores([{ projectIndex: 'p1', content }], [{ term: 'walrus', sessions, documents: 130_000 }])
        .size,
    ).toBe(130_000);
  });

  it('shows nothing for meaningless words', async () => {
    expect(await ids([document({ id: 'p-1', body: 'paint the kitchen wall' })], 'xqzzt')).toEqual([]);
  });

  it('explains a score by shares that add up to it', async () => {
    const documents = [
      document({ id: 'p-1', body: 'walrus on the ice', tokens: 20 }),
      document({ id: 'a-1', kind: 'answer', body: 'Which walrus?', tokens: 4, session: 'session-2' }),
    ];
    for (const { score, shares } of await results(documents, 'walrus ice'))
      expect(Object.values(shares!).reduce((sum, share) => sum + share, 0)).toBeCloseTo(score, 6);
  });

  it('ranks statements before questions', async () => {
    const looked = document({
      id: 'a-look',
      kind: 'tool',
      type: 'Grep',
      title: 'Search for walrus',
      tokens: 20,
    });
    const wrote = document({
      id: 't-wrote',
      kind: 'tool',
      type: 'Bash',
      title: 'Search for walrus',
      tokens: 20,
    });
    const [first, second] = await results([looked, wrote], 'walrus');
    expect([first!.id, second!.id]).toEqual(['t-wrote', 'a-look']);
    expect(second!.shares).toMatchObject({ questionPenalty: -WEIGHTS.keywords.questionPenalty });
    expect(first!.shares).toMatchObject({ questionPenalty: 0 });
  });

  it('penalises a person’s question, but not an agent’s long answer', async () => {
    const said = [
      document({ id: 'p-1', kind: 'prompt', body: 'Is the walrus asleep?', tokens: 6 }),
      document({
        id: 'a-1',
        kind: 'answer',
        body: `The walrus sleeps. ${'It is so. '.repeat(40)} More?`,
        tokens: 110,
      }),
      document({ id: 'a-2', kind: 'answer', body: 'Shall I wake the walrus?', tokens: 6 }),
    ];
    const asking = Object.fromEntries(
      (await results(said, 'walrus')).map(({ id, shares }) => [id, shares!.questionPenalty]),
    );
    expect(asking).toEqual({ 'p-1': 0, 'a-1': 0, 'a-2': -WEIGHTS.keywords.questionPenalty });
  });

  it('prefers a session that is about the query', async () => {
    const about = Array.from({ length: 6 }, (_, n) =>
      document({ id: `z-${n}`, body: `walrus and ice, part ${n}`, session: 'about', tokens: 10 }),
    );
    const same = { title: 'Note', tokens: 10 };
    const other = document({ id: 'a-other', ...same, body: 'a walrus was seen today', session: 'other' });
    const within = document({ id: 'z-within', ...same, body: 'a walrus was seen again', session: 'about' });
    const elsewhere = document({ id: 'b-else', body: 'ice in a glass', session: 'third', tokens: 10 });
    const order = await ids([...about, other, within, elsewhere], 'walrus ice');
    expect(order.indexOf('z-within')).toBeLessThan(order.indexOf('a-other'));
  });

  it('prefers the one project or agent that the query names', async () => {
    const same = { body: 'the release was late', tokens: 10 };
    const documents = [
      document({ id: 'p-1', ...same, session: 's1', agent: 'codex' }),
      document({ id: 'p-2', ...same, session: 's2', workdir: '/home/u/two' }),
      document({ id: 'p-3', ...same, session: 's3', workdir: '/home/u/two' }),
    ];
    expect((await ids(documents, 'late release of birdfeeder'))[0]).toBe('p-1');
    expect((await ids(documents, 'late release of clockwork'))[0]).toBe('p-2');
    expect((await ids(documents, 'what Codex said of the late release'))[0]).toBe('p-1');
    const both = await results(documents, 'late release of clockwork or birdfeeder');
    expect(both.every(({ shares }) => shares!.named === 0)).toBe(true);
  });

  it('prefers documents with adjacent words if they are adjacent in the query', async () => {
    const documents = [
      document({
        id: 'p-apart',
        body: 'the import of a file and a cycle of the moon',
        session: 's1',
        tokens: 12,
      }),
      document({
        id: 'p-pair',
        body: 'a file and the moon: an import cycle of the',
        session: 's2',
        tokens: 12,
      }),
    ];
    const [first] = await results(documents, 'import cycle');
    expect(first!.id).toBe('p-pair');
    expect(first!.shares!.bigrams).toBeGreaterThan(0);
  });

  it('appends deeper results of the words below, in the words’ order', async () => {
    const many = Array.from({ length: 320 }, (_, n) =>
      document({
        id: `x-${String(n).padStart(3, '0')}`,
        kind: 'tool',
        type: 'Bash',
        body: `walrus ${'ice '.repeat(n)}`,
        tokens: n,
      }),
    );
    const world = searchWorld(new DocumentsInMemory(many));
    const found = (await search(world, PROJECTS, 'walrus', { limit: 1_000, explain: true })).results;
    expect(new Set(found.map(({ id }) => id)).size).toBe(320);
    const below = found.filter(({ shares }) => shares === null);
    expect(below.length).toBeGreaterThan(0);
    expect(found.slice(-below.length)).toEqual(below);
    const scores = found.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it('uses words alone if there are no vectors, and says so', async () => {
    const source = new DocumentsInMemory([
      document({ id: 'p-1', body: 'walrus' }),
      document({ id: 'p-2', body: 'ice' }),
    ]);
    const answer = await search({ ...searchWorld(source), vectors: null }, PROJECTS, 'walrus', {
      explain: true,
    });
    expect(answer.results.map(({ id, shares }) => [id, shares])).toEqual([['p-1', null]]);
    expect(answer.degraded).toEqual(['There are no vectors here, so results are ranked by words alone.']);
  });
});

describe('A document that follows a question', () => {
  const statement = (id: string, before: string) =>
    document({ id, body: `Tampa, and it was warm: ${id}.`, tokens: 20, session: id, neighbours: [before] });

  it('moves up if the question holds the query’s words', async () => {
    const documents = [
      statement('p-1', 'Which town did the walrus visit?'),
      statement('p-2', 'The walrus did visit a town.'),
      statement('p-3', `Which town did the walrus visit? ${'So it went on. '.repeat(20)}`),
    ];
    const shares = Object.fromEntries(
      (await results(documents, 'what town did the walrus visit')).map(({ id, shares }) => [id, shares]),
    );
    expect(shares['p-1']!.answering).toBeCloseTo(WEIGHTS.question.answering, 6);
    expect(shares['p-2']!.answering).toBe(0);
    expect(shares['p-3']!.answering).toBe(0);
  });

  it('moves up further if the question was found', async () => {
    const asked = document({
      id: 'p-0',
      body: 'Which town did the walrus visit?',
      tokens: 8,
      session: 'p-1',
    });
    const found = await results([asked, statement('p-1', asked.body)], 'what town did the walrus visit');
    const answer = found.find(({ id }) => id === 'p-1')!;
    expect(answer.shares!.answering).toBeGreaterThan(WEIGHTS.question.answering);
  });
});

describe('A question', () => {
  it.each([
    ['why is the index empty', 'question'],
    ['In which file is the limit?', 'question'],
    ['the limit is where?', 'question'],
    ['Tampa?', 'question'],
    ['— FOR WHICH is the limit', 'question'],
    ['for the which', 'keywords'],
    ['index empty after rebuild', 'keywords'],
    ['whatsapp import', 'keywords'],
    ['issue', 'keywords'],
  ])('is told from keywords: %s', (query, form) => {
    expect(queryFormOf(query)).toBe(form);
  });

  it.each([
    ['when did the walrus leave', 'The walrus left on Sunday.'],
    ['how many walruses are there', 'There are seven walruses.'],
    ['why did the walrus leave', 'The walrus left because of the noise.'],
    ['where is the walrus', 'The walrus went to Tampa.'],
    ['who fed the walrus', 'The walrus, fed by Robin.'],
  ])('prefers a document with the kind of answer that it asks for: %s', async (query, right) => {
    const documents = [
      document({ id: 'p-1', body: 'The walrus was there, it left, it was fed.', session: 's1', tokens: 10 }),
      document({ id: 'p-2', body: right, session: 's2', tokens: 10 }),
    ];
    const shares = Object.fromEntries(
      (await results(documents, query)).map(({ id, shares }) => [id, shares!.answerKind]),
    );
    expect(shares).toEqual({ 'p-1': 0, 'p-2': WEIGHTS.question.answerKind });
  });

  it('prefers a document near one that holds its words, in the same session', async () => {
    const three = (session: string, middle: string) => {
      const said = [`Rain on ${session}.`, middle, `Fog on ${session}.`];
      return said.map((body, n) =>
        document({
          id: `${session}-${n}`,
          body,
          session,
          tokens: 10,
          neighbours: [said[n - 1], said[n + 1]].filter((text) => text !== undefined),
        }),
      );
    };
    const shares = Object.fromEntries(
      (
        await results(
          [...three('x', 'The walrus was fed and weighed.'), ...three('y', 'The bird fed.')],
          'was the walrus fed and weighed in fog or rain',
        )
      ).map(({ id, shares }) => [id, shares!.nearby]),
    );
    expect(shares['x-0']).toBe(WEIGHTS.question.nearby);
    expect(shares['x-2']).toBe(WEIGHTS.question.nearby);
    expect(shares['y-0']).toBeLessThan(WEIGHTS.question.nearby);
  });
});
