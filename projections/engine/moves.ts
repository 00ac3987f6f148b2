// Who may change the views, and when. There are two queues: one for what changes the views, so that one change runs at a
// time, and one for readers that need the views unchanged for a while. A change also takes turns in the second queue: one
// turn for all of it, or, during an import, many short ones. So work in the second queue must never wait for the first.
import { AnnalsError } from '../../log/index.ts';

export class Moves {
  #changes: Promise<unknown> = Promise.resolve();
  #readers: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Runs a change while nobody reads. @throws AnnalsError LOG_CLOSED */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.inTurn(() => this.still(work));
  }

  /** Runs one change at a time. @throws AnnalsError LOG_CLOSED */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#changes.then(() => this.#unlessClosed(work));
    this.#changes = turn.catch(() => undefined);
    return turn;
  }

  /** Runs a reader, or a step of a change, while nothing else changes the views. @throws AnnalsError LOG_CLOSED */
  still<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#readers.then(() => this.#unlessClosed(work));
    this.#readers = turn.catch(() => undefined);
    return turn;
  }

  /** Starts nothing from this call on; resolves when everything that runs has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#changes;
    await this.#readers;
  }

  #unlessClosed<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed();
    return work();
  }
}

export function closed(): AnnalsError {
  return new AnnalsError('LOG_CLOSED', 'The views were used after they were closed.');
}
