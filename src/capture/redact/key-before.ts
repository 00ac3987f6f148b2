// Finds the name before a `=` or `:` if it can be a secret's name. It runs at every separator of every text, so it
// compares character codes and stops at the first that does not fit.

const KEY_CHARS_MAX = 64;

export interface KeyBefore {
  readonly key: string;
  /** It is in quotes, or ends an index: `"token":`, `headers['cookie'] =`. */
  readonly quoted: boolean;
  /** Where it begins, without its quote. */
  readonly start: number;
}

/**
 * The identifier that ends right before `at`, without its closing quote and spaces. Null when it cannot name a secret.
 */
export function keyBefore(text: string, at: number): KeyBefore | null {
  let end = at;
  while (end > 0 && at - end < 4 && isSpace(text.charCodeAt(end - 1))) end--;
  let quoted = false;
  if (end > 0 && isClosing(text.charCodeAt(end - 1))) {
    quoted = true;
    end--;
    if (end > 0 && isClosing(text.charCodeAt(end - 1))) end--;
    while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end--;
  }
  if (!endsLikeASecretsName(text, end)) return null;
  let start = end;
  while (start > 0 && end - start < KEY_CHARS_MAX && isKeyChar(text.charCodeAt(start - 1))) start--;
  // `\ntoken=`: the n belongs to a spelled-out line break.
  if (text.charCodeAt(start - 1) === BACKSLASH && /[nrt]/.test(text[start]!)) start++;
  if (quoted && isTernary(text, start)) return null;
  return { key: text.slice(start, end), quoted, start };
}

/** The last three letters of every name in key-names.ts. */
const TAILS = [
  ...['ord', 'swd', 'ase', 'ode', 'ort', 'pwd', 'ass', 'key', 'ret', 'ken', 'dpw', 'tpw', 'psk'],
  ...['ion', 'kie', 'ail', 'uid', 'unt', 'pat'],
];
const TAIL_TABLE = tailTable();

function tailTable(): Uint8Array {
  const table = new Uint8Array(32 * 32 * 32);
  for (const tail of TAILS) table[tailIndex(tail, 3)] = 1;
  return table;
}

function tailIndex(text: string, end: number): number {
  return (
    ((text.charCodeAt(end - 3) & 31) << 10) |
    ((text.charCodeAt(end - 2) & 31) << 5) |
    (text.charCodeAt(end - 1) & 31)
  );
}

/** Whether the word that ends at `end` may be a secret's name. */
export function endsLikeASecretsName(text: string, end: number): boolean {
  let letters = end;
  while (letters > 0 && end - letters < 2 && isDigit(text.charCodeAt(letters - 1))) letters--;
  if (letters < end && text.charCodeAt(letters - 1) === UNDERSCORE) letters--;
  if (letters < 3) return false;
  return TAIL_TABLE[tailIndex(text, letters)] === 1 || isVariable(text, letters);
}

/** `AWS_BEARER_TOKEN_BEDROCK`: a name that ends in three capitals may be any variable. */
function isVariable(text: string, end: number): boolean {
  return (
    isCapital(text.charCodeAt(end - 1)) &&
    isCapital(text.charCodeAt(end - 2)) &&
    isCapital(text.charCodeAt(end - 3))
  );
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** `passed ? 'pass' : 'fail'` is a choice, not a field. */
function isTernary(text: string, start: number): boolean {
  return /\?\s*\\*["'`]$/.test(text.slice(Math.max(0, start - 8), start));
}

const BACKSLASH = 92;
const UNDERSCORE = 95;

function isSpace(code: number): boolean {
  return code === 32 || code === 9;
}

/** One of " ' ` ]. */
function isClosing(code: number): boolean {
  return code === 34 || code === 39 || code === 96 || code === 93;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** A letter, a digit, one of _ . $ -. */
function isKeyChar(code: number): boolean {
  const letter = code | 32;
  return (
    (letter >= 97 && letter <= 122) ||
    isDigit(code) ||
    code === 95 ||
    code === 46 ||
    code === 36 ||
    code === 45
  );
}
