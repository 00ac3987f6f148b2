// Secrets that show by the name before them: `password=…`, `"api_key": "…"`, `Authorization: Bearer …`,
// `Cookie: …`, `--token …`, and the user and password of a URL. Called at each `=` and `:` of a text.
// Every look back or ahead is bounded, so a hostile text stays linear.

import { looksChosen } from './chosen-values.ts';
import { keyBefore } from './key-before.ts';
import { accountKey, familyOfKey, type SecretFamily } from './key-names.ts';
import type { Secret } from './secret.ts';

/** The prefixed token that begins exactly at a place: its kind is more telling than the key's. */
type TokenAt = (text: string, at: number) => Secret | null;

const BARE_CHARS_MAX = 160;
const QUOTED_CHARS_MAX = 8_192;
const REDACTED = '[redacted:';

/** The secret value that belongs to the `=` or `:` at `at`, or null. */
export function secretAfterSeparator(text: string, at: number, tokenAt: TokenAt): Secret | null {
  if (text.charCodeAt(at) === COLON && text.startsWith('//', at + 1)) return urlCredentials(text, at + 3);
  if (text.charCodeAt(at + 1) === CAPITAL_A && text.charCodeAt(at) === COLON) {
    const token = telegramToken(text, at);
    if (token !== null) return token;
  }
  const found = keyBefore(text, at);
  if (found === null) return null;
  const { key, quoted, start } = found;
  const isAccount = accountKey(key);
  const family = isAccount ? null : familyOfKey(key);
  if (family === null && !isAccount) return null;
  // `==`, `=>`, `:=`, `::` compare, map and qualify; `+=` and `!=` were stopped by the key before.
  let from = at + 1;
  if (text[at] === ':' && text[from] === '=') from++;
  if (/[=>:]/.test(text[from] ?? '')) return null;
  const direct = from === at + 1 && text[at] === '=' && !/\s/.test(text[from] ?? '');
  from = skipSpaces(text, from);
  if (family === 'cookie') return text[at] === ':' ? cookies(text, from) : null;
  const value = valueAt(text, from, !quoted && direct && /^[A-Z0-9_]+$/.test(key));
  if (value === null || text.startsWith(REDACTED, value.start)) return null;
  if (family === 'authorization') return credential(text, value);
  if (isAccount) return value.end - value.start < 3 ? null : { ...range(value), kind: 'account' };
  const chosen = looksChosen(text.slice(value.start, Math.min(value.end, value.start + BARE_CHARS_MAX)), {
    family: family!,
    quoted: value.quoted,
    direct: direct || text[at] === ':',
    shout: direct && /^[A-Z][A-Z0-9_]*$/.test(key),
    after: text.slice(value.end, value.end + 1),
    query: /[?&]/.test(text[start - 1] ?? ''),
  });
  if (!chosen) return null;
  return named(text, value, family!, tokenAt);
}

/** `--password hunter2`: the value after a flag whose second dash stands at `at`. */
export function secretAfterFlag(text: string, at: number, tokenAt: TokenAt): Secret | null {
  FLAG.lastIndex = at;
  const match = FLAG.exec(text);
  if (match === null) return curlUser(text, at);
  const family = familyOfKey(match[1]!);
  if (family === null || family === 'cookie' || family === 'authorization') return null;
  const value = valueAt(text, FLAG.lastIndex, false);
  if (value === null || text[value.start] === '-' || text.startsWith(REDACTED, value.start)) return null;
  const chosen = looksChosen(text.slice(value.start, Math.min(value.end, value.start + BARE_CHARS_MAX)), {
    family,
    quoted: value.quoted,
    direct: true,
    shout: false,
    after: text.slice(value.end, value.end + 1),
    query: false,
  });
  return chosen ? named(text, value, family, tokenAt) : null;
}

/** How the flags below begin, for the table of redact-text.ts. */
export const FLAG_STARTS = ['-pa', '-pr', '-to', '-se', '-ap', '-ac', '-u ', '-us'] as const;

const FLAG = /-(password|passwd|passphrase|token|secret|api-?key|access-key|secret-key|private-key)[ \t]+/y;
const CURL_USER = /-u(?:ser)?[ \t]+["']?([^\s:"'$`]{1,64}:)([^\s"'$`]{3,128})/y;

/** `curl -u name:password`: the password. Elsewhere -u is a user id or something else. */
function curlUser(text: string, at: number): Secret | null {
  if (!text.startsWith('-u', at)) return null;
  CURL_USER.lastIndex = at;
  const match = CURL_USER.exec(text);
  if (match === null || match[2]!.startsWith(REDACTED)) return null;
  if (!/\bcurl\b[^\n]*$/.test(text.slice(Math.max(0, at - 200), at))) return null;
  return { start: CURL_USER.lastIndex - match[2]!.length, end: CURL_USER.lastIndex, kind: 'password' };
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const COLON = 58;
const CAPITAL_A = 65;
const TELEGRAM_SECRET = /:A[A-Za-z0-9_-]{33,34}(?![A-Za-z0-9_-])/y;

/** A Telegram bot's token: 8 to 10 digits, a colon, 35 characters. */
function telegramToken(text: string, at: number): Secret | null {
  TELEGRAM_SECRET.lastIndex = at;
  if (!TELEGRAM_SECRET.test(text)) return null;
  const digits = /\d{8,10}$/.exec(text.slice(Math.max(0, at - 10), at))?.[0];
  if (digits === undefined) return null;
  return { start: at - digits.length, end: TELEGRAM_SECRET.lastIndex, kind: 'telegram-token' };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at - from < 8 && (text[at] === ' ' || text[at] === '\t')) at++;
  return at;
}

/** The quoted string or the bare run that begins at `from`. `greedy`: a shell or .env value, up to white space. */
function valueAt(text: string, from: number, greedy: boolean): Value | null {
  let at = from;
  if (/[bfru]/i.test(text[at] ?? '') && /["']/.test(text[at + 1] ?? '')) at++;
  let escapes = 0;
  while (escapes < 16 && text[at + escapes] === '\\') escapes++;
  const quote = text[at + escapes];
  if (quote === '"' || quote === "'" || (quote === '`' && escapes === 0)) {
    const start = at + escapes + 1;
    const close = closingQuote(text, start, quote, escapes);
    if (close !== null) return close > start ? { start, end: close, quoted: true } : null;
    return bareRun(text, start, /[^\s"'`\\]+/y, true);
  }
  return bareRun(text, from, greedy ? /[^\s"'`&;\\[]+/y : /[^\s"'`,;)}\]&<>|\\[]+/y, false);
}

function closingQuote(text: string, start: number, quote: string, escapes: number): number | null {
  const window = text.slice(start, start + QUOTED_CHARS_MAX);
  let close = window.indexOf(quote);
  while (close >= 0) {
    let slashes = 0;
    while (slashes < close && window[close - 1 - slashes] === '\\') slashes++;
    if (slashes <= escapes && (escapes > 0 || slashes % 2 === 0)) return start + close - slashes;
    if (escapes === 0 && slashes % 2 === 0) return start + close;
    close = window.indexOf(quote, close + 1);
  }
  return null;
}

function bareRun(text: string, start: number, run: RegExp, quoted: boolean): Value | null {
  run.lastIndex = 0;
  const match = run.exec(text.slice(start, start + BARE_CHARS_MAX));
  return match === null ? null : { start, end: start + match[0].length, quoted };
}

const LONG_RUN = /[A-Za-z0-9+/_=.-]*/y;

/** The whole value as a secret: a run that went beyond the bound is followed only now that it is one. */
function named(text: string, value: Value, family: SecretFamily, tokenAt: TokenAt): Secret | null {
  const { start } = value;
  let { end } = value;
  if (end - start === BARE_CHARS_MAX) {
    LONG_RUN.lastIndex = end;
    if (LONG_RUN.test(text)) end = LONG_RUN.lastIndex;
  }
  const token = tokenAt(text, start);
  return { start, end, kind: token !== null && token.end === end ? token.kind : family };
}

const CREDENTIAL =
  /^(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|Bot|Key)\s+)?(?=\S{6})(?![$<{%[*]|process\.|Bearer|Basic|Token)([^\s"'`,\\]+)/i;

/** The credential of an Authorization header; its scheme stays. */
function credential(text: string, value: Value): Secret | null {
  const line = text.slice(value.start, value.start + QUOTED_CHARS_MAX);
  const match = CREDENTIAL.exec(line);
  if (match === null) return null;
  const [whole, secret] = match as unknown as [string, string];
  const scheme = whole.length - secret.length;
  if (secret.startsWith(REDACTED)) return null;
  const basic = /^basic/i.test(whole);
  const chosen = /[0-9]/.test(secret) || (basic && /[=A-Z]/.test(secret) && /[a-z]/.test(secret));
  if (!chosen || /[(${}]/.test(secret) || (scheme === 0 && secret.length < 16)) return null;
  const start = value.start + scheme;
  return { start, end: start + secret.length, kind: 'authorization' };
}

const COOKIES = /(?=[A-Za-z0-9_.$-]{1,64}=[^\s;]{2})[^\r\n"'`\\]+/y;

/** All of a Cookie or Set-Cookie header: which of them is the session cannot be told. */
function cookies(text: string, from: number): Secret | null {
  let at = from;
  while (at < from + 4 && /["'`\\]/.test(text[at] ?? '')) at++;
  if (text.startsWith(REDACTED, at)) return null;
  COOKIES.lastIndex = at;
  if (!COOKIES.test(text) || /[(){}]|=>/.test(text.slice(at, COOKIES.lastIndex))) return null;
  return { start: at, end: COOKIES.lastIndex, kind: 'cookie' };
}

const URL_CREDENTIALS = /([^\s/?#@:"'`<>[\]{}()$\\]{0,128}):([^\s"'`<>\\/]{1,256})@(?=[A-Za-z0-9[])/y;

/** User and password of a URL whose authority begins at `from`. Templates (`${USER}:${PASSWORD}@`) stay. */
function urlCredentials(text: string, from: number): Secret | null {
  URL_CREDENTIALS.lastIndex = from;
  const match = URL_CREDENTIALS.exec(text);
  if (match === null || /^(?:\$|\{|%s|\*{2,}|\[redacted)/.test(match[2]!)) return null;
  return { start: from, end: URL_CREDENTIALS.lastIndex - 1, kind: 'url-credentials' };
}

function range(value: Value): { start: number; end: number } {
  return { start: value.start, end: value.end };
}
