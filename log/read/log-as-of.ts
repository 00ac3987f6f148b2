// A read-only view of a log in the past: up to a position, or up to a time. It reads the underlying log and stores
// nothing, so events forgotten since are gone here too.
//
// By time, an event counts from the moment its last line was written: a tool use from its result; an unanswered use
// from the next prompt; a question to the person from its own time; a line without a time from the line before it.
// This is what a reader would know from the same files if they ended at that time. `workdir.seen` always counts.
import { AnnalsError } from '../errors.ts';
import type { Checkpoint, LogEvent } from '../event.ts';
import type { Log, LogPage } from '../log.ts';
import { pagesAfter } from './pages.ts';

export type Bound = { readonly position: number } | { readonly time: number };

export interface PastLog extends Log {
  /** Whether this is still what the log held then: events that came since are later, and nothing was forgotten. */
  isCurrent(): Promise<boolean>;
}

type PageEvent = LogPage['events'][number];

interface ReadOptions {
  readonly signal?: AbortSignal;
  /** By time: events read and events to read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** @throws AnnalsError USAGE for a position that the log has not reached; the reason of the signal */
export async function logUntil(
  log: Log,
  bound: Bound,
  { signal, onProgress }: ReadOptions = {},
): Promise<PastLog> {
  let checked = log.head().position;
  const head = 'position' in bound ? await checkpointAt(log, bound.position) : log.head();
  const dates = new Dates('position' in bound ? null : bound.time);
  if ('time' in bound) {
    onProgress?.(0, head.position);
    for await (const page of pagesUntil(log, 0, head.position, signal)) {
      dates.add(page);
      onProgress?.(Math.min(page.end.position, head.position), head.position);
    }
  }
  dates.end();
  let isSame = true;
  let checking: Promise<void> = Promise.resolve();
  const check = async (): Promise<void> => {
    const end = log.head().position;
    for await (const page of isSame ? pagesUntil(log, checked, end) : []) {
      isSame &&= dates.addLater(page);
      checked = Math.min(end, page.end.position);
    }
    isSame &&= dates.end();
  };
  const isHere = ({ id, position }: PageEvent) => position <= head.position && !dates.isLater(id);
  const here = <E extends LogEvent>(event: E | undefined) =>
    event !== undefined && isHere(event) ? event : undefined;
  const page = async (read: Promise<LogPage>): Promise<LogPage> => {
    const { events, end } = await read;
    return { events: events.filter(isHere), end };
  };
  /** What they name is gone here too, and what they say of forgotten prompts holds. */
  const forgottenSince = async () => (await log.forgettings()).filter((event) => !isHere(event));
  const readOnly = async (): Promise<never> => {
    throw new AnnalsError('USAGE', 'A log as it was cannot be written to.');
  };
  return {
    logId: log.logId,
    origin: log.origin,
    damage: log.damage,
    head: () => head,
    page: async ({ after, limit = 1_000, ...request }) => {
      const left = head.position - after;
      if (left <= 0) return { events: [], end: head };
      const { events, end } = await page(log.page({ ...request, after, limit: Math.min(limit, left) }));
      return {
        events: end.position < head.position ? events : [...events, ...(await forgottenSince())],
        end,
      };
    },
    pageBySession: (request) => page(log.pageBySession(request)),
    get: async (id) => here(await log.get(id)),
    getMany: async (ids) => (await log.getMany(ids)).map(here),
    idsByPrefix: async (prefix, limit) => {
      // Later events may take the first ids of this prefix, so ask for more until enough are within the bound.
      for (let count = limit; ; count *= 4) {
        const ids = await log.idsByPrefix(prefix, count);
        const events = await log.getMany(ids);
        const found = ids.filter((_, index) => here(events[index]) !== undefined);
        if (found.length >= limit || ids.length < count) return found.slice(0, limit);
      }
    },
    byDedupeKey: async (dedupeKey) => (await log.byDedupeKey(dedupeKey)).filter(isHere),
    compareCheckpoint: (checkpoint) => log.compareCheckpoint(checkpoint),
    onHead: () => () => {},
    onWrite: () => () => {},
    bytes: async () => 0,
    // Events forgotten since are reported as forgotten here too.
    forgotten: (id) => log.forgotten(id),
    forgettings: async () => (await log.forgettings()).filter(isHere),
    async *scan(look) {
      for await (const event of log.scan(look)) if (isHere(event)) yield event;
    },
    rewrite: readOnly,
    append: readOnly,
    importEvents: readOnly,
    exclusively: readOnly,
    exportPage: readOnly,
    cursor: readOnly,
    cursors: readOnly,
    verify: readOnly,
    sample: readOnly,
    saveHead: async () => false,
    close: async () => {},
    async isCurrent() {
      checking = checking.then(check);
      await checking;
      return isSame;
    },
  };
}

/** @throws AnnalsError USAGE */
async function checkpointAt(log: Log, position: number): Promise<Checkpoint> {
  const head = log.head();
  if (position > head.position)
    throw new AnnalsError('USAGE', `The log ends at position ${head.position}; it never held ${position}.`, {
      facts: { position, head: head.position },
    });
  return (await log.exportPage({ after: position, limit: 0 })).end;
}

async function* pagesUntil(
  log: Log,
  after: number,
  end: number,
  signal?: AbortSignal,
): AsyncGenerator<LogPage> {
  if (after >= end) return;
  for await (const page of pagesAfter(after, (at) =>
    log.page({ after: at, limit: Math.min(1_000, end - at) }),
  )) {
    signal?.throwIfAborted();
    yield page;
    if (page.end.position >= end) return;
  }
}

/** Which events had not happened by a time. Without a time only what is forgotten changes what the log held. */
class Dates {
  readonly #time: number | null;
  readonly #later = new Set<string>();
  readonly #clock: Clock;
  /** Events since the log was read that have no time yet; null while it is read. */
  #undated: Set<string> | null = null;
  #isSame = true;

  constructor(time: number | null) {
    this.#time = time;
    this.#clock = new Clock((id, at) => this.#date(id, at > time!));
  }

  isLater(id: string): boolean {
    return this.#later.has(id);
  }

  add({ events }: LogPage): void {
    for (const event of events) if (event.type !== 'unknown') this.#clock.advance(event);
  }

  /** Adds events that came since. False if they change what had happened by then. */
  addLater({ events }: LogPage): boolean {
    this.#undated ??= new Set();
    for (const event of events) {
      if (event.type === 'memory.forgotten') return false;
      if (this.#time === null) continue;
      // These always count.
      if (event.type === 'unknown' || event.type === 'workdir.seen') return false;
      this.#undated.add(event.id);
      this.#clock.advance(event);
    }
    return this.#isSame;
  }

  /** All events were added. False as in `addLater`: an event without a time counts. */
  end(): boolean {
    this.#clock.end();
    return this.#isSame && (this.#undated?.size ?? 0) === 0;
  }

  #date(id: string, isLater: boolean): void {
    const isNew = this.#undated?.delete(id) === true;
    if (this.#undated !== null && isLater !== (isNew || this.#later.has(id))) this.#isSame = false;
    if (isLater) this.#later.add(id);
  }
}

/** The state of one thread of a session (its own or a sub-agent's): events that still have no time. */
interface Thread {
  /** The last time of a line. */
  at: number | null;
  /** Events without a time, before the first line with one. */
  untimed: string[];
  /** Unanswered tool uses by dedupe key, each with its start time. */
  readonly unanswered: Map<string, readonly [id: string, at: number]>;
}

/** Dates each event: calls `onDated` as soon as the time is known. */
class Clock {
  readonly #threads = new Map<string, Thread>();
  readonly #onDated: (id: string, at: number) => void;

  constructor(onDated: (id: string, at: number) => void) {
    this.#onDated = onDated;
  }

  advance(event: LogEvent): void {
    if (event.type === 'workdir.seen') return;
    if (event.channel !== 'transcript') {
      if (event.occurredAt !== null) this.#onDated(event.id, event.occurredAt);
      return;
    }
    const thread = this.#threadOf(event);
    const at = timeOf(event);
    if (at === null) {
      if (thread.at === null) thread.untimed.push(event.id);
      else this.#onDated(event.id, thread.at);
      return;
    }
    if (event.type === 'tool.unanswered') {
      thread.unanswered.set(event.dedupeKey, [event.id, at]);
      return;
    }
    thread.at = at;
    this.#onDated(event.id, at);
    for (const id of thread.untimed.splice(0)) this.#onDated(id, at);
    if (event.type === 'tool.used') this.#dateQuestion(thread, event.dedupeKey);
    if (event.type !== 'prompt.submitted') return;
    for (const [id, startedAt] of thread.unanswered.values()) this.#onDated(id, Math.max(startedAt, at));
    thread.unanswered.clear();
  }

  /** A use that is answered before the next prompt is a question to the person: date it by its start. */
  #dateQuestion({ unanswered }: Thread, dedupeKey: string): void {
    const question = unanswered.get(dedupeKey);
    if (question !== undefined) this.#onDated(...question);
    unanswered.delete(dedupeKey);
  }

  /** At the end, dates open tool uses by their own time. Undated events always count. */
  end(): void {
    for (const { unanswered } of this.#threads.values())
      for (const [id, at] of unanswered.values()) this.#onDated(id, at);
  }

  /** A sub-agent's lines are in a separate file. */
  #threadOf({ agent, session, body }: LogEvent): Thread {
    const agentId = 'agentId' in body ? body.agentId : null;
    const key = JSON.stringify([agent, session, agentId ?? null]);
    const known = this.#threads.get(key);
    if (known !== undefined) return known;
    const thread: Thread = { at: null, untimed: [], unanswered: new Map() };
    this.#threads.set(key, thread);
    return thread;
  }
}

function timeOf(event: LogEvent): number | null {
  if (event.type !== 'tool.used' || event.body.endedAt === null) return event.occurredAt;
  return Math.max(event.body.endedAt, event.occurredAt ?? 0);
}
