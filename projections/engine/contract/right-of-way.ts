// Lets queries run before long work. Long work asks between its units (some rows of a page, a few documents) whether it may
// go on. It waits while an answer is being made, and otherwise gives the event loop a turn every few milliseconds, so that
// the next query is heard. Endless queries do not stop it: after some patience it does one more unit, so it keeps a ninth
// of the time.
import type { ViewWriter } from './projector.ts';

/** Length of a unit. A search of a project takes about twice as long. */
export const UNIT_MS = 5;
/**
 * How long a unit waits for running answers: longer than nearly all take. With a query every 50 ms, the p95 of an answer
 * during an import was 2.5 (in a project) and 2.7 (in everything) times that of an idle process at 10 ms; 1.9 and 1.3 times
 * at 40 ms, and the import took 14.9 s instead of 11.4.
 */
export const PATIENCE_MS = 8 * UNIT_MS;

/** For this long after a query another one is likely, and long work is cut into smaller pieces. */
export const LIKELY_MS = 10_000;

/** Returns undefined when the work may go on at once, which is most of the time and must cost nothing. */
export type OptionalPause = () => Promise<void> | undefined;

export class RightOfWay {
  readonly #now: () => number;
  readonly #patienceMs: number;
  readonly #answering = new Set<Promise<unknown>>();
  #unitBegan: number;
  /** A query came since the unit began. */
  #isAsked = false;
  #lastAsked = Number.NEGATIVE_INFINITY;

  /** @param now any clock that counts ms */
  constructor(now: () => number, patienceMs: number = PATIENCE_MS) {
    this.#now = now;
    this.#patienceMs = patienceMs;
    this.#unitBegan = now();
  }

  /** Whether a query came recently. If not, as in a command that only imports, larger steps are cheaper. */
  get hadRecentQuery(): boolean {
    return this.#now() - this.#lastAsked < LIKELY_MS;
  }

  /** Runs a query. It must not wait for work that pauses here. */
  async first<T>(answer: () => Promise<T>): Promise<T> {
    this.#isAsked = true;
    this.#lastAsked = this.#now();
    const answering = answer();
    this.#answering.add(answering);
    try {
      return await answering;
    } finally {
      this.#answering.delete(answering);
    }
  }

  readonly pause: OptionalPause = () => {
    const hasTime = this.#now() - this.#unitBegan < UNIT_MS;
    return hasTime && !this.#isAsked ? undefined : this.#wait();
  };

  async #wait(): Promise<void> {
    // Give the event loop a turn even while an answer is being made: the answer may only need that.
    await new Promise((resume) => setImmediate(resume));
    if (this.#answering.size > 0) await atMost(this.#patienceMs, Promise.allSettled([...this.#answering]));
    this.#isAsked = false;
    this.#unitBegan = this.#now();
  }
}

async function atMost(ms: number, done: Promise<unknown>): Promise<void> {
  await new Promise<void>((resume) => {
    const patience = setTimeout(resume, ms);
    void done.then(() => {
      clearTimeout(patience);
      resume();
    });
  });
}

/** A page that pauses before each read: between two sessions, between two turns. */
export function paced(page: ViewWriter, pause: OptionalPause): ViewWriter {
  const after = <T>(read: () => Promise<T>): Promise<T> => {
    const pausing = pause();
    return pausing === undefined ? read() : pausing.then(read);
  };
  return {
    get: (key) => after(() => page.get(key)),
    getMany: (keys) => after(() => page.getMany(keys)),
    range: (prefix, options) => after(() => page.range(prefix, options)),
    put: (key, row) => page.put(key, row),
    del: (key) => page.del(key),
    memory: page.memory,
  };
}
