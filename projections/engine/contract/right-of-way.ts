// Who goes first: somebody who waits for an answer before long work. Long work asks between its units (some rows of
// a page, a few documents) whether it may go on. It stands still while an answer is being made, and else gives the
// event loop a turn every few milliseconds, so that the next question is heard. Who asks without end does not stop
// it: after some patience it does one more unit, so that it keeps a ninth of the time.
import type { ViewWriter } from './projector.ts';

/** A unit is over after so long. A search of a project takes about twice that. */
export const UNIT_MS = 5;
/**
 * So long a unit waits for the answers that are under way: longer than nearly all take. Asked every 50 ms, p95 of an
 * answer while an import is under way / idle, in a project and in everything: 2.5 and 2.7 at 10 ms, with the longer steps
 * of then; 1.9 and 1.3 at 40, and the import took 14.9 s, not 11.4.
 */
export const PATIENCE_MS = 8 * UNIT_MS;

/** So long after a question another one is likely, and long work goes in smaller pieces. */
export const LIKELY_MS = 10_000;

/** undefined when the work may go on at once, which is most of the time and must cost nothing. */
export type OptionalPause = () => Promise<void> | undefined;

export class RightOfWay {
  readonly #now: () => number;
  readonly #patienceMs: number;
  readonly #answering = new Set<Promise<unknown>>();
  #unitBegan: number;
  /** Somebody asked since the unit began. */
  #isAsked = false;
  #lastAsked = Number.NEGATIVE_INFINITY;

  /** @param now any clock that counts ms */
  constructor(now: () => number, patienceMs: number = PATIENCE_MS) {
    this.#now = now;
    this.#patienceMs = patienceMs;
    this.#unitBegan = now();
  }

  /** Whether somebody asked lately. Where nobody does, as in a command that only imports, larger steps are cheaper. */
  get wasAskedLately(): boolean {
    return this.#now() - this.#lastAsked < LIKELY_MS;
  }

  /** Makes an answer that somebody waits for. It must not wait for work that pauses here. */
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
    return hasTime && !this.#isAsked ? undefined : this.#standStill();
  };

  async #standStill(): Promise<void> {
    // A turn of the event loop even when an answer is under way: it may be the only thing that it waits for.
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

/** A page that asks before each read whether its projector may go on: between two sessions, between two turns. */
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
