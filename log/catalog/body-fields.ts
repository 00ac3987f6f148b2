// Fields that several event bodies share. All of them are null where the witness did not say: a missing
// field never stops an event (law 9), and no default is invented.
import * as z from 'zod';

export const nullableText = z.string().nullable().default(null);
export const nullableInteger = z.number().int().nullable().default(null);
export const flag = z.boolean().default(false);

/** Any JSON value, clipped and redacted by capture. Checked by hand: `z.json()` took 19 of the 23 µs of a tool use. */
export const json: z.ZodType<Json> = z.custom<Json>(isJson);
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Tokens of one API message, as the agent reported them. */
export const usage = z
  .object({
    input: z.number().int().default(0),
    output: z.number().int().default(0),
    cacheRead: z.number().int().default(0),
    cacheCreation: z.number().int().default(0),
  })
  .nullable()
  .default(null);
export type Usage = { input: number; output: number; cacheRead: number; cacheCreation: number };

/** Where the agent stood, in its own words: nothing resolved. */
export const workdir = {
  cwd: nullableText,
  branch: nullableText,
};

/** Which program spoke. */
export const program = {
  agentVersion: nullableText,
  entrypoint: nullableText,
};

/**
 * Where a transcript line stands: `uuid` and `parent` are the agent's own, `offset` is the byte offset of the
 * line in its file (the order within a session), `promptId` the agent's name for the human prompt it serves,
 * `promptUuid` the prompt line that the parent chain leads to, found by the reader. `requestSession` is the session
 * that sent the request an answer came from, where that is another one than the line's: a fork copied the line.
 */
export const line = {
  uuid: nullableText,
  parent: nullableText,
  offset: nullableInteger,
  promptId: nullableText,
  promptUuid: nullableText,
  requestSession: nullableText,
};

/** Set when a sub-agent did it. `sidechain` alone (no id) is the inline form of 1.0.x transcripts. */
export const subagent = {
  agentId: nullableText,
  sidechain: flag,
};

function isJson(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      if (value === null) return true;
      if (Array.isArray(value)) return value.every(isJson);
      for (const key in value) if (!isJson((value as Record<string, unknown>)[key])) return false;
      return isPlain(value);
    default:
      return false;
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
