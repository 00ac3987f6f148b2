// A key-value view as an index sees it: rows, net changes, and the place that names where it stands.
import type { FeedPosition } from './contract/checkpoint.ts';
import { allRows } from './fill.ts';
import type { Upstream } from './index-view.ts';
import type { KvView } from './store/kv-view.ts';

export function upstreamOf(view: KvView): Upstream {
  return {
    name: view.name,
    version: view.version,
    feedPosition: { generation: view.generation, seq: view.checkpoint.seq },
    position: view.position,
    rows: view,
    changes: async (after, limit) =>
      after.generation === view.generation && view.feedReaches(after.seq)
        ? view.changes(after.seq, limit)
        : null,
    all: (pageRows = 1_000) => allRows(view, pageRows),
  };
}

/**
 * The view as if it had come no further than a place, for an index that is to stay behind or to come after in steps.
 * Its rows are those of now: this is for an index that does not mind meeting a row before it hears of it.
 * @param place of the same generation; from another one nothing is held back
 */
export function upstreamUpTo(upstream: Upstream, feedPosition: FeedPosition, position: number): Upstream {
  const { generation, seq } = upstream.feedPosition;
  if (feedPosition.generation !== generation || feedPosition.seq >= seq) return upstream;
  return {
    ...upstream,
    feedPosition,
    position,
    changes: async (after, limit) => {
      if (after.generation !== generation) return null;
      if (after.seq >= feedPosition.seq) return { changes: [], seq: after.seq };
      return upstream.changes(after, Math.min(limit, feedPosition.seq - after.seq));
    },
  };
}
