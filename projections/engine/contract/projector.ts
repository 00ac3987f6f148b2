// What a projector is: a pure function from facts (first projector) or from another view's changes (second
// projector) to rows. No clock, no chance, no network, no file. Run by projections/engine/runner.ts.
import type { EventData } from '../../../log/index.ts';
import type { PageMemory } from '../../view-memory.ts';

/** A row is plain JSON. Keys are strings, compared by UTF-8 bytes; build them with `key()` of row-keys.ts. */
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

/** Writes are buffered and land in one batch with the anchor; reads see them at once. */
export interface ViewWriter extends ViewReader {
  put(key: string, row: Row): void;
  del(key: string): void;
  /** Beside the rows, and never more than what they say. */
  readonly memory: PageMemory;
}

/**
 * One entry of a view's change feed. `before` is null for a new row, `after` is null for a deleted one.
 * A view that declares `feed: 'keys'` leaves `before` out, and `after` too where the row is not at hand: its
 * followers then read the rows themselves.
 */
export interface Change {
  readonly key: string;
  readonly before: Row | null;
  readonly after: Row | null;
}

interface Common {
  /** The view's name: its folder, its name in `status`. */
  readonly name: string;
  /** Raised when the rules change; a new version is a new view, filled from zero. */
  readonly version: number;
  /** What its change feed carries: nobody follows it, keys only, or whole rows. */
  readonly feed: 'none' | 'keys' | 'rows';
}

/** Folds the log. Facts of unknown types never reach it. */
export interface LogProjector extends Common {
  readonly follows: 'log';
  readonly fold: (events: readonly EventData[], view: ViewWriter) => Promise<void>;
}

/**
 * Folds the change feed of exactly one view. It may also read that view's rows as they are now; what it
 * makes must depend only on those rows once it has caught up, never on the path that led there.
 */
export interface DownstreamProjector extends Common {
  readonly follows: string;
  readonly fold: (changes: readonly Change[], view: ViewWriter, upstream: ViewReader) => Promise<void>;
  /**
   * What rows it makes something of together, by their keys: a page that is folded in pieces is not cut between
   * them. That is about time alone: what it makes never depends on where a page ends. Default: every row by itself.
   */
  readonly together?: (key: string) => string;
}

export type Projector = LogProjector | DownstreamProjector;

export function isLogProjector(projector: Projector): projector is LogProjector {
  return projector.follows === 'log';
}

export function isDownstreamProjector(projector: Projector): projector is DownstreamProjector {
  return projector.follows !== 'log';
}

/** Checks a projector's shape once, at definition. */
export function defineProjector<P extends Projector>(projector: P): P {
  if (!/^[a-z][a-z-]*$/.test(projector.name))
    throw new TypeError(`A view name is lower-case words: ${projector.name}`);
  if (!Number.isInteger(projector.version) || projector.version < 1)
    throw new TypeError(`${projector.name}: versions count from 1`);
  return projector;
}
