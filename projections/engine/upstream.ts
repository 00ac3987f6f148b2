// A view as an index sees it: rows, net changes and the position in the change feed.
import type { FeedPosition } from './contract/checkpoint.ts';
import type { Projector, ViewReader } from './contract/projector.ts';
import type { Upstream } from './index-view.ts';
import type { Generation } from './store/generation.ts';

const ROWS_PER_READ = 1_000;

export function upstreamOf(generation: Generation, { name, version }: Projector): Upstream {
  const rows = generation.reader(name);
  return {
    name,
    version,
    feedPosition: { generation: generation.id, seq: generation.checkpoint.seq },
    position: generation.position,
    rows,
    changes: async (after, limit) =>
      after.generation === generation.id && generation.feedReaches(after.seq)
        ? generation.changes(name, after.seq, limit)
        : null,
    all: (pageRows = ROWS_PER_READ) => allRows(rows, pageRows),
  };
}

/**
 * The view as if it ended at an earlier feed position, for an index that stays behind or catches up in steps. Its rows are
 * the current ones: use it only for an index that may see a row before its change.
 * @param feedPosition in the same generation; for another one the view is returned unchanged
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

/** All rows of a view in key order, in pages. */
async function* allRows(
  rows: ViewReader,
  pageRows: number,
): AsyncGenerator<readonly (readonly [string, unknown])[]> {
  let after: string | undefined;
  for (;;) {
    const page = await rows.range('', { limit: pageRows, ...(after === undefined ? {} : { after }) });
    if (page.length === 0) return;
    yield page;
    if (page.length < pageRows) return;
    after = page.at(-1)![0];
  }
}
