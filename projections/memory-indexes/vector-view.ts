// The `vectors` view for the runner. It follows `memory` like `text`, with the same projects. The embedder is requested
// at first use; without one the view is empty, and search reports that.
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
  /** Storage for snapshots; null for none. */
  readonly files: SnapshotFiles | null;
  /** Memory limit of all indexes together. */
  readonly budget?: MemoryBudget;
  /** Graph search for very large projects; without it every search scans. */
  readonly graphs?: GraphOptions;
  /** Called at each use, because another recipe needs another index. Null when there is no embedder. */
  embedder(): Embedder | null;
  /** Every project with documents, as currently resolved. */
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
    this.#follow(upstream);
    // Before the first search nothing is loaded; snapshots catch up when they are.
    if (before === null || this.#index == null) return;
    const changes = await this.#source.changes(before);
    if (changes !== null) await this.#index.apply(changes, before);
  }

  /** The index, null without an embedder. Use it only while the upstream does not change. */
  at(upstream: Upstream): Pick<VectorIndex, 'search'> | null {
    this.#follow(upstream);
    return this.#opened();
  }

  async rebuild(upstream: Upstream): Promise<void> {
    this.#follow(upstream);
    const index = this.#opened();
    if (index === null) return;
    const projectIndexes = await this.#options.projectIndexes();
    await index.rebuild(projectIndexes);
    await index.prune(projectIndexes);
  }

  async digest(upstream: Upstream): Promise<string> {
    this.#follow(upstream);
    return this.#opened()?.digest(await this.#options.projectIndexes()) ?? WITHOUT_EMBEDDER;
  }

  async digestRebuilt(upstream: Upstream): Promise<string> {
    const embedder = this.#options.embedder();
    if (embedder === null) return WITHOUT_EMBEDDER;
    // Use a separate index: this must not read the serving one or move it to another generation.
    const source = sourceFor(embedder);
    source.upstream = upstream;
    return new VectorIndex(source, embedder, null).digest(await this.#options.projectIndexes());
  }

  /**
   * The projects among these without vectors and with too many documents to embed during a search (`documentsMax` over
   * all of them together). Always empty without files, because then only a search ever embeds.
   */
  async waiting<P extends ProjectIndex>(
    upstream: Upstream,
    projectIndexes: readonly P[],
    documentsMax: number,
  ): Promise<readonly P[]> {
    this.#follow(upstream);
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

  /** Builds what is missing for these projects (default: all) and saves it, so that the next process answers at once. */
  async settle(upstream: Upstream, projectIndexes?: readonly ProjectIndex[]): Promise<void> {
    this.#follow(upstream);
    const index = this.#opened();
    if (index === null) return;
    await index.refresh(projectIndexes ?? (await this.#options.projectIndexes()));
    await index.save();
  }

  /**
   * Brings every snapshot on disk up to date and removes graphs and the snapshots of projects that no longer exist.
   * Without an embedder nothing can be brought up to date, so all of them are removed.
   */
  async scrub(upstream: Upstream): Promise<void> {
    this.#follow(upstream);
    const index = this.#opened();
    const { files } = this.#options;
    if (index === null) for (const name of (await files?.names()) ?? []) await files?.remove(name);
    const projectIndexes = await this.#options.projectIndexes();
    await index?.dropGraphs(projectIndexes);
    await index?.scrub(projectIndexes);
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

  #follow(upstream: Upstream): void {
    this.#source.upstream = upstream;
    this.#feedPosition = upstream.feedPosition;
    this.#position = upstream.position;
  }
}

/** The number of documents of a project, counted up to `most`. */
async function documentsAtMost(
  most: number,
  { workdirs }: ProjectIndex,
  { rows }: Upstream,
): Promise<number> {
  let found = 0;
  for (const workdir of workdirs) {
    found += (await rows.range(memoryKeys.allAt(workdir), { limit: most - found })).length;
    if (found === most) break;
  }
  return found;
}

function sourceFor(embedder: Embedder): ViewSource {
  return embedder.usesStoredVectors === true ? new ModelVectorSource(embedder.recipe) : new ViewSource();
}
