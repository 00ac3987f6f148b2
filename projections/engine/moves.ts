// Who may move the views, and when. Two queues: in the first stands what moves them, so that one thing does at a
// time; in the second whoever needs them to stand for a while. What moves the views takes places in the second too, one
// for each step that nobody may read in: a single one from its beginning to its end, or, among readers, many short
// ones. So work that has a place in the second must never wait for the first.
import { AnnalsError } from '../../log/index.ts';

export class Moves {
  #moving: Promise<unknown> = Promise.resolve();
  /** Whoever needs the views to stand, one after the other. */
  #readers: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Everything else waits until this is done; it waits for all that came before. @throws AnnalsError LOG_CLOSED */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.inTurn(() => this.still(work));
  }

  /** One thing moves the views at a time. @throws AnnalsError LOG_CLOSED */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#moving.then(() => this.#unlessClosed(work));
    this.#moving = turn.catch(() => undefined);
    return turn;
  }

  /**
   * No view moves that an index follows while this runs, and nobody reads while a view moves here.
   * @throws AnnalsError LOG_CLOSED
   */
  still<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#readers.then(() => this.#unlessClosed(work));
    this.#readers = turn.catch(() => undefined);
    return turn;
  }

  /** From this call on nothing is begun; resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#moving;
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
