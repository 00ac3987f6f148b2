// The `vectors` view as the runner knows it: a second follower of `memory`, beside `text`, with the same
// partitions. Its embedder is asked for when it is first needed; without one the view is empty, and search says so.
import type { FeedPlace } from '../anchor.ts';
import type { IndexView, Upstream } from '../index-view.ts';
import { type MemoryBudget, type Partition, type SnapshotFiles, ViewSource } from '../partitions/index.ts';
import type { Embedder } from './embedder.ts';
import type { GraphOptions } from './graphs.ts';
import { VECTOR_RECIPE_VERSION } from './recipe.ts';
import { VectorIndex } from './vector-index.ts';

export interface VectorViewOptions {
  /** Where snapshots are kept; null for none. */
  readonly files: SnapshotFiles | null;
  /** What all indexes together may keep in memory. */
  readonly budget?: MemoryBudget;
  /** How very large projects are searched; left out for the scan alone. */
  readonly graphs?: GraphOptions;
  /** Called at the first use; null where there is no embedder. */
  embedder(): Embedder | null;
  /** Every project that has documents, as it is resolved now. */
  partitions(): Promise<readonly Partition[]>;
}

const WITHOUT_EMBEDDER = 'no embedder';

export class VectorView implements IndexView {
  readonly name = 'vectors';
  readonly version = VECTOR_RECIPE_VERSION;
  readonly follows = 'memory';
  readonly #options: VectorViewOptions;
  readonly #source = new ViewSource();
  #index: VectorIndex | null | undefined;
  #place: FeedPlace | null = null;
  #position = 0;

  constructor(options: VectorViewOptions) {
    this.#options = options;
  }

  place(): FeedPlace | null {
    return this.#place;
  }

  position(): number {
    return this.#position;
  }

  async catchUp(upstream: Upstream): Promise<void> {
    const before = this.#place;
    this.#standAt(upstream);
    // Nothing was asked yet: whatever is on disk catches up when it is.
    if (before === null || this.#index == null) return;
    const changes = await this.#source.changes(before);
    if (changes !== null) await this.#index.apply(changes);
  }

  /** The index as it stands, null without an embedder; only while the upstream stands still. */
  at(upstream: Upstream): Pick<VectorIndex, 'search'> | null {
    this.#standAt(upstream);
    return this.#opened();
  }

  async rebuild(upstream: Upstream): Promise<void> {
    this.#standAt(upstream);
    const index = this.#opened();
    if (index === null) return;
    const partitions = await this.#options.partitions();
    await index.rebuild(partitions);
    await index.prune(partitions);
  }

  async digest(upstream: Upstream): Promise<string> {
    this.#standAt(upstream);
    return this.#opened()?.digest(await this.#options.partitions()) ?? WITHOUT_EMBEDDER;
  }

  async digestAside(upstream: Upstream): Promise<string> {
    const embedder = this.#options.embedder();
    if (embedder === null) return WITHOUT_EMBEDDER;
    // An index of its own: the one that serves must neither be read here nor moved to another generation.
    const source = new ViewSource();
    source.upstream = upstream;
    return new VectorIndex(source, embedder, null).digest(await this.#options.partitions());
  }

  /** Builds what is missing and keeps it on disk, so that the next process answers at once. */
  async settle(upstream: Upstream): Promise<void> {
    this.#standAt(upstream);
    const index = this.#opened();
    if (index === null) return;
    await index.refresh(await this.#options.partitions());
    await index.save();
  }

  /** Brings every snapshot on disk to where the view stands, and removes those of projects that are no more. */
  async scrub(upstream: Upstream): Promise<void> {
    await this.settle(upstream);
    const partitions = await this.#options.partitions();
    await this.#index?.dropGraphs(partitions);
    await this.#index?.prune(partitions);
  }

  async close(): Promise<void> {
    await this.#index?.close();
  }

  #opened(): VectorIndex | null {
    if (this.#index !== undefined) return this.#index;
    const embedder = this.#options.embedder();
    this.#index =
      embedder === null
        ? null
        : new VectorIndex(
            this.#source,
            embedder,
            this.#options.files,
            this.#options.budget,
            this.#options.graphs,
          );
    return this.#index;
  }

  #standAt(upstream: Upstream): void {
    this.#source.upstream = upstream;
    this.#place = upstream.place;
    this.#position = upstream.position;
  }
}
