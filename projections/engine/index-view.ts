// A view that is not in the key-value store: an index (text, vectors) that follows one view. The runner tells it when that
// view changed, rebuilds it and asks for its digest. How it is stored, divided or loaded is its own business.
import type { FeedPosition } from './contract/checkpoint.ts';
import type { Row, ViewReader } from './contract/projector.ts';
import type { FeedPage } from './store/change-feed.ts';

/** The view that an index follows, as it was at one moment. */
export interface Upstream {
  readonly name: string;
  readonly version: number;
  readonly feedPosition: FeedPosition;
  /** Log position of the view. */
  readonly position: number;
  readonly rows: ViewReader;
  /** Whether the feed has everything after a position. */
  reaches(after: FeedPosition): boolean;
  /** Keys that changed after a position, from at most `limit` entries; null when the feed does not reach back: read all rows. */
  changes(after: FeedPosition, limit: number): Promise<FeedPage | null>;
  /** All rows in key order, in pages. */
  all(pageRows?: number): AsyncIterable<readonly (readonly [string, Row])[]>;
}

export interface IndexView {
  readonly name: string;
  readonly version: number;
  /** The view it follows. */
  readonly follows: string;
  /** Whether it reads the row with this key. */
  reads(key: string): boolean;
  /** Its position in the feed; null while nothing is built (it is built at the first query). */
  feedPosition(): FeedPosition | null;
  /** Its log position, 0 when nothing is built. */
  position(): number;
  /**
   * Applies what changed, at most about `limit` changes. Called after the upstream moved, even when nothing is built yet.
   * True when it has all of it.
   */
  catchUp(upstream: Upstream, limit: number): Promise<boolean>;
  /** Builds everything again from the upstream's rows. */
  rebuild(upstream: Upstream): Promise<void>;
  /** Digest of the index in use; builds what is missing. */
  digest(upstream: Upstream): Promise<string>;
  /** Digest of a separate build from the upstream's rows. */
  digestRebuilt(upstream: Upstream): Promise<string>;
  close(): Promise<void>;
}
