// The product as one process runs it: log, spool, views and text index, wired as in the library, with a simulated
// world. A step returns an error of the product or nothing.
import { isAnnalsError, type Log, type LogWorld, type NewEvent, openLog } from '../../log/index.ts';
import {
  contextProjector,
  memoryProjector,
  openRunner,
  type Projector,
  projectsProjector,
  type Runner,
  receiptsProjector,
  TextView,
  turnsProjector,
} from '../../projections/index.ts';
import { drainSpool } from '../../src/capture/spool/drain-spool.ts';
import {
  type ForgetTarget,
  finishForgetting,
  finishForgettingIn,
  forgettingDone,
  scrubViews,
} from '../../src/forget/finish-forgetting.ts';
import { UNFINISHED } from '../../src/forget/unfinished-forgetting.ts';
import { listProjectIndexes } from '../../src/home/home-projects.ts';
import { importTranscripts } from '../../src/import/import-transcripts.ts';
import { counts, titles } from '../helpers/toy-projectors.ts';
import type { Disk } from './disk.ts';
import type { Life } from './life.ts';
import { LOG } from './log-folders.ts';
import type { TranscriptFiles } from './transcript-files.ts';

/** The views of a run: the product's own with the text index, or two small and cheap ones. */
export type Views = 'all' | 'small';

const PROJECTORS: Readonly<Record<Views, readonly Projector[]>> = {
  all: [turnsProjector, projectsProjector, memoryProjector, contextProjector, receiptsProjector],
  small: [counts, titles],
};

/** Error codes that a home may answer with when a write failed. */
export const FAILURES_OF_THE_DISK: ReadonlySet<string> = new Set([
  'DISK_FULL',
  'HOME_UNWRITABLE',
  'VIEW_DAMAGED',
  'LOG_DAMAGED',
]);

export interface ProgramOptions {
  readonly disk: Disk;
  readonly life: Life;
  readonly world: LogWorld;
  /** The agents' transcripts. */
  readonly files: TranscriptFiles;
  readonly views: Views;
  readonly pageSize: number;
}

export class Program {
  readonly log: Log;
  readonly runner: Runner;
  readonly #options: ProgramOptions;
  readonly #text: TextView | null;

  static async open(options: ProgramOptions): Promise<Program> {
    const { disk, life, world } = options;
    const log = await openLog({
      directory: LOG,
      headFile: 'head.json',
      world,
      files: disk.files(life),
      swap: disk.logFolders(life),
    });
    try {
      const { runner, text } = await openViews(log, options);
      const program = new Program(options, log, runner, text);
      await program.#finishForgetting();
      return program;
    } catch (error) {
      await log.close();
      throw error;
    }
  }

  private constructor(options: ProgramOptions, log: Log, runner: Runner, text: TextView | null) {
    this.#options = options;
    this.log = log;
    this.runner = runner;
    this.#text = text;
  }

  /** Drains the spool into the log. */
  async drain(): Promise<void> {
    const { disk, life, world } = this.#options;
    const folders = { new: 'new', bad: 'bad' };
    await drainSpool({ log: this.log, files: disk.spoolFiles(life), folders, now: () => world.now() });
  }

  async import(paths: readonly string[]): Promise<void> {
    const { files: written, life } = this.#options;
    const files = paths.map((path) => ({ path, bytes: 0 }));
    const openFile = (path: string) => written.open(path, life);
    await importTranscripts({ log: this.log, paths: [], files, openFile });
  }

  tell(newEvents: readonly NewEvent[], cursor: string): ReturnType<Log['append']> {
    return this.log.append(newEvents, { cursors: [{ key: cursor, value: newEvents.length }] });
  }

  /** Updates and saves the text index, as a search after an import does. */
  async search(): Promise<void> {
    await this.runner.catchUp();
    const text = this.#text;
    if (text !== null) await this.runner.readers.query((upstream) => text.settle(upstream(text.follows)));
  }

  /** As `annals forget` does after the selection. */
  async forget(newEvent: NewEvent): ReturnType<Log['append']> {
    const { log, runner } = this;
    await runner.catchUp();
    const read = (await log.cursors('claude-code file ')).map(({ key }) => ({ key, value: null }));
    const outcomes = await log.append([newEvent], {
      cursors: [{ key: UNFINISHED, value: true }, ...read],
    });
    await finishForgettingIn(this.#forgettingHome());
    await forgettingDone(this.#forgettingHome());
    return outcomes;
  }

  async compact(): Promise<void> {
    await this.runner.catchUp();
    await scrubViews(this.#forgettingHome());
    await this.log.rewrite();
  }

  /** As at every opening; a home with a forgetting that cannot be finished opens nevertheless. */
  async #finishForgetting(): Promise<void> {
    try {
      await finishForgetting(this.#forgettingHome());
    } catch (error) {
      if (!isAnnalsError(error) || !FAILURES_OF_THE_DISK.has(error.code)) throw error;
    }
  }

  #forgettingHome(): ForgetTarget {
    const indexes = this.#text === null ? [] : [this.#text];
    return {
      ...{ log: this.log, runner: this.runner, indexes },
      removeReadyFiles: () => {},
      noteCompacted: async () => {},
    };
  }

  /** One digest per view. */
  digests(): Promise<Record<string, string>> {
    return digestsOf(this.runner);
  }

  async close(): Promise<void> {
    try {
      await this.runner.close();
    } finally {
      await this.log.close();
    }
  }
}

/** Digests of all views of a fresh runner, in one page, on a disk without faults. */
export async function freshDigests(log: Log, options: ProgramOptions): Promise<Record<string, string>> {
  const { runner } = await openViews(log, { ...options, pageSize: 1_000 });
  await runner.catchUp();
  const digests = await digestsOf(runner);
  await runner.close();
  return digests;
}

async function openViews(
  log: Log,
  { disk, life, world, views, pageSize }: ProgramOptions,
): Promise<{ runner: Runner; text: TextView | null }> {
  const text: TextView | null =
    views === 'small'
      ? null
      : new TextView({
          files: disk.snapshots(life),
          projectIndexes: () =>
            listProjectIndexes({ memory: runner.view('memory'), projects: runner.view('projects') }),
        });
  const runner: Runner = await openRunner({
    log,
    generations: disk.generations(life),
    projectors: PROJECTORS[views],
    indexes: text === null ? [] : [text],
    randomBytes: (size) => world.randomBytes(size),
    now: () => world.now(),
    pageSize,
  });
  return { runner, text };
}

async function digestsOf(runner: Runner): Promise<Record<string, string>> {
  const digests: Record<string, string> = {};
  for (const { name } of runner.states()) digests[name] = await runner.digest(name);
  return digests;
}
