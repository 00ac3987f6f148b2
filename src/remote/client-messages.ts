// Checks every message of a client. Only the server loads this: a client trusts the server that it connected to.
import * as z from 'zod';
import type { ClientMessage } from './messages.ts';

const id = z.number().int().min(0);
const ARGUMENTS_MAX = 10;
const marker = z.tuple([
  z
    .number()
    .int()
    .min(0)
    .max(ARGUMENTS_MAX - 1),
  z.string().nullable(),
  z.enum(['function', 'signal', 'number', 'undefined']),
  z.union([z.number().int(), z.string()]),
]);
const error = z.object({
  code: z.string().nullable(),
  name: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});

const CLIENT_MESSAGE = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.number(),
    version: z.string().max(100),
    home: z.string(),
    facts: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal('call'),
    id,
    method: z.string(),
    args: z.array(z.unknown()).max(ARGUMENTS_MAX),
    markers: z.array(marker).max(100),
  }),
  z.object({ type: z.literal('pull'), id }),
  z.object({ type: z.literal('end'), id }),
  z.object({ type: z.literal('abort'), id, signal: z.number().int() }),
  z.object({
    type: z.literal('returned'),
    id,
    callback: z.number().int(),
    ok: z.unknown().optional(),
    error: error.optional(),
  }),
]);

/** Null for anything that is not a message of this protocol. */
export function clientMessageOf(message: unknown): ClientMessage | null {
  const parsed = CLIENT_MESSAGE.safeParse(message);
  return parsed.success ? (parsed.data as ClientMessage) : null;
}
