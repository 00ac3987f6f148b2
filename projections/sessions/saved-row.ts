// Saved memories: what a person or an agent saved on purpose. They belong to no turn. Those of one session are in the order
// in which they were saved.
import type { EventData } from '../../log/index.ts';
import { itemId } from '../ids/item-id.ts';
import { NAMED_PROJECT } from '../ids/named-projects.ts';
import { NO_WORKDIR, type SavedRow } from './session-rows.ts';

export function savedRow(event: EventData<'memory.saved'>): SavedRow {
  const { body } = event;
  const id = savedId(event);
  return {
    id,
    event: event.id,
    agent: event.agent,
    session: event.session,
    at: event.occurredAt,
    order: `${pad(event.occurredAt ?? 0)} ${pad(body.index)} ${id}`,
    title: body.title,
    text: body.text,
    type: body.type,
    workdir: body.project === null ? (body.cwd ?? NO_WORKDIR) : `${NAMED_PROJECT}${body.project}`,
    files: body.files,
    concepts: body.concepts,
  };
}

/** The id that `save` answers with, before any view has seen the event. */
export function savedId(event: Pick<EventData, 'agent' | 'session' | 'dedupeKey'>): string {
  return itemId('m', event.agent, event.session, event.dedupeKey);
}

function pad(value: number): string {
  return String(value).padStart(14, '0');
}
