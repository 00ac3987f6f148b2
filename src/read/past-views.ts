// Answers questions about an earlier state of the log: its events up to that point are replayed by the same projectors
// into views in memory. Nothing is written. Every answer reports the time this took.
import { AnnalsError, type Bound, isAnnalsError, logUntil } from '../../log/index.ts';
import {
  memoryGenerations,
  openRunner,
  type ProjectIndex,
  TextView,
  VectorView,
} from '../../projections/index.ts';
import type { AsOfOptions, AsOfReport } from '../api.ts';
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

/** Views of one earlier state, and how many calls use them. */
interface Past {
  readonly key: string;
  readonly views: Promise<AsOf>;
  users: number;
}

/** Keeps the views of the last state asked for, for a caller that asks again. */
export class PastViews {
  readonly #home: Home;
  #last: Past | null = null;

  constructor(home: Home) {
    this.#home = home;
  }

  /** @throws AnnalsError USAGE (neither a position nor a time, or a position beyond the end of the log) */
  async ask<T>({ asOf, onProgress }: AsOfOptions, question: (then: AsOf) => Promise<T>): Promise<T> {
    const past = this.#at(parseBound(asOf!, this.#home.now()), onProgress);
    past.users += 1;
    try {
      return await question(await past.views);
    } finally {
      past.users -= 1;
      await this.#release(past);
    }
  }

  async close(): Promise<void> {
    const last = this.#last;
    this.#last = null;
    if (last !== null) await this.#release(last);
  }

  #at(bound: Bound, onProgress: AsOfOptions['onProgress']): Past {
    const key = JSON.stringify([bound, this.#home.log.head().position]);
    if (this.#last?.key === key) return this.#last;
    const before = this.#last;
    const past: Past = { key, views: replayUntil(bound, this.#home, onProgress), users: 0 };
    this.#last = past;
    past.views.catch(() => {
      if (this.#last === past) this.#last = null;
    });
    if (before !== null) void this.#release(before);
    return past;
  }

  /** Closes views that no call uses and that are not the last. */
  async #release(past: Past): Promise<void> {
    if (past === this.#last || past.users > 0) return;
    const then = await past.views.catch(() => null);
    await then?.home.runner.close();
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

async function replayUntil(
  bound: Bound,
  present: Home,
  onProgress: AsOfOptions['onProgress'],
): Promise<AsOf> {
  const { now } = present;
  const began = now();
  const log = await logUntil(present.log, bound);
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
  await runner.catchUp(onProgress === undefined ? {} : { onProgress });
  return {
    home: {
      ...{ ...present, log, runner, text, vectors, views },
      readers: runner.readers,
      state: () => ({ ...present.state(), isImporting: false, reading: null, projected: runner.projected() }),
    },
    report: {
      position: 'position' in bound ? bound.position : null,
      time: 'time' in bound ? new Date(bound.time).toISOString() : null,
      head: log.head().position,
      ms: now() - began,
    },
  };
}
