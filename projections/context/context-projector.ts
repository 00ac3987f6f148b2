// The `context` view: the rows that a brief may show, by workdir. Each row depends on one row of `memory` alone and
// counts are sums, so the order of changes does not matter. The view selects nothing: it keeps all rows in the order a
// brief shows them, and readers take the first few. A late or removed observation moves no other row.
import type { MemoryDocument } from '../documents/document.ts';
import { type Change, defineProjector, type ViewWriter } from '../engine/contract/projector.ts';
import { failureOf, lastingOf, lineOf } from './context-lines.ts';
import { type ContextRow, contextKeys } from './context-rows.ts';
import { Tallies } from './tallies.ts';

export const contextProjector = defineProjector({
  name: 'context',
  version: 35,
  follows: 'memory',
  changes: 'none',
  fold,
});

async function fold(changes: readonly Change[], view: ViewWriter): Promise<void> {
  const tallies = new Tallies();
  for (const { key, before, after } of changes) {
    if (key.startsWith('document/')) {
      const [former, document] = [before, after] as [MemoryDocument | null, MemoryDocument | null];
      const [wasFailure, failure] = [failureOf(former), failureOf(document)];
      if (wasFailure !== null) view.del(contextKeys.failure(former!.workdir, wasFailure));
      if (failure !== null) view.put(contextKeys.failure(document!.workdir, failure), failure);
      tallies.countCalls(former, -1);
      tallies.countCalls(document, 1);
    }
    const was = lineOf(key, before);
    const now = lineOf(key, after);
    if (was === null && now === null) continue;
    const rows = rowsOf(now);
    for (const rowKey of rowsOf(was).keys()) if (!rows.has(rowKey)) view.del(rowKey);
    for (const [rowKey, row] of rows) view.put(rowKey, row);
    tallies.count(was, -1);
    tallies.count(now, 1);
  }
  await tallies.write(view);
}

/** All rows of this view that one line makes. */
function rowsOf(line: ContextRow | null): ReadonlyMap<string, unknown> {
  if (line === null) return new Map();
  const own = contextKeys.row(line);
  const rows = new Map<string, unknown>([
    [own, line],
    [contextKeys.id(line.id), own],
  ]);
  for (const what of lastingOf(line)) rows.set(contextKeys.lasting(what, line), own);
  if (line.session !== null) rows.set(contextKeys.ofSession(line.session, line), own);
  return rows;
}
