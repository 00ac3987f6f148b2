// Keeps the views up to the log. One change of the views runs at a time, so a page is never folded twice. Reading does not
// wait: a query reads a snapshot, and a rebuild fills another generation while the old one is read and brought up.
import { AnnalsError, type Checkpoint, isAnnalsError, type Log, Mutex } from '../../log/index.ts';
import type { FeedPosition, RunnerProblem } from './contract/checkpoint.ts';
import type { Projector, ViewReader } from './contract/projector.ts';
import type { FoldedPage } from './fold-page.ts';
import {
  createGeneration,
  damagedViews,
  type GenerationContext,
  type GenerationStore,
} from './generation-folders.ts';
import type { IndexView } from './index-view.ts';
import { type LiveViewState, LiveViews } from './live-views.ts';
import { type ProjectOptions, projectLog, type ReplayProgress } from './project-log.ts';
import {
  type Build,
  compareRebuilt,
  isOfStore,
  type Rebuilding,
  type RebuiltComparison,
  type RebuiltView,
  rebuild,
  withBuild,
} from './rebuild.ts';
import type { DeadLetter } from './store/dead-letter.ts';
import { closed, unknownView, type ViewReaders } from './view-readers.ts';

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
/** Keys of a view's rows that a page changed. Some of them may have the same row as before. */
export type ChangedKeys = (view: string) => readonly string[];

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
  readonly #changes = new Mutex();
  /** One build at a time. Before a change, if both are taken. */
  readonly #builds = new Mutex();
  #building = 0;
  #isClosed = false;
  /** The next catch-up: calls that come before it begins join it. */
  #waiting: { readonly done: Promise<void>; readonly listeners: Set<ReplayProgress> } | null = null;
  readonly #onProjected = new Set<(changed: ChangedKeys | null) => void>();

  /** Use `openRunner`. */
  constructor(options: RunnerOptions, views: LiveViews, context: GenerationContext) {
    this.#options = options;
    this.#views = views;
    this.#context = context;
  }

  /**
   * Brings every view up to the log's head, at least as it is at the time of the call. Views that cannot be read are
   * built again. Views that do not match the log do not move; `problems` says so.
   * @throws AnnalsError DISK_FULL, LOG_CLOSED
   */
  catchUp(options: ProgressOptions = {}): Promise<void> {
    if (this.#waiting === null) {
      const listeners = new Set<ReplayProgress>();
      const done = this.#inTurn(() => {
        this.#waiting = null;
        const onProgress: ReplayProgress = (finished, total) => {
          for (const listener of listeners) listener(finished, total);
        };
        return this.#catchUp({ onProgress });
      });
      this.#waiting = { done, listeners };
    }
    if (options.onProgress !== undefined) this.#waiting.listeners.add(options.onProgress);
    return this.#waiting.done;
  }

  /**
   * As `catchUp`, for work that must not begin on views that miss something.
   * @throws AnnalsError LOG_DAMAGED when the views do not match the log
   */
  async mustCatchUp(): Promise<void> {
    await this.catchUp();
    const { blockedBy } = this.#views;
    if (blockedBy === null) return;
    throw new AnnalsError('LOG_DAMAGED', `The views cannot be brought up: ${blockedBy.message}.`, {
      hint: 'Run `annals verify` to see what is missing, then `annals rebuild`.',
    });
  }

  /** During an import: brings the views up by whole pages. Events that do not fill one wait for the next call. */
  advance(): Promise<void> {
    const { log } = this.#options;
    return this.#inTurn(async () => {
      const { pageSize } = this.#projectOptions();
      if (log.head().position - this.#views.generation.position < pageSize) return;
      await this.#catchUp({ wholePages: true });
    });
  }

  /** The log position that every view covers. */
  projected(): number {
    return this.#views.position();
  }

  /**
   * Calls `listener` after views or indexes moved: a page was folded, the indexes followed (no changed keys), or another
   * generation replaced them (null). Returns a function that unsubscribes.
   */
  onProjected(listener: (changed: ChangedKeys | null) => void): () => void {
    this.#onProjected.add(listener);
    return () => this.#onProjected.delete(listener);
  }

  /** Keeps the feed that indexes of another thread need. */
  noteFollowers(positions: readonly FeedPosition[]): void {
    this.#views.followers = positions;
  }

  /** For queries. */
  get readers(): ViewReaders {
    return this.#views.readers;
  }

  /** Rows of a view as they are now; stays valid after a rebuild. @throws AnnalsError VIEW_UNKNOWN */
  view(name: string): ViewReader {
    return this.readers.view(name);
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
    return this.#inTurn(() => this.#views.digest(name, { everyWay: false }));
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
    return this.#whileBuilding(async () => {
      const work = this.#rebuilding(options);
      const swap = (built: Build | null) => this.#inTurn(() => rebuild(work, chosen, built));
      const rebuilt = await (isOfStore(work, chosen) ? withBuild(work, swap) : swap(null));
      this.#tellProjected(null);
      return rebuilt;
    });
  }

  /** Whether views are built again. What is read then may wait for that, or be as it was before. */
  get isBuilding(): boolean {
    return this.#building > 0;
  }

  /** A file of the views that is damaged, found by reading all of them; null if there is none. */
  damagedFile(): Promise<string | null> {
    const { generations } = this.#options;
    return this.#inTurn(
      async () => (await generations.damagedFile?.(this.#views.generation.folder, true)) ?? null,
    );
  }

  /** Catches up, builds everything again, compares digests and removes the build. */
  verifyRebuilt(options: ProgressOptions = {}): Promise<readonly RebuiltComparison[]> {
    return this.#whileBuilding(async () => {
      const work = this.#rebuilding(options);
      return withBuild(work, (built) =>
        this.#inTurn(async () => {
          await this.#catchUp();
          return compareRebuilt(work, built);
        }),
      );
    });
  }

  /** `Generation.scrub`. Views and indexes must have caught up. Call it within `withoutBuilds`. */
  scrub(forgotten: ReadonlySet<string>): Promise<void> {
    return this.#inTurn(async () => {
      await this.#views.generation.scrub(forgotten);
      this.#tellProjected(null);
    });
  }

  /** Runs work while nothing is built aside: a build reads the log, and may hold what was forgotten since it began. */
  withoutBuilds<T>(work: () => Promise<T>): Promise<T> {
    return this.#builds.run(work);
  }

  /** Stops at the end of the current page and closes every store. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#builds.run(async () => undefined);
    await this.#changes.run(async () => undefined);
    await this.#views.close();
  }

  async #catchUp(options: Partial<ProjectOptions> = {}): Promise<void> {
    for (let isRepaired = false; ; isRepaired = true) {
      try {
        await this.#views.generation.recover();
        await this.#views.checkLog(this.#options.log);
        if (this.#views.blockedBy === null) await this.#project(options);
        const before = this.projected();
        await this.readers.follow();
        // The indexes moved last, without a change of rows.
        if (this.projected() !== before) this.#tellProjected(() => []);
        return await this.#views.trim();
      } catch (error) {
        if (isRepaired || !isAnnalsError(error) || error.code !== 'VIEW_DAMAGED') throw error;
        await this.#startOver();
      }
    }
  }

  async #project(options: Partial<ProjectOptions>): Promise<void> {
    const { generation, ordered } = this.#views;
    const commit = async ({ page, deadLetters, end }: FoldedPage): Promise<void> => {
      const { keepsFeed } = this.#views;
      await generation.commit(page, { log: end, deadLetters, keepsFeed });
      this.#tellProjected((view) => page.changedKeys(view));
    };
    const all = { ...this.#projectOptions(), ...options };
    await projectLog(this.#options.log, generation, ordered, all, commit);
  }

  /** Replaces views that cannot be read by empty ones. */
  async #startOver(): Promise<void> {
    this.#views.noteDamage(damagedViews('they could not be read'));
    await this.#views.swapIn(await createGeneration(this.#context));
    this.#tellProjected(null);
  }

  #tellProjected(changed: ChangedKeys | null): void {
    for (const listener of this.#onProjected) listener(changed);
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
    return { pageSize: this.#options.pageSize ?? PAGE_SIZE, stopped: () => this.#isClosed };
  }

  /** Runs work that builds views while no other is built. */
  #whileBuilding<T>(work: () => Promise<T>): Promise<T> {
    return this.#builds.run(async () => {
      if (this.#isClosed) throw closed();
      this.#building += 1;
      this.#tellProjected(() => []);
      try {
        return await work();
      } finally {
        this.#building -= 1;
        this.#tellProjected(() => []);
      }
    });
  }

  /** Runs one change at a time. @throws AnnalsError LOG_CLOSED */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#changes.run(() => {
      if (this.#isClosed) throw closed();
      return work();
    });
  }
}
