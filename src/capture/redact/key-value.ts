// Finds secrets by the name before them: `password=…`, `"api_key": "…"`, `Authorization: Bearer …`, `Cookie: …`,
// `Secret Access Key [None]: …`. Runs at each `=` and `:` of a text. Every look back is bounded and every run is read
// through the source, so a hostile text stays linear.

import { chosenToken, isPlaceholder, looksChosen, repeatsKey } from './chosen-values.ts';
import { contextOf, PGPASS } from './contexts.ts';
import { endsLikeASecretsName, type KeyBefore, keyBefore } from './key-before.ts';
import { accountKey, familyOfKey, type SecretFamily } from './key-names.ts';
import type { Secret } from './secret.ts';
import { surroundingsOf } from './surroundings.ts';
import { alphabet, type Source } from './text-source.ts';
import { authorityAfter, urlCredentials } from './urls.ts';
import {
  BARE_CHARS_MAX,
  isRedacted,
  QUOTED_CHARS_MAX,
  secretValue,
  type TokenAt,
  type Value,
  valueAt,
} from './value-bounds.ts';
import { isVendorsValue, vendorsNamed } from './vendor-names.ts';

/** Runs at every `=` and `:`: whether a secret's name or something like a value is next to it. */
export function maySeparate(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (endsLikeName(text, at, before) || before === BRACKET) return true;
  const next = text.charCodeAt(at + 1);
  if (text.charCodeAt(at) === COLON && next !== SPACE) {
    if (next === SLASH || next === BACKSLASH || next === CAPITAL_A || next === STAR) return true;
    if (next >= ZERO && next <= NINE && text.charCodeAt(at + 3) <= NINE) return true;
  }
  return mayBeVendors(text, at);
}

function endsLikeName(text: string, at: number, before: number): boolean {
  // After a quote or a space, the name is searched for.
  return isValueMark(before) || before === BRACKET || endsLikeASecretsName(text, at);
}

/** The secret value that belongs to the `=` or `:` at `at`, or null. */
export function secretAfterSeparator(source: Source, at: number, tokenAt: TokenAt): Secret | null {
  const { text } = source;
  const colon = text.charCodeAt(at) === COLON;
  const next = text.charCodeAt(at + 1);
  if (colon && (next === SLASH || next === BACKSLASH)) {
    const authority = authorityAfter(source, at);
    if (authority >= 0) return urlCredentials(source, at, authority);
  }
  if (colon && next === CAPITAL_A) {
    const token = telegramToken(source, at);
    if (token !== null) return token;
  }
  if (colon && (next === STAR || (next >= ZERO && next <= NINE))) {
    const line = contextOf(source, at, ':', PGPASS);
    if (line !== null) return line;
  }
  source.steps += 8;
  const found = (colon ? labelBefore(source, at) : null) ?? keyBefore(text, at);
  return found === null ? vendorsValue(source, at, tokenAt) : secretOfKey(source, at, found, tokenAt);
}

function secretOfKey(source: Source, at: number, found: KeyBefore, tokenAt: TokenAt): Secret | null {
  const { text } = source;
  const { key, quoted, start } = found;
  source.steps += key.length;
  const isAccount = accountKey(key);
  const around = surroundingsOf(source, at, found);
  if (around.resource) return null;
  const family = isAccount ? null : around.connection && /^pwd$/i.test(key) ? 'password' : familyOfKey(key);
  if (family === null && !isAccount) return vendorsValue(source, at, tokenAt, key);
  // `==`, `=>`, `::` compare, map and qualify. keyBefore has already excluded `+=` and `!=`.
  let from = at + 1;
  if (text[at] === ':' && text[from] === '=') from++;
  else if (MAPS_TO_STRING.test(text.slice(from, from + 8))) from++;
  if (/[=>:]/.test(text[from] ?? '')) return null;
  if (around.expansion) return defaultOf(source, at + 2, family, tokenAt);
  const direct = from === at + 1 && text[at] === '=' && !/\s/.test(text[from] ?? '');
  from = skipSpaces(text, from);
  if (family === 'cookie') return text[at] === ':' ? cookies(source, from) : null;
  const shout = direct && /^[A-Z][A-Z0-9_]*$/.test(key);
  const value = valueAt(source, from, !quoted && direct && /^[A-Z0-9_]+$/.test(key));
  if (value === null || isRedacted(text, value.start)) return null;
  if (family === 'authorization') return credential(source, value);
  const examined = source.piece(value.start, Math.min(value.end, value.start + BARE_CHARS_MAX));
  if (isAccount)
    return namesAccount(examined, key) ? { start: value.start, end: value.end, kind: 'account' } : null;
  const chosen = looksChosen(examined, {
    family: family!,
    key,
    quoted: value.quoted,
    direct: direct || text[at] === ':',
    shout,
    field: quoted && value.quoted,
    after: text.slice(value.end, value.end + 1),
    declared: text[at] === ':' && !value.quoted && text[value.end] === ';',
    query: /[?&]/.test(text[start - 1] ?? ''),
    ownLine: !value.quoted && family === 'password' && around.isOwnLine(value.end),
    connection: around.connection || (direct && key.startsWith('-')),
  });
  return chosen ? secretValue(source, value, family === 'key' ? 'api-key' : family!, tokenAt) : null;
}

/** Whether it is an account's name, not a type or a placeholder. */
function namesAccount(value: string, key: string): boolean {
  return value.length >= 3 && !isPlaceholder(value) && !repeatsKey(value, key);
}

/** `:token => "…"`, in Ruby and PHP. */
const MAPS_TO_STRING = /^> {0,2}\\{0,3}["']/;

/** A value in the format of the vendor that its key names, without a secret's name before it. */
function vendorsValue(source: Source, at: number, tokenAt: TokenAt, name?: string): Secret | null {
  const { text } = source;
  if (!mayBeVendors(text, at)) return null;
  const from = valueFrom(text, at);
  const end = source.runEnd(VENDOR_RUN, from);
  if (end - from < 15 || end - from > 100) return null;
  const key = name ?? nameBefore(source, at);
  if (key.length < 4 || !isVendorsValue(vendorsNamed(key), source.piece(from, end))) return null;
  return secretValue(source, { start: from, end, quoted: false }, 'vendor-key', tokenAt);
}

const VENDOR_RUN = alphabet('A-Za-z0-9+/_=:-');

/** Most values are shorter or contain a space, so a few samples rule them out. */
function mayBeVendors(text: string, at: number): boolean {
  const from = valueFrom(text, at);
  for (let ahead = 14; ahead >= 0; ahead -= 3) if (!isVendorChar(text, from + ahead)) return false;
  return true;
}

function valueFrom(text: string, at: number): number {
  let from = at + 1;
  while (from < at + 6 && isValueMark(text.charCodeAt(from))) from++;
  return from;
}

function isVendorChar(text: string, at: number): boolean {
  return VENDOR_RUN.has[text.charCodeAt(at) & 127] === 1;
}

/** A space, a quote or a backslash. */
function isValueMark(code: number): boolean {
  return code === 32 || code === 34 || code === 39 || code === 92 || code === 96;
}

function nameBefore({ text }: Source, at: number): string {
  let end = at;
  while (end > at - 5 && isValueMark(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > end - 62 && NAME_CHARS.has[text.charCodeAt(start - 1) & 127] === 1) start--;
  return text.slice(Math.max(0, start), end);
}

const NAME_CHARS = alphabet('A-Za-z0-9_.$-');

/** `${TOKEN:-…}`: the default of an unset variable. An ordinary word is not a secret, a token is. */
function defaultOf(
  source: Source,
  from: number,
  family: SecretFamily | null,
  tokenAt: TokenAt,
): Secret | null {
  const value = valueAt(source, from, false);
  if (value === null || value.end - value.start < 16) return null;
  const text = source.piece(value.start, value.end);
  return chosenToken(text, { quoted: true, direct: true, shout: false, field: false })
    ? secretValue(source, value, family ?? 'token', tokenAt)
    : null;
}

const LABEL =
  /(?:^|[^\w-])((?:(?:secret|access|api|private|signing|encryption|master|account|licen[sc]e|auth) ){1,3}key|(?:password|passphrase|token|secret)(?= \[))(?: \[[^\]\n]{0,40}\])?$/i;

/** ` [None]`: the part of its current value that a prompt shows. */
function endsWithHint(text: string, at: number): boolean {
  let open = at - 2;
  while (open > at - 44 && text.charCodeAt(open) !== OPENING) open--;
  return text.charCodeAt(open) === OPENING && text.charCodeAt(open - 1) === SPACE;
}

/** `AWS Secret Access Key [None]`: a name of several words, as prompts and forms spell it. */
function labelBefore(source: Source, at: number): KeyBefore | null {
  const { text } = source;
  const last = text.charCodeAt(at - 1);
  const mayBe =
    last === BRACKET
      ? text.charCodeAt(at + 1) === SPACE && endsWithHint(text, at)
      : (last | 32) === SMALL_Y && text.charCodeAt(at - 4) === SPACE;
  if (!mayBe) return null;
  const match = LABEL.exec(source.piece(at - 96, at));
  if (match === null) return null;
  const key = match[1]!.replaceAll(' ', '');
  return { key, quoted: false, start: at - match[0].length };
}

const COLON = 58;
const SMALL_Y = 121;
const BRACKET = 93;
const OPENING = 91;
const SPACE = 32;
const SLASH = 47;
const BACKSLASH = 92;
const STAR = 42;
const ZERO = 48;
const NINE = 57;
const CAPITAL_A = 65;
const TELEGRAM_SECRET = /:A[A-Za-z0-9_-]{33,34}(?![A-Za-z0-9_-])/y;

/** A Telegram bot's token: 8 to 10 digits, a colon, 35 characters. */
function telegramToken(source: Source, at: number): Secret | null {
  TELEGRAM_SECRET.lastIndex = at;
  source.steps += 35;
  if (!TELEGRAM_SECRET.test(source.text)) return null;
  const end = TELEGRAM_SECRET.lastIndex;
  const digits = /\d{8,10}$/.exec(source.piece(at - 10, at))?.[0];
  return digits === undefined ? null : { start: at - digits.length, end, kind: 'telegram-token' };
}

function skipSpaces(text: string, from: number): number {
  let at = from;
  while (at - from < 8 && (text[at] === ' ' || text[at] === '\t')) at++;
  return at;
}

const SCHEME = /(?:(?:Bearer|Basic|Token|Digest|ApiKey|Negotiate|Bot|Key|SSWS|GenieKey|Splunk)[ \t]{1,8})?/iy;
const NO_CREDENTIAL = /[$<{%[*]|process\.|Bearer|Basic|Token/iy;
const CREDENTIAL_RUN = alphabet('^\\s"\'`,\\\\');

/** The credential of an Authorization header. Its scheme stays. */
function credential(source: Source, value: Value): Secret | null {
  const { text } = source;
  SCHEME.lastIndex = value.start;
  SCHEME.test(text);
  const start = SCHEME.lastIndex;
  NO_CREDENTIAL.lastIndex = start;
  if (NO_CREDENTIAL.test(text) || isRedacted(text, start)) return null;
  const end = Math.min(source.runEnd(CREDENTIAL_RUN, start), start + QUOTED_CHARS_MAX);
  if (end - start < (start === value.start ? 16 : 6)) return null;
  const secret = source.piece(start, Math.min(end, start + BARE_CHARS_MAX));
  const basic = /^basic/i.test(text.slice(value.start, start));
  const chosen = /[0-9]/.test(secret) || (basic && /[=A-Z]/.test(secret) && /[a-z]/.test(secret));
  return !chosen || /[(${}]/.test(secret) ? null : { start, end, kind: 'authorization' };
}

const COOKIE_START = /(?=[A-Za-z0-9_.$-]{1,64}=(?![>'`])(?:\\{0,8}")?[^\s;"\\]{2})/y;
const COOKIE_LINE = alphabet('^\\r\\n"\'`\\\\');
/** Excludes characters that only code has. */
const COOKIE_TEXT = alphabet('^\\r\\n"\'`\\\\(){}');
const COOKIE_QUOTED = alphabet('^\\s"\'`\\\\,;(){}');
/** Escaped in JSON, once or several times. */
const COOKIE_QUOTE = /\\{0,8}"/y;
const COOKIE_ENDS = /[;\s"'\\]|$/y;
/** Values in quotes that are followed in one header: with more, the work would be quadratic. */
const COOKIE_QUOTED_MAX = 32;

/** A whole Cookie or Set-Cookie header, because the session cookie cannot be told from the others. */
function cookies(source: Source, from: number): Secret | null {
  const { text } = source;
  let at = from;
  while (at < from + 4 && /["'`\\]/.test(text[at] ?? '')) at++;
  if (isRedacted(text, at)) return null;
  COOKIE_START.lastIndex = at;
  source.steps += 76;
  if (!COOKIE_START.test(text)) return null;
  let end = source.runEnd(COOKIE_LINE, at);
  if (source.runEnd(COOKIE_TEXT, at) < end) return null;
  // In `"cookie": value="x" in y`, which is code, nothing ends behind the quotes.
  if (text.indexOf('=', at) === end - 1 && quotedCookieEnd(source, end) === null) return null;
  for (let quoted = 0; quoted < COOKIE_QUOTED_MAX; quoted++) {
    const after = quotedCookieEnd(source, end);
    if (after === null) break;
    end = source.runEnd(COOKIE_LINE, after);
  }
  return { start: at, end, kind: 'cookie' };
}

/** The end of a value in quotes that begins here, as in `a="b"; c=d`. Null if there is none. */
function quotedCookieEnd(source: Source, at: number): number | null {
  const { text } = source;
  COOKIE_QUOTE.lastIndex = at;
  if (text[at - 1] !== '=' || !COOKIE_QUOTE.test(text)) return null;
  const quote = text.slice(at, COOKIE_QUOTE.lastIndex);
  const close = source.runEnd(COOKIE_QUOTED, at + quote.length);
  if (!text.startsWith(quote, close)) return null;
  COOKIE_ENDS.lastIndex = close + quote.length;
  return COOKIE_ENDS.test(text) ? close + quote.length : null;
}
