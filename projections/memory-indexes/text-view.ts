// The `text` view as the runner knows it. Its partitions are the resolved projects; they are built when first
// asked, so at rest it only notes how far its upstream has come.

import type { FeedPosition } from '../engine/contract/checkpoint.ts';
import type { IndexView, Upstream } from '../engine/index-view.ts';
import type { DocumentSource, MemoryBudget, ProjectIndex, SnapshotFiles } from '../project-indexes/index.ts';
import { TextIndex } from '../text/text-index.ts';
import { RECIPE_VERSION } from '../text/text-recipe.ts';
import { ViewSource } from './view-source.ts';

export interface TextViewOptions {
  /** Where snapshots are kept; null for none. */
  readonly files: SnapshotFiles | null;
  /** What all indexes together may keep in memory. */
  readonly budget?: MemoryBudget;
  /** Every project that has documents, as it is resolved now. */
  projectIndexes(): Promise<readonly ProjectIndex[]>;
}

export class TextView implements IndexView {
  readonly name = 'text';
  readonly version = RECIPE_VERSION;
  readonly follows = 'memory';
  readonly #options: TextViewOptions;
  readonly #source = new ViewSource();
  readonly #index: TextIndex;
  #feedPosition: FeedPosition | null = null;
  #position = 0;

  constructor(options: TextViewOptions) {
    this.#options = options;
    this.#index = new TextIndex(this.#source, options.files, options.budget);
  }

  feedPosition(): FeedPosition | null {
    return this.#feedPosition;
  }

  position(): number {
    return this.#position;
  }

  async catchUp(upstream: Upstream): Promise<void> {
    const before = this.#feedPosition;
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
    const projectIndexes = await this.#options.projectIndexes();
    await this.#index.rebuild(projectIndexes);
    await this.#index.prune(projectIndexes);
  }

  async digest(upstream: Upstream): Promise<string> {
    this.#standAt(upstream);
    return this.#index.digest(await this.#options.projectIndexes());
  }

  async digestRebuilt(upstream: Upstream): Promise<string> {
    // An index of its own: the one that serves must neither be read here nor moved to another generation.
    const source = new ViewSource();
    source.upstream = upstream;
    return new TextIndex(source, null).digest(await this.#options.projectIndexes());
  }

  /** Builds what is missing and keeps it on disk, so that the next process answers at once. */
  async settle(upstream: Upstream): Promise<void> {
    this.#standAt(upstream);
    await this.#index.refresh(await this.#options.projectIndexes());
    await this.#index.save();
  }

  /** Brings every snapshot on disk to where the view stands, and removes those of projects that are no more. */
  async scrub(upstream: Upstream): Promise<void> {
    await this.settle(upstream);
    await this.#index.prune(await this.#options.projectIndexes());
  }

  async close(): Promise<void> {
    await this.#index.save();
  }

  #standAt(upstream: Upstream): void {
    this.#source.upstream = upstream;
    this.#feedPosition = upstream.feedPosition;
    this.#position = upstream.position;
  }
}
