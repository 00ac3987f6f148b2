// What makes one kind of index (text, vectors) different from another. Everything that they share (loading at
// first use, catching up, snapshots, unloading) is in the other files of this folder and knows only this.
import type { MemoryDocument } from '../documents/document.ts';
import type { DocumentChange } from './document-source.ts';

/** Lets whatever waits have its turn: called between slices of long work. */
export type Pause = () => Promise<void>;

/** How something is written to a snapshot and read from it. */
export interface SnapshotForm<Content> {
  /** Ends the names of its files. */
  readonly name: 'text' | 'vectors' | 'graph';
  /** Raised when the bytes of its snapshots change. */
  readonly format: number;
  /** All that it depends on beside the documents: one of another recipe is another index. */
  readonly recipe: string | number;
  /** The head and the arrays of a packed content's file, also after changes were folded into it: as it was packed. */
  write(content: Content): { readonly head: object; readonly arrays: readonly ArrayBufferView[] };
  /** The content of a file: `body` begins where the arrays do, at an address divisible by 4. */
  read(head: object, body: Buffer): Content;
}

export interface IndexKind<Content> extends SnapshotForm<Content> {
  /** Endings of further files of a partition, kept as long as its own. */
  readonly relatedFiles?: readonly string[];
  /** What is said when a file was damaged, and when a change did not fit. */
  readonly sentences: { readonly damaged: string; readonly unfit: string };
  build(documents: AsyncIterable<MemoryDocument>): Promise<Content>;
  /**
   * The content after changes, of which those of other projects were taken out. May change what it is given.
   * @throws DoesNotFit when the content does not hold what it should
   */
  fold(content: Content, changes: readonly DocumentChange[]): Content | Promise<Content>;
  /** Whether so much was changed since it was last packed that it should be again. */
  isFragmented(content: Content): boolean;
  /**
   * The same in the one form that depends on nothing but the documents. Works in slices on the content as it is at
   * the call, which it leaves as it is, so that it goes on answering and changing meanwhile.
   */
  compact(content: Content, pause: Pause): Promise<Content>;
  /** About how much memory it takes. */
  bytes(content: Content): number;
}

/** A change of a document that the content does not hold as it was told: the content is then built again. */
export class ContentMismatch extends Error {}
