// Low confidence: one measure for projects of every size.
import { describe, expect, it, test } from 'vitest';
import type { MemoryDocument } from '../../projections/documents/document.ts';
import { search } from '../../src/search/index.ts';
import { type AnswerEvidence, confidence } from '../../src/search/ranking/confidence.ts';
import { searchWorld } from '../helpers/search-world.ts';
import { DocumentsInMemory, document } from '../projections/text/documents-in-memory.ts';

const PROJECTS = [{ id: 'p1', name: 'birdfeeder', workdirs: ['/home/u/one'] }];
const TELLS = [
  'The hatch of the feeder opens before dusk',
  'Renamed the option maxSeeds to seedLimit in config.ts',
  'npm test failed: expected 3 seeds but got 4',
  'We keep times in UTC because a feeder can be moved',
];
const ANSWERED = [
  'feeder hatch dusk',
  'what is maxSeeds called now',
  'npm test failed with too many seeds',
  'why are times kept in UTC',
];
const UNANSWERED = [
  'depth gauge of the submarine periscope',
  'kubernetes ingress certificate renewal failed',
  'grandmother’s apple pie recipe with cinnamon',
  'why did we switch from redis to rabbitmq',
];

function project(size: number): readonly MemoryDocument[] {
  const verbs = ['Looked at', 'Changed', 'Tested', 'Read', 'Moved'];
  const things = ['the invoice page', 'a tax table', 'the login form', 'a build script', 'the map view'];
  return [
    ...TELLS.map((body, index) => document({ id: `a-${index}`, kind: 'answer', body, tokens: 12 })),
    ...Array.from({ length: size - TELLS.length }, (_, n) =>
      document({
        id: `n-${n}`,
        body: `${verbs[n % 5]} ${things[Math.floor(n / 5) % 5]} of part ${n}`,
        session: `s-${n % 30}`,
      }),
    ),
  ];
}

describe('Low confidence', () => {
  it.each([20, 100, 500, 3000])('is right in a project of %i documents', async (size) => {
    const world = searchWorld(new DocumentsInMemory(project(size)));
    const isLow = async (query: string) => {
      const { results, lowConfidence } = await search(world, PROJECTS, query);
      return lowConfidence || results.length === 0;
    };
    for (const query of ANSWERED) expect([query, await isLow(query)]).toEqual([query, false]);
    for (const query of UNANSWERED) expect([query, await isLow(query)]).toEqual([query, true]);
  });

  it('does not depend on the limit', async () => {
    const world = searchWorld(new DocumentsInMemory(project(100)));
    for (const query of [...ANSWERED, ...UNANSWERED]) {
      const [one, ten] = await Promise.all([1, 10].map((limit) => search(world, PROJECTS, query, { limit })));
      expect(one!.lowConfidence).toBe(ten!.lowConfidence);
    }
  });

  it('is not reported where it cannot be computed: without vectors, and without words', async () => {
    const world = searchWorld(new DocumentsInMemory(project(20)));
    const without = { ...world, vectors: null };
    expect((await search(without, PROJECTS, 'hatch of the submarine periscope')).lowConfidence).toBe(false);
    expect((await search(world, PROJECTS, 'kind:answer')).lowConfidence).toBe(false);
  });

  it('is reported if the first result is of another agent than the one named', async () => {
    const said = (id: string, agent: string, body: string) => document({ id, agent, body, tokens: 20 });
    const world = searchWorld(
      new DocumentsInMemory([
        said('p-1', 'Otto', 'I bought a necklace in Sweden'),
        said('p-2', 'Emma', 'I like running'),
        ...Array.from({ length: 30 }, (_, n) => said(`n-${n}`, n % 2 ? 'Otto' : 'Emma', `Good morning ${n}`)),
      ]),
    );
    const isLow = async (query: string) => (await search(world, PROJECTS, query)).lowConfidence;
    expect(await isLow('the necklace that Otto got abroad')).toBe(false);
    expect(await isLow('the necklace that Emma got abroad')).toBe(true);
  });

  it('does not take the name of the product for the agent of saved memories', async () => {
    const documents = [
      document({ id: 'p-1', body: 'The annals worker rotates its log at ten megabytes', tokens: 20 }),
      document({ id: 'm-1', kind: 'memory', agent: 'annals', body: 'Lunch is at noon', tokens: 20 }),
      ...Array.from({ length: 30 }, (_, n) => document({ id: `n-${n}`, body: `Good morning ${n}` })),
    ];
    const world = searchWorld(new DocumentsInMemory(documents));
    const { results, lowConfidence } = await search(world, PROJECTS, 'annals worker rotates its log');
    expect([results[0]?.id, lowConfidence]).toEqual(['p-1', false]);
  });

  it('is reported if another agent than the one named says more of it', async () => {
    const said = (id: string, agent: string, body: string) => document({ id, agent, body, tokens: 40 });
    const ask = async (other: string) => {
      const documents = [
        said('p-1', 'Emma', 'I like the necklace'),
        document({ id: 'p-2', agent: 'Otto', body: other, tokens: 20 }),
        ...Array.from({ length: 60 }, (_, n) => said(`n-${n}`, n % 2 ? 'Otto' : 'Emma', `Good morning ${n}`)),
      ];
      const world = searchWorld(new DocumentsInMemory(documents));
      const { results, lowConfidence } = await search(
        world,
        PROJECTS,
        'which necklace did Emma get from Sweden',
      );
      return [results[0]?.id, lowConfidence];
    };
    expect(await ask('I got a letter from my grandmother')).toEqual(['p-1', false]);
    expect(await ask('I got the necklace from my grandmother')).toEqual(['p-1', true]);
  });

  it('counts the words of a time as held by a document of that time, although its text has no date', async () => {
    const at = (day: number) => new Date(2025, 2, day).getTime();
    const world = searchWorld(
      new DocumentsInMemory([
        document({ id: 'p-1', at: at(3), body: 'The garage repaired my bicycle at last', tokens: 20 }),
        ...Array.from({ length: 40 }, (_, n) =>
          document({ id: `n-${n}`, at: at(20), body: `Good morning ${n}` }),
        ),
      ]),
      () => at(30),
    );
    const isLow = async (query: string) => (await search(world, PROJECTS, query)).lowConfidence;
    expect(await isLow('which vehicle did the garage mend on 3 March 2025')).toBe(false);
    expect(await isLow('which vehicle did the garage mend on 21 March 2025')).toBe(true);
  });
});

test('more evidence never lowers confidence, and more documents never raise it', () => {
  const some: AnswerEvidence = {
    termCoverage: 0.4,
    unknown: 0.3,
    bigrams: 0.2,
    nearest: 0.5,
    isOfAnother: false,
    lead: null,
    documents: 300,
  };
  for (const part of ['termCoverage', 'bigrams', 'nearest'] as const)
    expect(confidence({ ...some, [part]: some[part] + 0.1 })).toBeGreaterThan(confidence(some));
  expect(confidence({ ...some, lead: 0.3 })).toBeGreaterThan(confidence({ ...some, lead: 0.1 }));
  expect(confidence({ ...some, unknown: 0.4 })).toBeLessThan(confidence(some));
  expect(confidence({ ...some, isOfAnother: true })).toBeLessThan(confidence(some));
  expect(confidence({ ...some, documents: 3000 })).toBeLessThan(confidence(some));
});
