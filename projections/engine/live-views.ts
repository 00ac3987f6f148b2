// The generation of each view that readers read now, and what is known about them: who follows whom, where
// each stands, what is wrong. A generation is exchanged here and nowhere else.
import { AnnalsError, type Checkpoint, type Log } from '../../log/index.ts';
import type { FeedPosition, RunnerProblem } from './contract/checkpoint.ts';
import { isLogProjector, type Projector, type ViewReader } from './contract/projector.ts';
import { canFollow } from './fill.ts';
import { activateGeneration, discard, type GenerationContext, openCurrent } from './generation.ts';
import type { IndexView, Upstream } from './index-view.ts';
import { scrubbed } from './scrub-generation.ts';
import type { KvView } from './store/kv-view.ts';
import { upstreamOf } from './upstream.ts';
import { viewOrder } from './view-order.ts';

export interface LiveViewState {
  readonly name: string;
  readonly version: number;
  /** Log position the view stands at. */
  readonly position: number;
  /** Events behind the head. */
  readonly lag: number;
  readonly deadLetters: number;
}

interface Slot {
  readonly projector: Projector;
  live: KvView;
  readonly reader: ViewReader;
}

export class LiveViews {
  /** Projectors, each after the one it follows. */
  readonly ordered: readonly Projector[];
  readonly indexes: readonly IndexView[];
  /** First views that the log does not bear out; they stand still. */
  readonly blocked = new Map<string, RunnerProblem>();
  readonly #generationContext: GenerationContext;
  readonly #slots = new Map<string, Slot>();
  /** What was found damaged, until the view is rebuilt. */
  readonly #damaged = new Map<string, RunnerProblem>();

  private constructor(
    generationContext: GenerationContext,
    ordered: readonly Projector[],
    indexes: readonly IndexView[],
  ) {
    this.#generationContext = generationContext;
    this.ordered = ordered;
    this.indexes = indexes;
  }

  /** @throws AnnalsError HOME_LOCKED, DISK_FULL; TypeError when the projectors do not fit together */
  static async open(
    generationContext: GenerationContext,
    projectors: readonly Projector[],
    indexes: readonly IndexView[],
  ): Promise<LiveViews> {
    const views = new LiveViews(generationContext, viewOrder(projectors, indexes), indexes);
    try {
      const opening = views.ordered.map((projector) => openCurrent(generationContext, projector));
      const opened = await Promise.allSettled(opening);
      views.ordered.forEach((projector, index) => {
        const one = opened[index]!;
        if (one.status === 'fulfilled') views.#take(projector, one.value);
      });
      for (const one of opened) if (one.status === 'rejected') throw one.reason;
      for (const projector of views.ordered) await views.#detach(projector);
      return views;
    } catch (error) {
      for (const view of views.all()) await view.close();
      throw error;
    }
  }

  all(): readonly KvView[] {
    return [...this.#slots.values()].map(({ live }) => live);
  }

  /** @throws AnnalsError VIEW_UNKNOWN */
  live(name: string): KvView {
    return this.#slot(name).live;
  }

  /** Stays valid when the view is rebuilt. @throws AnnalsError VIEW_UNKNOWN */
  reader(name: string): ViewReader {
    return this.#slot(name).reader;
  }

  index(name: string): IndexView | undefined {
    return this.indexes.find((index) => index.name === name);
  }

  upstream(name: string): Upstream {
    return upstreamOf(this.live(name));
  }

  names(): readonly string[] {
    return [...this.ordered, ...this.indexes].map(({ name }) => name);
  }

  get problems(): readonly RunnerProblem[] {
    return [...this.#damaged.values(), ...this.blocked.values()];
  }

  noteDamage(problem: RunnerProblem): void {
    this.#damaged.set(problem.view, problem);
  }

  /**
   * Readers change over in one step, after every CURRENT names the new generation; then the old ones go. When
   * that breaks off, readers follow what CURRENT names by then, and the rest of the new ones goes.
   */
  async exchange(filled: readonly KvView[]): Promise<void> {
    const gone = new Set(filled);
    const swapped: KvView[] = [];
    try {
      for (const view of filled) {
        await activateGeneration(this.#generationContext.generations, view);
        swapped.push(view);
      }
    } finally {
      for (const view of swapped) {
        const slot = this.#slot(view.name);
        gone.delete(view);
        gone.add(slot.live);
        slot.live = view;
      }
      for (const view of gone) await discard(this.#generationContext.generations, view);
    }
  }

  /** Exchanges every view for a copy of its rows. Indexes must have caught up. */
  async scrub(forgotten: ReadonlySet<string>): Promise<void> {
    for (const { projector, live } of this.#slots.values())
      await this.exchange([await scrubbed(this.#generationContext, projector, live, forgotten)]);
  }

  /** The views were rebuilt: what was wrong with them is over. */
  forgetProblems(names: Iterable<string>): void {
    for (const name of names) {
      this.#damaged.delete(name);
      this.blocked.delete(name);
    }
  }

  /** Whether anybody follows the live generation of this view. */
  followed(view: KvView): boolean {
    return this.#followers(view).length > 0;
  }

  /** The newest change that every follower of this generation has taken over. */
  passed(view: KvView): number {
    return Math.min(view.checkpoint.seq, ...this.#followers(view).map(({ seq }) => seq));
  }

  states(log: Log): readonly LiveViewState[] {
    const head = log.head().position;
    const views = this.all().map(({ name, version, position, checkpoint }) => ({
      name,
      version,
      position,
      lag: Math.max(0, head - position),
      deadLetters: checkpoint.dead,
    }));
    const indexes = this.indexes.map((index) => {
      const { name, version } = index;
      const position = this.#indexPosition(index);
      return { name, version, position, lag: Math.max(0, head - position), deadLetters: 0 };
    });
    return [...views, ...indexes];
  }

  checkpoints(): readonly { readonly view: string; readonly checkpoint: Checkpoint }[] {
    return this.all().flatMap(({ name, checkpoint }) =>
      checkpoint.log === null ? [] : [{ view: name, checkpoint: checkpoint.log }],
    );
  }

  /** The log position that every view covers, but for the indexes that are left behind. */
  lowest(leftBehind: ReadonlySet<string>): number {
    const indexes = this.indexes.filter(({ name }) => !leftBehind.has(name));
    const positions = [
      ...this.all().map(({ position }) => position),
      ...indexes.map((index) => this.#indexPosition(index)),
    ];
    return Math.min(...positions);
  }

  /** Closes everything, also when something of it fails: what stays open keeps its lock. */
  async close(): Promise<void> {
    const indexes = await Promise.allSettled(this.indexes.map((index) => index.close()));
    const views = await Promise.allSettled(this.all().map((view) => view.close()));
    for (const one of [...indexes, ...views]) if (one.status === 'rejected') throw one.reason;
  }

  #take(projector: Projector, { view, problem }: Awaited<ReturnType<typeof openCurrent>>): void {
    this.#slots.set(projector.name, slotOf(projector, view));
    if (problem !== null) this.noteDamage(problem);
  }

  /** Takes a second view off an upstream that it can no longer follow. */
  async #detach(projector: Projector): Promise<void> {
    const view = this.live(projector.name);
    if (isLogProjector(projector) || view.checkpoint.upstream === null) return;
    // Said on disk before the upstream moves: when that view lost its tail, its next changes will carry
    // numbers that this one has seen before, with other contents.
    if (!canFollow(view, this.live(projector.follows))) await view.moveTo({ upstream: null }, true);
  }

  #followers(view: KvView): readonly FeedPosition[] {
    const views = [...this.#slots.values()].filter(({ projector }) => projector.follows === view.name);
    const indexes = this.indexes.filter(({ follows }) => follows === view.name);
    const feedPositions = [
      ...views.map(({ live }) => live.checkpoint.upstream),
      ...indexes.map((index) => index.feedPosition()),
    ];
    return feedPositions
      .filter((feedPosition) => feedPosition !== null)
      .filter((feedPosition) => feedPosition.generation === view.generation);
  }

  /** An index of which nothing is built stands where its upstream stands: it is made from it when asked. */
  #indexPosition(index: IndexView): number {
    return index.feedPosition() === null ? this.live(index.follows).position : index.position();
  }

  #slot(name: string): Slot {
    const slot = this.#slots.get(name);
    if (slot === undefined) throw unknownView(name);
    return slot;
  }
}

export function unknownView(name: string): AnnalsError {
  return new AnnalsError('VIEW_UNKNOWN', `No view is named ${name}.`, {
    hint: 'Run `annals status` to see the views.',
  });
}

function slotOf(projector: Projector, view: KvView): Slot {
  const slot: Slot = {
    projector,
    live: view,
    reader: {
      get: (key) => slot.live.get(key),
      getMany: (keys) => slot.live.getMany(keys),
      range: (prefix, options) => slot.live.range(prefix, options),
    },
  };
  return slot;
}
