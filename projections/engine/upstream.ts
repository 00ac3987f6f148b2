// A view as an index sees it: rows, net changes and the position in the change feed.
import type { Projector, ViewReader } from './contract/projector.ts';
import type { Upstream } from './index-view.ts';
import type { GenerationSnapshot } from './store/generation-snapshot.ts';

const ROWS_PER_READ = 1_000;

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
    all: (pageRows = ROWS_PER_READ) => allRows(rows, pageRows),
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
