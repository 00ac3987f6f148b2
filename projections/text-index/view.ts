// The `text` view as the runner knows it. Its partitions are the resolved projects; they are built when first
// asked, so at rest it only notes how far its upstream has come.

import type { FeedPlace } from '../anchor.ts';
import type { IndexView, Upstream } from '../index-view.ts';
import {
  type DocumentSource,
  type MemoryBudget,
  type Partition,
  type SnapshotFiles,
  ViewSource,
} from '../partitions/index.ts';
import { RECIPE_VERSION } from './recipe.ts';
import { TextIndex } from './text-index.ts';

export interface TextViewOptions {
  /** Where snapshots are kept; null for none. */
  readonly files: SnapshotFiles | null;
  /** What all indexes together may keep in memory. */
  readonly budget?: MemoryBudget;
  /** Every project that has documents, as it is resolved now. */
  partitions(): Promise<readonly Partition[]>;
}

export class TextView implements IndexView {
  readonly name = 'text';
  readonly version = RECIPE_VERSION;
  readonly follows = 'memory';
  readonly #options: TextViewOptions;
  readonly #source = new ViewSource();
  readonly #index: TextIndex;
  #place: FeedPlace | null = null;
  #position = 0;

  constructor(options: TextViewOptions) {
    this.#options = options;
    this.#index = new TextIndex(this.#source, options.files, options.budget);
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
    if (before === null) return;
    const changes = await this.#source.changes(before);
    if (changes !== null) await this.#index.apply(changes, before);
  }

  /** The index and its documents as they stand; only while the upstream stands still. */
  at(upstream: Upstream): { index: Pick<TextIndex, 'search'>; documents: Pick<DocumentSource, 'getMany'> } {
    this.#standAt(upstream);
    return { index: this.#index, documents: this.#source };
  }

  async rebuild(upstream: Upstream): Promise<void> {
    this.#standAt(upstream);
    const partitions = await this.#options.partitions();
    await this.#index.rebuild(partitions);
    await this.#index.prune(partitions);
  }

  async digest(upstream: Upstream): Promise<string> {
    this.#standAt(upstream);
    return this.#index.digest(await this.#options.partitions());
  }

  async digestAside(upstream: Upstream): Promise<string> {
    // An index of its own: the one that serves must neither be read here nor moved to another generation.
    const source = new ViewSource();
    source.upstream = upstream;
    return new TextIndex(source, null).digest(await this.#options.partitions());
  }

  /** Builds what is missing and keeps it on disk, so that the next process answers at once. */
  async settle(upstream: Upstream): Promise<void> {
    this.#standAt(upstream);
    await this.#index.refresh(await this.#options.partitions());
    await this.#index.save();
  }

  /** Brings every snapshot on disk to where the view stands, and removes those of projects that are no more. */
  async scrub(upstream: Upstream): Promise<void> {
    await this.settle(upstream);
    await this.#index.prune(await this.#options.partitions());
  }

  async close(): Promise<void> {
    await this.#index.save();
  }

  #standAt(upstream: Upstream): void {
    this.#source.upstream = upstream;
    this.#place = upstream.place;
    this.#position = upstream.position;
  }
}
