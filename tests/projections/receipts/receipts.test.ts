// What a session used of what it was given: strict, and the same after every rebuild and in every order.
import { expect, test } from 'vitest';
import type { BodyInput, NewEvent } from '../../../log/index.ts';
import {
  receiptKeys,
  receiptsProjector,
  type TotalRow,
  turnsProjector,
  type UseCounts,
} from '../../../projections/index.ts';
import { projectorSuite } from '../../conformance/projector.ts';
import { hookNewEvents } from '../../helpers/hooks/hook-generator.ts';
import { openMemoryLog } from '../../helpers/logs.ts';
import { readWhole, Script } from '../../helpers/transcripts.ts';
import { memoryGenerations, testRunner } from '../../helpers/views.ts';

const PROJECTORS = [turnsProjector, receiptsProjector];
const START = Date.UTC(2026, 0, 1);
const SESSION = '11111111-2222-4333-8444-555555555555';
const CWD = '/home/u/app';
const CLOCK = 'o-0000c10ck000';
const CHUTE = 'o-0000chqte000';
const SPRING = 'm-0000spr0ng00';
const LEVER = 'g-00001ever000';

type Item = NonNullable<BodyInput<'context.injected'>['items']>[number];

const item = (id: string, names: Partial<Item> = {}): Item => ({ id, events: ['e1'], ...names });
const ITEMS = [
  item(CLOCK, { files: ['src/clock.ts'], commands: ['npm run clock'] }),
  item(CHUTE, { files: ['chute.ts', 'both.ts'] }),
  item(SPRING, { files: ['both.ts', 'asked.ts'] }),
];

function injected(
  occasion: string,
  items: readonly Item[] | null,
  at = START - 1_000,
  session = SESSION,
): NewEvent<'context.injected'> {
  return {
    ...{ type: 'context.injected', agent: 'claude-code', session, dedupeKey: `${occasion} ${at}` },
    ...{ channel: 'hook', occurredAt: at },
    body: { occasion, cwd: CWD, items: items === null ? null : [...items], tokens: 100, durationMs: 40 },
  };
}

const read = (path: string) => ['Read', { file_path: `${CWD}/${path}` }] as const;
const run = (command: string) => ['Bash', { command }] as const;

/** A session of one prompt and these tool uses, each with a result. */
function session(uses: Uses, options: SessionOptions = {}): NewEvent[] {
  return [...readWhole(transcript(uses, options)).newEvents];
}

type Uses = readonly (readonly [name: string, input: Record<string, unknown>, failed?: boolean])[];
interface SessionOptions {
  readonly prompt?: string;
  readonly answer?: string;
  readonly id?: string;
}

function transcript(
  uses: Uses,
  { prompt = 'Please go on', answer = 'Done.', id = SESSION }: SessionOptions = {},
): Buffer {
  const script = new Script({ session: id, start: START });
  // The prompt is not the first line, as in most transcripts.
  script.meta('mode', { mode: 'normal' });
  script.prompt(prompt);
  for (const [index, [name, input, failed = false]] of uses.entries()) {
    script.use(`toolu_${index}`, name, input);
    script.result(`toolu_${index}`, failed ? 'Exit code 1' : 'fine', {}, failed ? { is_error: true } : {});
  }
  script.reply(answer);
  return Buffer.from(script.bytes());
}

async function viewOf(...pieces: readonly (readonly NewEvent[])[]) {
  return (await runnerOf(...pieces)).view('receipts');
}

async function runnerOf(...pieces: readonly (readonly NewEvent[])[]) {
  const log = await openMemoryLog();
  const runner = await testRunner({ log, generations: memoryGenerations(), projectors: PROJECTORS });
  for (const piece of pieces) {
    await log.append([...piece]);
    await runner.catchUp();
  }
  expect(await runner.deadLetters()).toEqual([]);
  return runner;
}

/** How each item was used, by id. */
async function usesIn(...pieces: readonly (readonly NewEvent[])[]): Promise<Record<string, string>> {
  const view = await viewOf(...pieces);
  const uses: Record<string, string> = {};
  for (const [rowKey, counts] of await view.range<UseCounts>(receiptKeys.itemsOf(CWD)))
    for (const how of ['cited', 'fixed', 'opened'] as const)
      if (counts[how] > 0) uses[rowKey.slice(rowKey.lastIndexOf('/') + 1)] = how;
  return uses;
}

const START_BRIEF = injected('startup', ITEMS);

test.each([
  ['an id that a command opens', session([run(`annals show ${CLOCK}`)]), { [CLOCK]: 'cited' }],
  ['the beginning of an id', session([run('annals why o-0000c1')]), { [CLOCK]: 'cited' }],
  [
    'ids that a tool of the MCP server opens',
    session([['mcp__annals__get', { ids: [CLOCK, SPRING] }]]),
    { [CLOCK]: 'cited', [SPRING]: 'cited' },
  ],
  ['an id in the answer', session([], { answer: `As noted in ${CHUTE}, it jams.` }), { [CHUTE]: 'cited' }],
  ['a beginning that two ids share', session([run('annals show o-0000c')]), {}],
  ['the id of another item', session([run('annals show o-zzzzzzzzzzzz')]), {}],
  ['an id that only the prompt names', session([], { prompt: `What about ${CLOCK}?` }), {}],
  ['a file that only one item names, opened first', session([read('src/clock.ts')]), { [CLOCK]: 'opened' }],
  [
    'a second such file',
    session([read('src/clock.ts'), read('lib/chute.ts')]),
    { [CLOCK]: 'opened', [CHUTE]: 'opened' },
  ],
  [
    'such a file on Windows',
    session([['Read', { file_path: 'C:\\Users\\u\\app\\src\\clock.ts' }]]),
    { [CLOCK]: 'opened' },
  ],
  ['a file after a command that may have shown it', session([run('ls'), read('src/clock.ts')]), {}],
  ['a file after one that nobody named', session([read('other.ts'), read('src/clock.ts')]), {}],
  ['a file that two items name', session([read('both.ts')]), {}],
  ['a file that the prompt names', session([read('asked.ts')], { prompt: 'Look at asked.ts' }), {}],
  ['a file that could not be opened', session([[...read('src/clock.ts'), true]]), {}],
  ['a command that an item of the brief names', session([run('npm run clock')]), {}],
] as const)('%s', async (_, events, expected) => {
  expect(await usesIn([START_BRIEF], events)).toEqual(expected);
  expect(await usesIn(events, [START_BRIEF])).toEqual(expected);
});

test('a fix that is run after its error counts if it succeeds', async () => {
  const error = injected('error', [item(LEVER, { commands: ['npm  rebuild lever'] })], START + 1_500);
  const failing = run('npm test');
  const fixed = session([[...failing, true], run('npm rebuild lever')]);
  expect(await usesIn(fixed, [error])).toEqual({ [LEVER]: 'fixed' });
  expect(await usesIn([error], fixed)).toEqual({ [LEVER]: 'fixed' });
  const failed = session([
    [...failing, true],
    [...run('npm rebuild lever'), true],
  ]);
  expect(await usesIn([error], failed)).toEqual({});
});

test('what was opened before it was shown is no use', async () => {
  expect(
    await usesIn([injected('prompt', ITEMS, START + 60_000)], session([run(`annals show ${CLOCK}`)])),
  ).toEqual({});
});

test('a transcript that reports what hooks reported before gives the rows of a rebuild', async () => {
  const bytes = transcript([read('src/clock.ts'), run('npm test'), run(`annals show ${SPRING}`)]);
  const hooks = hookNewEvents(bytes, { promptId: true });
  const lines = readWhole(bytes).newEvents;
  for (const pieces of [
    [hooks, [START_BRIEF], lines],
    [[START_BRIEF], hooks.slice(0, 3), lines.slice(0, 3), hooks.slice(3), lines.slice(3)],
  ]) {
    const runner = await runnerOf(...pieces);
    for (const view of await runner.verifyRebuilt()) expect(view.rebuilt, view.name).toBe(view.live);
  }
});

test('the figures add up: injections, tokens, shows and uses by occasion', async () => {
  const events = session([run(`annals show ${CLOCK}`)]);
  const prompt = injected('prompt', [item(CLOCK)], START + 500);
  const view = await viewOf([START_BRIEF, prompt, injected('resume', null, START + 90_000)], events);
  const total = (occasion: string) => view.get<TotalRow>(receiptKeys.total(CWD, occasion));
  const common = { injections: 1, tokens: 100, durationMs: 40, timed: 1 };
  // The last injection before the use showed it.
  expect(await total('prompt')).toEqual({ ...common, unknown: 0, shown: 1, used: 1 });
  expect(await total('startup')).toEqual({ ...common, unknown: 0, shown: 3, used: 0 });
  expect(await total('resume')).toEqual({ ...common, unknown: 1, shown: 0, used: 0 });
  expect(await view.get(receiptKeys.everywhere(CLOCK))).toEqual({
    shown: 2,
    used: 1,
    cited: 1,
    fixed: 0,
    opened: 0,
  });
});

test('an item is marked as unused when it was shown often and never used, until it is used', async () => {
  const shows = Array.from({ length: 5 }, (_, index) =>
    injected('startup', ITEMS, START - 1_000, `s${index}`),
  );
  const view = await viewOf(shows.slice(0, 4));
  expect(await view.get(receiptKeys.unused(CLOCK))).toBeUndefined();
  const unused = await viewOf(shows);
  expect(await unused.get(receiptKeys.unused(CLOCK))).toBe(1);
  const used = await viewOf(shows, session([run(`annals show ${CLOCK}`)], { id: 's4' }));
  expect(await used.get(receiptKeys.unused(CLOCK))).toBeUndefined();
  expect(await used.get(receiptKeys.unused(CHUTE))).toBe(1);
});

projectorSuite({
  name: 'The chain from turns to receipts',
  projectors: PROJECTORS,
  facts: () => [
    session([
      read('src/clock.ts'),
      [...run('npm test'), true],
      run('npm rebuild lever'),
      run(`annals show ${CHUTE}`),
    ]),
    [START_BRIEF, injected('error', [item(LEVER, { commands: ['npm rebuild lever'] })], START + 3_500)],
    [injected('prompt', [item(SPRING), item(CLOCK)], START + 100), injected('resume', null, START + 200)],
    session([run(`annals show ${SPRING}`)], { id: 'other' }),
    [injected('startup', ITEMS, START - 5, 'other')],
  ],
  forget: {
    events: ({ body, session }) => /clock|lever/.test(JSON.stringify(body)) && session !== 'other',
    words: ['npm rebuild lever'],
  },
  seeds: [1, 2, 3],
});
