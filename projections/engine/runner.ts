// Keeps the views up to the log. One change runs at a time: catching up, rebuilding and verifying wait for each other, so
// a page is never folded twice and an index never sees its view change. Reading does not wait: a rebuild fills another
// generation while the old one is read. During an import, long work is cut into short steps, and queries go first.
import { AnnalsError, type Checkpoint, isAnnalsError, type Log } from '../../log/index.ts';
import type { RunnerProblem } from './contract/checkpoint.ts';
import type { Projector, ViewReader } from './contract/projector.ts';
import { RightOfWay } from './contract/right-of-way.ts';
import type { FoldedPage } from './fold-page.ts';
import {
  createGeneration,
  damagedViews,
  type GenerationContext,
  type GenerationStore,
} from './generation-folders.ts';
import type { IndexView, Upstream } from './index-view.ts';
import { type LiveViewState, LiveViews, unknownView } from './live-views.ts';
import { Moves } from './moves.ts';
import { type ProjectOptions, projectLog, type ReplayProgress } from './project-log.ts';
import {
  compareRebuilt,
  type Rebuilding,
  type RebuiltComparison,
  type RebuiltView,
  rebuild,
} from './rebuild.ts';
import { scrubbed } from './scrub-generation.ts';
import type { DeadLetter } from './store/dead-letter.ts';

export interface RunnerOptions {
  readonly log: Log;
  readonly generations: GenerationStore;
  readonly projectors: readonly Projector[];
  readonly indexes?: readonly IndexView[];
  /** Names generations, so that an index never mistakes one for another. Never part of a row. */
  randomBytes(size: number): Uint8Array;
  /** Any clock that counts ms; for reports only. */
  now(): number;
  /** Events in one page and so in one batch. Default 1,000. */
  readonly pageSize?: number;
}

const PAGE_SIZE = 1_000;
/**
 * The largest page for a while after a query, because a page is written in one step. Smaller ones derive long sessions
 * too often: at 250, a session of 8,400 events takes a third longer, and the p95 of searches rises by a fifth.
 */
const PAGE_SIZE_AMONG_READERS = 400;

export interface ProgressOptions {
  readonly onProgress?: ReplayProgress;
}

/**
 * Opens the views, creates empty ones if there are none, and removes what unfinished builds left. Folds nothing before
 * `catchUp`.
 * @throws AnnalsError HOME_LOCKED, DISK_FULL; TypeError when the projectors do not fit together
 */
export async function openRunner(options: RunnerOptions): Promise<Runner> {
  const { views, context } = await LiveViews.open(options, options.indexes ?? []);
  return new Runner(options, views, context);
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #views: LiveViews;
  readonly #context: GenerationContext;
  readonly #moves = new Moves();
  /** The imports that run, each with the indexes it leaves behind. */
  readonly #imports = new Set<{ readonly leftBehind: ReadonlySet<string> }>();
  /** The next catch-up: calls that come before it begins join it. */
  #waiting: { readonly done: Promise<void>; readonly listeners: Set<ReplayProgress> } | null = null;
  readonly #onClose = new Set<() => void>();
  readonly #onProjected = new Set<() => void>();
  /** Queries go before long work of the runner. */
  readonly rightOfWay: RightOfWay;

  /** Use `openRunner`. */
  constructor(options: RunnerOptions, views: LiveViews, context: GenerationContext) {
    this.#options = options;
    this.#views = views;
    this.#context = context;
    this.rightOfWay = new RightOfWay(() => options.now());
  }

  /**
   * Brings every view up to the log's head, at least as it is at the time of the call. Views that cannot be read are
   * built again. Views that do not match the log do not move; `problems` says so.
   * @throws AnnalsError DISK_FULL, LOG_CLOSED
   */
  catchUp(options: ProgressOptions = {}): Promise<void> {
    if (this.#waiting === null) {
      const listeners = new Set<ReplayProgress>();
      const done = this.#moves.inTurn(() => {
        this.#waiting = null;
        const onProgress: ReplayProgress = (finished, total) => {
          for (const listener of listeners) listener(finished, total);
        };
        return this.isImporting
          ? this.#catchUpAmongReaders({ onProgress })
          : this.#moves.still(() => this.#catchUp({ onProgress }));
      });
      this.#waiting = { done, listeners };
    }
    if (options.onProgress !== undefined) this.#waiting.listeners.add(options.onProgress);
    return this.#waiting.done;
  }

  /**
   * Call it before an import. Until the returned function is called, views are brought up in short steps between which
   * `whileSteady` runs, and the named indexes are not brought up.
   */
  beginImport(leftBehind: ReadonlySet<string>): () => void {
    const one = { leftBehind };
    this.#imports.add(one);
    return () => this.#imports.delete(one);
  }

  get isImporting(): boolean {
    return this.#imports.size > 0;
  }

  /** During an import: brings the views up by whole pages. Events that do not fill one wait for the next call. */
  advance(): Promise<void> {
    const { log } = this.#options;
    return this.#moves.inTurn(async () => {
      if (log.head().position - this.projected() < this.#pageSizeAmongReaders()) return;
      await this.#catchUpAmongReaders({ wholePages: true });
    });
  }

  /**
   * Resolves when every view covers a log position, however far away that is.
   * @throws AnnalsError LOG_DAMAGED when the views do not match the log, LOG_CLOSED when the runner closes first
   */
  async whenProjected(position: number): Promise<void> {
    while (this.projected() < position) {
      await this.catchUp();
      if (this.projected() >= position) return;
      const { blockedBy } = this.#views;
      if (blockedBy !== null)
        throw new AnnalsError('LOG_DAMAGED', `The views cannot be brought up: ${blockedBy.message}.`, {
          hint: 'Run `annals verify` to see what is missing, then `annals rebuild`.',
        });
      await this.#nextHead(position);
    }
  }

  /** The log position that every view covers; during an import, without the indexes that it leaves behind. */
  projected(): number {
    return this.#views.position(this.#leftBehind());
  }

  /** Calls `listener` after views moved: a page was folded, or a new build replaced them. Returns a function that unsubscribes. */
  onProjected(listener: () => void): () => void {
    this.#onProjected.add(listener);
    return () => this.#onProjected.delete(listener);
  }

  /** Rows of a view; stays valid after a rebuild. @throws AnnalsError VIEW_UNKNOWN */
  view(name: string): ViewReader {
    return this.#views.reader(name);
  }

  states(): readonly LiveViewState[] {
    return this.#views.states(this.#options.log);
  }

  /** The last event that the views have, as evidence of what the log once held; null before the first one. */
  checkpoint(): Checkpoint | null {
    return this.#views.generation.checkpoint.log;
  }

  /** What is wrong, until the views are rebuilt or the log matches again. */
  get problems(): readonly RunnerProblem[] {
    return this.#views.problems;
  }

  deadLetters(): Promise<readonly DeadLetter[]> {
    return this.#views.generation.deadLetters();
  }

  /** Digest of a view as it is read now. @throws AnnalsError VIEW_UNKNOWN */
  digest(name: string): Promise<string> {
    return this.#moves.alone(() => this.#views.digest(name, { everyWay: false }));
  }

  /**
   * Builds views again from the log while the old ones are read, then swaps them. Without names: all of them. Views of the
   * store are always rebuilt together, with the indexes.
   * @throws AnnalsError VIEW_UNKNOWN, LOG_DAMAGED, DISK_FULL; the old views then stay
   */
  async rebuild(names?: readonly string[], options: ProgressOptions = {}): Promise<readonly RebuiltView[]> {
    const known = this.#views.names();
    const chosen = new Set(names ?? known);
    for (const name of chosen) if (!known.includes(name)) throw unknownView(name);
    const rebuilt = await this.#moves.alone(() => rebuild(this.#rebuilding(options), chosen));
    this.#tellProjected();
    return rebuilt;
  }

  /** A file of the views that is damaged, found by reading all of them; null if there is none. */
  damagedFile(): Promise<string | null> {
    const { generations } = this.#options;
    return this.#moves.alone(
      async () => (await generations.damagedFile?.(this.#views.generation.folder, true)) ?? null,
    );
  }

  /** Catches up, builds everything again, compares digests and removes the build. */
  verifyRebuilt(options: ProgressOptions = {}): Promise<readonly RebuiltComparison[]> {
    return this.#moves.alone(async () => {
      await this.#catchUp();
      return compareRebuilt(this.#rebuilding(options));
    });
  }

  /** Rebuilds views that do not match the log, once it is known that the log is all there is. */
  heal(options: ProgressOptions = {}): Promise<readonly RebuiltView[]> {
    return this.#moves.alone(async () => {
      await this.#views.checkLog(this.#options.log);
      if (this.#views.blockedBy === null) return [];
      return rebuild(this.#rebuilding(options), new Set(this.#views.names()));
    });
  }

  /**
   * Copies the rows into a new folder without the feed, so that nothing of deleted rows is left on disk. Views and indexes
   * must have caught up. `forgotten`: event ids whose dead letters are removed.
   */
  scrub(forgotten: ReadonlySet<string>): Promise<void> {
    return this.#moves.alone(async () => {
      await this.#views.swapIn(await scrubbed(this.#context, this.#views.generation, forgotten));
    });
  }

  /**
   * Runs work while no view changes: for a reader with many steps, or an index that builds a part of itself at its first
   * query. The work must not wait for `catchUp` or anything else of the runner.
   */
  whileSteady<T>(work: (upstream: (name: string) => Upstream) => Promise<T>): Promise<T> {
    return this.#moves.still(() => work((name) => this.#views.upstream(name)));
  }

  /** Stops at the end of the current page and closes every store. */
  async close(): Promise<void> {
    if (this.#moves.isClosed) return;
    const ended = this.#moves.close();
    for (const wake of this.#onClose) wake();
    await ended;
    await this.#views.close();
  }

  /** In short steps. Must not be called in a turn of `still`. */
  #catchUpAmongReaders(options: Pick<ProjectOptions, 'onProgress' | 'wholePages'>): Promise<void> {
    const among: Partial<ProjectOptions> = {
      ...options,
      pageSize: this.#pageSizeAmongReaders(),
      pause: this.rightOfWay.pause,
      readsInPieces: () => this.rightOfWay.hadRecentQuery,
    };
    return this.#catchUp(among, (step) => this.#moves.still(step));
  }

  #pageSizeAmongReaders(): number {
    const { pageSize = PAGE_SIZE } = this.#options;
    return this.rightOfWay.hadRecentQuery ? Math.min(pageSize, PAGE_SIZE_AMONG_READERS) : pageSize;
  }

  /** @param still runs a short step while nobody reads */
  async #catchUp(
    options: Partial<ProjectOptions> = {},
    still: <T>(step: () => Promise<T>) => Promise<T> = (step) => step(),
  ): Promise<void> {
    for (let isRepaired = false; ; isRepaired = true) {
      try {
        await still(async () => {
          await this.#views.generation.recover();
          await this.#views.checkLog(this.#options.log);
        });
        if (this.#views.blockedBy === null) await this.#project(options, still);
        return await still(async () => {
          await this.#bringUpIndexes();
          await this.#views.trim();
        });
      } catch (error) {
        if (isRepaired || !isAnnalsError(error) || error.code !== 'VIEW_DAMAGED') throw error;
        await still(() => this.#startOver());
      }
    }
  }

  async #project(
    options: Partial<ProjectOptions>,
    still: <T>(step: () => Promise<T>) => Promise<T>,
  ): Promise<void> {
    const { generation, ordered } = this.#views;
    const commit = async ({ page, deadLetters, end }: FoldedPage): Promise<void> => {
      await options.pause?.();
      await still(async () => {
        const { keepsFeed } = this.#views;
        await generation.commit(page, { log: end, deadLetters, keepsFeed });
        // Nobody may read rows that an index does not know yet.
        if (options.pause !== undefined) await this.#bringUpIndexes();
      });
      this.#tellProjected();
    };
    const all = { ...this.#projectOptions(), ...options };
    await projectLog(this.#options.log, generation, ordered, all, commit);
  }

  async #bringUpIndexes(): Promise<void> {
    const leftBehind = this.#leftBehind();
    for (const index of this.#views.indexes)
      if (!leftBehind.has(index.name)) await index.catchUp(this.#views.upstream(index.follows));
  }

  /** Replaces views that cannot be read by empty ones. */
  async #startOver(): Promise<void> {
    this.#views.noteDamage(damagedViews('they could not be read'));
    await this.#views.swapIn(await createGeneration(this.#context));
  }

  #tellProjected(): void {
    for (const listener of this.#onProjected) listener();
  }

  #leftBehind(): ReadonlySet<string> {
    return new Set([...this.#imports].flatMap(({ leftBehind }) => [...leftBehind]));
  }

  #rebuilding({ onProgress }: ProgressOptions = {}): Rebuilding {
    return {
      log: this.#options.log,
      views: this.#views,
      context: this.#context,
      options: { ...this.#projectOptions(), onProgress },
      now: () => this.#options.now(),
    };
  }

  #projectOptions(): ProjectOptions {
    return { pageSize: this.#options.pageSize ?? PAGE_SIZE, stopped: () => this.#moves.isClosed };
  }

  async #nextHead(position: number): Promise<void> {
    const { log } = this.#options;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        stop();
        this.#onClose.delete(wake);
        resolve();
      };
      const stop = log.onHead((head) => {
        if (head.position >= position) wake();
      });
      this.#onClose.add(wake);
      if (this.#moves.isClosed || log.head().position >= position) wake();
    });
  }
}
