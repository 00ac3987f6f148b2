// What a log can do. One implementation (log/open.ts) over LevelDB, or over any abstract-level store in tests.
// The log is the only truth: everything else may be deleted and comes back by reading this from position 1.
import type { Worker } from 'node:worker_threads';
import type { EventType } from './catalog/index.ts';
import type { AppendOutcome, Checkpoint, LogEvent, NewEvent, UnknownEvent } from './event.ts';
import type { ExportedEvent, ExportedPage } from './format/exported-event.ts';
import type { OnRewriteStep } from './rewrite/swap-folders.ts';

/**
 * A page in position order. `events` leaves out nothing: unknown types come as UnknownFact with a position. A page of
 * a log as it was may be empty before the end: `pagesAfter` reads to the end.
 */
export interface LogPage {
  readonly events: readonly (
    | LogEvent
    | (UnknownEvent & { readonly position: number; readonly recordedAt: number })
  )[];
  /** Position and chain after the last event that was read for this page; equal to the request's at the end only. */
  readonly end: Checkpoint;
}

/** A reader's place in one source file, kept in the batch of the events it covers. Opaque to the log. */
export interface CursorWrite {
  readonly key: string;
  /** JSON value; null removes the cursor. */
  readonly value: unknown;
}

export interface AppendOptions {
  /** Written in the same synced batch as the last of these tellings (also when all are duplicates). */
  readonly cursors?: readonly CursorWrite[];
}

export interface VerifyProblem {
  /** body, forgotten, header, chain, gap, id-index, session-index, origin, meta, cursor, anchor, head, stray, store */
  readonly kind: string;
  readonly position: number | null;
  readonly message: string;
}

export interface VerifyReport {
  readonly ok: boolean;
  /** Events read and found good. */
  readonly events: number;
  readonly problems: readonly VerifyProblem[];
}

export interface Log {
  readonly logId: string;
  /** Name of this machine's log as an origin. Equal to logId until logs are joined. */
  readonly origin: string;
  head(): Checkpoint;
  /**
   * Appends tellings in order through one queue with group commit (≤ 256 events or 1 MiB a batch, always
   * synced, one batch in flight). Resolves when all are on disk. Outcomes stand in the order of `newEvents`;
   * a telling whose id is already there (or twice in this call) is a `duplicate`, never an error.
   * A call larger than a batch is written in order, batch by batch; when a later one fails, telling it all
   * again is safe: what got through comes back as duplicates.
   * A `memory.forgotten` blanks the events it names in its own batch; from then on tellings of the same things
   * are answered with `forgotten` and not kept.
   * @throws AnnalsError INPUT_INVALID (nothing of this call was stored), DISK_FULL, HOME_UNWRITABLE, LOG_CLOSED
   */
  append(byDedupeKey: readonly NewEvent[], options?: AppendOptions): Promise<readonly AppendOutcome[]>;
  /** Events after a position: at most `limit` (default 1,000) and about `bytesMax` (default 4 MiB) of bodies. Each is checked against its hashes. */
  page(request: { after: number; limit?: number; bytesMax?: number }): Promise<LogPage>;
  /**
   * Events of one session in position order: the first after a position, or with `before` the last that stand before it
   * (and after `after`).
   */
  pageBySession(request: {
    agent: string;
    session: string;
    after?: number;
    before?: number;
    limit?: number;
  }): Promise<LogPage>;
  /** Undefined for an id the log does not hold, for a forgotten event, and for an event of a type only a newer version knows. */
  get(id: string): Promise<LogEvent | undefined>;
  getMany(ids: readonly string[]): Promise<readonly (LogEvent | undefined)[]>;
  /** Ids that begin with a prefix of at least 4 hex digits, at most `limit`. */
  idsByPrefix(prefix: string, limit: number): Promise<readonly string[]>;
  /** When this id (of an event or of anything made of it), or the one that begins so, was forgotten. */
  forgotten(id: string): { readonly at: number; readonly event: string } | undefined;
  /** The events that say what was forgotten, in position order. */
  forgettings(): Promise<readonly LogEvent<'memory.forgotten'>[]>;
  /** Events whose stored bytes (header and body as JSON) `look` picks out. Reads everything, decodes only those. */
  scan(look: (record: Buffer) => boolean): AsyncGenerator<LogEvent>;
  /**
   * Writes everything that stands in the log into a fresh folder and puts that in the place of the old one, so
   * that what was blanked or overwritten is gone from disk. Everything else waits meanwhile. A kill at any
   * moment leaves the old log or the new one, and the next opening tidies up.
   * @throws AnnalsError LOG_DAMAGED (a damaged log stays as it is), DISK_FULL
   */
  rewrite(options?: {
    onStep?: OnRewriteStep;
    onProgress?: (events: number) => void;
  }): Promise<RewriteReport>;
  /** Who told this fact: the events of every witness, found by id. */
  byDedupeKey(dedupeKey: {
    agent: string;
    session: string | null;
    type: EventType;
    dedupeKey: string;
  }): Promise<readonly LogEvent[]>;
  /** As `page`, but as the events stand: to be carried into another log. @throws AnnalsError LOG_DAMAGED */
  exportPage(request: { after: number; limit?: number; bytesMax?: number }): Promise<ExportedPage>;
  /**
   * Takes events of another log over, through the same queue: id, origin, its sequence, times, salt and body as
   * they are, position and chain our own. An id that is already here is a `duplicate`, whatever it says. A
   * `memory.forgotten` blanks what it names here in its own batch. A blanked event must not come before it.
   */
  importEvents(events: readonly Pick<ExportedEvent, 'header' | 'body'>[]): Promise<readonly AppendOutcome[]>;
  cursor(key: string): Promise<unknown | undefined>;
  cursors(prefix?: string): Promise<readonly { key: string; value: unknown }[]>;
  /** How an anchor stands to this log: `held` (that event is here, same chain), `ahead` (the log lost its tail), `foreign` (another log, or the chain differs). */
  compareCheckpoint(checkpoint: Checkpoint): Promise<'held' | 'ahead' | 'foreign'>;
  /** Calls back after each committed batch. Returns the function that stops it. */
  onHead(listener: (head: Checkpoint) => void): () => void;
  verify(options?: { onProgress?: (done: number, total: number) => void }): Promise<VerifyReport>;
  /** What was already seen to be wrong: at opening, or when the store was opened again. Empty when all is well. */
  readonly damage: readonly VerifyProblem[];
  /**
   * Writes the head beside the log, as `close` does. A head there that the log no longer holds is kept as
   * evidence, and false comes back, unless the loss is accepted.
   */
  saveHead(options?: { acceptLoss?: boolean }): Promise<boolean>;
  /** Bytes on disk, 0 for a log in memory. */
  bytes(): Promise<number>;
  /** When at most so many events, evenly spread over the log, happened, and how large they are. For estimates. */
  sample(most: number): Promise<readonly EventSize[]>;
  /** Waits for the queue, writes the head beside the log, lets go of the lock. */
  close(): Promise<void>;
}

export interface EventSize {
  /** When it happened, else when it was written, Unix ms. */
  readonly at: number;
  /** Of its record, before LevelDB packs it. */
  readonly bytes: number;
}

export interface RewriteReport {
  readonly events: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** The world outside, handed in: the log has no clock and no chance of its own. */
export interface LogWorld {
  /** Unix ms. */
  now(): number;
  randomBytes(size: number): Uint8Array;
}

/** Files beside the log, handed in like the clock. */
export interface LogFiles {
  /** The text of a file, or undefined when there is none. */
  readText(path: string): Promise<string | undefined>;
  /** Whole or not at all, also across a crash: written aside, synced, renamed in. */
  writeAtomically(path: string, text: string): Promise<void>;
  /** The sum of the sizes of the files in a folder. LevelDB removes files at any time: one that is gone counts as 0. */
  folderBytes(path: string): Promise<number>;
  /** The files of a folder, whole, one after the other; what vanishes meanwhile is left out. Without it `verify` is slower. */
  wholeFiles?(
    path: string,
    wanted: (name: string) => boolean,
  ): AsyncIterable<{ readonly name: string; readonly content: Buffer }>;
  /** Starts one of our own programs in a thread; null where it cannot be found. Without it `verify` is slower. */
  startThread?(program: 'sweep-thread', data: unknown): Worker | null;
}
