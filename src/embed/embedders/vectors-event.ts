// Makes the event that records vectors. Its dedupe key is a digest of the recipe and the inputs, without clock or text.
import { hash } from 'node:crypto';
import type { NewEvent } from '../../../log/index.ts';
import type { MemoryDocument } from '../../../projections/index.ts';

const DEDUPE_KEY_HEX_CHARS = 32;

/** @param of the document whose agent and session the event gets */
export function vectorsEvent(
  of: Pick<MemoryDocument, 'agent' | 'session'>,
  body: NewEvent<'vectors.computed'>['body'],
  occurredAt: number | null,
): NewEvent<'vectors.computed'> {
  const named = [body.recipe, ...body.documents.map(({ id, input }) => [id, input])];
  return {
    type: 'vectors.computed',
    agent: of.agent,
    session: of.session,
    dedupeKey: hash('sha256', JSON.stringify(named), 'hex').slice(0, DEDUPE_KEY_HEX_CHARS),
    channel: 'api',
    occurredAt,
    body,
  };
}
