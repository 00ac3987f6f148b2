// Rows of the `turns` view for named collections of memories. Each event makes a row of its own, so their order does not
// matter.
//
//   corpus/<name>/<event>   CorpusRow
import { type BodyOf, type EventData, pushTo } from '../../log/index.ts';
import type { ViewReader, ViewWriter } from '../engine/contract/projector.ts';
import { below, key, keyParts } from '../engine/store/row-keys.ts';
import { newest } from './reading-rows.ts';

export interface CorpusRow {
  readonly event: string;
  /** Unix ms. */
  readonly at: number | null;
  /** Null when it was deleted. */
  readonly body: BodyOf<'corpus.built'> | null;
}

const CORPORA = below('corpus');

export function putCorpora(events: readonly EventData[], view: ViewWriter): void {
  for (const { id: event, occurredAt: at, type, body } of events) {
    if (type === 'corpus.built')
      view.put(key('corpus', body.name, event), { event, at, body } satisfies CorpusRow);
    else if (type === 'corpus.deleted')
      view.put(key('corpus', body.name, event), { event, at, body: null } satisfies CorpusRow);
  }
}

/** Removes the rows of forgotten events. */
export async function dropCorpora(
  forgotten: ReadonlySet<string>,
  sessions: readonly (readonly [agent: string, session: string | null])[],
  view: ViewWriter,
): Promise<void> {
  if (sessions.every(([, session]) => session !== null)) return;
  for (const [rowKey, { event }] of await view.range<CorpusRow>(CORPORA))
    if (forgotten.has(event)) view.del(rowKey);
}

/** Each as it was built last, by name; without those that were deleted. */
export async function corpora(view: ViewReader): Promise<ReadonlyMap<string, CorpusRow>> {
  const rows = new Map<string, CorpusRow[]>();
  for (const [rowKey, row] of await view.range<CorpusRow>(CORPORA)) pushTo(rows, keyParts(rowKey)[1]!, row);
  const last = [...rows].map(([name, all]) => [name, newest(all)!] as const);
  return new Map(last.filter(([, { body }]) => body !== null));
}
