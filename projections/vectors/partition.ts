// One project's vectors while they are in use: a snapshot, brought up to date by the change feed. A row depends on
// nothing but its document, so whatever goes wrong, the documents are embedded again and the result is the same.
import type { MemoryDocument } from '../memory/document.ts';
import type {
  DocumentChange,
  DocumentSource,
  Partition,
  SnapshotFiles,
  SourceAnchor,
} from '../text-index/source.ts';
import { type Columns, changed, emptyColumns, type VectorRow } from './columns.ts';
import type { Embedder } from './embedder.ts';
import { vectorRecipe, vectorsOf } from './recipe.ts';
import { readVectors, vectorFileName, writeVectors } from './snapshot.ts';

/** Documents embedded at a time. */
const BATCH = 256;

export class VectorPartition {
  readonly partition: Partition;
  readonly #source: DocumentSource;
  readonly #embedder: Embedder;
  readonly #files: SnapshotFiles | null;
  readonly #places: ReadonlySet<string>;
  #state: { readonly anchor: SourceAnchor; readonly columns: Columns } | null = null;
  #savedAt: SourceAnchor | null = null;

  constructor(partition: Partition, source: DocumentSource, embedder: Embedder, files: SnapshotFiles | null) {
    this.partition = partition;
    this.#source = source;
    this.#embedder = embedder;
    this.#files = files;
    this.#places = new Set(partition.places);
  }

  /** Brings the vectors to where the source stands. Returns what went wrong on the way, one sentence each. */
  async refresh(changesAfter: DocumentSource['changes']): Promise<string[]> {
    const problems: string[] = [];
    if (this.#state === null) problems.push(...(await this.#load()));
    const changes = this.#state && (await changesAfter(this.#state.anchor));
    if (changes === null) await this.rebuild();
    else await this.apply(changes);
    return problems;
  }

  /** Takes in changes, of which some may be of other projects or already known. */
  async apply(changes: readonly DocumentChange[]): Promise<void> {
    if (this.#state === null) return;
    const { anchor, columns } = this.#state;
    const fresh = changes.filter(({ seq }) => seq > anchor.seq);
    if (fresh.length === 0) return;
    const last = new Map<string, MemoryDocument | null>();
    for (const { before, after } of fresh) {
      if (this.#holds(before)) last.set(before.id, null);
      if (this.#holds(after)) last.set(after.id, after);
    }
    const there = [...last.values()].filter((document) => document !== null);
    const after = { generation: anchor.generation, seq: fresh.at(-1)!.seq };
    if (last.size === 0) this.#state = { anchor: after, columns };
    else {
      const rows = await this.#rows(there);
      this.#state = { anchor: after, columns: changed(columns, new Set(last.keys()), rows) };
    }
  }

  /** Only after `refresh`. */
  columns(): Columns {
    if (this.#state === null) throw new Error('A vector partition was read before it was refreshed.');
    return this.#state.columns;
  }

  /** Writes a snapshot when there is something newer than the last one. */
  async save(): Promise<void> {
    const state = this.#state;
    if (this.#files === null || state === null || sameAnchor(this.#savedAt, state.anchor)) return;
    const recipe = vectorRecipe(this.#embedder);
    const content = writeVectors(this.partition, recipe, state.anchor, state.columns);
    await this.#files.write(vectorFileName(this.partition), content);
    this.#savedAt = state.anchor;
  }

  /** Embeds all documents again, whatever there was. */
  async rebuild(): Promise<void> {
    const { anchor, documents } = await this.#source.documents(this.partition);
    const rows: VectorRow[] = [];
    let batch: MemoryDocument[] = [];
    for await (const document of documents) {
      batch.push(document);
      if (batch.length < BATCH) continue;
      rows.push(...(await this.#rows(batch)));
      batch = [];
    }
    rows.push(...(await this.#rows(batch)));
    this.#state = { anchor, columns: changed(emptyColumns(this.#embedder.dim), new Set(), rows) };
    this.#savedAt = null;
  }

  async #load(): Promise<string[]> {
    const found = await this.#read();
    if (found === null || found.outcome === 'outdated') return [];
    if (found.outcome === 'damaged')
      return ['A vector index on disk was damaged; it was built again from the documents.'];
    this.#state = { anchor: found.anchor, columns: found.columns };
    this.#savedAt = found.anchor;
    return [];
  }

  async #read(): Promise<ReturnType<typeof readVectors> | null> {
    try {
      const file = await this.#files?.read(vectorFileName(this.partition));
      return file == null ? null : readVectors(this.partition, vectorRecipe(this.#embedder), file);
    } catch {
      return { outcome: 'damaged' };
    }
  }

  async #rows(documents: readonly MemoryDocument[]): Promise<VectorRow[]> {
    const vectors = await vectorsOf(documents, this.#embedder);
    return documents.map((document, index) => ({ document, vector: vectors[index]! }));
  }

  #holds(document: MemoryDocument | null): document is MemoryDocument {
    return document !== null && this.#places.has(document.place);
  }
}

function sameAnchor(a: SourceAnchor | null, b: SourceAnchor): boolean {
  return a !== null && a.generation === b.generation && a.seq === b.seq;
}
