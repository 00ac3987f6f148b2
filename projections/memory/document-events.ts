// The events that a document was made from.
import type { MemoryDocument } from '../documents/document.ts';
import type { ViewReader } from '../engine/contract/projector.ts';
import type { ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';
import { observationId } from '../ids/item-id.ts';
import { memoryKeys } from './memory-projector.ts';

/**
 * Also the acts of a person on it. A summary names the events of a long turn's earlier parts through their observations.
 */
export async function documentEvents(
  document: MemoryDocument,
  memory: ViewReader,
): Promise<readonly string[]> {
  const { id, kind, marks } = document;
  const events = marks === undefined ? document.events : [...document.events, ...marks.acts];
  const summary = kind === 'summary' ? await memory.get<SummaryRow>(memoryKeys.summary(id)) : undefined;
  if (summary === undefined || summary.parts === 1) return events;
  const { agent, session, turn, parts } = summary;
  const keys: string[] = [];
  for (let part = 1; part < parts; part++)
    keys.push(memoryKeys.observation(observationId({ agent, session, id: turn }, part)));
  const rows = await memory.getMany<ObservationRow>(keys);
  return [...new Set([...events, ...rows.flatMap((row) => row?.evidence.events ?? [])])].sort();
}
