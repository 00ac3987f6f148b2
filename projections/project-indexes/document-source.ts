// What the text index asks of the world: documents and their changes from the view it follows, and a place for
// its snapshots. Both are handed in, so that the index itself touches neither LevelDB nor files.
import type { MemoryDocument } from '../documents/document.ts';

/** A resolved project: all documents whose place is one of these. */
export interface ProjectIndex {
  /** The project's stable key: names the snapshot, never shown. */
  readonly id: string;
  readonly workdirs: readonly string[];
}

/** Where the followed view stands: which build of it, and its last change. */
export interface SourcePosition {
  readonly generation: string;
  readonly seq: number;
}

/** One change of one document; `before` is null for a new one, `after` for one that left. */
export interface DocumentChange {
  readonly seq: number;
  readonly before: MemoryDocument | null;
  readonly after: MemoryDocument | null;
}

export interface DocumentSource {
  /** All documents of the partition's places, each once, in any order, as they were at one moment. */
  documents(projectIndex: ProjectIndex): Promise<{
    readonly checkpoint: SourcePosition;
    readonly documents: AsyncIterable<MemoryDocument>;
  }>;
  /** The documents with these ids, in that order; undefined for one that is not (or no longer) there. */
  getMany(ids: readonly string[]): Promise<readonly (MemoryDocument | undefined)[]>;
  /**
   * Every change after an anchor, of all places, in order of seq. Null when the view was rebuilt since, or
   * no longer keeps changes so old: then whoever followed starts again from `documents`.
   */
  changes(after: SourcePosition): Promise<readonly DocumentChange[] | null>;
}

/** A folder of snapshot files. Losing any of them costs time, never an answer. */
export interface SnapshotFiles {
  /** The whole file, null when there is none. A file that cannot be read may throw: it counts as damaged. */
  read(name: string): Promise<Buffer | null>;
  /** Replaces the file atomically: a reader sees the old one or the new one. */
  write(name: string, content: Buffer): Promise<void>;
  names(): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
}
