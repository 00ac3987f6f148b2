// The `text` view for the runner, with one index per resolved project. Indexes are built at the first search, so without
// searches the view only records the position of its upstream.

import type { FeedPosition } from '../engine/contract/checkpoint.ts';
import type { IndexView, Upstream } from '../engine/index-view.ts';
import type { DocumentSource, MemoryBudget, ProjectIndex, SnapshotFiles } from '../project-indexes/index.ts';
import { TextIndex } from '../text/text-index.ts';
import { RECIPE_VERSION } from '../text/text-recipe.ts';
import { ViewSource } from './view-source.ts';

export interface TextViewOptions {
  /** Storage for snapshots; null for none. */
  readonly files: SnapshotFiles | null;
  /** Memory limit of all indexes together. */
  readonly budget?: MemoryBudget;
  /** Every project with documents, as currently resolved. */
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
    this.#follow(upstream);
    if (before === null) return;
    const changes = await this.#source.changes(before);
    if (changes !== null) await this.#index.apply(changes, before);
  }

  /** The index and its documents. Use them only while the upstream does not change. */
  at(upstream: Upstream): { index: Pick<TextIndex, 'search'>; documents: Pick<DocumentSource, 'getMany'> } {
    this.#follow(upstream);
    return { index: this.#index, documents: this.#source };
  }

  async rebuild(upstream: Upstream): Promise<void> {
    this.#follow(upstream);
    const projectIndexes = await this.#options.projectIndexes();
    await this.#index.rebuild(projectIndexes);
    await this.#index.prune(projectIndexes);
  }

  async digest(upstream: Upstream): Promise<string> {
    this.#follow(upstream);
    return this.#index.digest(await this.#options.projectIndexes());
  }

  async digestRebuilt(upstream: Upstream): Promise<string> {
    // Use a separate index: this must not read the serving one or move it to another generation.
    const source = new ViewSource();
    source.upstream = upstream;
    return new TextIndex(source, null).digest(await this.#options.projectIndexes());
  }

  /** Builds what is missing and saves it, so that the next process answers at once. */
  async settle(upstream: Upstream): Promise<void> {
    this.#follow(upstream);
    await this.#index.refresh(await this.#options.projectIndexes());
    await this.#index.save();
  }

  /** Brings every snapshot on disk up to date and removes those of projects that no longer exist. */
  async scrub(upstream: Upstream): Promise<void> {
    this.#follow(upstream);
    await this.#index.scrub(await this.#options.projectIndexes());
  }

  async close(): Promise<void> {
    await this.#index.save();
  }

  #follow(upstream: Upstream): void {
    this.#source.upstream = upstream;
    this.#feedPosition = upstream.feedPosition;
    this.#position = upstream.position;
  }
}
