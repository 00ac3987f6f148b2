// Answers questions about an earlier state of the log: its events up to that point are replayed by the same projectors
// into views in memory. Nothing is written. Every answer reports the time this took.
import { AnnalsError, type Bound, isAnnalsError, logUntil, type PastLog } from '../../log/index.ts';
import {
  memoryGenerations,
  openRunner,
  type ProjectIndex,
  TextView,
  VectorView,
} from '../../projections/index.ts';
import type { AsOfOptions, AsOfProgress, AsOfReport } from '../api.ts';
import { defaultEmbedder } from '../embed/embedders/default-embedder.ts';
import type { Home } from '../home/home.ts';
import { listProjectIndexes } from '../home/home-projects.ts';
import { PROJECTORS, readViews } from '../home/view-parts.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { parseTime } from '../search/index.ts';

export interface AsOf {
  /** The home with the earlier state. */
  readonly home: Home;
  readonly report: AsOfReport;
}

/** How many states are kept, and of how many events together. The last one is kept however large it is. */
const KEPT_MAX = 3;
const EVENTS_KEPT_MAX = 60_000;
/** A replay that nobody waits for any more is stopped after this, ms: another screen may ask for the same state. */
const ABANDONED_MS = 2_000;
/** States that nobody asked for during this time are released, ms. */
const IDLE_MS = 10 * 60_000;

/** An earlier state, and how many calls use it. */
interface Past {
  readonly key: string;
  readonly log: Promise<PastLog>;
  readonly views: Promise<AsOf>;
  readonly stop: AbortController;
  /** Those of the calls that wait for it. */
  readonly listeners: Set<AsOfProgress>;
  isReady: boolean;
  users: number;
}

/** Keeps the views of the last states asked for. New events at the end of the log do not change them. */
export class PastViews {
  readonly #home: Home;
  /** The one asked for last is the last. */
  #kept: readonly Past[] = [];
  readonly #timers = new Set<NodeJS.Timeout>();
  #idle: NodeJS.Timeout | undefined;

  constructor(home: Home) {
    this.#home = home;
  }

  /** @throws AnnalsError USAGE (neither a position nor a time, or a position beyond the end of the log) */
  async ask<T>({ asOf, onProgress, signal }: AsOfOptions, question: (then: AsOf) => Promise<T>): Promise<T> {
    const bound = parseBound(asOf!, this.#home.now());
    for (;;) {
      const known = this.#kept.find(({ key }) => key === JSON.stringify(bound));
      const past = known ?? this.#start(bound, onProgress);
      this.#kept = [...this.#kept.filter((one) => one !== past), past];
      past.users += 1;
      if (onProgress !== undefined) past.listeners.add(onProgress);
      try {
        const then = await unlessAborted(past.views, signal);
        if (known === undefined || (await (await past.log).isCurrent())) return await question(then);
        this.#kept = this.#kept.filter((one) => one !== past);
      } finally {
        past.users -= 1;
        if (onProgress !== undefined) past.listeners.delete(onProgress);
        await this.#release(past);
        await this.#trim();
      }
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#drop(this.#kept);
  }

  #start(bound: Bound, onProgress: AsOfOptions['onProgress']): Past {
    const stop = new AbortController();
    const listeners = new Set<AsOfProgress>(onProgress === undefined ? [] : [onProgress]);
    const progressOf = (step: Parameters<AsOfProgress>[2]) => (done: number, total: number) => {
      for (const listener of listeners) listener(done, total, step);
    };
    const log = logUntil(this.#home.log, bound, { signal: stop.signal, onProgress: progressOf('dates') });
    const views = replay(bound, this.#home, log, stop.signal, progressOf('replay'));
    const past: Past = { key: JSON.stringify(bound), log, views, stop, listeners, isReady: false, users: 0 };
    views.then(
      () => {
        past.isReady = true;
      },
      () => {
        this.#kept = this.#kept.filter((one) => one !== past);
      },
    );
    return past;
  }

  /** Closes views that no call uses and that are not kept; stops a replay that nobody waits for. */
  async #release(past: Past): Promise<void> {
    if (past.users > 0) return;
    if (!this.#kept.includes(past)) {
      past.stop.abort();
      const then = await past.views.catch(() => null);
      await then?.home.runner.close();
    } else if (!past.isReady)
      this.#later(ABANDONED_MS, () => {
        if (past.users === 0 && !past.isReady) void this.#drop([past]);
      });
  }

  async #trim(): Promise<void> {
    let events = 0;
    const tooMany: Past[] = [];
    for (const [index, past] of [...this.#kept].reverse().entries()) {
      if (past.isReady) events += (await past.log).head().position;
      if (index > 0 && (index >= KEPT_MAX || events > EVENTS_KEPT_MAX)) tooMany.push(past);
    }
    await this.#drop(tooMany);
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#drop(this.#kept), IDLE_MS).unref();
  }

  async #drop(dropped: readonly Past[]): Promise<void> {
    this.#kept = this.#kept.filter((one) => !dropped.includes(one));
    await Promise.all(dropped.map((past) => this.#release(past)));
  }

  #later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms).unref();
    this.#timers.add(timer);
  }
}

/**
 * Passes an error of an earlier state on. What was not there then, but is now, is said to be that.
 * @throws AnnalsError
 */
export async function notThen(
  error: unknown,
  { position, time }: AsOfReport,
  askNow: () => Promise<unknown>,
): Promise<never> {
  if (!isAnnalsError(error) || error.code !== 'NOT_FOUND') throw error;
  const isThere = await askNow().then(
    () => true,
    () => false,
  );
  if (!isThere) throw error;
  const then = time ?? `position ${position}`;
  throw new AnnalsError('NOT_FOUND', `${error.message.replace(/\.$/, '')} as of ${then}. It is there now.`, {
    hint: 'Name a later time, or none.',
    facts: error.facts,
  });
}

/** The value, unless the signal aborts before. @throws the reason of the signal */
async function unlessAborted<T>(value: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return value;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([value, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Digits are a position (Unix ms has thirteen), anything else is a time. @throws AnnalsError USAGE */
export function parseBound(asOf: number | string, now: number): Bound {
  const digits = typeof asOf === 'number' ? String(asOf) : asOf.trim();
  if (/^\d{1,12}$/.test(digits)) return { position: Number(digits) };
  try {
    return { time: parseTime(digits, now, 'until') };
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    throw new AnnalsError('USAGE', '--as-of takes a position of the log or a time.', {
      hint: 'Write 5000, 7d, yesterday, 2026-03-25 or 2026-03-25T14:00.',
    });
  }
}

async function replay(
  bound: Bound,
  present: Home,
  reading: Promise<PastLog>,
  stopped: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<AsOf> {
  const { now } = present;
  const began = now();
  const log = await reading;
  const text: TextView = new TextView({
    files: null,
    projectIndexes: (): Promise<readonly ProjectIndex[]> => listProjectIndexes(views),
  });
  const vectors: VectorView = new VectorView({
    files: null,
    // A model made its vectors later than the documents, so an earlier state uses the table that ships.
    embedder: () => (present.embedding.kind === 'none' ? null : defaultEmbedder()),
    projectIndexes: (): Promise<readonly ProjectIndex[]> => listProjectIndexes(views),
  });
  const runner = await openRunner({
    now,
    randomBytes,
    log,
    generations: memoryGenerations(),
    projectors: PROJECTORS,
    indexes: [text, vectors],
  });
  const views = readViews((name) => runner.view(name));
  const stop = () => void runner.close();
  stopped.addEventListener('abort', stop, { once: true });
  await runner.catchUp({ onProgress });
  stopped.removeEventListener('abort', stop);
  stopped.throwIfAborted();
  return {
    home: {
      ...{ ...present, log, runner, text, vectors, views },
      readers: runner.readers,
      state: () => ({
        ...present.state(),
        isImporting: false,
        isBuilding: false,
        reading: null,
        projected: runner.projected(),
      }),
    },
    report: {
      position: 'position' in bound ? bound.position : null,
      time: 'time' in bound ? new Date(bound.time).toISOString() : null,
      head: log.head().position,
      ms: now() - began,
    },
  };
}
