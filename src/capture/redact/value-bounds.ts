// Where a value after a key or a flag begins and ends: in quotes of any depth, or bare.

import type { Secret } from './secret.ts';
import { alphabet, type Source } from './text-source.ts';

/** The vendor's token that begins exactly at a position. Its kind is more specific than the key's. */
export type TokenAt = (source: Source, at: number) => Secret | null;

/** At most this much of a bare value is examined; only a secret is read to its end. */
export const BARE_CHARS_MAX = 160;
export const QUOTED_CHARS_MAX = 8_192;
const REDACTED = '[redacted:';

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

export function isRedacted(text: string, at: number): boolean {
  return text.startsWith(REDACTED, at);
}

const QUOTED_RUN = alphabet('^\\s"\'`\\\\');
/** A value in a shell or an .env file extends to white space. */
const GREEDY_RUN = alphabet('^\\s"\'`&;\\\\[');
const BARE_RUN = alphabet('^\\s"\'`,;)}\\]&<>|\\\\[');
const LONG_RUN = alphabet('A-Za-z0-9+/_=.-');

/** The quoted string or the bare run that begins at `from`. */
export function valueAt(source: Source, from: number, greedy: boolean): Value | null {
  const { text } = source;
  let at = from;
  if (/[bfru]/i.test(text[at] ?? '') && /["']/.test(text[at + 1] ?? '')) at++;
  let escapes = 0;
  while (escapes < 16 && text[at + escapes] === '\\') escapes++;
  const quote = text[at + escapes];
  if (quote === '"' || quote === "'" || (quote === '`' && escapes === 0)) {
    const start = at + escapes + 1;
    const close = closingQuote(source, start, quote, escapes);
    if (close !== null) return close > start ? { start, end: close, quoted: true } : null;
    return run(source, start, QUOTED_RUN, true);
  }
  return run(source, from, greedy ? GREEDY_RUN : BARE_RUN, false);
}

function run(source: Source, start: number, of: Parameters<Source['runEnd']>[0], quoted: boolean) {
  const end = Math.min(source.runEnd(of, start), start + BARE_CHARS_MAX);
  return end === start ? null : { start, end, quoted };
}

function closingQuote(source: Source, start: number, quote: string, escapes: number): number | null {
  const window = source.text.slice(start, start + QUOTED_CHARS_MAX);
  let close = window.indexOf(quote);
  while (close >= 0) {
    let slashes = 0;
    while (slashes < close && slashes < 64 && window[close - 1 - slashes] === '\\') slashes++;
    source.steps += slashes + 1;
    if (slashes <= escapes && (escapes > 0 || slashes % 2 === 0)) break;
    if (escapes === 0 && slashes % 2 === 0) return start + close;
    close = window.indexOf(quote, close + 1);
  }
  source.steps += close < 0 ? window.length : close;
  if (close < 0) return null;
  let end = close;
  for (let slashes = 0; slashes < escapes && end > 0 && window[end - 1] === '\\'; slashes++) end--;
  return start + end;
}

/** The whole value as a secret. A run longer than the bound is read to its end only now. */
export function secretValue(source: Source, value: Value, kind: string, tokenAt: TokenAt): Secret {
  const { start } = value;
  const end =
    value.end - start === BARE_CHARS_MAX
      ? Math.max(value.end, source.runEnd(LONG_RUN, value.end))
      : value.end;
  const token = tokenAt(source, start);
  return { start, end, kind: token !== null && token.end === end ? token.kind : kind };
}
