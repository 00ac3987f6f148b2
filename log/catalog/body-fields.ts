// Fields shared by several event bodies. A field that the channel does not report is null: a missing field never
// rejects an event, and no default is invented.
import * as z from 'zod';

export const nullableText = z.string().nullable().default(null);
export const nullableInteger = z.number().int().nullable().default(null);
export const flag = z.boolean().default(false);

/** Any JSON value, clipped and redacted by capture. Checked by hand: `z.json()` took 19 of 23 µs of checking a tool use. */
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

/** The agent's working directory and branch, as the agent reported them. */
export const workdir = {
  cwd: nullableText,
  branch: nullableText,
};

/** The program that reported the event. */
export const program = {
  agentVersion: nullableText,
  entrypoint: nullableText,
};

/**
 * The position of a transcript line: `uuid` and `parent` are the agent's own ids, `offset` is the byte offset of the
 * line in its file (the order within a session), `promptId` the agent's id of the human prompt that the line belongs
 * to, `promptUuid` the prompt line at the start of the parent chain, found by the reader. `requestSession` is the
 * session that sent the request, when it is not the line's own session: a fork copied the line.
 */
export const line = {
  uuid: nullableText,
  parent: nullableText,
  offset: nullableInteger,
  promptId: nullableText,
  promptUuid: nullableText,
  requestSession: nullableText,
};

/** Set for events of a sub-agent. `sidechain` alone (no id) is the inline form of 1.0.x transcripts. */
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
