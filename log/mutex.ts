/** Runs one piece of work at a time, in the order of the calls. A failure does not stop what comes after it. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  readonly run = <T>(work: () => Promise<T>): Promise<T> => {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  };
}
