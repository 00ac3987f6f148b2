// `--password hunter2`, `["--password", "hunter2"]`: the value after a flag that names a secret. Flags that mean a secret only for some commands are
// in contexts.ts.
import { looksChosen } from './chosen-values.ts';
import { familyOfKey } from './key-names.ts';
import type { Secret } from './secret.ts';
import type { Source } from './text-source.ts';
import { BARE_CHARS_MAX, isRedacted, secretValue, type TokenAt, valueAt } from './value-bounds.ts';

/** The beginnings of these flags, from their second dash on, for the index of finders.ts. */
export const FLAG_STARTS = [
  ...['-pass', '-priv', '-toke', '-secr', '-api', '-acce', '-auth', '-clie', '-db-p', '-pat '],
] as const;

/** In a command line, in a list of strings, in a list of YAML. */
const FLAG =
  /-((?:[a-z]{1,16}-){0,2}(?:password|passwd|passphrase|token|secret|api-?key|access-key|secret-key|private-key)|pat)(?:[ \t]{1,8}|\\{0,3}["'],(?:\s|\\{1,3}[nrt]){0,40}(?=\\{0,3}["'])|(?:\r?\n|\\n)[ \t]{0,40}-[ \t]{1,8})/y;

export function secretAfterFlag(source: Source, at: number, tokenAt: TokenAt): Secret | null {
  const { text } = source;
  FLAG.lastIndex = at;
  const match = FLAG.exec(text);
  if (match === null) return null;
  const family = match[1] === 'pat' ? 'token' : familyOfKey(match[1]!);
  if (family === null || family === 'cookie' || family === 'authorization') return null;
  const value = valueAt(source, at + match[0].length, false);
  if (value === null || text[value.start] === '-' || isRedacted(text, value.start)) return null;
  const chosen = looksChosen(source.piece(value.start, Math.min(value.end, value.start + BARE_CHARS_MAX)), {
    family,
    key: '',
    quoted: value.quoted,
    direct: true,
    shout: false,
    field: false,
    after: text.slice(value.end, value.end + 1),
    declared: false,
    query: false,
    ownLine: false,
    connection: false,
  });
  return chosen ? secretValue(source, value, family, tokenAt) : null;
}
