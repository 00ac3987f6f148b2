// Takes secrets out of a text before it is written anywhere. One pass from left to right: a table of character
// pairs says where something may begin, and only there the slower questions are asked. What is found is
// replaced by `[redacted:<kind>]`; a text without secrets is returned as it is.
//
// Two ways to go wrong: to miss a secret, which is for ever, and to eat ordinary code, which makes the memory
// useless. Prefixed tokens are taken wherever they stand; values are taken by the name of their key only when
// they look like a value somebody chose, not like code (see key-value.ts).
import { secretAfterFlag, secretAfterSeparator } from './key-value.ts';
import { privateKeyAt } from './private-key.ts';
import { TOKEN_FORMATS, type TokenFormat } from './token-formats.ts';

/** Half-open range of a secret in the text it was found in, UTF-16 units. */
export interface Secret {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

/**
 * The text with every secret replaced. Redacting twice is the same as once.
 * `onRedacted` is told the kind of each replacement (for counts; never the secret).
 */
export function redactText(text: string, onRedacted?: (kind: string) => void): string {
  let result = '';
  let kept = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const group = GROUP_OF_PAIR[((previous & 127) << 7) | (code & 127)];
    previous = code;
    if (group === 0) continue;
    const at = index - 1;
    const secret =
      group === SEPARATOR ? secretAfterSeparator(text, at, tokenAt) : secretOfGroup(text, at, group!);
    if (secret === null || secret.start < kept) continue;
    result += `${text.slice(kept, secret.start)}[redacted:${secret.kind}]`;
    onRedacted?.(secret.kind);
    kept = secret.end;
    index = secret.end - 1;
    previous = 0;
  }
  return kept === 0 ? text : result + text.slice(kept);
}

/** A prefixed token, a private key or the value of a command-line flag that begins at `at`. */
function secretOfGroup(text: string, at: number, group: number): Secret | null {
  const starts = GROUPS[group]!;
  for (const start of starts.formats) {
    const secret = tokenOfFormat(text, at, start);
    if (secret !== null) return secret;
  }
  if (starts.privateKey) return privateKeyAt(text, at);
  if (starts.flag) return secretAfterFlag(text, at, tokenAt);
  return null;
}

/** The prefixed token that begins exactly at `at`, or null. */
function tokenAt(text: string, at: number): Secret | null {
  const group = GROUP_OF_PAIR[((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127)] ?? 0;
  if (group === 0 || group === SEPARATOR) return null;
  for (const start of GROUPS[group]!.formats) {
    const secret = tokenOfFormat(text, at, start);
    if (secret !== null) return secret;
  }
  return null;
}

function tokenOfFormat(text: string, at: number, start: FormatStart): Secret | null {
  if (!text.startsWith(start.anchor, at)) return null;
  const { shape, rest, notAfter = 'letter', needs, kind } = start.format;
  if (notAfter !== 'nothing' && !standsFree(text, at, notAfter === 'word')) return null;
  shape.lastIndex = at;
  const match = shape.exec(text);
  if (match === null) return null;
  rest.lastIndex = shape.lastIndex;
  const end = rest.test(text) ? rest.lastIndex : shape.lastIndex;
  const from = at + (match[1]?.length ?? 0);
  if (needs !== undefined && !holds(text.slice(from, end), needs)) return null;
  return { start: from, end, kind };
}

/** Whether no letter or digit (or, for `word`, _ or -) stands right before; `\n` spelled out is a line break. */
function standsFree(text: string, at: number, word: boolean): boolean {
  const before = text[at - 1];
  if (before === undefined) return true;
  if (!(word ? /[A-Za-z0-9_-]/ : /[A-Za-z0-9]/).test(before)) return true;
  return /[nrt]/.test(before) && text[at - 2] === '\\';
}

function holds(secret: string, needs: 'digit' | 'mixed'): boolean {
  if (!/[0-9]/.test(secret)) return false;
  return needs === 'digit' || (/[a-z]/.test(secret) && /[A-Z]/.test(secret));
}

interface FormatStart {
  readonly anchor: string;
  readonly format: TokenFormat;
}

interface Group {
  readonly formats: FormatStart[];
  privateKey: boolean;
  flag: boolean;
}

const SEPARATOR = 1;
const GROUPS: Group[] = [];
const GROUP_OF_PAIR = groupPairs();

/** What may begin at a pair of characters: 0 nothing, 1 the value of a key, else an index into GROUPS. */
function groupPairs(): Uint8Array {
  const groups = new Uint8Array(128 * 128);
  const nothing = { formats: [], privateKey: false, flag: false };
  GROUPS.push(nothing, nothing);
  const groupOf = (anchor: string): Group => {
    const pair = (anchor.charCodeAt(0) << 7) | anchor.charCodeAt(1);
    if (groups[pair] === 0) {
      groups[pair] = GROUPS.length;
      GROUPS.push({ formats: [], privateKey: false, flag: false });
    }
    return GROUPS[groups[pair]!]!;
  };
  for (const format of TOKEN_FORMATS)
    for (const anchor of format.anchors) groupOf(anchor).formats.push({ anchor, format });
  groupOf('BEGIN').privateKey = true;
  for (const flag of ['-p', '-t', '-s', '-a', '-u', '-c']) groupOf(flag).flag = true;
  for (const separator of '=:')
    groups.fill(SEPARATOR, separator.charCodeAt(0) << 7, (separator.charCodeAt(0) + 1) << 7);
  return groups;
}
