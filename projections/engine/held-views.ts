// Reads views that another thread of this process writes. That thread asks here before it opens a store and after it
// closed one, and says which one is live.

import type { Projector } from './contract/projector.ts';
import type { GenerationFiles } from './generation-folders.ts';
import type { IndexView } from './index-view.ts';
import { Generation } from './store/generation.ts';
import { openLevelStore, type StoreHolder, storeFailure, type ViewStore } from './store/view-store.ts';
import { feedOf, viewOrder } from './view-order.ts';
import { closed, ViewReaders } from './view-readers.ts';

interface Waiting {
  resolve(generation: Generation): void;
  reject(error: Error): void;
}

export interface HeldViewsOptions {
  readonly projectors: readonly Projector[];
  readonly indexes: readonly (IndexView & { drop(): void })[];
  readonly makeFolder: GenerationFiles['makeFolder'];
}

export class HeldViews implements StoreHolder {
  readonly readers: ViewReaders;
  readonly #options: HeldViewsOptions;
  readonly #ordered: readonly Projector[];
  readonly #stores = new Map<string, ViewStore>();
  #location: string | null = null;
  /** Null while its store is opened again. */
  #generation: Generation | null = null;
  #waiting: Waiting[] = [];

  constructor(options: HeldViewsOptions) {
    this.#options = options;
    this.#ordered = viewOrder(options.projectors, options.indexes);
    this.readers = new ViewReaders(this.#ordered, options.indexes, () => this.#current());
  }

  async hold(location: string, mustExist: boolean, isRead: boolean): Promise<void> {
    try {
      if (!mustExist) await this.#options.makeFolder(location);
      this.#stores.set(location, await openLevelStore(location, { mustExist, isShared: true }));
    } catch (error) {
      throw storeFailure('The views', error);
    }
    if (isRead && location === this.#location) this.#arrive(await this.#open(location));
  }

  async release(location: string): Promise<void> {
    const generation = location === this.#location ? this.#generation : null;
    const store = this.#stores.get(location);
    this.#stores.delete(location);
    if (generation === null) return store?.close();
    this.#generation = null;
    await generation.close();
  }

  async read(location: string): Promise<void> {
    const generation = await this.#open(location);
    // A query sees one generation, and indexes never have text of another one.
    await this.readers.between(async () => {
      this.#location = location;
      this.#arrive(generation);
      for (const index of this.#options.indexes) index.drop();
    });
  }

  /** Nothing can be read any more. Closes everything. */
  async close(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(closed());
    await this.readers.close();
    for (const location of [...this.#stores.keys()]) await this.release(location);
  }

  #current(): Generation | Promise<Generation> {
    if (this.#generation !== null) return this.#generation;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
  }

  async #open(location: string): Promise<Generation> {
    const { indexes } = this.#options;
    const views = { projectors: this.#ordered, isFed: feedOf(indexes) };
    const generation = await Generation.open(views, location, this.#stores.get(location)!);
    if (generation === null) throw new TypeError('The other thread has other views.');
    return generation;
  }

  #arrive(generation: Generation): void {
    this.#generation = generation;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { resolve } of waiting) resolve(generation);
  }
}
