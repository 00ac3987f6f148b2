// The inputs of an index: documents and their changes from the view it follows, and storage for snapshots. Both are
// passed in, so that the index itself uses neither LevelDB nor files.
import type { MemoryDocument } from '../documents/document.ts';

/** A resolved project: all documents whose workdir is one of these. */
export interface ProjectIndex {
  /** The project's stable key: names the snapshot, never shown. */
  readonly id: string;
  readonly workdirs: readonly string[];
}

/** The position of the followed view: its generation and its last change. */
export interface SourcePosition {
  readonly generation: string;
  readonly seq: number;
}

/** A document that changed, as it is now: null when it was removed. */
export interface DocumentChange {
  readonly seq: number;
  readonly id: string;
  readonly document: MemoryDocument | null;
}

/** What changed up to a position. */
export interface DocumentChanges {
  /** Changes that are not of documents end here too. */
  readonly seq: number;
  /** In order of their seq. */
  readonly changes: readonly DocumentChange[];
}

export interface DocumentSource {
  /** All documents of the project's workdirs, each once, in any order, from one consistent snapshot. */
  documents(projectIndex: ProjectIndex): Promise<{
    readonly checkpoint: SourcePosition;
    readonly documents: AsyncIterable<MemoryDocument>;
  }>;
  /** The documents with these ids, in that order; undefined for one that does not exist (any more). */
  getMany(ids: readonly string[]): Promise<readonly (MemoryDocument | undefined)[]>;
  /**
   * Every document that changed after a checkpoint, of all workdirs. Null when the view was rebuilt since or no longer has
   * changes that old: the caller then starts again from `documents`. With `limit` it may stop after so many changed rows.
   */
  changes(after: SourcePosition, limit?: number): Promise<DocumentChanges | null>;
}

/** A folder of snapshot files. Losing one costs only the time of a rebuild. */
export interface SnapshotFiles {
  /** Set if something else writes the snapshots of the indexes. Graphs are written anyway. */
  readonly isReadOnly?: boolean;
  /** The complete file; null when it does not exist. May throw on a read error: the file then counts as damaged. */
  read(name: string): Promise<Buffer | null>;
  /** Replaces the file atomically: a reader sees the old one or the new one. */
  write(name: string, content: Buffer): Promise<void>;
  names(): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
}
