// Imports transcripts as agents write them. The cursors in the log decide what is new, so a file that moved, shrank or was
// replaced needs no care here, and one that was deleted needs nothing.
import { existsSync } from 'node:fs';
import { type FSWatcher, watch } from 'chokidar';
import type { ImportReport } from '../api.ts';

/** An agent writes several lines at a time: an import begins when a file has been quiet for so long, or after the most. */
const QUIET_MS = 1_000;
const LONGEST_MS = 5_000;
/** Claude Code: projects/<folder>/<session>/subagents/<agent>.jsonl. */
const FOLDERS_DEEP = 5;

export interface TranscriptWatchOptions {
  readonly folder: string;
  import(paths: readonly string[]): Promise<ImportReport>;
  onImported(report: ImportReport): void;
  onProblem(text: string, error?: unknown): void;
}

export class TranscriptWatch {
  readonly #options: TranscriptWatchOptions;
  readonly #changed = new Set<string>();
  #watcher: FSWatcher | null = null;
  #timer: NodeJS.Timeout | null = null;
  #firstChange = 0;
  #importing: Promise<void> = Promise.resolve();
  #isImporting = false;
  #hasEnded = false;

  constructor(options: TranscriptWatchOptions) {
    this.#options = options;
  }

  /** Imports what is there and watches from then on. Does nothing while there is no such folder, or when it watches. */
  start(): void {
    const { folder, onProblem } = this.#options;
    if (this.#watcher !== null || this.#hasEnded || !existsSync(folder)) return;
    const watcher = watch(folder, {
      ignoreInitial: true,
      followSymlinks: false,
      depth: FOLDERS_DEEP,
      // One file a session, sometimes thousands: the folders are watched, and files are looked at when they change.
      ignored: (path, stats) => stats?.isFile() === true && !path.endsWith('.jsonl'),
    });
    this.#watcher = watcher;
    watcher.on('add', (path) => this.#note(path));
    watcher.on('change', (path) => this.#note(path));
    watcher.on('error', (error) => onProblem('The transcripts cannot be watched', error));
    // After the watch began, so that no change falls between the two.
    watcher.on('ready', () => this.#note(folder));
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#watcher?.close();
    await this.#importing;
  }

  #note(path: string): void {
    if (this.#hasEnded) return;
    if (this.#changed.size === 0) this.#firstChange = performance.now();
    this.#changed.add(path);
    if (this.#isImporting) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const waited = performance.now() - this.#firstChange;
    this.#timer = setTimeout(
      () => {
        this.#importing = this.#import();
      },
      path === this.#options.folder ? 0 : Math.max(0, Math.min(QUIET_MS, LONGEST_MS - waited)),
    );
  }

  async #import(): Promise<void> {
    const { folder, onImported, onProblem } = this.#options;
    this.#isImporting = true;
    const paths = this.#changed.has(folder)
      ? [folder]
      : [...this.#changed].filter((path) => existsSync(path));
    this.#changed.clear();
    try {
      if (paths.length > 0) onImported(await this.#options.import(paths));
    } catch (error) {
      if (!this.#hasEnded) onProblem('Transcripts could not be imported', error);
    } finally {
      this.#isImporting = false;
    }
    // They changed meanwhile.
    const [next] = this.#changed;
    if (next !== undefined) {
      this.#firstChange = performance.now();
      this.#note(next);
    }
  }
}
