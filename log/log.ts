// The interface of a log. Its one implementation (log/opened-log.ts) runs over LevelDB, or over any abstract-level
// store in tests. The log is the source of truth: everything else can be deleted and rebuilt from it.
import type { Worker } from 'node:worker_threads';
import type { EventType } from './catalog/index.ts';
import type { AppendOutcome, Checkpoint, LogEvent, NewEvent, UnknownEvent } from './event.ts';
import type { EventContent, ExportedPage } from './format/exported-event.ts';
import type { OnRewriteStep } from './rewrite/swap-folders.ts';

/**
 * A page in position order. `events` is complete: an unknown type comes as an UnknownEvent with a position. A page
 * of a past log (`logUntil`) may be empty before the end; `pagesAfter` reads to the end.
 */
export interface LogPage {
  readonly events: readonly (
    | LogEvent
    | (UnknownEvent & { readonly position: number; readonly recordedAt: number })
  )[];
  /** Position and chain after the last event read for this page; equals the request's only at the end of the log. */
  readonly end: Checkpoint;
}

/** How far a reader has read one source file, written in the batch of the events it covers. Opaque to the log. */
export interface CursorWrite {
  readonly key: string;
  /** JSON value; null removes the cursor. */
  readonly value: unknown;
}

export interface AppendOptions {
  /** Written in the same synced batch as the last of these events (also when all are duplicates). */
  readonly cursors?: readonly CursorWrite[];
}

/** What is wrong: with a record or an index of the log, with what is kept beside it, or with a view. */
export type ProblemKind =
  | 'body'
  | 'forgotten'
  | 'header'
  | 'chain'
  | 'gap'
  | 'id-index'
  | 'session-index'
  | 'origin'
  | 'meta'
  | 'cursor'
  | 'checkpoint'
  | 'head'
  | 'stray'
  | 'store'
  | 'view';

export interface VerifyProblem {
  readonly kind: ProblemKind;
  readonly position: number | null;
  readonly message: string;
}

export interface VerifyReport {
  readonly ok: boolean;
  /** Number of events read without a problem. */
  readonly events: number;
  readonly problems: readonly VerifyProblem[];
}

export interface Log {
  readonly logId: string;
  /** The origin that new events carry. Equal to logId, except in a restored log. */
  readonly origin: string;
  head(): Checkpoint;
  /**
   * Appends events in order through one queue with group commit (≤ 256 events or 1 MiB a batch, always
   * synced, one batch in flight). Resolves when all are on disk. Outcomes are in the order of `newEvents`;
   * an event whose id is already stored (or twice in this call) is a `duplicate`, not an error.
   * A call larger than a batch is written in order, batch by batch; when a later batch fails, repeating the whole
   * call is safe: stored events come back as duplicates.
   * A `memory.forgotten` blanks the events it names in its own batch; later events that report the same things
   * are answered with `forgotten` and not stored.
   * @throws AnnalsError INPUT_INVALID (nothing of this call was stored), DISK_FULL, HOME_UNWRITABLE, LOG_CLOSED
   */
  append(newEvents: readonly NewEvent[], options?: AppendOptions): Promise<readonly AppendOutcome[]>;
  /** Events after a position: at most `limit` (default 1,000) and about `bytesMax` (default 4 MiB) of bodies, each checked against its hashes. */
  page(request: { after: number; limit?: number; bytesMax?: number }): Promise<LogPage>;
  /**
   * Events of one session in position order: the first ones after `after`, or with `before` the last ones between
   * `after` and `before`.
   */
  pageBySession(request: {
    agent: string;
    session: string;
    after?: number;
    before?: number;
    limit?: number;
  }): Promise<LogPage>;
  /** Undefined for an id that is not in the log, for a forgotten event, and for an event of an unknown type or version. */
  get(id: string): Promise<LogEvent | undefined>;
  getMany(ids: readonly string[]): Promise<readonly (LogEvent | undefined)[]>;
  /** Event ids that begin with a prefix of at least 4 hex digits, at most `limit`. */
  idsByPrefix(prefix: string, limit: number): Promise<readonly string[]>;
  /** When this id, or the one with this prefix, was forgotten: an event's id, or that of an item made from it. */
  forgotten(id: string): { readonly at: number; readonly event: string } | undefined;
  /** All `memory.forgotten` events, in position order. */
  forgettings(): Promise<readonly LogEvent<'memory.forgotten'>[]>;
  /** Events whose stored bytes (header and body as JSON) `look` accepts. Reads all records, decodes only the accepted ones. */
  scan(look: (record: Buffer) => boolean): AsyncGenerator<LogEvent>;
  /**
   * Copies the log's current entries into a fresh folder and swaps it in, so that blanked and overwritten values
   * are gone from disk. All other calls wait meanwhile. A kill at any moment leaves the old log or the new one;
   * the next open removes the leftovers.
   * @throws AnnalsError LOG_DAMAGED (a damaged log is not changed), DISK_FULL
   */
  rewrite(options?: {
    onStep?: OnRewriteStep;
    onProgress?: (events: number) => void;
  }): Promise<RewriteReport>;
  /** The events of all channels with this dedupe key, found by id. */
  byDedupeKey(dedupeKey: {
    agent: string;
    session: string | null;
    type: EventType;
    dedupeKey: string;
  }): Promise<readonly LogEvent[]>;
  /** Like `page`, but with the stored bytes of each event, for import into another log. @throws AnnalsError LOG_DAMAGED */
  exportPage(request: { after: number; limit?: number; bytesMax?: number }): Promise<ExportedPage>;
  /**
   * Imports events of another log through the same queue. They keep id, origin, originSeq, times, salt and body, and
   * get a position and a chain hash here. An id that is already stored is a `duplicate`, whatever its body. A
   * `memory.forgotten` blanks what it names here in its own batch; it must come before the blanked events.
   */
  importEvents(events: readonly EventContent[], options?: AppendOptions): Promise<readonly AppendOutcome[]>;
  /**
   * Runs work while every other write waits, so that what it writes fits what it read. It writes through `writer`; it must
   * not wait for any other write, which would wait for it.
   */
  exclusively<T>(work: (writer: LogWriter) => Promise<T>): Promise<T>;
  cursor(key: string): Promise<unknown | undefined>;
  cursors(prefix?: string): Promise<readonly { key: string; value: unknown }[]>;
  /** Compares a checkpoint with this log: `held` (that event is here, same chain), `ahead` (the log lost its tail), `foreign` (another log, or the chain differs). */
  compareCheckpoint(checkpoint: Checkpoint): Promise<'held' | 'ahead' | 'foreign'>;
  /** Calls `listener` after each committed batch of events. Returns a function that unsubscribes. */
  onHead(listener: (head: Checkpoint) => void): () => void;
  /** Calls `listener` after each committed batch, also one of cursors alone. Returns a function that unsubscribes. */
  onWrite(listener: () => void): () => void;
  verify(options?: { onProgress?: (done: number, total: number) => void }): Promise<VerifyReport>;
  /** Problems found when the log was opened or its store was reopened. Empty when there were none. */
  readonly damage: readonly VerifyProblem[];
  /**
   * Writes the head file, as `close` does. A head file that the log no longer matches is evidence of a loss: it is
   * kept, and the call returns false, unless `acceptLoss` is set.
   */
  saveHead(options?: { acceptLoss?: boolean }): Promise<boolean>;
  /** Bytes on disk, 0 for a log in memory. */
  bytes(): Promise<number>;
  /** Times and sizes of at most `most` events, evenly spread over the log. For estimates. */
  sample(most: number): Promise<readonly EventSize[]>;
  /** Waits for the queue, writes the head file, releases the lock. */
  close(): Promise<void>;
}

export type LogWriter = Pick<Log, 'append' | 'importEvents'>;

export interface EventSize {
  /** When it happened, Unix ms; null if that is unknown. */
  readonly at: number | null;
  /** Size of its record before LevelDB compresses it. */
  readonly bytes: number;
}

export interface RewriteReport {
  readonly events: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Clock and random source, passed in: the log has none of its own. */
export interface LogWorld {
  /** Unix ms. */
  now(): number;
  randomBytes(size: number): Uint8Array;
}

/** File access, passed in like the clock. */
export interface LogFiles {
  /** The text of a file, or undefined when there is none. */
  readText(path: string): Promise<string | undefined>;
  /** Atomic, also across a crash: writes a temporary file, syncs it and renames it. */
  writeAtomically(path: string, text: string): Promise<void>;
  /** The sum of the sizes of the files in a folder. LevelDB removes files at any time: one that is gone counts as 0. */
  folderBytes(path: string): Promise<number>;
  /** The contents of a folder's files, one after the other; files removed meanwhile are skipped. Without it `verify` is slower. */
  wholeFiles?(
    path: string,
    wanted: (name: string) => boolean,
  ): AsyncIterable<{ readonly name: string; readonly content: Buffer }>;
  /** Starts one of our own programs in a worker thread; null when it is not found. Without it `verify` is slower. */
  startThread?(program: 'scan-thread', data: unknown): Worker | null;
}
