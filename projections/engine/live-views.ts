// The generation that is read now, the indexes that follow it, and what is known to be wrong with them. Generations are
// swapped only here.
import type { Log } from '../../log/index.ts';
import { type FeedPosition, logProblem, type RunnerProblem } from './contract/checkpoint.ts';
import type { Projector } from './contract/projector.ts';
import {
  activate,
  discard,
  type GenerationContext,
  type OpenedGeneration,
  openCurrent,
} from './generation-folders.ts';
import type { IndexView } from './index-view.ts';
import type { Generation } from './store/generation.ts';
import type { DigestOptions } from './store/row-digest.ts';
import { feedOf, viewOrder } from './view-order.ts';
import { unknownView, ViewReaders } from './view-readers.ts';

export interface LiveViewState {
  readonly name: string;
  readonly version: number;
  /** Log position of the view. */
  readonly position: number;
  /** Events behind the head. */
  readonly lag: number;
  readonly deadLetters: number;
}

/** An index that is further behind in the feed is built from the rows. */
const FOLLOWED_MAX = 100_000;

export class LiveViews {
  /** Each projector after the one it follows. */
  readonly ordered: readonly Projector[];
  readonly indexes: readonly IndexView[];
  readonly readers: ViewReaders;
  /** Set when the log does not match the checkpoint; then the views do not move. */
  blockedBy: RunnerProblem | null = null;
  /** Positions of the indexes of another thread. */
  followers: readonly FeedPosition[] = [];
  readonly #context: GenerationContext;
  #generation: Generation;
  /** The generation that an earlier process left. Snapshots of indexes on disk may follow it. */
  readonly #inherited: string | null;
  /** Damage that was found, until a rebuild. */
  #damage: RunnerProblem | null;

  private constructor(
    context: GenerationContext,
    indexes: readonly IndexView[],
    { generation, isNew, problem }: OpenedGeneration,
  ) {
    this.ordered = context.projectors;
    this.indexes = indexes;
    this.readers = new ViewReaders(context.projectors, indexes, () => this.#generation);
    this.#context = context;
    this.#generation = generation;
    this.#inherited = isNew ? null : generation.id;
    this.#damage = problem;
  }

  /** @throws AnnalsError HOME_LOCKED, DISK_FULL; TypeError when the projectors do not fit together */
  static async open(
    options: Pick<GenerationContext, 'generations' | 'randomBytes' | 'projectors'>,
    indexes: readonly IndexView[],
  ): Promise<{ readonly views: LiveViews; readonly context: GenerationContext }> {
    const context: GenerationContext = {
      generations: options.generations,
      randomBytes: (size) => options.randomBytes(size),
      projectors: viewOrder(options.projectors, indexes),
      isFed: feedOf(indexes),
    };
    return { views: new LiveViews(context, indexes, await openCurrent(context)), context };
  }

  get generation(): Generation {
    return this.#generation;
  }

  names(): readonly string[] {
    return [...this.ordered, ...this.indexes].map(({ name }) => name);
  }

  /** @throws AnnalsError VIEW_UNKNOWN */
  digest(name: string, options: DigestOptions): Promise<string> {
    const index = this.indexes.find((one) => one.name === name);
    if (index !== undefined) return this.readers.query((upstream) => index.digest(upstream(index.follows)));
    if (!this.ordered.some((one) => one.name === name)) throw unknownView(name);
    return this.#generation.digest(name, options);
  }

  get problems(): readonly RunnerProblem[] {
    return [this.#damage, this.blockedBy].filter((problem) => problem !== null);
  }

  noteDamage(problem: RunnerProblem): void {
    this.#damage = problem;
  }

  /** The views were rebuilt: earlier problems are solved. */
  forgetProblems(): void {
    this.#damage = null;
    this.blockedBy = null;
  }

  /** Compares the checkpoint with the log. */
  async checkLog(log: Log): Promise<void> {
    this.blockedBy = await logProblem(this.#generation.checkpoint, log);
  }

  /** Makes another generation the live one and removes the old one. If that fails, the old one stays. */
  async swapIn(next: Generation): Promise<void> {
    try {
      await activate(this.#context, next);
    } catch (error) {
      await discard(this.#context, next);
      throw error;
    }
    const old = this.#generation;
    this.#generation = next;
    await discard(this.#context, old);
  }

  /** Whether an index uses the live generation, in memory or perhaps on disk. */
  get keepsFeed(): boolean {
    return this.#generation.id === this.#inherited || this.#indexPositions().length > 0;
  }

  /** Trims the feed to what indexes still need. */
  trim(): Promise<void> {
    const { seq } = this.#generation.checkpoint;
    const positions = this.#indexPositions().filter((position) => seq - position <= FOLLOWED_MAX);
    return this.#generation.trim(Math.min(seq, ...positions));
  }

  states(log: Log): readonly LiveViewState[] {
    const head = log.head().position;
    const { position, checkpoint } = this.#generation;
    const state = ({ name, version }: Projector | IndexView, at: number): LiveViewState => ({
      name,
      version,
      position: at,
      lag: Math.max(0, head - at),
      deadLetters: checkpoint.deadLetters[name] ?? 0,
    });
    return [
      ...this.ordered.map((projector) => state(projector, position)),
      ...this.indexes.map((index) => state(index, this.#indexPosition(index))),
    ];
  }

  /** The log position of all views and indexes. */
  position(): number {
    return Math.min(this.#generation.position, ...this.indexes.map((index) => this.#indexPosition(index)));
  }

  /** Closes everything, even if something fails: what stays open keeps its lock. */
  async close(): Promise<void> {
    await this.readers.close();
    const closing = [...this.indexes.map((index) => index.close()), this.#generation.close()];
    for (const one of await Promise.allSettled(closing)) if (one.status === 'rejected') throw one.reason;
  }

  /** Feed positions of the indexes that use the live generation. */
  #indexPositions(): readonly number[] {
    const own = this.indexes.map((index) => index.feedPosition());
    return [...own, ...this.followers].flatMap((position) =>
      position?.generation === this.#generation.id ? [position.seq] : [],
    );
  }

  /** An index that is not built yet has the position of its view, because its first query builds it from that view. */
  #indexPosition(index: IndexView): number {
    return index.feedPosition() === null ? this.#generation.position : index.position();
  }
}
