// The alphabets of tokens, each with its letter in the tables.
import { type Alphabet, alphabet } from './text-source.ts';

export const BASE64 = alphabet('A-Za-z0-9+/');
export const LETTERS: Readonly<Record<string, Alphabet>> = {
  /** Digits. */
  d: alphabet('0-9'),
  /** Hexadecimal in lower case, and in either case. */
  h: alphabet('a-f0-9'),
  H: alphabet('A-Fa-f0-9'),
  /** Letters and digits: lower case, upper case, either. */
  l: alphabet('a-z0-9'),
  U: alphabet('A-Z0-9'),
  a: alphabet('A-Za-z0-9'),
  /** … with _; with _ and -; with _ - and . */
  w: alphabet('A-Za-z0-9_'),
  W: alphabet('A-Za-z0-9_-'),
  D: alphabet('A-Za-z0-9_.-'),
  /** base64 in both spellings; with . and ~ as in a bearer token; with % as in a URL. */
  b: alphabet('A-Za-z0-9+/_=-'),
  B: alphabet('A-Za-z0-9._~+/=-'),
  p: alphabet('A-Za-z0-9+/%=_-'),
  /** The path of a webhook's address. */
  s: alphabet('A-Za-z0-9/_@-'),
  /** The alphabet of Azure's passwords. */
  z: alphabet('A-Za-z0-9_.~-'),
};
