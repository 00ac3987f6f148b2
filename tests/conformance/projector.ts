// The suite that every projector must pass. It takes the projectors of one chain and some events, runs them on the real
// runner and compares digests: pages delivered twice, resumed anywhere, any page size, other origins and sessions,
// unknown types, forgotten events, rebuilt, shuffled. A projector that fails here would show different rows after a
// crash, an update or a rebuild.
import { describe, expect, it } from 'vitest';
import { type EventData, type Log, type LogEvent, type NewEvent, tombstoneNames } from '../../log/index.ts';
import {
  isLogProjector,
  type Projector,
  type ViewWriter,
} from '../../projections/engine/contract/projector.ts';
import type { GenerationStore, IndexView, Runner, ViewReader } from '../../projections/index.ts';
import { chance } from '../helpers/chance.ts';
import { asLog, fakeLog } from '../helpers/fake-log.ts';
import { openMemoryLog } from '../helpers/logs.ts';
import { memoryGenerations, testRunner } from '../helpers/views.ts';

export interface ProjectorSuite {
  readonly name: string;
  /** A complete chain of projectors, beginning with a log projector. */
  readonly projectors: readonly Projector[];
  /** Indexes over the views; each is created again for every runner and queried through its views. */
  readonly indexes?: (view: (name: string) => ViewReader) => readonly IndexView[];
  /** The events that one test forgets, and words of theirs that no row may contain afterwards. */
  readonly forget: { readonly events: (event: LogEvent) => boolean; readonly words: readonly string[] };
  /** Where views are stored; default: in memory. */
  readonly makeGenerations?: () => Promise<GenerationStore>;
  /** Lists of events; they may be interleaved in any way, but each keeps its order. */
  readonly facts: () => readonly (readonly NewEvent[])[];
  /** Whether any order of events must give the same rows; default true (law 4). */
  readonly anyOrder?: boolean;
  /** Seeds of the random cases; default 1 to 5. */
  readonly seeds?: readonly number[];
}

type Digests = Readonly<Record<string, string>>;

export function projectorSuite(suite: ProjectorSuite): void {
  const { projectors, anyOrder = true, seeds = [1, 2, 3, 4, 5], indexes, forget } = suite;
  const makeGenerations = suite.makeGenerations ?? (async () => memoryGenerations());
  const open = async (
    log: Log,
    pageSize: number,
    generations?: GenerationStore,
    chain = projectors,
  ): Promise<Runner> => {
    const view = (name: string): ViewReader => runner.view(name);
    const options = {
      log,
      generations: generations ?? (await makeGenerations()),
      projectors: chain,
      pageSize,
    };
    const runner: Runner = await testRunner({ ...options, indexes: indexes?.(view) ?? [] });
    return runner;
  };
  const run = async (log: Log, chain = projectors, pageSize = 1_000): Promise<Runner> => {
    const runner = await open(log, pageSize, undefined, chain);
    await runner.catchUp();
    return runner;
  };
  const allEvents = (): readonly NewEvent[] => suite.facts().flat();

  describe(`${suite.name} passes the projector suite: it`, () => {
    it('makes rows of these events, and no dead letter', async () => {
      const runner = await run(await logOf(allEvents()), projectors);
      for (const { name } of projectors)
        expect(await runner.view(name).range('', { limit: 1 }), name).toHaveLength(1);
      for (const { name, lag } of runner.states()) expect(lag, name).toBe(0);
      expect(await runner.deadLetters()).toEqual([]);
    });

    it.each([3, 40])('gives the same rows when pages of %i are delivered twice', async (pageSize) => {
      const log = await logOf(allEvents());
      const expected = await digests(await run(log));
      const redelivered = await run(log, projectors.map(redelivering), pageSize);
      expect(await redelivered.deadLetters()).toEqual([]);
      expect(await digests(redelivered)).toEqual(expected);
    });

    it.each([1, 2, 7, 100])('gives the same rows in pages of %i', async (pageSize) => {
      const log = await logOf(allEvents());
      const expected = await digests(await run(log));
      expect(await digests(await run(log, projectors, pageSize))).toEqual(expected);
    });

    it.each(seeds)('gives the same rows when it is stopped and resumed anywhere (seed %i)', async (seed) => {
      const { cut, below } = chance(seed);
      const expected = await digests(await run(await logOf(allEvents())));
      const log = await logOf([]);
      const generations = await makeGenerations();
      let runner = await open(log, 1 + below(20), generations);
      for (const piece of cut(allEvents(), Math.ceil(allEvents().length / 8))) {
        await log.append(piece);
        await runner.catchUp();
        if (below(2) === 0) continue;
        await runner.close();
        runner = await open(log, 1 + below(20), generations);
      }
      expect(await digests(runner)).toEqual(expected);
    });

    it('has the same rows after a rebuild as live', async () => {
      const log = await logOf([]);
      const runner = await open(log, 5);
      for (const piece of chance(9).cut(allEvents(), 50)) {
        await log.append(piece);
        await runner.catchUp();
      }
      for (const view of await runner.verifyRebuilt()) expect(view.rebuilt, view.name).toBe(view.live);
      const live = await digests(runner);
      await runner.rebuild();
      expect(await digests(runner)).toEqual(live);
    });

    it('gives the same rows for events of any origin, and skips unknown types', async () => {
      const expected = await digests(await run(await logOf(allEvents())));
      const log = fakeLog('log-b', ['machine-a', 'machine-b', 'machine-c']);
      for (const piece of chance(4).cut(allEvents(), 10)) {
        log.appendUnknown('star.seen');
        await log.append(piece);
      }
      const runner = await run(asLog(log), projectors);
      expect(await digests(runner)).toEqual(expected);
      expect(await runner.deadLetters()).toEqual([]);
    });

    it('gives the same rows for a session with other sessions in between', async () => {
      const lists = suite.facts();
      const { interleaved } = chance(6);
      const expected = await digests(await run(await logOf(lists.flat())));
      for (const pageSize of [3, 50])
        expect(await digests(await run(await logOf(interleaved(lists)), projectors, pageSize))).toEqual(
          expected,
        );
    });

    it('contains no forgotten text, live or rebuilt', async () => {
      const log = await logOf(allEvents());
      const runner = await run(log);
      expect(wordsFound(await allRows(runner, projectors), forget.words)).toEqual(forget.words);
      await log.append([await forgetting(log, forget.events)]);
      await runner.catchUp();
      expect(wordsFound(await allRows(runner, projectors), forget.words)).toEqual([]);
      expect(await runner.deadLetters()).toEqual([]);
      for (const view of await runner.verifyRebuilt()) expect(view.rebuilt, view.name).toBe(view.live);
    });

    it('reads no machine-specific field of an event and changes no event', async () => {
      const log = await logOf(allEvents());
      const expected = await digests(await run(log));
      const runner = await run(log, projectors.map(seeingOnlyEventData));
      expect(await runner.deadLetters()).toEqual([]);
      expect(await digests(runner)).toEqual(expected);
    });

    it.runIf(anyOrder).each(seeds)('gives the same rows in any order of events (seed %i)', async (seed) => {
      const { shuffled, interleaved } = chance(seed);
      const expected = await digests(await run(await logOf(allEvents())));
      for (const order of [interleaved(suite.facts()), shuffled(allEvents())]) {
        const runner = await run(await logOf(order), projectors, 13);
        expect(await digests(runner)).toEqual(expected);
      }
    });
  });
}

async function logOf(newEvents: readonly NewEvent[]): Promise<Log> {
  const log = await openMemoryLog();
  await log.append(newEvents);
  return log;
}

/** Digests of all views and indexes. */
async function digests(runner: Runner): Promise<Digests> {
  const found: Record<string, string> = {};
  for (const { name } of runner.states()) found[name] = await runner.digest(name);
  return found;
}

async function forgetting(log: Log, isForgotten: (event: LogEvent) => boolean): Promise<NewEvent> {
  const events = (await log.page({ after: 0 })).events.filter((event) => isForgotten(event as LogEvent));
  expect(events.length).toBeGreaterThan(0);
  return {
    type: 'memory.forgotten',
    agent: 'annals',
    session: null,
    dedupeKey: 'a-forgetting',
    channel: 'cli',
    occurredAt: 1_767_300_000_000,
    body: {
      by: 'ids',
      events: events.map((event) => ({
        ...{ agent: event.agent, session: event.session, ids: [event.id] },
        ...(event.type === 'prompt.submitted' ? { prompts: [promptLeft(event)] } : {}),
      })),
      names: events.flatMap((event) => tombstoneNames(event as Parameters<typeof tombstoneNames>[0])),
      items: [],
    },
  };
}

/** As one whose turn stays. */
function promptLeft({ id, channel, dedupeKey, occurredAt, body }: LogEvent<'prompt.submitted'>) {
  const { kind, via, uuid, offset, promptId, promptUuid, requestSession } = body;
  return {
    ...{ event: id, prompt: id, channel, dedupeKey, at: occurredAt, kind, via },
    ...{ uuid, offset, promptId, promptUuid, requestSession },
  };
}

async function allRows(runner: Runner, projectors: readonly Projector[]): Promise<string> {
  return JSON.stringify(await Promise.all(projectors.map(({ name }) => runner.view(name).range(''))));
}

function wordsFound(rows: string, words: readonly string[]): readonly string[] {
  return words.filter((word) => rows.includes(word));
}

/**
 * A log projector that gets the last three pages again after each page (law 4). A downstream projector
 * gets each change once: its position is written in the batch of its rows.
 */
function redelivering(projector: Projector): Projector {
  if (!isLogProjector(projector)) return projector;
  const pages: (readonly EventData[])[] = [];
  return {
    ...projector,
    fold: async (events: readonly EventData[], view: ViewWriter) => {
      await projector.fold(events, view);
      pages.push(events);
      for (const page of pages.slice(-3)) await projector.fold(page, view);
    },
  };
}

/** The projector with events exactly as their type declares them: without position and recordedAt, and frozen. */
function seeingOnlyEventData(projector: Projector): Projector {
  if (!isLogProjector(projector)) return projector;
  const { fold } = projector;
  return {
    ...projector,
    fold: (events: readonly EventData[], view: ViewWriter) => fold(events.map(asEventData), view),
  };
}

function asEventData(event: EventData): EventData {
  const {
    position: _,
    recordedAt: __,
    ...kept
  } = structuredClone(event) as EventData & {
    position?: number;
    recordedAt?: number;
  };
  return frozen(kept as EventData);
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
