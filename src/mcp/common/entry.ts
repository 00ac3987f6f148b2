// The fields that results, rows and opened items have in common.
import * as z from 'zod';
import { shortLine } from './past-text.ts';

export const entryFields = {
  id: z.string(),
  kind: z.string(),
  type: z.string().nullable(),
  author: z.literal('agent').exactOptional().describe('Of a memory that an agent saved.'),
  title: z.string(),
  session: z.string().nullable(),
  at: z.string().nullable().describe('ISO 8601, UTC.'),
};

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly type: string | null;
  readonly author?: 'agent';
  readonly title: string;
  readonly session: string | null;
  readonly at: string | null;
}

export function entryOf({ id, kind, type, author, title, session, at }: Entry): Entry {
  return {
    ...{ id, kind, type: type === null ? null : shortLine(type) },
    ...(author === undefined ? {} : { author }),
    ...{ title: shortLine(title), session, at },
  };
}

/** `memory (decision) by an agent`. */
export function kindText({ kind, type, author }: Pick<Entry, 'kind' | 'type' | 'author'>): string {
  const what = type === null || type === kind ? kind : `${kind} (${type})`;
  return author === undefined ? what : `${what} by an agent`;
}
