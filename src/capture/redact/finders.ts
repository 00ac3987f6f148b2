// Which finders to try at which first characters: the index with which one pass over a text covers all rows of all
// tables. Plain text costs one look-up per character.
import { CONTEXTS, contextOf } from './contexts.ts';
import { FLAG_STARTS, secretAfterFlag } from './flags.ts';
import { keyLinesAt, keyTailAt, mayEndKeyLine, publicBlockAt, puttyLinesAt } from './key-lines.ts';
import { maySeparate, secretAfterSeparator } from './key-value.ts';
import { privateKeyAt } from './private-key.ts';
import type { NonSecret, Secret } from './secret.ts';
import { mayBegin, Scan } from './text-scan.ts';
import type { Source } from './text-source.ts';
import { bodyEnd, formOf, piecesOf, tokenOf } from './token-rows.ts';
import { INFIX_TOKENS, VENDOR_TOKENS } from './vendor-tokens.ts';

type Find = (source: Source, at: number) => Secret | NonSecret | null;

/** A finder for one anchor. The anchor's last character rules out most other texts with the same beginning. */
interface Entry {
  readonly find: Find;
  readonly offset: number;
  readonly last: number;
  /** A vendor's token, whose kind is more specific than that of a context. */
  readonly token: boolean;
}

const NOTHING = 0;
const SEPARATOR = 1;
const LINE = 2;
/** The entries of each group, tokens first; those without entries come first. */
const GROUPS: Entry[][] = [[], [], []];
/** The group for three characters, seven bits of each. */
const GROUP_OF = new Uint16Array(1 << 21);
/** They are filled at the first text: a search reads none. */
let isFilled = false;

/** Scans a text for places where something may begin. */
export function scanOf(text: string): Scan {
  if (!isFilled) fillIndex();
  return new Scan(text, begins);
}

/** Whether something may begin at `at`. Called where the first three characters allow it. */
function begins(text: string, at: number): boolean {
  const group = groupAt(text, at);
  if (group === NOTHING) return false;
  if (group === SEPARATOR) return maySeparate(text, at);
  if (group === LINE) return mayEndKeyLine(text, at);
  for (const { offset, last } of GROUPS[group]!) if (text.charCodeAt(at + offset) === last) return true;
  return false;
}

/** The secret that begins or is announced at `at`, a place that a scan found; or null. */
export function secretAt(source: Source, at: number): Secret | NonSecret | null {
  source.steps++;
  const group = groupAt(source.text, at);
  if (group === SEPARATOR) return secretAfterSeparator(source, at, tokenAt);
  if (group === LINE) return keyLinesAt(source, at);
  for (const { find, offset, last } of GROUPS[group]!) {
    source.steps++;
    if (source.text.charCodeAt(at + offset) !== last) continue;
    const secret = find(source, at);
    if (secret !== null) return secret;
  }
  return null;
}

/** The vendor's token that begins exactly at `at`, or null. */
function tokenAt(source: Source, at: number): Secret | null {
  for (const { find, token } of GROUPS[groupAt(source.text, at)]!) {
    const secret = token ? find(source, at) : null;
    if (secret !== null && secret.kind !== null && secret.start === at) return secret;
  }
  return null;
}

function groupAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === 10) return LINE;
  if (first === 58 || first === 61) return SEPARATOR;
  return GROUP_OF[groupKey(first, text.charCodeAt(at + 1), text.charCodeAt(at + 2))]!;
}

function groupKey(first: number, second: number, third: number): number {
  return ((first & 127) << 14) | ((second & 127) << 7) | (third & 127);
}

function fillIndex(): void {
  isFilled = true;
  for (const row of VENDOR_TOKENS) {
    const form = formOf(row);
    for (const anchor of form.anchors) add(anchor, (source, at) => tokenOf(source, at, anchor, form), true);
  }
  for (const row of INFIX_TOKENS) add(row[2], infix(row));
  for (const context of CONTEXTS)
    for (const anchor of context.at) add(anchor, (source, at) => contextOf(source, at, anchor, context));
  for (const anchor of FLAG_STARTS) add(anchor, (source, at) => secretAfterFlag(source, at, tokenAt));
  add('BEGIN ', privateKeyAt);
  add('BEGIN ', publicBlockAt);
  add('END ', keyTailAt);
  add('Private-Lines', puttyLinesAt);
  // A line break, also a spelled-out one as in JSON within JSON.
  for (const start of [':', '=', '\n', '\\n', '\\r']) mayBegin(start);
  for (const third of CODES)
    for (const second of 'nr') GROUP_OF[groupKey(BACKSLASH, second.charCodeAt(0), third)] = LINE;
}

const BACKSLASH = 92;
const CODES = Array.from({ length: 128 }, (_, code) => code);

/** Adds to the group of the anchor's first three characters. An anchor of two is added for every third character. */
function add(anchor: string, find: Find, token = false): void {
  const offset = anchor.length - 1;
  const entry = { find, offset, last: anchor.charCodeAt(offset), token };
  const [first, second, third] = [0, 1, 2].map((at) => anchor.charCodeAt(at)) as [number, number, number];
  mayBegin(anchor);
  for (const code of anchor.length > 2 ? [third] : CODES) {
    const at = groupKey(first, second, code);
    if (GROUP_OF[at] === NOTHING) GROUP_OF[at] = GROUPS.push([]) - 1;
    GROUPS[GROUP_OF[at]!]!.push(entry);
  }
}

/** A token whose fixed part is in the middle. */
function infix([kind, before, anchor, body]: (typeof INFIX_TOKENS)[number]): Find {
  const [run] = piecesOf(before);
  const rest = piecesOf(body);
  if (run === undefined || typeof run === 'string') throw new Error(`${kind} begins with a run`);
  const { has } = run.alphabet;
  return (source, at) => {
    const { text } = source;
    if (!text.startsWith(anchor, at)) return null;
    let start = at;
    while (start > 0 && at - start <= run.most && has[text.charCodeAt(start - 1) & 127] === 1) start--;
    source.steps += at - start;
    // A spelled-out line break before it.
    if (text[start - 1] === '\\' && /[nrt]/.test(text.charAt(start))) start++;
    if (at - start !== run.least) return null;
    const end = bodyEnd(source, at + anchor.length, rest);
    return end < 0 ? null : { start, end, kind };
  };
}
