// A projector is a pure function from events (log projector) or from another view's changes (downstream projector) to
// rows. It uses no clock, no randomness, no network and no file. The runner (projections/engine/runner.ts) runs it.
import type { EventData } from '../../../log/index.ts';

/** A row is plain JSON. Keys are strings, ordered by their UTF-8 bytes; build them with `key()` of row-keys.ts. */
export type Row = unknown;

export interface ViewReader {
  get<R = Row>(key: string): Promise<R | undefined>;
  getMany<R = Row>(keys: readonly string[]): Promise<(R | undefined)[]>;
  /** Rows whose key begins with `prefix`, in key order. */
  range<R = Row>(
    prefix: string,
    options?: { limit?: number; after?: string; reverse?: boolean },
  ): Promise<[string, R][]>;
}

/** A cache of values that a projector derived from the rows of its view. */
export interface PageMemory {
  /** Removes a value and returns it. Call `keep` to put it back. */
  take<T>(name: string): T | undefined;
  /** `size`: an estimate in units of about 1,000 bytes. */
  keep(name: string, value: unknown, size: number): void;
}

/** Writes are buffered and stored in one batch with the checkpoint. Reads see them at once. */
export interface ViewWriter extends ViewReader {
  put(key: string, row: Row): void;
  del(key: string): void;
  /** A cache of values that can be derived from the rows. */
  readonly memory: PageMemory;
}

/**
 * The net change of one row by one page of events. `before` is null for a new row, `after` is null for a deleted one.
 * `before` is always null when the view's `changes` are `keys`.
 */
export interface Change {
  readonly key: string;
  readonly before: Row | null;
  readonly after: Row | null;
}

interface Common {
  /** The view's name, also in `status`. */
  readonly name: string;
  /** Raised when the rules change. Views of another version are built again from the log. */
  readonly version: number;
  /** What downstream projectors get: nothing, new rows only, or old and new rows. Indexes get keys, unless nothing. */
  readonly changes: 'none' | 'keys' | 'rows';
  /**
   * Beginnings of the keys of the rows whose changes downstream projectors get; without it, of all rows. Other rows are not
   * looked up before they are written, which is most of what a replay would read.
   */
  readonly followedRows?: readonly string[];
}

/** What a view shows of its changes. */
export type ShownChanges = Pick<Projector, 'name' | 'changes' | 'followedRows'>;

/** Folds the log. It never gets events of unknown types. */
export interface LogProjector extends Common {
  readonly follows: 'log';
  readonly fold: (events: readonly EventData[], view: ViewWriter) => Promise<void>;
}

/**
 * Folds the changes of exactly one view. It may also read that view's current rows. Its rows must depend only on those
 * rows, never on the order of changes that led to them.
 */
export interface DownstreamProjector extends Common {
  readonly follows: string;
  readonly fold: (changes: readonly Change[], view: ViewWriter, upstream: ViewReader) => Promise<void>;
}

export type Projector = LogProjector | DownstreamProjector;

export function isLogProjector(projector: Projector): projector is LogProjector {
  return projector.follows === 'log';
}

/** Checks a projector's shape once, at definition. */
export function defineProjector<P extends Projector>(projector: P): P {
  if (!/^[a-z][a-z-]*$/.test(projector.name))
    throw new TypeError(`A view name is lower-case words: ${projector.name}`);
  if (!Number.isInteger(projector.version) || projector.version < 1)
    throw new TypeError(`${projector.name}: versions count from 1`);
  return projector;
}
