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
/** A password may contain a slash, also an escaped one, when an @ and a host follow. */
const PASSWORD = /:((?:[^\s"'`<>\\]|\\{1,3}\/){1,256})@(?=[A-Za-z0-9[])/y;
const TEMPLATE = /^(?:\$|\{|%s|%\(|\*{2,}|\[redacted|<)/;
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
  PASSWORD.lastIndex = colon;
  const match = text[colon] === ':' ? PASSWORD.exec(text) : null;
  if (match === null || TEMPLATE.test(match[1]!)) return null;
  const password = match[1]!;
  if (password.includes('/')) {
    const scheme = text.slice(Math.max(0, at - 12), at);
    if (PORT.test(password) && (WEB.test(scheme) || /\/.*\//.test(password))) return null;
    // A later @ that belongs to the path: `https://u:p@host/@scope/name`.
    const first = /^((?:[^@/\\]|\\(?!\/))+)@[A-Za-z0-9[]/.exec(password);
    if (first !== null) return { start: from, end: colon + 1 + first[1]!.length, kind: 'url-credentials' };
  }
  return { start: from, end: PASSWORD.lastIndex - 1, kind: 'url-credentials' };
}

/** `https://<token>@host`: a user alone is a secret when it looks like a token. */
function userOnly(text: string, from: number, to: number): Secret | null {
  const user = text.slice(from, to);
  if (user.length < TOKEN_CHARS_MIN || TEMPLATE.test(user) || /[.+]/.test(user)) return null;
  return chosenToken(user, { quoted: true, direct: true })
    ? { start: from, end: to, kind: 'url-credentials' }
    : null;
}
