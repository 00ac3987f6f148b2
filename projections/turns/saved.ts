// Saved memories: what a person or an agent told us on purpose. They belong to no turn; those of one session
// stand in the order in which they were said.
import type { Fact } from '../../log/index.ts';
import { itemId } from '../item-id.ts';
import { NAMED_PLACE } from '../named-place.ts';
import { NOWHERE, type SavedRow } from './rows.ts';

export function savedRow(fact: Fact<'memory.saved'>): SavedRow {
  const { body } = fact;
  const id = savedId(fact);
  return {
    id,
    event: fact.id,
    agent: fact.agent,
    session: fact.session,
    at: fact.occurredAt,
    order: `${pad(fact.occurredAt ?? 0)} ${pad(body.index)} ${id}`,
    title: body.title,
    text: body.text,
    type: body.type,
    place: body.project === null ? (body.cwd ?? NOWHERE) : `${NAMED_PLACE}${body.project}`,
    files: body.files,
    concepts: body.concepts,
  };
}

/** The id that `save` answers with, before any view has seen the event. */
export function savedId(fact: Pick<Fact, 'agent' | 'session' | 'fact'>): string {
  return itemId('m', fact.agent, fact.session, fact.fact);
}

function pad(value: number): string {
  return String(value).padStart(14, '0');
}
