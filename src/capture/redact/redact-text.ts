// Takes secrets out of a text before it is written anywhere. One pass from left to right: a table of character
// pairs says where something may begin, and only there the slower questions are asked. What is found is
// replaced by `[redacted:<kind>]`; a text without secrets is returned as it is.
//
// Two ways to go wrong: to miss a secret, which is for ever, and to eat ordinary code, which makes the memory
// useless. Prefixed tokens are taken wherever they stand; values are taken by the name of their key only when
// they look like a value somebody chose, not like code (see key-value.ts).
import { FLAG_STARTS, secretAfterFlag, secretAfterSeparator } from './key-value.ts';
import { privateKeyAt } from './private-key.ts';
import type { Secret } from './secret.ts';
import { TOKEN_FORMATS, type TokenFormat } from './token-formats.ts';

/**
 * The text with every secret replaced. Redacting twice is the same as once.
 * `onRedacted` is told the kind of each replacement (for counts; never the secret).
 */
export function redactText(text: string, onRedacted?: (kind: string) => void): string {
  let result = redactOnce(text, onRedacted);
  if (result === text) return text;
  // A secret that ran into the next key's name hid that key: what is left is looked at again until nothing goes.
  for (let pass = 1; pass < PASSES_MAX; pass++) {
    const again = redactOnce(result, onRedacted);
    if (again === result) break;
    result = again;
  }
  return result;
}

const PASSES_MAX = 8;

function redactOnce(text: string, onRedacted?: (kind: string) => void): string {
  let result = '';
  let kept = 0;
  let index = 0;
  const last = text.length - 2;
  while (index <= last) {
    const group = groupAt(text, index);
    const secret = group === 0 ? null : secretAt(text, index, group);
    if (secret === null || secret.start < kept) {
      index++;
      continue;
    }
    result += `${text.slice(kept, secret.start)}[redacted:${secret.kind}]`;
    onRedacted?.(secret.kind);
    kept = secret.end;
    index = secret.end;
  }
  return kept === 0 ? text : result + text.slice(kept);
}

/** What may begin at `at`: 0 nothing, SEPARATOR the value of a key, else an index into GROUPS. */
function groupAt(text: string, at: number): number {
  return GROUP_OF_PAIR[((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127)]!;
}

function secretAt(text: string, at: number, group: number): Secret | null {
  if (group === SEPARATOR) return secretAfterSeparator(text, at, tokenAt);
  const { formats, thirds, privateKey, flag } = GROUPS[group]!;
  if (thirds[text.charCodeAt(at + 2) & 127] === 0) return null;
  for (const start of formats) {
    const secret = tokenOfFormat(text, at, start);
    if (secret !== null) return secret;
  }
  if (privateKey) return privateKeyAt(text, at);
  return flag ? secretAfterFlag(text, at, tokenAt) : null;
}

/** The prefixed token that begins exactly at `at`, or null. */
function tokenAt(text: string, at: number): Secret | null {
  const group = groupAt(text, at) ?? 0;
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
  const least = shape.lastIndex;
  const from = at + (match[1]?.length ?? 0);
  // Asked of a bounded piece first: only what is a secret is followed to its end.
  if (
    needs !== undefined &&
    !holds(text.slice(from, endOfRest(rest, text.slice(0, least + 200), least)), needs)
  )
    return null;
  const end = endOfRest(rest, text, least);
  return { start: from, end, kind };
}

function endOfRest(rest: RegExp, text: string, from: number): number {
  rest.lastIndex = from;
  return rest.test(text) ? rest.lastIndex : from;
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

/** What may begin at one pair of characters. */
interface Group {
  readonly formats: FormatStart[];
  /** By the code of the third character: whether anything begins so. */
  readonly thirds: Uint8Array;
  privateKey: boolean;
  flag: boolean;
}

const SEPARATOR = 1;
const GROUPS: Group[] = [];
const GROUP_OF_PAIR = groupPairs();

function groupPairs(): Uint8Array {
  const groups = new Uint8Array(128 * 128);
  const newGroup = (): Group => ({
    formats: [],
    thirds: new Uint8Array(128),
    privateKey: false,
    flag: false,
  });
  GROUPS.push(newGroup(), newGroup());
  const groupOf = (anchor: string): Group => {
    const pair = (anchor.charCodeAt(0) << 7) | anchor.charCodeAt(1);
    if (groups[pair] === 0) {
      groups[pair] = GROUPS.length;
      GROUPS.push(newGroup());
    }
    const group = GROUPS[groups[pair]!]!;
    if (anchor.length > 2) group.thirds[anchor.charCodeAt(2)] = 1;
    else group.thirds.fill(1);
    return group;
  };
  for (const format of TOKEN_FORMATS)
    for (const anchor of format.anchors) groupOf(anchor).formats.push({ anchor, format });
  groupOf('BEGIN').privateKey = true;
  for (const flag of FLAG_STARTS) groupOf(flag).flag = true;
  for (const separator of '=:')
    groups.fill(SEPARATOR, separator.charCodeAt(0) << 7, (separator.charCodeAt(0) + 1) << 7);
  return groups;
}
