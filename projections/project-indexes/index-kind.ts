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
  /** Messages for a damaged file and for a change that did not match the content. */
  readonly sentences: { readonly damaged: string; readonly unfit: string };
  build(documents: AsyncIterable<MemoryDocument>): Promise<Content>;
  /**
   * The content after changes, which are all of this project. May modify `content` in place.
   * @throws ContentMismatch when the content lacks what a change removes
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

/** A change does not match the content. The content is then rebuilt. */
export class ContentMismatch extends Error {}
