// When files that changed are imported: when nothing changed for a moment, or after the longest time; one import at a time.

/** An agent writes several lines at a time. */
const QUIET_MS = 1_000;
/** For a file that its agent may delete in the next moment. */
const SHORT_QUIET_MS = 100;
const LONGEST_MS = 5_000;

export class ImportQueue {
  readonly #import: (paths: readonly string[]) => Promise<void>;
  readonly #waiting = new Set<string>();
  /** Files of the import that runs. */
  #running = 0;
  #firstAt = 0;
  #quietMs = QUIET_MS;
  #timer: NodeJS.Timeout | null = null;
  #importing: Promise<void> | null = null;
  #hasEnded = false;

  /** @param importFiles never rejects */
  constructor(importFiles: (paths: readonly string[]) => Promise<void>) {
    this.#import = importFiles;
  }

  /** Files that changed and are not imported yet. */
  get waiting(): number {
    return this.#waiting.size + this.#running;
  }

  add(path: string, { isShortLived }: { readonly isShortLived: boolean }): void {
    if (this.#waiting.size === 0) this.#firstAt = performance.now();
    this.#waiting.add(path);
    if (isShortLived) this.#quietMs = SHORT_QUIET_MS;
    this.#schedule();
  }

  /** Imports what waits without waiting for more. */
  hurry(): void {
    this.#quietMs = 0;
    this.#schedule();
  }

  /** Resolves when the import that runs has ended. What waits is left to the next worker. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#importing;
  }

  #schedule(): void {
    if (this.#hasEnded || this.#importing !== null || this.#waiting.size === 0) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const left = LONGEST_MS - (performance.now() - this.#firstAt);
    this.#timer = setTimeout(() => void this.#begin(), Math.max(0, Math.min(this.#quietMs, left)));
  }

  async #begin(): Promise<void> {
    const paths = [...this.#waiting];
    this.#waiting.clear();
    this.#running = paths.length;
    this.#quietMs = QUIET_MS;
    this.#importing = this.#import(paths);
    await this.#importing;
    this.#importing = null;
    this.#running = 0;
    // What changed meanwhile.
    this.#firstAt = performance.now();
    this.#schedule();
  }
}
