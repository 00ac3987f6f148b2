// How a row of the vendors' tables is written and matched. A row is
//
//   [kind, prefixes, body, …flags]       body = piece ' ' piece …, piece = run | literal
//   run = letter of an alphabet (alphabets.ts), least[-most][+]: `h32` exactly 32, `a20-40`, `W20+` at least 20
//
// Every run is read through the source, which reads none twice, so a row costs a few steps per prefix.
import { LETTERS } from './alphabets.ts';
import type { Secret } from './secret.ts';
import type { Alphabet, Source } from './text-source.ts';

/**
 * `keep`: the prefix (a host, a scheme) is not redacted. Letters and digits may not come before a prefix; with `word`,
 * neither may _ or -; with `anywhere`, everything may, because the prefix is specific enough. The prefix of some rows
 * also begins ordinary names. `digit`: the secret must hold a digit; `mixed`: a digit and both cases; `random`: digits
 * in two places, because the prefix is only a variable's name.
 */
export type Flag = 'keep' | 'word' | 'anywhere' | 'digit' | 'mixed' | 'random';

export type TokenRow = readonly [kind: string, prefixes: readonly string[], body: string, ...flags: Flag[]];

export type TokenPiece =
  | string
  | { readonly alphabet: Alphabet; readonly least: number; readonly most: number };

export interface TokenForm {
  readonly kind: string;
  readonly anchors: readonly string[];
  readonly flags: ReadonlySet<Flag>;
  readonly body: readonly TokenPiece[];
}

export function formOf([kind, anchors, body, ...flags]: TokenRow): TokenForm {
  return { kind, anchors, flags: new Set(flags), body: piecesOf(body) };
}

export function piecesOf(body: string): TokenPiece[] {
  return body.split(' ').filter(Boolean).map(pieceOf);
}

function pieceOf(written: string): TokenPiece {
  const run = /^([a-zA-Z])(\d+)(?:-(\d+))?(\+?)$/.exec(written);
  if (run === null) return written;
  const letters = LETTERS[run[1]!];
  if (letters === undefined) throw new TypeError(`“${written}”: alphabets.ts has no alphabet of this letter`);
  const least = Number(run[2]);
  const most = run[4] === '+' ? Number.POSITIVE_INFINITY : Number(run[3] ?? run[2]);
  return { alphabet: letters, least, most };
}

/** The token of a form whose prefix `anchor` is at `at`, or null. */
export function tokenOf(source: Source, at: number, anchor: string, form: TokenForm): Secret | null {
  const { text } = source;
  if (!text.startsWith(anchor, at)) return null;
  const { flags, kind } = form;
  const [first] = form.body;
  // Looking at one character far ahead rules out nearly all ordinary text.
  if (
    typeof first === 'object' &&
    first.least > 0 &&
    !isOf(first.alphabet, text, at + anchor.length + first.least - 1)
  )
    return null;
  if (!flags.has('anywhere') && !isFreeStanding(text, at, flags.has('word'))) return null;
  const body = at + anchor.length;
  const end = bodyEnd(source, body, form.body);
  // Vendors mark the tokens of their documentation.
  if (end < 0 || text.startsWith('EXAMPLE', end - 7)) return null;
  if (!flags.has('anywhere') && isInBase64(source, at)) return null;
  const required = flags.has('random')
    ? 'random'
    : flags.has('mixed')
      ? 'mixed'
      : flags.has('digit')
        ? 'digit'
        : null;
  if (required !== null && !hasForm(source.piece(body, Math.min(end, body + CHECKED_CHARS_MAX)), required))
    return null;
  return { start: flags.has('keep') ? body : at, end, kind };
}

function isOf({ has }: Alphabet, text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && has[code] === 1;
}

/** Enough characters to find a digit in a random token. */
const CHECKED_CHARS_MAX = 200;

/** Where the pieces that begin at `at` end, or -1 when they do not match. */
export function bodyEnd(source: Source, at: number, body: readonly TokenPiece[]): number {
  let end = at;
  for (const [index, piece] of body.entries()) {
    if (typeof piece === 'string') {
      if (!source.text.startsWith(piece, end)) return -1;
      end += piece.length;
      continue;
    }
    const run = source.runEnd(piece.alphabet, end);
    if (run - end < piece.least) return -1;
    // A run of fixed length may continue into the next piece.
    if (piece.least === piece.most && index < body.length - 1) end += piece.least;
    else if (run - end > piece.most) return -1;
    else end = run;
  }
  return end;
}

/**
 * Whether no letter or digit (or, for `word`, _ or -) comes right before. `\n` as two
 * characters is a line break.
 */
export function isFreeStanding(text: string, at: number, word: boolean): boolean {
  const before = text[at - 1];
  if (before === undefined) return true;
  if (!(word ? /[A-Za-z0-9_-]/ : /[A-Za-z0-9]/).test(before)) return true;
  return /[nrt]/.test(before) && text[at - 2] === '\\';
}

/**
 * Whether `at` is in the middle of binary data as base64, where any prefix may occur between two of its `+` and `/`. A
 * path of this length has no plus sign in it.
 */
function isInBase64(source: Source, at: number): boolean {
  if (!/[+/]/.test(source.text.charAt(at - 1)) || at < BASE64_CHARS) return false;
  const before = source.piece(at - BASE64_CHARS, at);
  return /^[A-Za-z0-9+/]+$/.test(before) && before.includes('+') && /\d/.test(before);
}

const BASE64_CHARS = 400;

export function hasForm(secret: string, required: 'digit' | 'mixed' | 'random'): boolean {
  if (!(required === 'random' ? /[0-9][^0-9]+[0-9]/ : /[0-9]/).test(secret)) return false;
  return required === 'digit' || (/[a-z]/.test(secret) && /[A-Z]/.test(secret));
}
