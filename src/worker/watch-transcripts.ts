// Imports the transcripts of all agents as they are written. The cursors in the log decide what is new, so a file that
// moved, shrank or was replaced needs no care here, and one that was deleted needs nothing.
import { existsSync } from 'node:fs';
import type { Agent } from '../agents/common/agent.ts';
import type { ImportReport } from '../api.ts';
import type { Machine } from '../platform/machine.ts';
import { ImportQueue } from './import-queue.ts';
import { FolderWatch } from './watch-folders.ts';

/** Claude Code: projects/<folder>/<session>/subagents/<agent>.jsonl. Codex: sessions/<year>/<month>/<day>/<rollout>.jsonl. */
const FOLDERS_DEEP = 5;

export interface TranscriptWatchOptions {
  readonly agents: readonly Agent[];
  readonly machine: Machine;
  import(paths: readonly string[]): Promise<ImportReport>;
  onImported(report: ImportReport): void;
  onProblem(text: string, error?: unknown): void;
}

export class TranscriptWatch {
  readonly #options: TranscriptWatchOptions;
  readonly #queue: ImportQueue;
  readonly #folders: FolderWatch;
  #hasEnded = false;

  constructor(options: TranscriptWatchOptions) {
    const { agents, machine, onProblem } = options;
    this.#options = options;
    this.#queue = new ImportQueue((paths) => this.#import(paths));
    this.#folders = new FolderWatch({
      folders: agents.flatMap(({ transcripts }) =>
        (transcripts?.folders(machine) ?? []).map((path) => ({
          path,
          onFile: (file) => {
            if (transcripts?.isTranscript(file) === true)
              this.#queue.add(file, { isShortLived: transcripts.areDeleted === true });
          },
        })),
      ),
      depth: FOLDERS_DEEP,
      userHome: machine.userHome,
      onProblem: (error) => onProblem('Some transcripts cannot be watched', error),
    });
  }

  /** The folders of all agents that exist. */
  get watched(): readonly string[] {
    return this.#folders.watched;
  }

  /** Imports what is there and watches from then on. */
  async start(): Promise<void> {
    await this.#folders.start();
    this.#queue.hurry();
  }

  /** An agent may have been installed meanwhile. */
  async lookAgain(): Promise<void> {
    await this.#folders.lookAgain();
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#folders.end();
    await this.#queue.end();
  }

  async #import(paths: readonly string[]): Promise<void> {
    const { onImported, onProblem } = this.#options;
    const present = paths.filter((path) => existsSync(path));
    try {
      if (present.length > 0) onImported(await this.#options.import(present));
    } catch (error) {
      if (!this.#hasEnded) onProblem('Transcripts could not be imported', error);
    }
  }
}
