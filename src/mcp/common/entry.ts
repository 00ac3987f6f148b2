// The fields that results, rows and opened items have in common.
import * as z from 'zod';
import type { ToolOutcome } from '../../../projections/index.ts';
import type { ItemMarks } from '../../api.ts';
import { shortLine, shownId } from './past-text.ts';

export const entryFields = {
  id: z.string(),
  kind: z.string(),
  type: z.string().nullable(),
  author: z.literal('agent').exactOptional().describe('Of a memory that an agent saved.'),
  superseded: z.string().exactOptional().describe('It no longer holds; what holds instead.'),
  outcome: z.literal('failed').exactOptional().describe('Of a tool use that failed.'),
  title: z.string(),
  session: z.string().nullable(),
  at: z.string().nullable().describe('ISO 8601, UTC.'),
};

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly type: string | null;
  readonly author?: 'agent';
  readonly superseded?: string;
  readonly outcome?: 'failed';
  readonly title: string;
  readonly session: string | null;
  readonly at: string | null;
}

/** With what a person did to it, as the library says it. */
type Found = Omit<Entry, 'superseded' | 'outcome'> & {
  readonly marks?: ItemMarks;
  readonly outcome?: ToolOutcome | null;
};

export function entryOf({ id, kind, type, author, marks, outcome, title, session, at }: Found): Entry {
  const by = marks?.superseded?.by;
  return {
    ...{ id: shownId(id), kind, type: type === null ? null : shortLine(type) },
    ...(author === undefined ? {} : { author }),
    ...(marks?.superseded === undefined ? {} : { superseded: by ? `by ${by.id}` : 'by nothing' }),
    ...(outcome === 'failed' ? { outcome } : {}),
    ...{ title: shortLine(title), session: session === null ? null : shownId(session), at },
  };
}

/** `memory (decision) by an agent`, `tool (Bash), failed`. */
export function kindText({
  kind,
  type,
  author,
  superseded,
  outcome,
}: Pick<Entry, 'kind' | 'type' | 'author' | 'superseded' | 'outcome'>): string {
  if (outcome !== undefined) return `${kind} (${type}), ${outcome}`;
  const what = type === null || type === kind ? kind : `${kind} (${type})`;
  const whose = author === undefined ? what : `${what} by an agent`;
  return superseded === undefined ? whose : `${whose}, superseded ${superseded}`;
}
