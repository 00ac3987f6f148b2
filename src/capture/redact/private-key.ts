// PEM and PGP private keys: from BEGIN to END, with anything in between (line numbers of a file viewer, quotes,
// spelled-out line breaks inside JSON). Without an END (a cut output), as far as the lines look like base64. A mere mention of
// the header in code is not a key and stays.
import type { Secret } from './secret.ts';
import type { Source } from './text-source.ts';

const HEADER = /BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const FOOTER = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** A key of 16,384 bits is some 13,000 characters; escapes and line numbers may double that. */
const KEY_CHARS_MAX = 32_768;
const LINE_BREAK = /(?:\\+[nr]|[\s"'+,])+/y;
const DECORATION = /(?:\d{1,6}(?:→|[|:\t]))?[ \t>|+"'-]*/y;
const BASE64_RUN = /[A-Za-z0-9+/]+={0,2}/y;
const ARMOUR_FIELD = /(?:Proc-Type|DEK-Info|Version|Comment|Hash)\s*:[^\n\\]{0,200}/y;

/** The private key whose header's word BEGIN is at `at`, or null. */
export function privateKeyAt(source: Source, at: number): Secret | null {
  const { text } = source;
  if (!text.startsWith('-----', at - 5)) return null;
  HEADER.lastIndex = at;
  if (!HEADER.test(text)) return null;
  const body = HEADER.lastIndex;
  const start = at - 5;
  const end = footerEnd(text, body) ?? runEnd(text, body);
  source.steps += (end ?? body + 64) - body;
  return end === null ? null : { start, end, kind: 'private-key' };
}

/** End of the footer that closes this key. Null when there is none, or when the text in between is not like a key. */
function footerEnd(text: string, body: number): number | null {
  const window = text.slice(body, body + KEY_CHARS_MAX);
  const dashes = window.search(/-----(?:END|BEGIN) /);
  if (dashes < 0) return null;
  FOOTER.lastIndex = body + dashes;
  if (!FOOTER.test(text)) return null;
  const between = window.slice(0, dashes);
  const onlyKey = /^(?:\\+[nr]|[\sA-Za-z0-9+/=])+$/.test(between) && /[A-Za-z0-9+/]{8}/.test(between);
  return onlyKey || /[A-Za-z0-9+/]{32}/.test(between) ? FOOTER.lastIndex : null;
}

/** How far lines of base64 go, for a key whose end was cut off. Null when there is no such line. */
function runEnd(text: string, body: number): number | null {
  let end: number | null = null;
  let position = body;
  while (position < text.length && position - body < KEY_CHARS_MAX) {
    const broken = skip(LINE_BREAK, text, position);
    const line = skip(DECORATION, text, broken);
    const field = skip(ARMOUR_FIELD, text, line);
    if (field > line) {
      position = field;
      continue;
    }
    const after = skip(BASE64_RUN, text, line);
    const size = after - line;
    if (size === 0) break;
    // A short run counts only as the torn last line of a key that was already found.
    if (size < 20 && !(end !== null && after === text.length)) break;
    end = after;
    position = after;
  }
  return end;
}

function skip(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}
