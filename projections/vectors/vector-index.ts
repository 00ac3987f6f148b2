// The `vectors` view's partitions: loaded when first asked, searched by an exact scan. Calls run one after the
// other, so that a search never sees half of a change.
import { createHash } from 'node:crypto';
import type { DocumentChange, DocumentSource, Partition, SnapshotFiles } from '../text-index/source.ts';
import { readOnce, samePlaces } from '../text-index/text-index.ts';
import { type Columns, cosines } from './columns.ts';
import type { Embedder } from './embedder.ts';
import { VectorPartition } from './partition.ts';
import { vectorRecipe } from './recipe.ts';
import { vectorFileName, writeVectors } from './snapshot.ts';

/** One searched project: what is known of its documents, and how near each is to the query. */
export interface SearchedVectors {
  readonly partition: string;
  readonly columns: Columns;
  /** Of each row; all 0 for a query without known words. */
  readonly cosines: Float32Array;
}

export interface VectorAnswer {
  readonly searched: readonly SearchedVectors[];
  readonly degraded: readonly string[];
}

export class VectorIndex {
  readonly #source: DocumentSource;
  readonly #embedder: Embedder;
  readonly #files: SnapshotFiles | null;
  readonly #loaded = new Map<string, VectorPartition>();
  #last: Promise<unknown> = Promise.resolve();

  /** Without files nothing is kept between processes. */
  constructor(source: DocumentSource, embedder: Embedder, files: SnapshotFiles | null) {
    this.#source = source;
    this.#embedder = embedder;
    this.#files = files;
  }

  /**
   * All documents of these projects with their cosine to a text.
   * @param textOf the text to embed, once the projects' own names are known
   */
  search(
    partitions: readonly Partition[],
    textOf: (agents: ReadonlySet<string>) => string,
  ): Promise<VectorAnswer> {
    return this.#inTurn(async () => {
      const { loaded, degraded } = await this.#refresh(partitions);
      const agents = new Set(loaded.flatMap((one) => [...new Set(one.columns().agents)]));
      const [query] = await this.#embedder.embed([textOf(agents)]);
      const searched = loaded.map((one) => ({
        partition: one.partition.id,
        columns: one.columns(),
        cosines: cosines(one.columns(), query!),
      }));
      return { searched, degraded };
    });
  }

  /** Takes in changes for the projects that are loaded; the others catch up when they are asked. */
  apply(changes: readonly DocumentChange[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const partition of this.#loaded.values()) await partition.apply(changes);
    });
  }

  /** Loads these projects, or catches them up, without a search. */
  refresh(partitions: readonly Partition[]): Promise<readonly string[]> {
    return this.#inTurn(async () => (await this.#refresh(partitions)).degraded);
  }

  /** Writes the snapshots that are not up to date. */
  save(): Promise<void> {
    return this.#inTurn(async () => {
      for (const partition of this.#loaded.values()) await partition.save();
    });
  }

  /** Embeds the documents of these projects again, in place of what was loaded or on disk, and saves them. */
  rebuild(partitions: readonly Partition[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const partition of partitions) {
        const one = this.#partition(partition);
        await one.rebuild();
        await one.save();
      }
    });
  }

  /** Removes the files of projects that are not among these. */
  prune(partitions: readonly Partition[]): Promise<void> {
    return this.#inTurn(async () => {
      const known = new Set(partitions.map(vectorFileName));
      for (const name of (await this.#files?.names()) ?? [])
        if (!known.has(name)) await this.#files?.remove(name);
    });
  }

  /** Every document with its recipe and its bytes, as sha-256. */
  digest(partitions: readonly Partition[]): Promise<string> {
    return this.#inTurn(async () => {
      const { loaded } = await this.#refresh(partitions);
      const hash = createHash('sha256');
      const nowhere = { generation: '', seq: 0 };
      loaded.sort((a, b) => (a.partition.id < b.partition.id ? -1 : 1));
      for (const one of loaded)
        if (one.columns().ids.length > 0)
          hash.update(writeVectors(one.partition, vectorRecipe(this.#embedder), nowhere, one.columns()));
      return hash.digest('hex');
    });
  }

  async #refresh(
    partitions: readonly Partition[],
  ): Promise<{ loaded: VectorPartition[]; degraded: string[] }> {
    const loaded: VectorPartition[] = [];
    const degraded = new Set<string>();
    const changesAfter = readOnce(this.#source);
    for (const partition of partitions) {
      const one = this.#partition(partition);
      for (const problem of await one.refresh(changesAfter)) degraded.add(problem);
      loaded.push(one);
    }
    return { loaded, degraded: [...degraded] };
  }

  #partition(partition: Partition): VectorPartition {
    const known = this.#loaded.get(partition.id);
    if (known && samePlaces(known.partition, partition)) return known;
    const fresh = new VectorPartition(partition, this.#source, this.#embedder, this.#files);
    this.#loaded.set(partition.id, fresh);
    return fresh;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
