// Keeps what decides about private turns in order: a drain of the spool, and the forgetting of turns that proved private.
// Both read and write what is remembered of a session, so they run one after the other. An import does not wait for
// them: it marks the sessions in which it found a private prompt, and a mark may be removed only if no import can have
// made it meanwhile. Every import ends with such a forgetting of its own, so a mark that stays is not lost.
import { Mutex } from '../../log/index.ts';

export class PrivateWork {
  readonly #mutex = new Mutex();
  #running = 0;
  #begun = 0;

  /** Call it before an import reads, and the returned function after its last event is in the log. */
  beginImport(): () => void {
    this.#running += 1;
    this.#begun += 1;
    return () => {
      this.#running -= 1;
    };
  }

  /** @param work gets a function that tells whether no import ran since it began */
  inTurn<T>(work: (isUndisturbed: () => boolean) => Promise<T>): Promise<T> {
    return this.#mutex.run(() => {
      const begun = this.#running > 0 ? -1 : this.#begun;
      return work(() => this.#begun === begun);
    });
  }
}
