// The `vectors` view: one vector index per resolved project. The embedder is requested at first use; without one the view
// is empty, and search reports that.
import type { Upstream } from '../engine/index-view.ts';
import { memoryKeys, type WorkdirCounts } from '../memory/memory-projector.ts';
import { type ProjectIndex, type SnapshotFiles, snapshotName } from '../project-indexes/index.ts';
import type { Embedder } from '../vectors/embedder.ts';
import type { GraphOptions } from '../vectors/vector-graphs.ts';
import { VectorIndex } from '../vectors/vector-index.ts';
import { VECTOR_RECIPE_VERSION } from '../vectors/vector-recipe.ts';
import { MemoryIndex, type MemoryIndexOptions } from './memory-index.ts';
import { ModelVectorSource } from './model-vector-source.ts';
import { ViewSource } from './view-source.ts';

export interface VectorViewOptions extends MemoryIndexOptions {
  /** Graph search for very large projects; without it every search scans. */
  readonly graphs?: GraphOptions;
  /** Called at each use, because another recipe needs another index. Null when there is no embedder. */
  embedder(): Embedder | null;
}

export class VectorView extends MemoryIndex<VectorIndex> {
  readonly name = 'vectors';
  readonly version = VECTOR_RECIPE_VERSION;
  readonly #options: VectorViewOptions;
  #recipe: string | null = null;

  constructor(options: VectorViewOptions) {
    super(options);
    this.#options = options;
  }

  /** The index for one query, null without an embedder. */
  at(upstream: Upstream, isFrozen = false): Pick<VectorIndex, 'search'> | null {
    return this.opened(upstream, isFrozen);
  }

  /**
   * The projects among these without a snapshot that can be used and with too many documents to embed during a search
   * (`documentsMax` over all of them together). Always empty without files, because then only a search ever embeds. Call it
   * after `at`.
   */
  async waiting<P extends ProjectIndex>(
    upstream: Upstream,
    projectIndexes: readonly P[],
    documentsMax: number,
  ): Promise<readonly P[]> {
    const { files } = this.#options;
    if (files === null) return [];
    const unloaded = projectIndexes.filter((projectIndex) => this.index?.isLoaded(projectIndex) !== true);
    const waiting: P[] = [];
    let room = documentsMax;
    for (const projectIndex of (await this.index?.load(unloaded)) ?? unloaded) {
      const documents = await documentsOf(projectIndex, upstream);
      if (documents > room) waiting.push(projectIndex);
      else room -= documents;
    }
    return waiting;
  }

  /** Without those that have no snapshot: see `waiting`. */
  override async unbuilt<P extends ProjectIndex>(
    upstream: Upstream,
    projects: readonly P[],
  ): Promise<readonly P[]> {
    const made = new Set(await this.#options.files?.names());
    const stored = projects.filter((project) => made.has(snapshotName({ name: 'vectors' }, project)));
    return super.unbuilt(upstream, stored);
  }

  /** Removes graphs too. Without an embedder nothing can be brought up to date, so all files are removed. */
  override async scrub(upstream: Upstream): Promise<void> {
    const index = this.opened(upstream);
    const { files } = this.#options;
    if (index === null) for (const name of (await files?.names()) ?? []) await files?.remove(name);
    await index?.dropGraphs(await this.#options.projectIndexes());
    await super.scrub(upstream);
  }

  override async close(): Promise<void> {
    await this.index?.close();
  }

  protected override open(): VectorIndex | null {
    const embedder = this.#options.embedder();
    const recipe = embedder?.recipe ?? null;
    if (this.index !== undefined && recipe === this.#recipe) return this.index;
    this.#recipe = recipe;
    this.index?.release();
    const { files, budget, graphs } = this.#options;
    if (embedder !== null) this.source = sourceFor(embedder);
    this.index = embedder && new VectorIndex(this.source, embedder, files, budget, graphs);
    return this.index;
  }

  protected override separate(upstream: Upstream, files: SnapshotFiles | null): VectorIndex | null {
    const embedder = this.#options.embedder();
    if (embedder === null) return null;
    const source = sourceFor(embedder);
    source.upstream = upstream;
    return new VectorIndex(source, embedder, files);
  }
}

/** The number of documents of a project. */
async function documentsOf({ workdirs }: ProjectIndex, { rows }: Upstream): Promise<number> {
  let found = 0;
  for (const counts of await rows.getMany<WorkdirCounts>(workdirs.map(memoryKeys.workdir)))
    for (const count of Object.values(counts ?? {})) found += count;
  return found;
}

function sourceFor(embedder: Embedder): ViewSource {
  return embedder.usesStoredVectors === true ? new ModelVectorSource(embedder.recipe) : new ViewSource();
}
