// A log as it was: what stood in it up to a position, or what had happened by a time. It reads the log it is
// made from and keeps nothing of it, so what was forgotten since is gone here too. Nothing can be written.
//
// By time, an event counts from the moment at which its last line was written: a tool use from its result on;
// a use that was never answered from the prompt that went on without it, and a question to the person at once; a
// line without a time from the line before it. That is what a reader of the same files would know if they ended there. What a folder
// belongs to (workdir.seen) is no happening and always counts.
import { AnnalsError } from '../errors.ts';
import type { Checkpoint, LogEvent } from '../event.ts';
import type { Log, LogPage } from '../log.ts';
import { pagesAfter } from './pages.ts';

export type Bound = { readonly position: number } | { readonly time: number };

type PageEvent = LogPage['events'][number];

/** @throws AnnalsError USAGE for a position that the log has not reached */
export async function logUntil(log: Log, bound: Bound): Promise<Log> {
  const head = 'position' in bound ? await checkpointAt(log, bound.position) : log.head();
  const later = 'position' in bound ? NONE : await laterThan(log, head.position, bound.time);
  const isHere = ({ id, position }: PageEvent) => position <= head.position && !later.has(id);
  const here = <E extends LogEvent>(event: E | undefined) =>
    event !== undefined && isHere(event) ? event : undefined;
  const page = async (read: Promise<LogPage>): Promise<LogPage> => {
    const { events, end } = await read;
    return { events: events.filter(isHere), end };
  };
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
      return left <= 0
        ? { events: [], end: head }
        : page(log.page({ ...request, after, limit: Math.min(limit, left) }));
    },
    pageBySession: (request) => page(log.pageBySession(request)),
    get: async (id) => here(await log.get(id)),
    getMany: async (ids) => (await log.getMany(ids)).map(here),
    idsByPrefix: async (prefix, limit) => {
      // Later events may have the first ids of this prefix: ask for more until enough are from here, or there are no more.
      for (let asked = limit; ; asked *= 4) {
        const ids = await log.idsByPrefix(prefix, asked);
        const events = await log.getMany(ids);
        const found = ids.filter((_, index) => here(events[index]) !== undefined);
        if (found.length >= limit || ids.length < asked) return found.slice(0, limit);
      }
    },
    byDedupeKey: async (dedupeKey) => (await log.byDedupeKey(dedupeKey)).filter(isHere),
    compareCheckpoint: (checkpoint) => log.compareCheckpoint(checkpoint),
    onHead: () => () => {},
    bytes: async () => 0,
    // What was forgotten since is gone from the past too, and is said to be forgotten.
    forgotten: (id) => log.forgotten(id),
    forgettings: async () => (await log.forgettings()).filter(isHere),
    async *scan(look) {
      for await (const event of log.scan(look)) if (isHere(event)) yield event;
    },
    rewrite: readOnly,
    append: readOnly,
    importEvents: readOnly,
    exportPage: readOnly,
    cursor: readOnly,
    cursors: readOnly,
    verify: readOnly,
    sample: readOnly,
    saveHead: async () => false,
    close: async () => {},
  };
}

const NONE: ReadonlySet<string> = new Set();

/** @throws AnnalsError USAGE */
async function checkpointAt(log: Log, position: number): Promise<Checkpoint> {
  const head = log.head();
  if (position > head.position)
    throw new AnnalsError('USAGE', `The log ends at position ${head.position}; it never held ${position}.`, {
      facts: { position, head: head.position },
    });
  return (await log.exportPage({ after: position, limit: 0 })).end;
}

/** Ids of the events that had not happened by a time. */
async function laterThan(log: Log, head: number, time: number): Promise<ReadonlySet<string>> {
  const later = new Set<string>();
  const clock = new Clock((id, at) => {
    if (at > time) later.add(id);
  });
  const pages = pagesAfter(0, (after) => log.page({ after, limit: Math.min(1_000, head - after) }));
  for await (const { events, end } of pages) {
    for (const event of events) if (event.type !== 'unknown') clock.advance(event);
    if (end.position >= head) break;
  }
  clock.end();
  return later;
}

/** What waits on one thread of a session for a time. */
interface Thread {
  /** Of the last line that had one. */
  at: number | null;
  /** Without a time, before any line that has one. */
  untimed: string[];
  /** Uses without an answer by their fact, each with the time at which it began. */
  readonly unanswered: Map<string, readonly [id: string, at: number]>;
}

/** Says of each event when it had happened, as soon as that is known. */
class Clock {
  readonly #threads = new Map<string, Thread>();
  readonly #say: (id: string, at: number) => void;

  constructor(say: (id: string, at: number) => void) {
    this.#say = say;
  }

  advance(event: LogEvent): void {
    if (event.type === 'workdir.seen') return;
    if (event.channel !== 'transcript') {
      if (event.occurredAt !== null) this.#say(event.id, event.occurredAt);
      return;
    }
    const thread = this.#threadOf(event);
    const at = timeOf(event);
    if (at === null) {
      if (thread.at === null) thread.untimed.push(event.id);
      else this.#say(event.id, thread.at);
      return;
    }
    if (event.type === 'tool.unanswered') {
      thread.unanswered.set(event.dedupeKey, [event.id, at]);
      return;
    }
    thread.at = at;
    this.#say(event.id, at);
    for (const id of thread.untimed.splice(0)) this.#say(id, at);
    if (event.type === 'tool.used') this.#sayAsked(thread, event.dedupeKey);
    if (event.type !== 'prompt.submitted') return;
    for (const [id, began] of thread.unanswered.values()) this.#say(id, Math.max(began, at));
    thread.unanswered.clear();
  }

  /** A use that is answered before a prompt goes on without it was told when it began: a question to the person. */
  #sayAsked({ unanswered }: Thread, dedupeKey: string): void {
    const asked = unanswered.get(dedupeKey);
    if (asked !== undefined) this.#say(...asked);
    unanswered.delete(dedupeKey);
  }

  /** What still waits for a time: a use counts from its own, and what nobody dated has always been. */
  end(): void {
    for (const { unanswered } of this.#threads.values())
      for (const [id, at] of unanswered.values()) this.#say(id, at);
  }

  /** A sub-agent's lines stand in a file of their own. */
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
