// Parses all JSON that comes from outside: hooks, transcripts, settings, exports, services. The text is checked
// before it is parsed, without recursion, so later code never gets a value that is nested too deep for a recursive
// function, or so many values that they fill the memory.
//
// Measured on 26,000 real transcript lines and payloads: at most 9 levels and 638 values.

export interface JsonLimits {
  readonly depthMax: number;
  /** Objects, arrays and their elements. */
  readonly valuesMax: number;
}

/** For captured input. */
export const JSON_LIMITS: JsonLimits = { depthMax: 100, valuesMax: 100_000 };
/** For exported events: their bodies contain captured values. */
export const EVENT_JSON_LIMITS: JsonLimits = { depthMax: 128, valuesMax: 1_000_000 };

/** `problem` completes the sentence "it is …". */
export type ParsedJson = { readonly value: unknown } | { readonly problem: string };

/** Skips a leading byte order mark, which some shells add. Never throws. */
export function parseJson(input: string, limits: JsonLimits = JSON_LIMITS): ParsedJson {
  const text = input.charCodeAt(0) === BYTE_ORDER_MARK ? input.slice(1) : input;
  const problem = jsonProblem(text, limits);
  if (problem !== null) return { problem };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: 'not JSON' };
  }
}

/** The value of JSON that we wrote; undefined when it is damaged. */
export function parseOwnJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Why a text must not be parsed; null when it is within the limits, even if it is not valid JSON. Linear in its
 * length. With `comments`, comments are skipped and a string ends at the end of its line, as in JSONC parsers.
 */
export function jsonProblem(
  text: string,
  { depthMax, valuesMax }: JsonLimits = JSON_LIMITS,
  { comments = false } = {},
): string | null {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = stringEnd(text, at, comments);
        break;
      case SLASH:
        if (comments) at = commentEnd(text, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        values += 1;
        depth += 1;
        if (depth > depthMax) return `nested deeper than ${depthMax} levels`;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
      case COMMA:
        values += 1;
    }
    if (values > valuesMax) return `made of more than ${valuesMax} values`;
  }
  return null;
}

const BYTE_ORDER_MARK = 0xfeff;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const SLASH = 0x2f;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Index of the closing quotation mark; the end of the text (or line) when there is none. */
function stringEnd(text: string, start: number, endsWithLine: boolean): number {
  if (endsWithLine) return stringEndInLine(text, start);
  for (let from = start + 1; ; ) {
    const end = text.indexOf('"', from);
    if (end < 0) return text.length;
    let first = end;
    while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
    from = end + 1;
  }
}

function stringEndInLine(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || code === LINE_FEED || code === CARRIAGE_RETURN) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function commentEnd(text: string, start: number): number {
  const next = text[start + 1];
  if (next === '/') return lineEnd(text, start);
  if (next !== '*') return start;
  const end = text.indexOf('*/', start + 2);
  return end < 0 ? text.length : end + 1;
}

function lineEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return at;
  }
  return text.length;
}
