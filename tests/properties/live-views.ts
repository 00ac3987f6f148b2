// Views that follow `turns` depend only on the set of events: folded in any order, in pages of any size, twice, and with some
// events forgotten in between, their rows equal those of one page with the remaining events.
import fc from 'fast-check';
import { expect } from 'vitest';
import type { EventData } from '../../log/index.ts';
import { turnsProjector } from '../../projections/index.ts';
import { MemoryView } from '../helpers/memory-view.ts';

const RUNS = Number(process.env.ANNALS_TEST_LIVES ?? 80);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 20261123);
const EVENTS_MAX = 35;

/** Numbers of lines, and of tool uses. */
export const LINES_MAX = 11;
export const USES_MAX = 8;
/** Few prompts, so that something may be about them. */
export const PROMPT_LINES_MAX = 2;

/** Any of the values. */
export const one = <const T>(...values: readonly T[]) => fc.constantFrom(...values);
export const number = (max: number) => fc.integer({ min: 0, max });
export const rarely = number(7).map((value) => value === 0);

/** Envelope and body of an event, but for its id. */
export type Fact = Omit<EventData, 'id'>;

/** Few sessions, times and lines, so that events refer to the same things. */
export const where = fc.record({
  session: one('s-1', 's-1', 's-1', 's-2'),
  at: fc.oneof({ weight: 12, arbitrary: number(30) }, { weight: 1, arbitrary: fc.constant(null) }),
  offset: number(LINES_MAX),
  run: one('run-1', 'run-2', null),
  channel: one('transcript', 'hook'),
  /** The line names another session as its own. */
  forked: rarely,
});

export interface SaidAndDone {
  readonly prompts: readonly string[];
  /** Of answers, and of what is said when the agent stops. */
  readonly answers: readonly string[];
  readonly uses: readonly (readonly [tool: string, input: object])[];
}

/** Prompts, tool uses, answers and stops, as hooks and transcripts report them. */
export function sessionFacts({ prompts, answers, uses }: SaidAndDone): fc.Arbitrary<Fact> {
  const prompt = fc.tuple(where, number(PROMPT_LINES_MAX), one(...prompts)).map(([made, offset, text]) => {
    const line = { ...made, offset };
    const isHook = line.channel === 'hook';
    return factOf(line, 'prompt.submitted', isHook ? `file-${line.offset}` : `uuid-${line.offset}`, {
      ...{ via: isHook ? 'hook' : 'line', kind: 'prompt', text, private: false },
    });
  });
  const tool = fc
    .tuple(where, number(USES_MAX), one(...uses), rarely)
    .map(([line, id, [name, input], isFailure]) => {
      const outcome = isFailure ? 'failed' : 'ok';
      const error = isFailure ? 'Error: Expected 2, got 3' : null;
      return factOf(line, 'tool.used', `tool-${id}`, { name, input, outcome, error, result: null });
    });
  const reply = fc.tuple(where, one(...answers)).map(([line, text]) =>
    factOf({ ...line, channel: 'transcript' }, 'agent.replied', `uuid-${line.offset}:0`, {
      ...{ text, block: 0, stopReason: 'end_turn' },
    }),
  );
  const stop = fc
    .tuple(where, one(...answers))
    .map(([line, text]) => factOf(line, 'agent.stopped', `stop-${line.offset}`, { reason: 'stop', text }));
  return fc.oneof(
    { weight: 2, arbitrary: prompt },
    { weight: 6, arbitrary: tool },
    { weight: 2, arbitrary: reply },
    { weight: 1, arbitrary: stop },
  );
}

type Where = typeof where extends fc.Arbitrary<infer T> ? T : never;

function factOf(line: Where, type: string, dedupeKey: string, body: object): Fact {
  const { session, at, offset, run, channel, forked } = line;
  const isHook = channel === 'hook';
  const place = isHook ? { offset: null } : { offset: offset * 100, uuid: `uuid-${offset}` };
  const more = isHook ? {} : { requestSession: forked ? 's-2' : null };
  return {
    ...{ agent: 'claude-code', session, type, dedupeKey, channel, occurredAt: timeOf(at) },
    body: { cwd: '/a', promptId: run, ...place, ...more, ...body },
  } as unknown as Fact;
}

/** Unix ms. */
export function timeOf(at: number | null): number | null {
  return at === null ? null : 1_000_000 + at * 1_000;
}

export function idOf({ session, type, dedupeKey, channel }: Fact): string {
  return `${session} ${type} ${dedupeKey} ${channel}`;
}

function forgetting(forgotten: readonly EventData[], page: number): EventData {
  const events = forgotten.map(({ agent, session, id }) => ({ agent, session, ids: [id] }));
  return {
    ...{ agent: 'annals', session: null, type: 'memory.forgotten', body: { events } },
    ...{ id: `forgotten ${page}`, dedupeKey: `forgotten ${page}` },
  } as unknown as EventData;
}

interface Follower {
  fold(changes: readonly never[], view: MemoryView, upstream: MemoryView): Promise<void>;
}

/** `turns` and the views behind it, each following the one before. */
class Views {
  readonly #turns = new MemoryView();
  readonly #followers: readonly { readonly projector: Follower; readonly view: MemoryView }[];

  constructor(projectors: readonly Follower[]) {
    this.#followers = projectors.map((projector) => ({ projector, view: new MemoryView() }));
  }

  async fold(page: readonly EventData[]): Promise<void> {
    let changes = await changesOf(this.#turns, () => turnsProjector.fold(page, this.#turns));
    let upstream = this.#turns;
    for (const { projector, view } of this.#followers) {
      const before = changes;
      const follows = upstream;
      changes = await changesOf(view, () => projector.fold(before, view, follows));
      upstream = view;
    }
  }

  restart(): void {
    for (const view of [this.#turns, ...this.#followers.map((one) => one.view)]) view.restart();
  }

  dump() {
    return this.#followers.map(({ view }) => view.dump());
  }
}

async function changesOf(view: MemoryView, fold: () => Promise<void>): Promise<never[]> {
  const before = new Map(view.dump());
  await fold();
  const after = new Map(view.dump());
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort();
  return keys.flatMap((key) => {
    const change = { key, before: before.get(key) ?? null, after: after.get(key) ?? null };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change as never];
  });
}

/** @param facts the same fact twice is one event */
export function liveEqualsWhole(projectors: readonly Follower[], facts: fc.Arbitrary<Fact>): Promise<void> {
  const pages = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { minLength: 1, maxLength: 6 });
  const life = fc.record({
    facts: fc.array(facts, { minLength: 1, maxLength: EVENTS_MAX }),
    sizes: pages(fc.integer({ min: 1, max: 9 })),
    twice: pages(fc.boolean()),
    restarts: pages(fc.boolean()),
    /** Numbers of events that are forgotten after a page. */
    forgets: pages(fc.oneof(fc.constant([]), fc.array(number(EVENTS_MAX - 1), { maxLength: 3 }))),
  });
  return fc.assert(
    fc.asyncProperty(life, async ({ facts: made, sizes, twice, restarts, forgets }) => {
      const named = made.map((fact) => ({ ...fact, id: idOf(fact) }) as EventData);
      const events = [...new Map(named.map((event) => [event.id, event])).values()];
      const live = new Views(projectors);
      const forgotten = new Set<string>();
      const acts: EventData[] = [];
      for (let from = 0, page = 0; from < events.length; page++) {
        const to = from + sizes[page % sizes.length]!;
        const batch = events.slice(from, to);
        await live.fold(batch);
        if (twice[page % twice.length]) await live.fold(batch);
        const wanted = [...new Set(forgets[page % forgets.length])];
        const some = wanted.flatMap((index) => events.slice(0, to)[index] ?? []);
        if (some.length > 0) {
          const act = forgetting(some, page);
          acts.push(act);
          for (const { id } of some) forgotten.add(id);
          await live.fold([act]);
        }
        if (restarts[page % restarts.length]) live.restart();
        from = to;
      }
      const whole = new Views(projectors);
      await whole.fold([...events.filter(({ id }) => !forgotten.has(id)), ...acts]);
      expect(live.dump()).toEqual(whole.dump());
    }),
    { numRuns: RUNS, seed: SEED },
  );
}
