// What the `text` and `vectors` views share: both follow `memory`, have one index per resolved project, load a project at
// its first query and then follow the change feed. Without queries they only record the position of their upstream.
import type { FeedPosition } from '../engine/contract/checkpoint.ts';
import type { IndexView, Upstream } from '../engine/index-view.ts';
import { keyParts } from '../engine/store/row-keys.ts';
import type { MemoryBudget, ProjectIndex, ProjectIndexSet, SnapshotFiles } from '../project-indexes/index.ts';
import { ViewSource } from './view-source.ts';

export interface MemoryIndexOptions {
  /** Storage for snapshots; null for none. */
  readonly files: SnapshotFiles | null;
  /** Memory limit of all indexes together. */
  readonly budget?: MemoryBudget;
  /** Every project with documents, as currently resolved. */
  projectIndexes(): Promise<readonly ProjectIndex[]>;
}

/** An index of projects, as far as it needs no query. */
type Projects = ProjectIndexSet<unknown> & {
  digest(projectIndexes: readonly ProjectIndex[]): Promise<string>;
};

/** The digest of an index without an embedder. */
const NO_INDEX = 'no embedder';
/** A snapshot on disk may be so many changed rows behind: a query catches up. */
const ROWS_BEHIND_MAX = 1_000;

export abstract class MemoryIndex<Index extends Projects> implements IndexView {
  abstract readonly name: string;
  abstract readonly version: number;
  readonly follows = 'memory';
  /** Of the index in use. */
  protected source = new ViewSource();
  /** The index in use; undefined before its first use, null if there can be none. */
  protected index: Index | null | undefined;
  readonly #options: MemoryIndexOptions;
  #feedPosition: FeedPosition | null = null;
  #position = 0;
  /** Where this process last saved the index of a project that was not in memory. */
  readonly #savedAt = new Map<string, FeedPosition>();

  constructor(options: MemoryIndexOptions) {
    this.#options = options;
  }

  /** Opens the index in use, or returns it. */
  protected abstract open(): Index | null;

  /** A separate index, which does not read the one in use. Null if there can be none. */
  protected abstract separate(upstream: Upstream, files: SnapshotFiles | null): Index | null;

  reads(rowKey: string): boolean {
    const [kind] = keyParts(rowKey);
    return kind === 'document' || kind === 'vector';
  }

  feedPosition(): FeedPosition | null {
    return this.#feedPosition;
  }

  position(): number {
    return this.#position;
  }

  async catchUp(upstream: Upstream, limit: number): Promise<boolean> {
    if (this.index != null) {
      this.#follow(upstream, false);
      if (!(await this.index.catchUp(limit))) return false;
    }
    this.#arriveAt(upstream);
    return true;
  }

  /**
   * The index for a query. Use it only during that query.
   * @param isFrozen takes it as it is: it may lack the newest changes of the upstream
   */
  protected opened(upstream: Upstream, isFrozen = false): Index | null {
    const index = this.open();
    this.#follow(upstream, isFrozen);
    if (this.#feedPosition === null) this.#arriveAt(upstream);
    return index;
  }

  /** Loads these projects from their snapshots. Returns those that must be built, because there is none that can be used. */
  async unbuilt<P extends ProjectIndex>(upstream: Upstream, projects: readonly P[]): Promise<readonly P[]> {
    return (await this.opened(upstream)?.load(projects)) ?? [];
  }

  /** Releases what is in memory without saving it. */
  drop(): void {
    this.index?.release();
    this.index = undefined;
    this.#feedPosition = null;
  }

  async rebuild(upstream: Upstream): Promise<void> {
    const index = this.opened(upstream);
    this.#arriveAt(upstream);
    const projectIndexes = await this.#options.projectIndexes();
    await index?.rebuild(projectIndexes);
    await index?.prune(projectIndexes);
  }

  async digest(upstream: Upstream): Promise<string> {
    const index = this.opened(upstream);
    return index === null ? NO_INDEX : index.digest(await this.#options.projectIndexes());
  }

  async digestRebuilt(upstream: Upstream): Promise<string> {
    const index = this.separate(upstream, null);
    return index === null ? NO_INDEX : index.digest(await this.#options.projectIndexes());
  }

  /** Builds what is missing for these projects (default: all) and saves it, so that the next process answers at once. */
  async settle(upstream: Upstream, projectIndexes?: readonly ProjectIndex[]): Promise<void> {
    const index = this.opened(upstream);
    await index?.refresh(projectIndexes ?? (await this.#options.projectIndexes()));
    await index?.save();
  }

  /** Saves the index of a project that is not in memory, unless this process saved it not long ago. */
  async store(upstream: Upstream, project: ProjectIndex): Promise<void> {
    const index = this.opened(upstream);
    if (index === null || index.isLoaded(project)) return;
    const { generation, seq } = upstream.feedPosition;
    const name = [project.id, ...[...project.workdirs].sort()].join('\n');
    const saved = this.#savedAt.get(name);
    if (saved?.generation === generation && seq - saved.seq <= ROWS_BEHIND_MAX) return;
    const built = this.separate(upstream, this.#options.files)!;
    await built.refresh([project]);
    await built.save();
    this.#savedAt.set(name, upstream.feedPosition);
  }

  /** Brings every snapshot on disk up to date and removes those of projects that no longer exist. */
  async scrub(upstream: Upstream): Promise<void> {
    const index = this.opened(upstream);
    await index?.scrub(await this.#options.projectIndexes());
  }

  async close(): Promise<void> {
    await this.index?.save();
  }

  protected get options(): MemoryIndexOptions {
    return this.#options;
  }

  #follow(upstream: Upstream, isFrozen: boolean): void {
    this.source.upstream = upstream;
    this.source.isFrozen = isFrozen;
  }

  #arriveAt({ feedPosition, position }: Upstream): void {
    this.#feedPosition = feedPosition;
    this.#position = position;
  }
}
