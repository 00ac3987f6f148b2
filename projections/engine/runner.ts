// Runs projectors: pulls the log through the first ones, their feeds through the others, and keeps one live
// generation of each view that readers read. One thing moves at a time: catching up, rebuilding and verifying
// stand in one queue, so a page is never folded twice and a follower never sees its upstream move. Reading
// never waits: a rebuild fills a generation aside and the old one serves until the swap. While much is taken in at
// once, what holds readers up is cut into short steps, and whoever wants an answer goes first.
import { AnnalsError, type Checkpoint, type Log } from '../../log/index.ts';
import { type CatchUp, catchUp, checkCheckpoints } from './catch-up.ts';
import type { RunnerProblem } from './contract/checkpoint.ts';
import type { Projector, ViewReader } from './contract/projector.ts';
import { RightOfWay } from './contract/right-of-way.ts';
import type { FillOptions } from './fill.ts';
import { Floods, givingWay } from './flood.ts';
import type { GenerationStore } from './generation.ts';
import type { IndexView, Upstream } from './index-view.ts';
import { type LiveViewState, LiveViews, unknownView } from './live-views.ts';
import { Moves } from './moves.ts';
import {
  compareRebuilt,
  type Rebuilding,
  type RebuiltComparison,
  type RebuiltView,
  rebuild,
  refill,
} from './rebuild.ts';
import type { DeadLetter } from './store/dead-letter.ts';

export interface RunnerOptions {
  readonly log: Log;
  readonly generations: GenerationStore;
  readonly projectors: readonly Projector[];
  readonly indexes?: readonly IndexView[];
  /** Names generations, so that a follower never takes one for another. Never part of a row. */
  randomBytes(size: number): Uint8Array;
  /** Any clock that counts ms; for reports only. */
  now(): number;
  /** Events, changes or rows in one page and so in one batch. Default 1,000. */
  readonly pageSize?: number;
}

const PAGE_SIZE = 1_000;
/**
 * At most so many at a time, for a while after a question: a page's rows are written in one step. Of smaller ones long
 * sessions are derived too often: at 250 a session of 8,400 events takes a third longer, and p95 of searches a fifth.
 */
const PAGE_SIZE_AMONG_READERS = 400;

/** Events done of all that are to do. */
export type ReplayProgress = (done: number, total: number) => void;

export interface ProgressOptions {
  readonly onProgress?: ReplayProgress;
}

/**
 * Opens every view, making empty ones where there are none, and removes what unfinished builds left.
 * Nothing is folded before `catchUp`.
 * @throws AnnalsError HOME_LOCKED, DISK_FULL; TypeError when the projectors do not fit together
 */
export async function openRunner(options: RunnerOptions): Promise<Runner> {
  return new Runner(options, await LiveViews.open(options, options.projectors, options.indexes ?? []));
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #views: LiveViews;
  readonly #moves = new Moves();
  readonly #floods = new Floods();
  /** The catching up that has not begun: whoever asks meanwhile joins it. */
  #waiting: { readonly done: Promise<void>; readonly listeners: Set<ReplayProgress> } | null = null;
  readonly #onClose = new Set<() => void>();
  /** Before what long work here goes whoever waits for an answer. */
  readonly rightOfWay: RightOfWay;

  /** Use `openRunner`. */
  constructor(options: RunnerOptions, views: LiveViews) {
    this.#options = options;
    this.#views = views;
    this.rightOfWay = new RightOfWay(() => options.now());
  }

  /**
   * Brings every view up to the log's head, at least as it is at the time of the call. Calls that wait for
   * their turn are one. A view that cannot be read is made again; one that the log does not bear out stands
   * still and is named in `problems`.
   * @throws AnnalsError LOG_DAMAGED, DISK_FULL, LOG_CLOSED
   */
  catchUp(options: ProgressOptions = {}): Promise<void> {
    if (this.#waiting === null) {
      const listeners = new Set<ReplayProgress>();
      const done = this.#moves.inTurn(() => {
        this.#waiting = null;
        const onProgress: ReplayProgress = (finished, total) => {
          for (const listener of listeners) listener(finished, total);
        };
        return this.isFlood
          ? this.#catchUpAmongReaders({ onProgress })
          : this.#moves.still(() => this.#catchUp({ onProgress }));
      });
      this.#waiting = { done, listeners };
    }
    if (options.onProgress !== undefined) this.#waiting.listeners.add(options.onProgress);
    return this.#waiting.done;
  }

  /**
   * From this call until the answer is called much is taken in: views are brought up in short steps, between which
   * `whileSteady` comes in, and the indexes named stay where they are.
   */
  flood(leftBehind: ReadonlySet<string>): () => void {
    return this.#floods.begin(leftBehind);
  }

  get isFlood(): boolean {
    return this.#floods.any;
  }

  /** In a flood: brings the views up by whole pages; what makes none yet stays for the next time. */
  advance(): Promise<void> {
    const { log } = this.#options;
    return this.#moves.inTurn(async () => {
      if (log.head().position - this.projected() < this.#pageSizeAmongReaders()) return;
      await this.#catchUpAmongReaders({ wholePages: true });
    });
  }

  /**
   * Resolves when every view covers a log position, however far away that is.
   * @throws AnnalsError LOG_DAMAGED when a view stands still, LOG_CLOSED when the runner closes first
   */
  async whenProjected(position: number): Promise<void> {
    while (this.projected() < position) {
      await this.catchUp();
      if (this.projected() >= position) return;
      for (const { message } of this.#views.blocked.values())
        throw new AnnalsError('LOG_DAMAGED', `The views cannot move on: ${message}.`, {
          hint: 'Run `annals verify` to see what is missing, then `annals rebuild`.',
        });
      await this.#nextHead(position);
    }
  }

  /** The log position that every view covers; in a flood, but for the indexes that it leaves behind. */
  projected(): number {
    return this.#views.lowest(this.#floods.leftBehind());
  }

  /** Rows of a key-value view; stays valid when the view is rebuilt. @throws AnnalsError VIEW_UNKNOWN */
  view(name: string): ViewReader {
    return this.#views.reader(name);
  }

  states(): readonly LiveViewState[] {
    return this.#views.states(this.#options.log);
  }

  /** Where each key-value view stands in the log: witnesses of what the log once held. */
  checkpoints(): readonly { readonly view: string; readonly checkpoint: Checkpoint }[] {
    return this.#views.checkpoints();
  }

  /** What was found wrong, each until the view is rebuilt or the log is whole again. */
  get problems(): readonly RunnerProblem[] {
    return this.#views.problems;
  }

  async deadLetters(): Promise<readonly DeadLetter[]> {
    return (await Promise.all(this.#views.all().map((view) => view.deadLetters()))).flat();
  }

  /** Digest of a view as it is served now. @throws AnnalsError VIEW_UNKNOWN */
  async digest(name: string): Promise<string> {
    const index = this.#views.index(name);
    if (index === undefined) this.#views.live(name);
    return this.#moves.alone(() =>
      index === undefined
        ? this.#views.live(name).digest()
        : index.digest(this.#views.upstream(index.follows)),
    );
  }

  /**
   * Fills new generations from zero while the old ones serve, then swaps them in. Whatever follows a rebuilt
   * view is rebuilt too. Without names: everything. What is appended meanwhile is projected afterwards.
   * @throws AnnalsError VIEW_UNKNOWN, LOG_DAMAGED, DISK_FULL; the old generations then stay
   */
  async rebuild(names?: readonly string[], options: ProgressOptions = {}): Promise<readonly RebuiltView[]> {
    const known = this.#views.names();
    const chosen = new Set(names ?? known);
    for (const name of chosen) if (!known.includes(name)) throw unknownView(name);
    return this.#moves.alone(() => rebuild(this.#rebuilding(options), chosen));
  }

  /** Files of live views that are not as they were written, found by reading all of them. */
  damagedFiles(): Promise<readonly { readonly view: string; readonly file: string }[]> {
    return this.#moves.alone(async () => {
      const found: { view: string; file: string }[] = [];
      for (const { name, folder } of this.#views.all()) {
        const file = (await this.#options.generations.damagedFile?.(name, folder, true)) ?? null;
        if (file !== null) found.push({ view: name, file });
      }
      return found;
    });
  }

  /** Catches up, builds everything again aside, compares digests and throws the builds away. */
  verifyRebuilt(options: ProgressOptions = {}): Promise<readonly RebuiltComparison[]> {
    return this.#moves.alone(async () => {
      await this.#catchUp();
      return compareRebuilt(this.#rebuilding(options));
    });
  }

  /** Rebuilds the views that the log does not bear out, once it is known that the log is all there is. */
  heal(options: ProgressOptions = {}): Promise<readonly RebuiltView[]> {
    return this.#moves.alone(async () => {
      await checkCheckpoints({ views: this.#views, log: this.#options.log });
      const names = new Set(this.#views.blocked.keys());
      return names.size === 0 ? [] : rebuild(this.#rebuilding(options), names);
    });
  }

  /**
   * Moves every view into a fresh folder without its feed, so that nothing is left on disk of rows that are gone.
   * Views and indexes must have caught up. `forgotten` names events whose dead letters go too.
   */
  scrub(forgotten: ReadonlySet<string>): Promise<void> {
    return this.#moves.alone(() => this.#views.scrub(forgotten));
  }

  /**
   * Runs some work while no view moves: for whoever reads a view in many steps, or an index that builds a
   * part of itself when it is first asked. The work must not wait for `catchUp` or anything else queued here.
   */
  whileSteady<T>(work: (upstream: (name: string) => Upstream) => Promise<T>): Promise<T> {
    return this.#moves.still(() => work((name) => this.#views.upstream(name)));
  }

  /** Stops at the end of the page under way and lets go of every store. */
  async close(): Promise<void> {
    if (this.#moves.isClosed) return;
    const ended = this.#moves.close();
    for (const wake of this.#onClose) wake();
    await ended;
    await this.#views.close();
  }

  /** In short steps. Must not be called while nobody reads. */
  #catchUpAmongReaders(options: Pick<FillOptions, 'onProgress' | 'wholePages'>): Promise<void> {
    const { rightOfWay } = this;
    const leftBehind = this.#floods.leftBehind();
    const parts = { views: this.#views, moves: this.#moves, rightOfWay, leftBehind };
    const pageSize = this.#pageSizeAmongReaders();
    const amongReaders = { ...options, pageSize, givingWay: givingWay(parts) };
    return this.#catchUp(amongReaders, (step) => this.#moves.still(step));
  }

  #pageSizeAmongReaders(): number {
    const { pageSize = PAGE_SIZE } = this.#options;
    return this.rightOfWay.wasAskedLately ? Math.min(pageSize, PAGE_SIZE_AMONG_READERS) : pageSize;
  }

  #catchUp(options: Partial<FillOptions> = {}, still: CatchUp['still'] = (step) => step()): Promise<void> {
    return catchUp({
      log: this.#options.log,
      views: this.#views,
      generationContext: this.#options,
      fill: { ...this.#fillOptions(), ...options },
      still,
      leftBehind: this.#floods.leftBehind(),
      refill: (projector) => refill(this.#rebuilding(), new Set([projector.name])),
    });
  }

  #rebuilding({ onProgress }: ProgressOptions = {}): Rebuilding {
    const { log } = this.#options;
    return {
      log,
      views: this.#views,
      generationContext: this.#options,
      fill: this.#fillOptions(onProgress),
      now: () => this.#options.now(),
    };
  }

  #fillOptions(onProgress?: ReplayProgress): FillOptions {
    return { pageSize: this.#options.pageSize ?? PAGE_SIZE, onProgress, stopped: () => this.#moves.isClosed };
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
