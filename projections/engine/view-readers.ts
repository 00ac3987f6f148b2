// Reads the views for queries, and keeps the indexes up to them. A query reads one snapshot, so pages are written meanwhile.
// Queries use the indexes one after another, because an index changes itself: it loads a project at the first query and
// follows the change feed.
import { AnnalsError, Mutex } from '../../log/index.ts';
import type { Projector, ViewReader } from './contract/projector.ts';
import type { IndexView, Upstream } from './index-view.ts';
import type { Generation } from './store/generation.ts';
import { upstreamOf } from './upstream.ts';

/** Changes that an index applies in one step: a query waits for one step at most, about 5 ms. */
const CHANGES_PER_STEP = 16;

export class ViewReaders {
  readonly indexes: readonly IndexView[];
  readonly #projectors: readonly Projector[];
  readonly #generation: () => Generation | Promise<Generation>;
  readonly #queries = new Mutex();
  #isClosed = false;
  /** Set while the indexes are brought up. */
  #following: Promise<void> | null = null;
  #hasMoved = false;
  #isLeftBehind: (index: IndexView) => boolean = () => false;

  /** @param generation the one that is read now; a promise while it is opened again */
  constructor(
    projectors: readonly Projector[],
    indexes: readonly IndexView[],
    generation: () => Generation | Promise<Generation>,
  ) {
    this.#projectors = projectors;
    this.indexes = indexes;
    this.#generation = generation;
  }

  /** Rows of a view as they are now; stays valid after a rebuild. @throws AnnalsError VIEW_UNKNOWN */
  view(name: string): ViewReader {
    this.#projector(name);
    const reader = async () => (await this.#generation()).reader(name);
    return {
      get: async (key) => (await reader()).get(key),
      getMany: async (keys) => (await reader()).getMany(keys),
      range: async (prefix, options) => (await reader()).range(prefix, options),
    };
  }

  /**
   * Runs a query on the views as they are now, which do not change during it. The work must not wait for anything that
   * changes the views.
   * @throws AnnalsError LOG_CLOSED
   */
  query<T>(work: (upstream: (name: string) => Upstream) => Promise<T>): Promise<T> {
    return this.between(async () => this.on(await this.#generation(), work));
  }

  /** Runs work while no query runs. @throws AnnalsError LOG_CLOSED */
  between<T>(work: () => Promise<T>): Promise<T> {
    return this.#queries.run(async () => {
      if (this.#isClosed) throw closed();
      return work();
    });
  }

  /** Runs work on another generation. */
  on<T>(generation: Generation, work: (upstream: (name: string) => Upstream) => Promise<T>): Promise<T> {
    return generation.still((snapshot) => work((name) => upstreamOf(snapshot, this.#projector(name))));
  }

  /**
   * Call it when the views moved: brings the indexes up to them, in short steps between which queries run.
   * @param isLeftBehind for an index that is not brought up now
   */
  follow(isLeftBehind: (index: IndexView) => boolean = () => false): Promise<void> {
    this.#hasMoved = true;
    this.#isLeftBehind = isLeftBehind;
    this.#following ??= this.#bringUp().finally(() => {
      this.#following = null;
    });
    return this.#following;
  }

  /** Starts nothing from this call on; resolves when everything that runs has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#following?.catch(() => undefined);
    await this.#queries.run(async () => undefined);
  }

  async #bringUp(): Promise<void> {
    while (this.#hasMoved) {
      this.#hasMoved = false;
      for (const index of this.indexes)
        while (!this.#isClosed && !this.#isLeftBehind(index) && !(await this.#step(index)));
    }
  }

  #step(index: IndexView): Promise<boolean> {
    return this.query((upstream) => index.catchUp(upstream(index.follows), CHANGES_PER_STEP));
  }

  #projector(name: string): Projector {
    const projector = this.#projectors.find((one) => one.name === name);
    if (projector === undefined) throw unknownView(name);
    return projector;
  }
}

export function unknownView(name: string): AnnalsError {
  return new AnnalsError('VIEW_UNKNOWN', `No view is named ${name}.`, {
    hint: 'Run `annals status` to see the views.',
  });
}

export function closed(): AnnalsError {
  return new AnnalsError('LOG_CLOSED', 'The views were used after they were closed.');
}
