// The rows of `receipts` depend only on the set of events: sessions that hooks and transcripts report, and what they were
// given, folded in any order, in pages of any size, twice, and with some events forgotten in between, equal the rows of one
// page with the remaining events.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EventData } from '../../log/index.ts';
import { receiptsProjector, turnsProjector } from '../../projections/index.ts';
import { MemoryView } from '../helpers/memory-view.ts';

const RUNS = Number(process.env.ANNALS_TEST_LIVES ?? 300);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 20261123);

const one = <const T>(...values: T[]) => fc.constantFrom(...values);
const number = (max: number) => fc.integer({ min: 0, max });
const rarely = number(7).map((value) => value === 0);

/** The first two begin alike, so that a short form of either names neither. */
const IDS = ['o-aaaaaaaaaaaa', 'o-aaaaaabbbbbb', 'm-cccccccccccc'] as const;
const FILES = ['src/clock.ts', 'src/chute.ts', 'README.md'] as const;
const COMMANDS = ['npm run clock', 'make chute'] as const;
const TEXTS = [
  'done',
  `as in ${IDS[0]}`,
  'as in o-aaaaaa',
  `${IDS[1]} and ${IDS[2]}`,
  'see m-cccccc',
] as const;
const USES: readonly (readonly [name: string, input: object])[] = [
  ...FILES.map((file) => ['Read', { file_path: `/a/${file}` }] as const),
  ['Edit', { file_path: '/a/src/clock.ts', old_string: 'a', new_string: 'b' }],
  ['Bash', { command: `annals show ${IDS[1]}` }],
  ...COMMANDS.map((command) => ['Bash', { command }] as const),
];

const where = {
  session: one('s-1', 's-1', 's-1', 's-2'),
  at: fc.oneof({ weight: 12, arbitrary: number(30) }, { weight: 1, arbitrary: fc.constant(null) }),
  offset: number(30),
  run: one('run-1', 'run-2', null),
  channel: one('transcript', 'hook'),
  forked: rarely,
};
const prompt = fc.record({ what: one('prompt'), ...where, text: one('go on', 'look at src/chute.ts') });
const tool = fc.record({
  what: one('tool'),
  ...where,
  id: number(8),
  use: one(...USES),
  failed: rarely,
});
const reply = fc.record({ what: one('reply'), ...where, text: one(...TEXTS) });
const stop = fc.record({ what: one('stop'), ...where, text: one(...TEXTS) });
const items = fc.uniqueArray(
  fc.record({
    id: one(...IDS),
    events: fc.constant(['e-1']),
    files: fc.subarray([...FILES]),
    commands: fc.subarray([...COMMANDS]),
  }),
  { selector: ({ id }) => id, maxLength: 3 },
);
const injection = fc.record({
  what: one('injection'),
  ...where,
  session: one('s-1', 's-1', 's-2', null),
  key: number(3),
  occasion: one('startup', 'error', 'prompt'),
  items: fc.oneof({ weight: 6, arbitrary: items }, { weight: 1, arbitrary: fc.constant(null) }),
});
const event = fc.oneof(
  { weight: 2, arbitrary: prompt },
  { weight: 6, arbitrary: tool },
  { weight: 2, arbitrary: reply },
  { weight: 1, arbitrary: stop },
  { weight: 4, arbitrary: injection },
);
type Made = typeof event extends fc.Arbitrary<infer T> ? T : never;

function factOf(made: Made): EventData {
  const { session, at, offset, run, forked } = made;
  const channel = made.what === 'injection' ? 'hook' : made.what === 'reply' ? 'transcript' : made.channel;
  const isHook = channel === 'hook';
  const workdir = {
    cwd: '/a',
    ...{ offset: isHook ? null : offset * 100, promptId: run },
    ...(isHook ? {} : { uuid: `uuid-${offset}`, requestSession: forked ? 's-2' : null }),
  };
  const named = (type: string, dedupeKey: string, body: object): EventData =>
    ({
      ...{ agent: 'claude-code', session, type, dedupeKey, channel },
      occurredAt: at === null ? null : 1_000_000 + at * 1_000,
      id: `${session} ${type} ${dedupeKey} ${channel}`,
      body: { ...workdir, ...body },
    }) as unknown as EventData;
  switch (made.what) {
    case 'prompt':
      return named('prompt.submitted', isHook ? `file-${offset}` : `uuid-${offset}`, {
        ...{ via: isHook ? 'hook' : 'line', kind: 'prompt', text: made.text, private: false },
      });
    case 'tool': {
      const [name, input] = made.use;
      const outcome = made.failed ? 'failed' : 'ok';
      return named('tool.used', `tool-${made.id}`, { name, input, outcome, error: null, result: null });
    }
    case 'reply':
      return named('agent.replied', `uuid-${offset}:0`, {
        text: made.text,
        block: 0,
        stopReason: 'end_turn',
      });
    case 'stop':
      return named('agent.stopped', `stop-${offset}`, { reason: 'stop', text: made.text });
    case 'injection':
      return named('context.injected', `key-${made.key}`, {
        ...{ occasion: made.occasion, cwd: '/a', tokens: 10, durationMs: 4, hash: null },
        items: made.items,
      });
  }
}

function forgetting(forgotten: readonly EventData[], page: number): EventData {
  const events = forgotten.map(({ agent, session, id }) => ({ agent, session, ids: [id] }));
  return {
    ...{ agent: 'annals', session: null, type: 'memory.forgotten', body: { events } },
    ...{ id: `forgotten ${page}`, dedupeKey: `forgotten ${page}` },
  } as unknown as EventData;
}

/** Both views, one behind the other. */
class Views {
  readonly turns = new MemoryView();
  readonly receipts = new MemoryView();

  async fold(page: readonly EventData[]): Promise<void> {
    const before = new Map(this.turns.dump());
    await turnsProjector.fold(page, this.turns);
    const after = new Map(this.turns.dump());
    const changes = [...new Set([...before.keys(), ...after.keys()])].sort().flatMap((key) => {
      const change = { key, before: before.get(key) ?? null, after: after.get(key) ?? null };
      return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
    });
    await receiptsProjector.fold(changes, this.receipts, this.turns);
  }
}

const life = fc.record({
  made: fc.array(event, { minLength: 1, maxLength: 35 }),
  pageSizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 }),
  twice: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  /** Of each page, numbers of events that are forgotten after it. */
  forgets: fc.array(fc.oneof(fc.constant([]), fc.array(number(34), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 6,
  }),
});

test('live receipts equal the receipts of a fold in one page', () =>
  fc.assert(
    fc.asyncProperty(life, async ({ made, pageSizes, twice, forgets }) => {
      const events = [...new Map(made.map(factOf).map((fact) => [fact.id, fact])).values()];
      const live = new Views();
      const forgotten = new Set<string>();
      const acts: EventData[] = [];
      for (let from = 0, page = 0; from < events.length; page++) {
        const to = from + pageSizes[page % pageSizes.length]!;
        const batch = events.slice(from, to);
        await live.fold(batch);
        if (twice[page % twice.length]) await live.fold(batch);
        const some = [...new Set(forgets[page % forgets.length])].flatMap(
          (index) => events.slice(0, to)[index] ?? [],
        );
        if (some.length > 0) {
          const act = forgetting(some, page);
          acts.push(act);
          for (const { id } of some) forgotten.add(id);
          await live.fold([act]);
        }
        from = to;
      }
      const whole = new Views();
      await whole.fold([...events.filter(({ id }) => !forgotten.has(id)), ...acts]);
      expect(live.receipts.dump()).toEqual(whole.receipts.dump());
    }),
    { numRuns: RUNS, seed: SEED },
  ));
