// A key-value view as an index sees it: rows, net changes, and the place that names where it stands.
import { allRows } from './fill.ts';
import type { Upstream } from './index-view.ts';
import type { KvView } from './kv-view.ts';

export function upstreamOf(view: KvView): Upstream {
  return {
    name: view.name,
    version: view.version,
    place: { generation: view.generation, seq: view.anchor.seq },
    position: view.position,
    rows: view,
    changes: async (after, limit) =>
      after.generation === view.generation && view.feedReaches(after.seq)
        ? view.changes(after.seq, limit)
        : null,
    all: (pageRows = 1_000) => allRows(view, pageRows),
  };
}
