// One project's text index while it is in use. It begins as a snapshot of which only the asked-for terms are
// read, and becomes a whole index when a document changed. Whatever goes wrong
// with a snapshot or a change, the way out is the same: the documents are indexed again, and it is said.
import type { MemoryDocument } from '../memory/document.ts';
import { storeFailure } from '../store.ts';
import { nothingIn, PartitionIndex, type SearchedIndex } from './partition-index.ts';
import { parseSnapshot, type Snapshot, snapshotName, writeSnapshot } from './snapshot.ts';
import type { DocumentChange, DocumentSource, Partition, SnapshotFiles, SourceAnchor } from './source.ts';

type State = { readonly anchor: SourceAnchor } & (
  | { readonly snapshot: Snapshot }
  | { readonly index: PartitionIndex }
);

export class TextPartition {
  readonly partition: Partition;
  readonly #source: DocumentSource;
  readonly #files: SnapshotFiles | null;
  readonly #places: ReadonlySet<string>;
  #state: State | null = null;
  #savedAt: SourceAnchor | null = null;

  constructor(partition: Partition, source: DocumentSource, files: SnapshotFiles | null) {
    this.partition = partition;
    this.#source = source;
    this.#files = files;
    this.#places = new Set(partition.places);
  }

  /** Brings the index to where its source stands. Returns what went wrong on the way, one sentence each. */
  async refresh(changesAfter: DocumentSource['changes']): Promise<string[]> {
    const problems: string[] = [];
    if (this.#state === null) problems.push(...(await this.#loadSnapshot()));
    const changes = this.#state && (await changesAfter(this.#state.anchor));
    if (changes === null) await this.rebuild();
    else problems.push(...(await this.apply(changes)));
    return problems;
  }

  /** Takes in changes, of which some may be of other projects or already known. */
  async apply(changes: readonly DocumentChange[]): Promise<string[]> {
    if (this.#state === null) return [];
    const { generation, seq } = this.#state.anchor;
    const fresh = changes.filter((change) => change.seq > seq);
    if (fresh.length === 0) return [];
    const own = fresh.filter(({ before, after }) => this.#holds(before) || this.#holds(after));
    try {
      if (own.length > 0) this.#fold(this.whole(), own);
    } catch {
      await this.rebuild();
      return ['The text index of a project did not match its documents; it was built again.'];
    }
    this.#state = { ...this.#state, anchor: { generation, seq: fresh.at(-1)!.seq } };
    return [];
  }

  /** Whether any document holds this very term. Only after `refresh`. */
  holds(term: string): boolean {
    const state = this.#loaded();
    return 'index' in state ? state.index.holds(term) : state.snapshot.holds(term);
  }

  /** An index that can be searched for these terms, and for terms similar to `widened`. Only after `refresh`. */
  covering(terms: readonly string[], widened: readonly string[]): SearchedIndex {
    const state = this.#loaded();
    if ('index' in state) return state.index;
    const similar = widened.flatMap((term) => state.snapshot.similar(term));
    const content = state.snapshot.content([...new Set([...terms, ...similar])]);
    return content.index.length === 0
      ? nothingIn(content.documentCount, content.averageFieldLength)
      : PartitionIndex.of(content);
  }

  /** The index with all its terms. Only after `refresh`. */
  whole(): PartitionIndex {
    const state = this.#loaded();
    if ('index' in state) return state.index;
    const index = PartitionIndex.of(state.snapshot.content());
    this.#state = { anchor: state.anchor, index };
    return index;
  }

  /**
   * Writes a snapshot when there is something newer than the last one.
   * @throws AnnalsError DISK_FULL, VIEW_DAMAGED; the index itself goes on, and the older snapshot stays
   */
  async save(): Promise<void> {
    const state = this.#state;
    if (this.#files === null || state === null || sameAnchor(this.#savedAt, state.anchor)) return;
    const content =
      'index' in state
        ? writeSnapshot(this.partition, state.anchor, state.index.contents())
        : state.snapshot.movedTo(state.anchor);
    try {
      await this.#files.write(snapshotName(this.partition), content);
    } catch (error) {
      throw storeFailure('text', error);
    }
    this.#savedAt = state.anchor;
  }

  /** Indexes all documents again, whatever there was. */
  async rebuild(): Promise<void> {
    const { anchor, documents } = await this.#source.documents(this.partition);
    const index = new PartitionIndex();
    for await (const document of documents) index.add(document);
    index.settle();
    this.#state = { anchor, index };
    this.#savedAt = null;
  }

  async #loadSnapshot(): Promise<string[]> {
    const parsed = await this.#readSnapshot();
    if (parsed === 'damaged')
      return ['A text index on disk was damaged; it was built again from the documents.'];
    if (parsed !== null) {
      this.#state = { anchor: parsed.anchor, snapshot: parsed };
      this.#savedAt = parsed.anchor;
    }
    return [];
  }

  async #readSnapshot(): Promise<Snapshot | 'damaged' | null> {
    try {
      const file = await this.#files?.read(snapshotName(this.partition));
      if (file == null) return null;
      const parsed = parseSnapshot(this.partition, file);
      if (parsed.outcome === 'good') return parsed.snapshot;
      return parsed.outcome === 'damaged' ? 'damaged' : null;
    } catch {
      return 'damaged';
    }
  }

  #fold(index: PartitionIndex, changes: readonly DocumentChange[]): void {
    for (const { before, after } of changes) {
      if (this.#holds(before)) index.remove(before);
      if (this.#holds(after)) index.add(after);
    }
    index.settle();
  }

  #holds(document: MemoryDocument | null): document is MemoryDocument {
    return document !== null && this.#places.has(document.place);
  }

  #loaded(): State {
    if (this.#state === null) throw new Error('A text partition was read before it was refreshed.');
    return this.#state;
  }
}

function sameAnchor(a: SourceAnchor | null, b: SourceAnchor): boolean {
  return a !== null && a.generation === b.generation && a.seq === b.seq;
}
