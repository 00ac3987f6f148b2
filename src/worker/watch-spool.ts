// Drains the spool when hooks leave files in it. Nothing is polled: the folder is watched, and files that wait for their
// turn to be known are tried again once, when that time is over. What could not be drained is tried again after a pause that grows
// with each failure. A hook writes its file in three steps, and an agent at work
// fires several hooks a second, so a drain waits for a moment; a call that needs the files does not.
import { mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { DrainReport } from '../api.ts';
import { LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS } from './import-queue.ts';
import { FolderWatch } from './watch-folders.ts';

/** Behind the idle time of the drain, after which it decides without knowing. */
const WAITING_MS = 30 * 60_000 + 5_000;

/**
 * From a change in the folder to the drain, and from one such drain to the next. A hook takes 3 to 15 ms to write its file.
 * The agent and its tools need the same processors: a session of 20 tool uses, 100 ms apart, costs the worker 440 ms of processor
 * time with a pause of 150, 290 with 300, 250 with 400. The first hook after a pause does not wait.
 */
const SETTLING_MS = 25;
const BETWEEN_MS = 300;

export interface SpoolWatchOptions {
  /** spool/new. */
  readonly folder: string;
  drain(): Promise<DrainReport>;
  onDrained(report: DrainReport): void;
  onProblem(text: string, error?: unknown): void;
}

export class SpoolWatch {
  readonly #options: SpoolWatchOptions;
  readonly #folder: FolderWatch;
  /** Files that the last drain left: they wait until their turn is known. */
  readonly #left = new Set<string>();
  /** Files that changed since the last drain began: hooks write them in place. */
  readonly #changed = new Set<string>();
  #draining: Promise<void> | null = null;
  #later: NodeJS.Timeout | null = null;
  /** Before a failed drain is tried again. */
  #pauseMs = SHORTEST_PAUSE_MS;
  /** The drain that a change in the folder is waiting for. */
  #soon: NodeJS.Timeout | null = null;
  #drainedAt = Number.NEGATIVE_INFINITY;
  #hasEnded = false;

  constructor(options: SpoolWatchOptions) {
    this.#options = options;
    const { folder, onProblem } = options;
    this.#folder = new FolderWatch({
      folders: [{ path: folder, onFile: (path) => this.#noteChange(basename(path)) }],
      depth: 0,
      // Nothing above the home.
      userHome: join(folder, '../../..'),
      onProblem: (error) => onProblem('The spool cannot be watched', error),
    });
  }

  /** Makes the folder. One that is removed later is made again by the next hook. Resolves when its files are known. */
  start(): Promise<void> {
    const { folder, onProblem } = this.#options;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (error) {
      onProblem('The spool cannot be made', error);
    }
    const started = this.#folder.start();
    void this.drained();
    return started;
  }

  /** Resolves when everything that was in the folder at the time of the call was drained, or waits. Never rejects. */
  async drained(): Promise<void> {
    while (
      !this.#hasEnded &&
      (this.#draining !== null || this.#names().some((name) => !this.#left.has(name)))
    )
      await this.#drain();
  }

  /** Also tries the files that wait, because the settings changed. */
  async drainAgain(): Promise<void> {
    this.#left.clear();
    await this.drained();
  }

  end(): void {
    this.#hasEnded = true;
    this.#folder.end();
    for (const timer of [this.#later, this.#soon]) if (timer !== null) clearTimeout(timer);
  }

  #noteChange(name: string): void {
    this.#changed.add(name);
    this.#left.delete(name);
    this.#drainSoon();
  }

  #drainSoon(): void {
    if (this.#soon !== null || this.#hasEnded) return;
    const wait = Math.max(SETTLING_MS, this.#drainedAt + BETWEEN_MS - performance.now());
    this.#soon = setTimeout(() => {
      this.#soon = null;
      void this.drained();
    }, wait);
  }

  #drain(): Promise<void> {
    this.#draining ??= this.#drainOnce().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  async #drainOnce(): Promise<void> {
    const { drain, onDrained, onProblem } = this.#options;
    this.#drainedAt = performance.now();
    const before = new Set(this.#names());
    this.#changed.clear();
    try {
      const report = await drain();
      const isWaiting = report.waiting + report.unfinished > 0;
      this.#tryLater({ isWaiting, hasFailed: report.problems.length > 0 });
      onDrained(report);
    } catch (error) {
      this.#tryLater({ isWaiting: false, hasFailed: true });
      onProblem('The spool could not be drained', error);
    }
    // What is still there waits, or cannot be drained: trying again at once would not help.
    this.#left.clear();
    for (const name of this.#names()) if (before.has(name) && !this.#changed.has(name)) this.#left.add(name);
  }

  #tryLater({ isWaiting, hasFailed }: { readonly isWaiting: boolean; readonly hasFailed: boolean }): void {
    if (this.#later !== null) clearTimeout(this.#later);
    this.#later = null;
    if (!hasFailed) this.#pauseMs = SHORTEST_PAUSE_MS;
    if (this.#hasEnded || !(isWaiting || hasFailed)) return;
    this.#later = setTimeout(
      () => {
        // Hooks that fire meanwhile try it too, and must not lengthen the pause.
        if (hasFailed) this.#pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * this.#pauseMs);
        void this.#drain();
      },
      hasFailed ? this.#pauseMs : WAITING_MS,
    );
  }

  #names(): readonly string[] {
    try {
      return readdirSync(this.#options.folder);
    } catch {
      return [];
    }
  }
}
