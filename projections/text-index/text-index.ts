// The `text` view: one index per project, loaded when first asked, searched together. Its rows are MiniSearch's,
// its anchor is {generation, seq} of the view it follows; it needs no runner, because it catches up whenever it
// is asked. Calls run one after the other, so that a search never sees half of a change.
import { createHash } from 'node:crypto';
import { textDigest } from './digest.ts';
import { TextPartition } from './partition.ts';
import { byScoreThenId, type Frequencies, type Hit, type SearchedIndex } from './partition-index.ts';
import { FIELD_NAMES } from './recipe.ts';
import { snapshotName } from './snapshot.ts';
import type { DocumentChange, DocumentSource, Partition, SnapshotFiles, SourceAnchor } from './source.ts';
import { termsOf } from './terms.ts';

export interface TextHit extends Hit {
  /** The id of the partition it was found in. */
  readonly partition: string;
}

export interface TextAnswer {
  /** All of them, best first, ties by id. */
  readonly hits: readonly TextHit[];
  readonly terms: readonly string[];
  /** Of each term: how often it stands in the documents that hold it, by id. Widened terms have none. */
  readonly occurrences: ReadonlyMap<string, readonly ReadonlyMap<string, number>[]>;
  readonly degraded: readonly string[];
}

export class TextIndex {
  readonly #source: DocumentSource;
  readonly #files: SnapshotFiles | null;
  readonly #loaded = new Map<string, TextPartition>();
  #last: Promise<unknown> = Promise.resolve();

  /** Without files nothing is kept between processes. */
  constructor(source: DocumentSource, files: SnapshotFiles | null) {
    this.#source = source;
    this.#files = files;
  }

  /**
   * Documents of these projects that hold a term of the query, by BM25 as if all of them were one collection.
   * A term that none of them holds is widened to similar ones.
   */
  search(partitions: readonly Partition[], query: string): Promise<TextAnswer> {
    return this.#inTurn(async () => {
      const terms = [...new Set(termsOf(query))];
      const { loaded, degraded } = await this.#refresh(partitions);
      const absent = terms.filter((term) => !loaded.some((one) => one.holds(term)));
      const indexes = loaded.map((one) => ({
        id: one.partition.id,
        index: one.covering(terms, absent),
      }));
      const all = frequencies(indexes.map(({ index }) => index));
      const hits = indexes.flatMap(({ id, index }) =>
        index.hits(terms, all).map((hit) => ({ id: hit.id, score: hit.score, partition: id })),
      );
      const occurrences = new Map(
        terms.map((term) => [term, indexes.map(({ index }) => index.occurrences(term))]),
      );
      return { hits: hits.sort(byScoreThenId), terms, occurrences, degraded };
    });
  }

  /** Takes in changes for the projects that are loaded; the others catch up when they are asked. */
  apply(changes: readonly DocumentChange[]): Promise<readonly string[]> {
    return this.#inTurn(async () => {
      const problems: string[] = [];
      for (const partition of this.#loaded.values()) problems.push(...(await partition.apply(changes)));
      return problems;
    });
  }

  /** Loads these projects, or catches them up, without a search: after an import, before a `save`. */
  refresh(partitions: readonly Partition[]): Promise<readonly string[]> {
    return this.#inTurn(async () => (await this.#refresh(partitions)).degraded);
  }

  /** Writes the snapshots that are not up to date. To be called when idle: it takes about as long as building. */
  save(): Promise<void> {
    return this.#inTurn(async () => {
      for (const partition of this.#loaded.values()) await partition.save();
    });
  }

  /** Indexes these projects again from their documents, in place of what was loaded or on disk, and saves them. */
  rebuild(partitions: readonly Partition[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const partition of partitions) {
        const one = this.#partition(partition);
        await one.rebuild();
        await one.save();
      }
    });
  }

  /** Removes the snapshots of projects that are not among these: of merged, renamed and forgotten ones. */
  prune(partitions: readonly Partition[]): Promise<void> {
    return this.#inTurn(async () => {
      const known = new Set(partitions.map(snapshotName));
      for (const name of (await this.#files?.names()) ?? [])
        if (!known.has(name)) await this.#files?.remove(name);
    });
  }

  /** What the index holds and answers, as sha-256: that of an index without files and never asked before, or it is damaged. */
  digest(partitions: readonly Partition[]): Promise<string> {
    return this.#inTurn(async () => {
      const { loaded } = await this.#refresh(partitions);
      const hash = createHash('sha256');
      loaded.sort((a, b) => (a.partition.id < b.partition.id ? -1 : 1));
      for (const one of loaded) {
        const documents = [];
        for await (const document of (await this.#source.documents(one.partition)).documents)
          documents.push(document);
        if (documents.length === 0 && one.whole().documentCount === 0) continue;
        hash.update(`${one.partition.id} ${textDigest(one.whole(), documents)}\n`);
      }
      return hash.digest('hex');
    });
  }

  /** Forgets a project that was merged, renamed or is idle; what was not saved is indexed again when needed. */
  drop(partitionId: string): void {
    this.#loaded.delete(partitionId);
  }

  async #refresh(partitions: readonly Partition[]): Promise<{ loaded: TextPartition[]; degraded: string[] }> {
    const loaded: TextPartition[] = [];
    const degraded = new Set<string>();
    const changesAfter = readOnce(this.#source);
    for (const partition of partitions) {
      const one = this.#partition(partition);
      for (const problem of await one.refresh(changesAfter)) degraded.add(problem);
      loaded.push(one);
    }
    return { loaded, degraded: [...degraded] };
  }

  #partition(partition: Partition): TextPartition {
    const known = this.#loaded.get(partition.id);
    if (known && samePlaces(known.partition, partition)) return known;
    const fresh = new TextPartition(partition, this.#source, this.#files);
    this.#loaded.set(partition.id, fresh);
    return fresh;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function frequencies(indexes: readonly SearchedIndex[]): Frequencies {
  const counts = new Map<string, number>();
  const documents = indexes.reduce((sum, index) => sum + index.documentCount, 0);
  return {
    documents,
    averages: FIELD_NAMES.map((_, field) => {
      const lengths = indexes.map(({ averages, documentCount }) => (averages[field] ?? 0) * documentCount);
      return documents === 0 ? 0 : lengths.reduce((sum, length) => sum + length, 0) / documents;
    }),
    count(term, field) {
      const key = `${field} ${term}`;
      const known = counts.get(key);
      if (known !== undefined) return known;
      const count = indexes.reduce((sum, index) => sum + index.frequency(term, field), 0);
      counts.set(key, count);
      return count;
    },
  };
}

/** Reads the change feed once for all projects that stand at the same place or later. */
export function readOnce(source: DocumentSource): DocumentSource['changes'] {
  const known: { readonly after: SourceAnchor; readonly changes: readonly DocumentChange[] }[] = [];
  return async (anchor) => {
    const { generation, seq } = anchor;
    const wider = known.find(({ after }) => after.generation === generation && after.seq <= seq);
    if (wider) return wider.changes;
    const changes = await source.changes(anchor);
    if (changes !== null) known.push({ after: anchor, changes });
    return changes;
  };
}

export function samePlaces(a: Partition, b: Partition): boolean {
  return [...a.places].sort().join('\n') === [...b.places].sort().join('\n');
}
