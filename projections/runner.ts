// Runs projectors: pulls the log through the first ones, their feeds through the others, and keeps one live
// generation of each view that readers read. One thing moves at a time: catching up, rebuilding and verifying
// stand in one queue, so a page is never folded twice and a follower never sees its upstream move. Reading
// never waits: a rebuild fills a generation aside and the old one serves until the swap.
import { type Anchor, AnnalsError, isAnnalsError, type Log } from '../log/index.ts';
import { logProblem, type RunnerProblem } from './anchor.ts';
import { type Built, buildAside } from './build.ts';
import type { DeadLetter } from './dead-letter.ts';
import { canFollow, type FillOptions, fillFromFeed, fillFromLog, type SecondFill } from './fill.ts';
import { createGeneration, discard, openCurrent, type Shelf, swapIn } from './generation.ts';
import { inOrder, withFollowers } from './graph.ts';
import type { IndexView, Upstream } from './index-view.ts';
import type { KvView } from './kv-view.ts';
import { isFirst, type Projector, type ViewReader } from './projector.ts';
import { upstreamOf } from './upstream.ts';

export interface RunnerOptions {
  readonly log: Log;
  readonly shelf: Shelf;
  readonly projectors: readonly Projector[];
  readonly indexes?: readonly IndexView[];
  /** Names generations, so that a follower never takes one for another. Never part of a row. */
  randomBytes(size: number): Uint8Array;
  /** Unix ms or any clock that counts ms; for reports only. */
  now(): number;
  /** Events, changes or rows in one page and so in one batch. Default 1,000. */
  readonly pageSize?: number;
}

export type Progress = (done: number, total: number) => void;

export interface ViewState {
  readonly name: string;
  readonly version: number;
  readonly position: number;
  readonly lag: number;
  readonly deadLetters: number;
}

export interface ViewReport {
  readonly name: string;
  /** Events of the log that the view now covers. */
  readonly events: number;
  readonly ms: number;
  readonly digest: string;
}

/** A view as it is served beside one built again from the log. */
export interface RebuiltComparison {
  readonly name: string;
  readonly events: number;
  readonly ms: number;
  readonly live: string;
  readonly rebuilt: string;
  readonly equal: boolean;
}

interface Slot {
  readonly projector: Projector;
  live: KvView;
  readonly reader: ViewReader;
}

/**
 * Opens every view, making empty ones where there are none, and removes what unfinished builds left.
 * Nothing is folded before `catchUp`.
 * @throws AnnalsError HOME_LOCKED, DISK_FULL; TypeError when the projectors do not fit together
 */
export async function openRunner(options: RunnerOptions): Promise<Runner> {
  const ordered = inOrder(options.projectors, options.indexes ?? []);
  const slots = new Map<string, Slot>();
  const problems: RunnerProblem[] = [];
  try {
    for (const projector of ordered) {
      const { view, problem } = await openCurrent(options, projector);
      if (problem !== null) problems.push(problem);
      slots.set(projector.name, slotOf(projector, view));
      const upstream = isFirst(projector) ? null : slots.get(projector.follows)!.live;
      // Said on disk before the upstream moves: when that view lost its tail, its next changes will carry
      // numbers that this one has seen before, with other contents.
      if (upstream !== null && view.anchor.upstream !== null && !canFollow(view, upstream))
        await view.moveTo({ upstream: null }, true);
    }
  } catch (error) {
    for (const { live } of slots.values()) await live.close();
    throw error;
  }
  return new Runner(options, ordered, slots, problems);
}

export class Runner {
  readonly #options: RunnerOptions;
  readonly #ordered: readonly Projector[];
  readonly #indexes: readonly IndexView[];
  readonly #slots: ReadonlyMap<string, Slot>;
  /** What was found at open or while reading; a rebuild of the view takes it back. */
  #found: RunnerProblem[];
  /** First views that the log does not bear out; they stand still. */
  readonly #blocked = new Map<string, RunnerProblem>();
  #queue: Promise<unknown> = Promise.resolve();
  #waiting: { readonly done: Promise<void>; readonly listeners: Set<Progress> } | null = null;
  #closed = false;
  readonly #onClose = new Set<() => void>();

  /** Use `openRunner`. */
  constructor(
    options: RunnerOptions,
    ordered: readonly Projector[],
    slots: ReadonlyMap<string, Slot>,
    problems: readonly RunnerProblem[],
  ) {
    this.#options = options;
    this.#ordered = ordered;
    this.#indexes = options.indexes ?? [];
    this.#slots = slots;
    this.#found = [...problems];
  }

  /**
   * Brings every view up to the log's head, at least as it is at the time of the call. Calls that wait for
   * their turn are one. A view that cannot be read is made again; one that the log does not bear out stands
   * still and is named in `problems`.
   * @throws AnnalsError LOG_DAMAGED, DISK_FULL, LOG_CLOSED
   */
  catchUp(options: { readonly onProgress?: Progress } = {}): Promise<void> {
    if (this.#waiting === null) {
      const listeners = new Set<Progress>();
      const done = this.#alone(() => {
        this.#waiting = null;
        return this.#catchUp((finished, total) => {
          for (const listener of listeners) listener(finished, total);
        });
      });
      this.#waiting = { done, listeners };
    }
    if (options.onProgress !== undefined) this.#waiting.listeners.add(options.onProgress);
    return this.#waiting.done;
  }

  /**
   * Resolves when every view covers a log position, however far away that is.
   * @throws AnnalsError LOG_DAMAGED when a view stands still, LOG_CLOSED when the runner closes first
   */
  async whenProjected(position: number): Promise<void> {
    while (this.#lowest() < position) {
      await this.catchUp();
      if (this.#lowest() >= position) return;
      for (const { message } of this.#blocked.values())
        throw new AnnalsError('LOG_DAMAGED', `The views cannot move on: ${message}.`, {
          hint: 'Run `annals verify` to see what is missing, then `annals rebuild`.',
        });
      await this.#nextHead(position);
    }
  }

  /** Rows of a key-value view; stays valid when the view is rebuilt. @throws AnnalsError VIEW_UNKNOWN */
  view(name: string): ViewReader {
    return this.#slot(name).reader;
  }

  states(): readonly ViewState[] {
    const head = this.#options.log.head().position;
    const views = [...this.#slots.values()].map(({ live }) => ({
      name: live.name,
      version: live.version,
      position: live.position,
      lag: Math.max(0, head - live.position),
      deadLetters: live.anchor.dead,
    }));
    const indexes = this.#indexes.map((index) => {
      const position = this.#indexPosition(index);
      const { name, version } = index;
      return { name, version, position, lag: Math.max(0, head - position), deadLetters: 0 };
    });
    return [...views, ...indexes];
  }

  /** Where each key-value view stands in the log: witnesses of what the log once held. */
  anchors(): readonly { readonly view: string; readonly anchor: Anchor }[] {
    return [...this.#slots.values()].flatMap(({ live }) =>
      live.anchor.log === null ? [] : [{ view: live.name, anchor: live.anchor.log }],
    );
  }

  get problems(): readonly RunnerProblem[] {
    return [...this.#found, ...this.#blocked.values()];
  }

  async deadLetters(): Promise<readonly DeadLetter[]> {
    const letters = await Promise.all([...this.#slots.values()].map(({ live }) => live.deadLetters()));
    return letters.flat();
  }

  /** Digest of a view as it is served now. @throws AnnalsError VIEW_UNKNOWN */
  digest(name: string): Promise<string> {
    const index = this.#indexes.find((one) => one.name === name);
    if (index !== undefined) return this.#alone(() => index.digest(this.#upstream(index.follows)));
    const slot = this.#slot(name);
    return this.#alone(() => slot.live.digest());
  }

  /**
   * Fills new generations from zero while the old ones serve, then swaps them in. Whatever follows a rebuilt
   * view is rebuilt too. Without names: everything. Waiting appends are projected afterwards.
   * @throws AnnalsError VIEW_UNKNOWN, LOG_DAMAGED, DISK_FULL; the old generations then stay
   */
  async rebuild(
    names?: readonly string[],
    options: { readonly onProgress?: Progress } = {},
  ): Promise<readonly ViewReport[]> {
    const chosen = new Set(names ?? this.#names());
    for (const name of chosen) if (!this.#names().includes(name)) throw unknownView(name);
    return this.#alone(() => this.#rebuild(chosen, options.onProgress));
  }

  /** Catches up, builds everything again aside, compares digests and throws the builds away. */
  verifyRebuilt(options: { readonly onProgress?: Progress } = {}): Promise<readonly RebuiltComparison[]> {
    return this.#alone(async () => {
      await this.#catchUp();
      const built = await this.#build(this.#ordered, options.onProgress);
      try {
        return await this.#compare(built);
      } finally {
        for (const { view } of built) await discard(this.#options.shelf, view);
      }
    });
  }

  /** Rebuilds the views that the log does not bear out, once it is known that the log is all there is. */
  async heal(options: { readonly onProgress?: Progress } = {}): Promise<readonly ViewReport[]> {
    return this.#alone(async () => {
      await this.#hold();
      const names = new Set(this.#blocked.keys());
      return names.size === 0 ? [] : this.#rebuild(names, options.onProgress);
    });
  }

  /**
   * Runs some work while no view moves: for whoever reads a view in many steps, or an index that builds a
   * part of itself when it is first asked. The work must not wait for `catchUp` or anything else queued here.
   */
  whileSteady<T>(work: (upstream: (name: string) => Upstream) => Promise<T>): Promise<T> {
    return this.#alone(() => work((name) => this.#upstream(name)));
  }

  /** Stops at the end of the page under way and lets go of every store. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const wake of this.#onClose) wake();
    await this.#queue;
    for (const index of this.#indexes) await index.close();
    for (const { live } of this.#slots.values()) await live.close();
  }

  async #catchUp(onProgress?: Progress): Promise<void> {
    for (let again = this.#slots.size; ; again--) {
      try {
        return await this.#bringUp(onProgress);
      } catch (error) {
        const slot =
          isAnnalsError(error) && error.code === 'VIEW_DAMAGED'
            ? this.#slots.get(String(error.facts.view))
            : undefined;
        if (slot === undefined || again === 0) throw error;
        await this.#startOver(slot);
      }
    }
  }

  async #bringUp(onProgress?: Progress): Promise<void> {
    for (const { live } of this.#slots.values()) await live.recover();
    await this.#hold();
    const fill = this.#fillOptions(onProgress);
    const firsts = this.#ordered.flatMap((projector) => {
      if (!isFirst(projector) || this.#blocked.has(projector.name)) return [];
      const view = this.#slot(projector.name).live;
      return [{ projector, view, followed: this.#followed(view) }];
    });
    await fillFromLog(this.#options.log, firsts, fill);
    for (const projector of this.#ordered) {
      if (this.#closed) return;
      if (isFirst(projector)) continue;
      const view = this.#slot(projector.name).live;
      const upstream = this.#slot(projector.follows).live;
      const second = { projector, view, upstream, followed: this.#followed(view) };
      if (canFollow(view, upstream)) await fillFromFeed(second, fill);
      else await this.#refill(second);
    }
    for (const index of this.#indexes) await index.catchUp(this.#upstream(index.follows));
    for (const { live } of this.#slots.values()) await live.trim(this.#passed(live));
  }

  /** Holds the anchors of first views against the log. */
  async #hold(): Promise<void> {
    for (const projector of this.#ordered) {
      if (!isFirst(projector)) continue;
      const { live } = this.#slot(projector.name);
      const problem = await logProblem(projector.name, live.anchor, this.#options.log);
      if (problem === null) this.#blocked.delete(projector.name);
      else this.#blocked.set(projector.name, problem);
    }
  }

  /** A follower whose feed cannot tell it what it missed is filled anew from its upstream's rows. */
  async #refill({ projector }: SecondFill): Promise<void> {
    await this.#swap(await this.#build([projector]));
  }

  async #startOver(slot: Slot): Promise<void> {
    const { name } = slot.projector;
    this.#found = this.#found.filter(({ view }) => view !== name);
    this.#found.push({
      code: 'VIEW_DAMAGED',
      view: name,
      message: `view ${name} was damaged (it could not be read) and is made again from the log`,
    });
    const view = await createGeneration(this.#options, slot.projector);
    await this.#swap([{ projector: slot.projector, view, ms: 0 }]);
  }

  async #rebuild(names: ReadonlySet<string>, onProgress?: Progress): Promise<readonly ViewReport[]> {
    const projectors = withFollowers(this.#ordered, names);
    const built = await this.#build(projectors, onProgress);
    const reports: ViewReport[] = [];
    for (const { view, ms } of built)
      reports.push({ name: view.name, events: view.position, ms, digest: await view.digest() });
    await this.#swap(built);
    const rebuilt = new Set(built.map(({ view }) => view.name));
    this.#found = this.#found.filter(({ view }) => !rebuilt.has(view));
    for (const name of rebuilt) this.#blocked.delete(name);
    for (const index of this.#indexes) {
      if (!names.has(index.name) && !rebuilt.has(index.follows)) continue;
      const upstream = this.#upstream(index.follows);
      const started = this.#options.now();
      await index.rebuild(upstream);
      const ms = this.#options.now() - started;
      reports.push({ name: index.name, events: upstream.position, ms, digest: await index.digest(upstream) });
    }
    return reports;
  }

  async #compare(built: readonly Built[]): Promise<readonly RebuiltComparison[]> {
    const comparisons: RebuiltComparison[] = [];
    const add = (name: string, events: number, ms: number, live: string, rebuilt: string): void => {
      comparisons.push({ name, events, ms, live, rebuilt, equal: live === rebuilt });
    };
    for (const { view, ms } of built)
      add(view.name, view.position, ms, await this.#slot(view.name).live.digest(), await view.digest());
    for (const index of this.#indexes) {
      const aside = built.find(({ view }) => view.name === index.follows)!.view;
      const started = this.#options.now();
      const rebuilt = await index.digestAside(upstreamOf(aside));
      const ms = this.#options.now() - started;
      add(index.name, aside.position, ms, await index.digest(this.#upstream(index.follows)), rebuilt);
    }
    return comparisons;
  }

  async #build(projectors: readonly Projector[], onProgress?: Progress): Promise<readonly Built[]> {
    const built = await buildAside({
      log: this.#options.log,
      workshop: this.#options,
      projectors,
      live: (name) => this.#slot(name).live,
      now: () => this.#options.now(),
      fill: this.#fillOptions(onProgress),
    });
    if (built === null) throw closed();
    return built;
  }

  /** Readers change over in one step, after every CURRENT names the new generation. */
  async #swap(built: readonly Built[]): Promise<void> {
    for (const { view } of built) await swapIn(this.#options.shelf, view);
    const old = built.map(({ view }) => {
      const slot = this.#slot(view.name);
      const { live } = slot;
      slot.live = view;
      return live;
    });
    for (const view of old) await discard(this.#options.shelf, view);
  }

  /** Everything else waits until this is done; it waits for all that came before. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(closed());
    const turn = this.#queue.then(() => {
      if (this.#closed) throw closed();
      return work();
    });
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  #fillOptions(onProgress?: Progress): FillOptions {
    return { pageSize: this.#options.pageSize ?? 1_000, onProgress, stopped: () => this.#closed };
  }

  #followed(view: KvView): boolean {
    return this.#places(view.name).some((place) => place?.generation === view.generation);
  }

  /** The newest change that every follower of this generation has taken over. */
  #passed(view: KvView): number {
    const here = this.#places(view.name).filter((place) => place?.generation === view.generation);
    return Math.min(view.anchor.seq, ...here.map((place) => place!.seq));
  }

  #places(name: string): readonly ({ generation: string; seq: number } | null)[] {
    const views = [...this.#slots.values()].filter(({ projector }) => projector.follows === name);
    const indexes = this.#indexes.filter(({ follows }) => follows === name);
    return [...views.map(({ live }) => live.anchor.upstream), ...indexes.map((index) => index.place())];
  }

  #upstream(name: string): Upstream {
    return upstreamOf(this.#slot(name).live);
  }

  #slot(name: string): Slot {
    const slot = this.#slots.get(name);
    if (slot === undefined) throw unknownView(name);
    return slot;
  }

  #names(): readonly string[] {
    return [...this.#slots.keys(), ...this.#indexes.map(({ name }) => name)];
  }

  #lowest(): number {
    const views = [...this.#slots.values()].map(({ live }) => live.position);
    return Math.min(...views, ...this.#indexes.map((index) => this.#indexPosition(index)));
  }

  /** An index of which nothing is built stands where its upstream stands: it is made from it when asked. */
  #indexPosition(index: IndexView): number {
    return index.place() === null ? this.#slot(index.follows).live.position : index.position();
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
      if (this.#closed || log.head().position >= position) wake();
    });
  }
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

function unknownView(name: string): AnnalsError {
  return new AnnalsError('VIEW_UNKNOWN', `No view is named ${name}.`, {
    hint: 'Run `annals status` to see the views.',
  });
}

function closed(): AnnalsError {
  return new AnnalsError('LOG_CLOSED', 'The views were used after they were closed.');
}
