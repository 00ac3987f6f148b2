// A view that is no key-value store: an index (text, vectors) that follows one key-value view and keeps what
// it makes in its own way. The runner tells it when its upstream has moved, rebuilds it with its upstream and
// asks it for its digest; how it is stored, partitioned or loaded is its own matter.
import type { FeedPosition } from './contract/checkpoint.ts';
import type { Row, ViewReader } from './contract/projector.ts';
import type { FeedPage } from './store/change-feed.ts';

/** The view that an index follows, as it is now. Stands still during every call that hands it over. */
export interface Upstream {
  readonly name: string;
  readonly version: number;
  /** Where the view stands: its generation and newest change. */
  readonly feedPosition: FeedPosition;
  /** Log position of the view. */
  readonly position: number;
  readonly rows: ViewReader;
  /** Net changes after a place, at most about `limit`; null when the feed no longer reaches back: read all rows. */
  changes(after: FeedPosition, limit: number): Promise<FeedPage | null>;
  /** All rows in key order, in pages. */
  all(pageRows?: number): AsyncIterable<readonly (readonly [string, Row])[]>;
}

export interface IndexView {
  readonly name: string;
  readonly version: number;
  /** The key-value view it follows. */
  readonly follows: string;
  /** How far the index has come; null while nothing is built (it is then built when first asked). */
  feedPosition(): FeedPosition | null;
  /** Log position it stands at, 0 when not built. */
  position(): number;
  /** Takes over what changed. Called after the upstream moved, also when nothing is built yet. */
  catchUp(upstream: Upstream): Promise<void>;
  /** Builds everything again from the upstream's rows. */
  rebuild(upstream: Upstream): Promise<void>;
  /** Digest of the index as it serves now, built where it was not. */
  digest(upstream: Upstream): Promise<string>;
  /** Builds aside from the upstream's rows, takes the digest, throws the build away. */
  digestRebuilt(upstream: Upstream): Promise<string>;
  close(): Promise<void>;
}
