// User and password of a URL. Templates (`${USER}:${PASSWORD}@`) stay, and so does a plain user (`git@`).
import { chosenToken } from './chosen-values.ts';
import type { Secret } from './secret.ts';
import type { Source } from './text-source.ts';

/** Where the authority begins after `://`, or `:\/\/` as in JSON, whose colon is at `at`. -1 when there is none. */
export function authorityAfter({ text }: Source, at: number): number {
  if (text.startsWith('//', at + 1)) return at + 3;
  SLASHES.lastIndex = at + 1;
  return SLASHES.test(text) ? SLASHES.lastIndex : -1;
}

const SLASHES = /\\{1,4}\/\\{1,4}\//y;

const USER = /[^\s/?#@:"'`<>[\]{}()$\\]{0,128}/y;
const PASSWORD_CHARS_MAX = 256;
const NOT_IN_PASSWORD = /[\s"'`<>]/;
/** A backslash that escapes no slash. */
const OTHER_BACKSLASH = /\\(?!\\{0,2}\/)/;
const HOST_BEGINS = /[A-Za-z0-9[]/;
const TEMPLATE = /^(?:\$|\{|%s|%\(|\*{2,}|\[redacted|<)/;
/** The two names in the place of their values. */
const NAMES_ONLY = /^(?:user(?:name)?|login|name):pass(?:word|wd)?$/i;
/** `8080/`: a port and a path, in which an @ has no special meaning. */
const PORT = /^\d{1,5}\\{0,3}\//;
/** For these schemes, an @ in a path never ends a password; for databases, a port and a path may be part of one. */
const WEB = /(?:https?|wss?|file|git|npm|vscode|webpack)$/i;
const TOKEN_CHARS_MIN = 12;

export function urlCredentials(source: Source, at: number, from: number): Secret | null {
  const { text } = source;
  USER.lastIndex = from;
  USER.test(text);
  const colon = USER.lastIndex;
  source.steps += 300;
  if (text[colon] === '@') return userOnly(text, from, colon);
  const password = text[colon] === ':' ? passwordAt(text, colon + 1) : '';
  if (password === '' || TEMPLATE.test(password)) return null;
  if (NAMES_ONLY.test(text.slice(from, colon + 1 + password.length))) return null;
  if (password.includes('/')) {
    const scheme = text.slice(Math.max(0, at - 12), at);
    if (PORT.test(password) && (WEB.test(scheme) || /\/.*\//.test(password))) return null;
    // A later @ that belongs to the path: `https://u:p@host/@scope/name`.
    const first = /^((?:[^@/\\]|\\(?!\/))+)@[A-Za-z0-9[]/.exec(password);
    if (first !== null) return { start: from, end: colon + 1 + first[1]!.length, kind: 'url-credentials' };
  }
  return { start: from, end: colon + 1 + password.length, kind: 'url-credentials' };
}

/** Up to the last @ that a host follows; empty when there is none. It may contain slashes, also escaped ones. */
function passwordAt(text: string, from: number): string {
  const near = text.slice(from, from + PASSWORD_CHARS_MAX + 1);
  // Most colons are of no password, and a hostile text may be nothing but colons.
  if (!near.includes('@')) return '';
  const end = Math.min(...[NOT_IN_PASSWORD, OTHER_BACKSLASH].map((one) => endBefore(one, near)));
  for (let at = end; at > 0; ) {
    at = near.lastIndexOf('@', at - 1);
    if (at > 0 && HOST_BEGINS.test(text[from + at + 1] ?? '')) return near.slice(0, at);
  }
  return '';
}

function endBefore(pattern: RegExp, text: string): number {
  const at = text.search(pattern);
  return at < 0 ? text.length : at;
}

/** `https://<token>@host`: a user alone is a secret when it looks like a token. */
function userOnly(text: string, from: number, to: number): Secret | null {
  const user = text.slice(from, to);
  if (user.length < TOKEN_CHARS_MIN || TEMPLATE.test(user) || /[.+]/.test(user)) return null;
  return chosenToken(user, { quoted: true, direct: true, shout: false, field: false })
    ? { start: from, end: to, kind: 'url-credentials' }
    : null;
}
