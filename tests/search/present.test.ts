// The current statement comes first if a link leads to it, and only then.
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
const DAY = 86_400_000;

/** An answer in its own turn on this day. */
function answerOn(day: number, body: string, rest: Partial<MemoryDocument> = {}): MemoryDocument {
  return document({
    id: `a-${day}`,
    kind: 'answer',
    title: body,
    body,
    turn: `t-${day}`,
    at: Date.UTC(2026, 0, 1) + day * DAY,
    order: String(day).padStart(3, '0'),
    tokens: 20,
    ...rest,
  });
}

const FILLER = [
  'The lid of the hopper squeaks in the cold.',
  'Added a page about sparrows to the handbook.',
  'The camera test passes again after a retry.',
  'Sorted the shopping list for the workshop.',
].map((body, index) => answerOn(90 + index, body));

async function order(documents: readonly MemoryDocument[], query: string, options: SearchOptions = {}) {
  const world = searchWorld(new DocumentsInMemory([...documents, ...FILLER]));
  const { results, lowConfidence } = await search(world, PROJECTS, query, options);
  return { ids: results.map(({ id }) => id), results, lowConfidence };
}

const newer = 'No grain was lost in two days. `FEEDING_MINUTES` is 300.';
const interval = [
  answerOn(1, 'The feeding interval of the hopper is 240 minutes, measured in the yard.'),
  answerOn(2, 'The interval of the hopper for feeding is 250 minutes: fewer grains are lost.'),
];

describe('A newer statement comes first', () => {
  it('if it assigns a value to an identifier of the same words', async () => {
    const asked = 'what is the feeding interval of the hopper';
    const documents = [...interval, answerOn(3, 'No grain was lost in two days. `FEEDING_MINUTES` is 300.')];
    const { ids, lowConfidence } = await order(documents, asked);
    expect(ids[0]).toBe('a-3');
    expect(ids.filter((id) => id === 'a-3')).toHaveLength(1);
    expect(lowConfidence).toBe(false);
    expect((await order(documents, `${asked} now`, { limit: 1 })).ids).toEqual(['a-3']);
  });

  it('if the named thing was replaced, from turn to turn', async () => {
    const documents = [
      answerOn(1, 'Visits of birds are stored in the table `visits`.'),
      answerOn(2, 'The table `visits` was merged into `sightings`, reports follow.'),
      answerOn(3, 'Renamed the table `sightings` to `observed`.'),
    ];
    expect((await order(documents, 'in which table are visits of birds stored')).ids[0]).toBe('a-3');
  });

  it('if it says that the thing is gone', async () => {
    const documents = [
      answerOn(1, 'Pictures of birds are kept in Redis for a week.'),
      answerOn(2, 'Every bird has its own folder. Redis is gone from the image.'),
    ];
    expect((await order(documents, 'where do we keep pictures of birds')).ids[0]).toBe('a-2');
  });

  it('if it says that the thing is no longer used', async () => {
    const documents = [
      answerOn(1, 'Pictures of birds are kept in Redis for a week.'),
      answerOn(2, 'Every bird has a folder for its pictures, Redis is no longer started.'),
    ];
    expect((await order(documents, 'where do we keep pictures of birds')).ids[0]).toBe('a-2');
  });

  it('if it sets the same thing to another value', async () => {
    const documents = [
      answerOn(
        1,
        'The minimum weight of a bird on the perch of the feeder is 12 grams for the picture to be taken.',
      ),
      answerOn(
        2,
        'Wrens were missed, as the log of the winter shows. Lowered the minimum weight from 12 to 8.',
      ),
    ];
    const asked = 'what is the minimum weight of a bird for a picture';
    expect((await order(documents, asked)).ids[0]).toBe('a-2');
  });

  it('if it decides the same thing again', async () => {
    const documents = [
      answerOn(1, 'Decision: deleting a bird deletes its pictures too, deleting is by cascade.'),
      answerOn(2, 'Final decision, as the archive needs them: a bird is hidden, deleting is refused.'),
    ];
    expect((await order(documents, 'what did we decide about deleting a bird')).ids[0]).toBe('a-2');
  });

  it('if it assigns a value to an identifier with a unit', async () => {
    const documents = [
      answerOn(1, 'The maximum distance of a stop is 600 m.'),
      answerOn(3, '`MAX_DISTANCE_M` is 450, the tests of the planner follow.'),
    ];
    expect((await order(documents, 'what is the maximum distance of a stop')).ids[0]).toBe('a-3');
  });

  it('if the query asks for `now`, whatever else happens before', async () => {
    const documents = [
      answerOn(1, 'The feeding interval of the hopper before rain is 240 minutes.'),
      answerOn(3, newer),
    ];
    expect(
      (await order(documents, 'what is the feeding interval of the hopper before rain now')).ids[0],
    ).toBe('a-3');
  });

  it('but no summary of a session, which repeats what was said', async () => {
    const asked = 'current feeding interval of the hopper';
    const recap = answerOn(3, interval[0]!.body, { type: 'compaction' });
    expect((await order([...interval, recap], asked)).ids[0]).toBe('a-2');
  });

  it('if it matches nearly as well and the query asks for `now`', async () => {
    const asked = 'feeding interval of the hopper';
    // Too long to be followed to a change.
    const rest = 'The yard was swept and the camera cleaned. '.repeat(5);
    const long = interval.map((one) => ({ ...one, body: `${one.body} ${rest}` }));
    expect((await order(long, `what is the ${asked}`)).ids[0]).toBe('a-1');
    expect((await order(long, `current ${asked}`)).ids[0]).toBe('a-2');
  });
});

describe('The order stays', () => {
  const first = async (documents: readonly MemoryDocument[], query: string) =>
    (await order([interval[0]!, ...documents], query)).ids[0];

  it('if the query asks for the past, or is not a question', async () => {
    const documents = [answerOn(3, newer)];
    for (const query of [
      'what was the feeding interval of the hopper',
      'what is the feeding interval that we had before for the hopper',
      'what was the feeding interval of the hopper until now',
      'feeding interval of the hopper',
    ])
      expect(await first(documents, query)).toBe('a-1');
  });

  it('if the identifier names more than the query asks for', async () => {
    const documents = [answerOn(3, '`FEEDING_RETRIES` is 300, the camera waits for it.')];
    expect(await first(documents, 'what is the feeding interval of the hopper now')).toBe('a-1');
  });

  it('if it is the input of a tool, or of another project', async () => {
    const asked = 'what is the feeding interval of the hopper now';
    expect(await first([answerOn(3, newer, { kind: 'tool', type: 'Edit', outcome: 'ok' })], asked)).toBe(
      'a-1',
    );
    expect(await first([answerOn(3, newer, { workdir: '/home/u/two' })], asked)).toBe('a-1');
  });

  it('if the text replaces only what was said before a newer statement', async () => {
    const documents = [
      answerOn(1, 'The theme of the home page is rendered as a PNG of the theme atomic.'),
      answerOn(2, 'The theme of the home page that is rendered is the default theme of the program.'),
      answerOn(3, 'Three commits: export a config to SVG instead of PNG, rendered once a day.'),
    ];
    const { ids } = await order(documents, 'which theme is rendered on the home page now');
    expect(ids[0]).toBe('a-2');
  });

  it('if the linked statement is older', async () => {
    const documents = [answerOn(0, newer)];
    expect(await first(documents, 'what is the feeding interval of the hopper now')).toBe('a-1');
  });
});

describe('A change that shares no word with the query', () => {
  const asked = 'what colour is a delayed bus shown in now';
  /** The documents of a turn: its prompt and its answer. */
  const turnOn = (day: number, prompt: string, answer: string): MemoryDocument[] => {
    const common = { turn: `t-${day}`, order: `${String(day).padStart(3, '0')}-1` };
    return [
      answerOn(day, prompt, { ...common, id: `p-${day}`, kind: 'prompt', neighbours: [answer] }),
      answerOn(day, answer, { ...common, neighbours: [prompt] }),
    ];
  };
  const stated = turnOn(1, 'Delayed buses in red.', 'A delayed bus is shown in red.');
  const changed = turnOn(
    3,
    'Red and the night theme do not go together. Purple.',
    'Purple it is, contrast 4.8.',
  );
  const first = async (documents: readonly MemoryDocument[], query = asked) =>
    (await order(documents, query)).ids[0];

  it('comes first if it begins with what it replaces', async () => {
    expect(await first([...stated, ...changed])).toBe('a-3');
    const again = turnOn(5, 'Purple is for the ferries. Brown.', 'Brown, the legend follows.');
    expect(await first([...stated, ...changed, ...again])).toBe('a-5');
  });

  it('comes first if it shares rare words with the older statement', async () => {
    const documents = [
      ...turnOn(
        1,
        'Who gets the frost alert? The person on duty.',
        'The frost alert goes to the person on duty, from the roster.',
      ),
      ...turnOn(
        3,
        'Nobody keeps it up to date; all who have the app.',
        'All who have the app get a push, no duty roster any more.',
      ),
    ];
    expect(await first(documents, 'who gets the frost alert now')).toBe('a-3');
  });

  it('comes first for a question in the present tense, and not for one about the past', async () => {
    const documents = [...stated, ...changed];
    expect(await first(documents, 'what colour is a delayed bus shown in')).toBe('a-3');
    expect(await first(documents, 'which colour shows the delayed bus')).toBe('a-3');
    expect(await first(documents, 'what colour was a delayed bus shown in')).toBe('a-1');
    expect(await first(documents, 'colour of a delayed bus')).toBe('a-1');
  });

  it('is no answer that ends with the next step of the agent', async () => {
    const long = `Red and the night theme do not go together. ${'More about the drawing of tiles at night. '.repeat(9)}`;
    for (const answer of [
      'Red fits the night theme badly. Now the legend:',
      'Red it is. Let me look at the legend.',
    ])
      expect(await first([...stated, ...turnOn(3, long, answer)])).toBe('a-1');
    expect(await first([...stated, ...turnOn(3, long, 'Red it was, purple it is.')])).toBe('a-3');
  });

  it('comes second if it is of another project and the best result states nothing', async () => {
    const edit = answerOn(2, 'Edit style/delayed-bus-colour.css, shown on the map', {
      ...{ id: 'u-2', kind: 'tool', type: 'Edit', outcome: 'ok', workdir: '/home/u/two' },
      files: ['style/delayed-bus-colour.css'],
    });
    const { ids } = await order([edit, ...stated, ...changed], asked);
    expect(ids.slice(0, 2)).toEqual(['u-2', 'a-3']);
    expect(ids.filter((id) => id === 'a-3')).toHaveLength(1);
    expect((await order([edit, ...stated, ...changed], asked, { limit: 1 })).ids).toEqual(['u-2']);
  });

  it('stays where it is if it has more in common with another statement', async () => {
    const other = turnOn(
      2,
      'Tickets for the night theme do not go to the printer. Purple?',
      'The night theme of tickets has a contrast of 4.8.',
    );
    expect(await first([...stated, ...other, ...changed])).toBe('a-1');
  });

  it('stays where it is in a long text, when it is superseded, or in another project', async () => {
    const long = `Red and the night theme do not go together. Purple. ${'More about the drawing of tiles at night. '.repeat(9)}`;
    const [prompt, answer] = changed;
    const superseded = { acts: [], superseded: { at: 1, by: null } };
    for (const rest of [
      { title: long, body: long, neighbours: [] },
      { marks: superseded },
      { workdir: '/home/u/two' },
    ])
      expect(await first([...stated, { ...prompt!, ...rest }, { ...answer!, ...rest }])).toBe('a-1');
  });

  it('is not looked for without vectors, which tell how many documents there are', async () => {
    const world = searchWorld(new DocumentsInMemory([...stated, ...changed, ...FILLER]));
    const { results } = await search({ ...world, vectors: null }, PROJECTS, asked);
    expect(results[0]?.turn).toBe('t-1');
  });
});
