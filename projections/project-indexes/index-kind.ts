// What differs between kinds of index (text, vectors). The other files of this folder implement what they share
// (loading at first use, catching up, snapshots, unloading) and depend only on this interface.
import type { MemoryDocument } from '../documents/document.ts';
import type { DocumentChange } from './document-source.ts';

/** Yields to other work; called between slices of long work. */
export type Pause = () => Promise<void>;

/** How content is written to a snapshot and read from it. */
export interface SnapshotForm<Content> {
  /** Extension of its files. */
  readonly name: 'text' | 'vectors' | 'graph';
  /** Raised when the bytes of its snapshots change. */
  readonly format: number;
  /** Everything it depends on besides the documents. An index with another recipe is not used. */
  readonly recipe: string | number;
  /** Head and arrays of the file of a compacted content. Later changes are not included. */
  write(content: Content): { readonly head: object; readonly arrays: readonly ArrayBufferView[] };
  /** Parses a file. `body` holds the arrays, at an address divisible by 4. */
  read(head: object, body: Buffer): Content;
}

export interface IndexKind<Content> extends SnapshotForm<Content> {
  /** Extensions of further files of a project index, kept as long as its snapshot. */
  readonly relatedFiles?: readonly string[];
  /** Message for a damaged file. */
  readonly damaged: string;
  build(documents: AsyncIterable<MemoryDocument>): Promise<Content>;
  holds(content: Content, id: string): boolean;
  /**
   * The content after changes of documents that it holds or is to hold: a document replaces what the content has of it.
   * May modify `content` in place.
   */
  fold(content: Content, changes: readonly DocumentChange[]): Content | Promise<Content>;
  /** Whether enough changed since the last compaction to compact it again. */
  isFragmented(content: Content): boolean;
  /**
   * Compacts to the one form that depends only on the documents. Works in slices on the content as it was at the call
   * and does not modify it, so that it can serve searches and take changes meanwhile.
   */
  compact(content: Content, pause: Pause): Promise<Content>;
  /** Estimated memory in bytes. */
  bytes(content: Content): number;
}
