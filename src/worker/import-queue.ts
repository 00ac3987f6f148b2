// When files that changed are imported: when nothing changed for a moment, or after the longest time; one import at a time.
// Files whose import failed are imported again after a pause that grows with each failure, or as soon as another import
// worked whole. They go by themselves, so that they cannot keep others out.

/** An agent writes several lines at a time. */
const QUIET_MS = 1_000;
/** For a file that its agent may delete in the next moment. */
const SHORT_QUIET_MS = 100;
const LONGEST_MS = 5_000;
/** Between tries that fail, doubled each time: the disk may be full for days. */
export const SHORTEST_PAUSE_MS = 10_000;
export const LONGEST_PAUSE_MS = 60 * 60_000;

export class ImportQueue {
  readonly #import: (paths: readonly string[]) => Promise<readonly string[]>;
  readonly #waiting = new Set<string>();
  /** Files whose last import failed. */
  readonly #failed = new Set<string>();
  /** Files of the import that runs. */
  #running = 0;
  #firstAt = 0;
  #quietMs = QUIET_MS;
  /** Before failed files are tried again; 0 when an import worked since. */
  #pauseMs = 0;
  #timer: NodeJS.Timeout | null = null;
  #importing: Promise<void> | null = null;
  #hasEnded = false;

  /** @param importFiles resolves to those that must be imported again; rejects when all must */
  constructor(importFiles: (paths: readonly string[]) => Promise<readonly string[]>) {
    this.#import = importFiles;
  }

  /** Files that changed and are not imported yet. */
  get waiting(): number {
    return this.#waiting.size + this.#failed.size + this.#running;
  }

  add(path: string, { isShortLived }: { readonly isShortLived: boolean }): void {
    if (this.#waiting.size === 0) this.#firstAt = performance.now();
    this.#waiting.add(path);
    this.#failed.delete(path);
    if (isShortLived) this.#quietMs = SHORT_QUIET_MS;
    this.#schedule();
  }

  /** Imports what waits without waiting for more. */
  hurry(): void {
    this.#quietMs = 0;
    this.#schedule();
  }

  /** Imports at once what failed: its cause may be gone. */
  tryAgain(): void {
    this.#pauseMs = 0;
    this.#schedule();
  }

  /** Resolves when the import that runs has ended. What waits is left to the next worker. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#importing;
  }

  #schedule(): void {
    if (this.#hasEnded || this.#importing !== null) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const triesAgain = this.#failed.size > 0 && (this.#pauseMs === 0 || this.#waiting.size === 0);
    const files = triesAgain ? this.#failed : this.#waiting;
    if (files.size === 0) return;
    const left = LONGEST_MS - (performance.now() - this.#firstAt);
    const wait = triesAgain ? this.#pauseMs : Math.max(0, Math.min(this.#quietMs, left));
    this.#timer = setTimeout(() => void this.#begin(files), wait);
  }

  async #begin(files: Set<string>): Promise<void> {
    const paths = [...files];
    files.clear();
    this.#running = paths.length;
    if (files === this.#waiting) this.#quietMs = QUIET_MS;
    this.#importing = this.#import(paths)
      .catch(() => paths)
      .then((failed) => {
        for (const path of failed) if (!this.#waiting.has(path)) this.#failed.add(path);
        this.#pauseMs =
          failed.length === 0
            ? 0
            : Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, 2 * this.#pauseMs));
      });
    await this.#importing;
    this.#importing = null;
    this.#running = 0;
    // What changed meanwhile.
    this.#firstAt = performance.now();
    this.#schedule();
  }
}
