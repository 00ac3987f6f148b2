// How vectors are told. The fact is a digest of what they are of, and holds no clock and no text.
import { hash } from 'node:crypto';
import type { NewEvent } from '../../../log/index.ts';
import type { MemoryDocument } from '../../../projections/index.ts';

const FACT_HEX_CHARS = 32;

/** @param of whose agent and session the vectors are told under */
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
    dedupeKey: hash('sha256', JSON.stringify(named), 'hex').slice(0, FACT_HEX_CHARS),
    channel: 'api',
    occurredAt,
    body,
  };
}
