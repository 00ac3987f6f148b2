// The `vectors` view as the runner knows it: a second follower of `memory`, beside `text`, with the same
// partitions. Its embedder is asked for when it is first needed; without one the view is empty, and search says so.
import type { FeedPosition } from '../engine/contract/checkpoint.ts';
import type { IndexView, Upstream } from '../engine/index-view.ts';
import { memoryKeys } from '../memory/memory-projector.ts';
import {
  type MemoryBudget,
  type ProjectIndex,
  type SnapshotFiles,
  snapshotName,
} from '../project-indexes/index.ts';
import type { Embedder } from '../vectors/embedder.ts';
import type { GraphOptions } from '../vectors/vector-graphs.ts';
import { VectorIndex } from '../vectors/vector-index.ts';
import { VECTOR_RECIPE_VERSION } from '../vectors/vector-recipe.ts';
import { ModelVectorSource } from './model-vector-source.ts';
import { ViewSource } from './view-source.ts';

export interface VectorViewOptions {
  /** Where snapshots are kept; null for none. */
  readonly files: SnapshotFiles | null;
  /** What all indexes together may keep in memory. */
  readonly budget?: MemoryBudget;
  /** How very large projects are searched; left out for the scan alone. */
  readonly graphs?: GraphOptions;
  /** Called at each use: another recipe is another index. Null where there is no embedder. */
  embedder(): Embedder | null;
  /** Every project that has documents, as it is resolved now. */
  projectIndexes(): Promise<readonly ProjectIndex[]>;
}

const WITHOUT_EMBEDDER = 'no embedder';

export class VectorView implements IndexView {
  readonly name = 'vectors';
  readonly version = VECTOR_RECIPE_VERSION;
  readonly follows = 'memory';
  readonly #options: VectorViewOptions;
  #source = new ViewSource();
  #index: VectorIndex | null | undefined;
  #recipe: string | null = null;
  #feedPosition: FeedPosition | null = null;
  #position = 0;

  constructor(options: VectorViewOptions) {
    this.#options = options;
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
    // Nothing was asked yet: whatever is on disk catches up when it is.
    if (before === null || this.#index == null) return;
    const changes = await this.#source.changes(before);
    if (changes !== null) await this.#index.apply(changes, before);
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
    const projectIndexes = await this.#options.projectIndexes();
    await index.rebuild(projectIndexes);
    await index.prune(projectIndexes);
  }

  async digest(upstream: Upstream): Promise<string> {
    this.#standAt(upstream);
    return this.#opened()?.digest(await this.#options.projectIndexes()) ?? WITHOUT_EMBEDDER;
  }

  async digestRebuilt(upstream: Upstream): Promise<string> {
    const embedder = this.#options.embedder();
    if (embedder === null) return WITHOUT_EMBEDDER;
    // An index of its own: the one that serves must neither be read here nor moved to another generation.
    const source = sourceFor(embedder);
    source.upstream = upstream;
    return new VectorIndex(source, embedder, null).digest(await this.#options.projectIndexes());
  }

  /**
   * Those of these projects that have no vectors yet and more documents than can be embedded while somebody waits:
   * `documentsMax` of all of them together. Without files none waits: nobody but the search would ever make them.
   */
  async waiting<P extends ProjectIndex>(
    upstream: Upstream,
    projectIndexes: readonly P[],
    documentsMax: number,
  ): Promise<readonly P[]> {
    this.#standAt(upstream);
    const index = this.#opened();
    const { files } = this.#options;
    if (files === null) return [];
    const made = new Set(await files.names());
    const waiting: P[] = [];
    let room = documentsMax;
    for (const projectIndex of projectIndexes) {
      if (index?.isLoaded(projectIndex) || made.has(snapshotName({ name: 'vectors' }, projectIndex)))
        continue;
      const documents = await documentsAtMost(room + 1, projectIndex, upstream);
      if (documents > room) waiting.push(projectIndex);
      else room -= documents;
    }
    return waiting;
  }

  /** Builds what is missing of these projects, or of all, and keeps it on disk, so that the next process answers at once. */
  async settle(upstream: Upstream, projectIndexes?: readonly ProjectIndex[]): Promise<void> {
    this.#standAt(upstream);
    const index = this.#opened();
    if (index === null) return;
    await index.refresh(projectIndexes ?? (await this.#options.projectIndexes()));
    await index.save();
  }

  /** Brings every snapshot on disk to where the view stands, and removes those of projects that are no more. */
  async scrub(upstream: Upstream): Promise<void> {
    await this.settle(upstream);
    const projectIndexes = await this.#options.projectIndexes();
    await this.#index?.dropGraphs(projectIndexes);
    await this.#index?.prune(projectIndexes);
  }

  async close(): Promise<void> {
    await this.#index?.close();
  }

  #opened(): VectorIndex | null {
    const embedder = this.#options.embedder();
    const recipe = embedder?.recipe ?? null;
    if (this.#index !== undefined && recipe === this.#recipe) return this.#index;
    const { upstream } = this.#source;
    if (embedder !== null) this.#source = sourceFor(embedder);
    this.#source.upstream = upstream;
    this.#recipe = recipe;
    this.#index?.release();
    const { files, budget, graphs } = this.#options;
    this.#index = embedder && new VectorIndex(this.#source, embedder, files, budget, graphs);
    return this.#index;
  }

  #standAt(upstream: Upstream): void {
    this.#source.upstream = upstream;
    this.#feedPosition = upstream.feedPosition;
    this.#position = upstream.position;
  }
}

/** How many documents a project has, counted no further than `most`. */
async function documentsAtMost(
  most: number,
  { workdirs }: ProjectIndex,
  { rows }: Upstream,
): Promise<number> {
  let found = 0;
  for (const feedPosition of workdirs) {
    found += (await rows.range(memoryKeys.allAt(feedPosition), { limit: most - found })).length;
    if (found === most) break;
  }
  return found;
}

function sourceFor(embedder: Embedder): ViewSource {
  return embedder.usesStoredVectors === true ? new ModelVectorSource(embedder.recipe) : new ViewSource();
}
