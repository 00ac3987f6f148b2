// Loads what a search needs, once, when nothing happens after the start: otherwise the first search after a restart waits
// for it. It costs nothing afterwards.

export interface WarmSearchOptions {
  /** Loads it. */
  load(): Promise<unknown>;
  /** Whether the views are up to the log. Indexes that are loaded before would only follow them. */
  isReady(): boolean;
  onProblem(text: string, error: unknown): void;
}

/** How long nothing must have happened, ms. */
export const QUIET_MS = 3_000;

export class WarmSearch {
  readonly #options: WarmSearchOptions;
  #timer: NodeJS.Timeout | undefined;
  #isDone = false;

  constructor(options: WarmSearchOptions) {
    this.#options = options;
  }

  /** Call it at the start, and when something happens. */
  note(): void {
    if (this.#isDone) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), QUIET_MS).unref();
  }

  /** What was loaded is gone. */
  again(): void {
    this.#isDone = false;
    this.note();
  }

  end(): void {
    this.#isDone = true;
    clearTimeout(this.#timer);
  }

  async #load(): Promise<void> {
    const { load, isReady, onProblem } = this.#options;
    // What happens next calls `note`.
    if (!isReady()) return;
    this.#isDone = true;
    try {
      await load();
    } catch (error) {
      onProblem('What searches need could not be loaded', error);
    }
  }
}
