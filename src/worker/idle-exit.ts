// Ends an idle worker: a one-shot timer that activity moves, and that does not run while anything keeps the worker.

export class IdleExit {
  #idleMs: number;
  readonly #onIdle: () => void;
  /** Not a time of the clock, which may be set meanwhile. */
  #lastActivity: number;
  #keepers = 0;
  #timer: NodeJS.Timeout | null = null;
  #hasEnded = false;

  /** @param idleMs 0: never */
  constructor(idleMs: number, onIdle: () => void) {
    this.#idleMs = idleMs;
    this.#onIdle = onIdle;
    this.#lastActivity = performance.now();
    this.#arm(idleMs);
  }

  /** Cheap: the timer that runs looks at the time when it fires. */
  note(): void {
    this.#lastActivity = performance.now();
  }

  /** Nothing is idle until the returned function is called. */
  keep(): () => void {
    this.#keepers += 1;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    let isKept = true;
    return () => {
      if (!isKept) return;
      isKept = false;
      this.#keepers -= 1;
      this.note();
      this.#arm(this.#idleMs);
    };
  }

  setTime(idleMs: number): void {
    this.#idleMs = idleMs;
    this.note();
    this.#arm(idleMs);
  }

  end(): void {
    this.#hasEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #arm(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#idleMs === 0 || this.#hasEnded || this.#keepers > 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      const rest = this.#lastActivity + this.#idleMs - performance.now();
      if (rest > 0) this.#arm(rest);
      else this.#onIdle();
    }, ms);
  }
}
