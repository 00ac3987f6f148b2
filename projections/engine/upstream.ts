// A view as an index sees it: rows, net changes and the position in the change feed.
import type { Projector } from './contract/projector.ts';
import type { Upstream } from './index-view.ts';
import type { GenerationSnapshot } from './store/generation-snapshot.ts';
import { rowPages } from './store/row-pages.ts';

export function upstreamOf(snapshot: GenerationSnapshot, { name, version }: Projector): Upstream {
  const { id, checkpoint } = snapshot;
  const rows = snapshot.reader(name);
  const reaches: Upstream['reaches'] = (after) => after.generation === id && snapshot.feedReaches(after.seq);
  return {
    name,
    version,
    feedPosition: { generation: id, seq: checkpoint.seq },
    position: checkpoint.log?.position ?? 0,
    rows,
    reaches,
    changes: async (after, limit) => (reaches(after) ? snapshot.changes(name, after.seq, limit) : null),
    all: (pageRows) => rowPages(rows, '', pageRows),
  };
}
