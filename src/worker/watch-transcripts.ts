// Imports the transcripts of all agents as they are written. The cursors in the log decide what is new, so a file that
// moved, shrank or was replaced, or whose import stopped half-way, is just imported again.
import { existsSync } from 'node:fs';
import type { KnownAgents } from '../agents/index.ts';
import type { ImportReport } from '../api.ts';
import type { Machine } from '../platform/machine.ts';
import { ImportQueue } from './import-queue.ts';
import { FolderWatch, type WatchedFolder } from './watch-folders.ts';

/** Claude Code: projects/<folder>/<session>/subagents/<agent>.jsonl. Codex: sessions/<year>/<month>/<day>/<rollout>.jsonl. */
const FOLDERS_DEEP = 5;

/** An editor writes a file in several steps. */
const DESCRIPTIONS_QUIET_MS = 200;

export interface TranscriptWatchOptions {
  readonly machine: Machine;
  /** The folder with descriptions of agents. When one changes, the agents are asked for again. */
  readonly descriptions: string;
  agents(): Promise<KnownAgents>;
  import(paths: readonly string[]): Promise<ImportReport>;
  onImported(report: ImportReport): void;
  onProblem(text: string, error?: unknown): void;
}

export class TranscriptWatch {
  readonly #options: TranscriptWatchOptions;
  readonly #queue: ImportQueue;
  readonly #descriptions: FolderWatch;
  #folders: FolderWatch | null = null;
  #reading: NodeJS.Timeout | null = null;
  #isStarted = false;
  #hasEnded = false;

  constructor(options: TranscriptWatchOptions) {
    this.#options = options;
    this.#queue = new ImportQueue((paths) => this.#import(paths));
    this.#descriptions = this.#watch([{ path: options.descriptions, onFile: () => this.#readAgain() }], 0);
  }

  /** The folders of all agents that exist. */
  get watched(): readonly string[] {
    return this.#folders?.watched ?? [];
  }

  /** Files that changed and are not imported yet. */
  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Imports what is there and watches from then on. */
  async start(): Promise<void> {
    await this.#descriptions.start();
    // Those that are there are read now; only changes are news.
    this.#isStarted = true;
    await this.#readAgents();
  }

  /** An agent may have been installed meanwhile. */
  async lookAgain(): Promise<void> {
    await this.#folders?.lookAgain();
  }

  /** Imports at once the files whose import failed. */
  tryAgain(): void {
    this.#queue.tryAgain();
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    if (this.#reading !== null) clearTimeout(this.#reading);
    this.#descriptions.end();
    this.#folders?.end();
    await this.#queue.end();
  }

  async #readAgents(): Promise<void> {
    const { machine, onProblem } = this.#options;
    const { agents, problems } = await this.#options.agents();
    if (this.#hasEnded) return;
    for (const problem of problems) onProblem(problem);
    this.#folders?.end();
    const folders = agents.flatMap(({ transcripts }) =>
      (transcripts?.folders(machine) ?? []).map((path) => ({
        path,
        onFile: (file: string) => {
          if (transcripts?.isTranscript(file) === true)
            this.#queue.add(file, { isShortLived: transcripts.areDeleted === true });
        },
      })),
    );
    this.#folders = this.#watch(folders, FOLDERS_DEEP);
    await this.#folders.start();
    this.#queue.hurry();
  }

  #readAgain(): void {
    if (!this.#isStarted || this.#hasEnded) return;
    if (this.#reading !== null) clearTimeout(this.#reading);
    this.#reading = setTimeout(() => void this.#readAgents(), DESCRIPTIONS_QUIET_MS);
  }

  #watch(folders: readonly WatchedFolder[], depth: number): FolderWatch {
    const { machine, onProblem } = this.#options;
    return new FolderWatch({
      folders,
      depth,
      userHome: machine.userHome,
      onProblem: (error) => onProblem('Some transcripts cannot be watched', error),
    });
  }

  /** @returns those that may be read later */
  async #import(paths: readonly string[]): Promise<readonly string[]> {
    const { onImported, onProblem } = this.#options;
    const present = paths.filter((path) => existsSync(path));
    if (present.length === 0) return [];
    try {
      const report = await this.#options.import(present);
      onImported(report);
      return report.unreadable.filter(({ temporary }) => temporary === true).map(({ path }) => path);
    } catch (error) {
      if (!this.#hasEnded) onProblem('Transcripts could not be imported', error);
      throw error;
    }
  }
}
