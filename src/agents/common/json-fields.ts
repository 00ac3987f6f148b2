// Narrows the values in a transcript line. The format has no specification and changes between versions, so nothing is
// trusted: a field of the wrong form becomes null, never an exception or a guess.
import { type Json, parseJson, type Usage } from '../../../log/index.ts';

export type JsonObject = { readonly [key: string]: Json };

/** An object of the transcript, or null for anything else (also for arrays). */
export function objectOf(value: Json | undefined): JsonObject | null {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** An id that the agent made: a non-empty string of at most 256 characters. */
export function idOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value.length > 0 && value.length <= 256 ? value : null;
}

/** A number rounded to an integer. Null when it is not a finite, safe number. */
export function wholeOf(value: Json | undefined): number | null {
  if (typeof value !== 'number') return null;
  const rounded = Math.round(value);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** As `wholeOf`, of a number that counts something. */
export function countOf(value: Json | undefined): number | null {
  const whole = wholeOf(value);
  return whole !== null && whole >= 0 ? whole : null;
}

/** Unix ms of an ISO-8601 string, or null. */
export function timeOf(value: Json | undefined): number | null {
  return typeof value === 'string' ? wholeOf(Date.parse(value)) : null;
}

export function usageOf(value: Json | undefined): Usage | null {
  const usage = objectOf(value);
  if (usage === null) return null;
  return {
    input: wholeOf(usage.input_tokens) ?? 0,
    output: wholeOf(usage.output_tokens) ?? 0,
    cacheRead: wholeOf(usage.cache_read_input_tokens) ?? 0,
    cacheCreation: wholeOf(usage.cache_creation_input_tokens) ?? 0,
  };
}

/** The content blocks of a message; a plain string is one text block. */
export function contentBlocks(message: JsonObject | null): readonly JsonObject[] {
  const content = message?.content;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content)
    .map(objectOf)
    .filter((block) => block !== null);
}

/**
 * The JSON object in a line's bytes, or null when there is none. After a crash of the machine, a file may hold NUL bytes in place of
 * lines, and the program continues after them: what is behind the last one is the line.
 */
export function parseTranscriptLine(bytes: Uint8Array): JsonObject | null {
  const parsed = parseJson(textOf(bytes.subarray(bytes.lastIndexOf(0) + 1)));
  return 'value' in parsed ? objectOf(parsed.value as Json) : null;
}

/** Why a line's bytes are not a JSON object: the reason given when the line is parked. */
export function lineProblem(bytes: Uint8Array): string {
  if (bytes.includes(0)) return 'not text';
  const parsed = parseJson(textOf(bytes));
  return 'value' in parsed || parsed.problem === 'not JSON' ? 'not a JSON object' : parsed.problem;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
