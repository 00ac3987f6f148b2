// A statement: a machine says what it holds of a project. It is JSON, sealed as an event is. Other versions may add fields;
// what cannot be read is passed over, because a statement is only an offer.
import * as z from 'zod';
import { parseJson } from '../../../log/index.ts';
import { countOfParts } from './held-set.ts';

/** Digits of an id in a list: enough to tell ids of one project apart. */
export const SHORT_ID_DIGITS = 16;
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID_DIGITS);
}

/** In one list of a statement. */
export const LISTED_MAX = 20_000;
/** Forgettings that a statement confirms. */
export const CONFIRMED_MAX = 500;

const VERSION = 1;
const BYTES_MAX = 900_000;

const digest = z.string().regex(/^[0-9a-f]{32}$/);
const shortIds = z.array(z.string().regex(/^[0-9a-f]{16}$/)).max(LISTED_MAX);

const schema = z.object({
  v: z.literal(VERSION),
  /** Of its author, from 1. Earlier versions have none. */
  number: z.int().positive().optional(),
  /** How far its author had read the shared log. */
  at: z.int().nonnegative(),
  /** Of the records of the team, the forgettings of the project, and its events that are not forgotten. */
  records: digest,
  forgettings: digest,
  events: digest,
  /** Sums of the parts of its events, as base64. */
  parts: z
    .string()
    .max(2_048)
    .refine((parts) => countOfParts(parts) !== null),
  /** Forgettings that it has applied and had not said so. */
  forgotten: z.array(digest).max(CONFIRMED_MAX),
  /** All that it has of what seems to differ: a machine that has more sends it again. */
  list: z
    .object({
      records: shortIds.nullable(),
      forgettings: shortIds.nullable(),
      /** By part, forgotten ones too. */
      events: z
        .object({ count: z.int().min(1).max(256), parts: z.record(z.string().max(3), shortIds) })
        .nullable(),
    })
    .nullable(),
});

export type Statement = Omit<z.infer<typeof schema>, 'v'>;

export function statementBytes(statement: Statement): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ v: VERSION, ...statement }));
}

/** Null if this version cannot read it. */
export function readStatement(bytes: Uint8Array): Statement | null {
  if (bytes.length > BYTES_MAX) return null;
  const parsed = parseJson(Buffer.from(bytes).toString('utf8'));
  const checked = 'value' in parsed ? schema.safeParse(parsed.value) : null;
  return checked?.success === true ? checked.data : null;
}

export function hasSameDigests(
  one: Pick<Statement, 'records' | 'forgettings' | 'events'>,
  other: Pick<Statement, 'records' | 'forgettings' | 'events'>,
): boolean {
  return (
    one.records === other.records && one.forgettings === other.forgettings && one.events === other.events
  );
}
