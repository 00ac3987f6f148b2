// What may begin at which two characters: the index through which a text is searched once for all rows of all
// tables. Plain text costs one look-up a character.
import { CONTEXTS, contextOf } from './contexts.ts';
import { FLAG_STARTS, secretAfterFlag } from './flags.ts';
import { keyLinesAt, keyTailAt, publicBlockAt, puttyLinesAt } from './key-lines.ts';
import { secretAfterSeparator } from './key-value.ts';
import { privateKeyAt } from './private-key.ts';
import type { Harmless, Secret } from './secret.ts';
import type { Source } from './source.ts';
import { bodyEnd, formOf, piecesOf, tokenOf } from './token-rows.ts';
import { INFIX_TOKENS, VENDOR_TOKENS } from './vendor-tokens.ts';

type FindToken = (source: Source, at: number) => Secret | null;
type Find = (source: Source, at: number) => Secret | Harmless | null;

/** What may begin at one pair of characters. */
interface Group {
  readonly tokens: FindToken[];
  readonly others: Find[];
  /** By the code of the third character: whether anything begins so. */
  readonly thirds: Uint8Array;
}

const NOTHING = 0;
const SEPARATOR = 1;
const LINE = 2;
const newGroup = (): Group => ({ tokens: [], others: [], thirds: new Uint8Array(128) });
const GROUPS: Group[] = [newGroup(), newGroup(), newGroup()];
const GROUP_OF_PAIR = indexed();

/** Whether anything may begin at `at`: asked of every character. */
export function mayBegin(text: string, at: number): boolean {
  return groupAt(text, at) !== NOTHING;
}

/** The secret that begins at `at` or is announced there, or null. */
export function secretAt(source: Source, at: number): Secret | Harmless | null {
  const group = groupAt(source.text, at);
  if (group === NOTHING) return null;
  source.steps++;
  if (group === SEPARATOR) return secretAfterSeparator(source, at, tokenAt);
  if (group === LINE) return keyLinesAt(source, at + 1);
  const { tokens, others, thirds } = GROUPS[group]!;
  if (thirds[source.text.charCodeAt(at + 2) & 127] === 0) return null;
  source.steps += tokens.length + others.length;
  for (const find of tokens) {
    const secret = find(source, at);
    if (secret !== null) return secret;
  }
  for (const find of others) {
    const secret = find(source, at);
    if (secret !== null) return secret;
  }
  return null;
}

/** The vendor's token that begins exactly at `at`, or null. */
function tokenAt(source: Source, at: number): Secret | null {
  const group = groupAt(source.text, at) ?? NOTHING;
  if (group <= LINE) return null;
  for (const find of GROUPS[group]!.tokens) {
    const secret = find(source, at);
    if (secret !== null && secret.start === at) return secret;
  }
  return null;
}

function groupAt(text: string, at: number): number {
  return GROUP_OF_PAIR[((text.charCodeAt(at) & 127) << 7) | (text.charCodeAt(at + 1) & 127)]!;
}

function indexed(): Uint8Array {
  const pairs = new Uint8Array(128 * 128);
  const groupOf = (anchor: string): Group => {
    const pair = (anchor.charCodeAt(0) << 7) | anchor.charCodeAt(1);
    if (pairs[pair] === NOTHING) pairs[pair] = GROUPS.push(newGroup()) - 1;
    const group = GROUPS[pairs[pair]!]!;
    if (anchor.length > 2) group.thirds[anchor.charCodeAt(2)] = 1;
    else group.thirds.fill(1);
    return group;
  };
  for (const row of VENDOR_TOKENS) {
    const form = formOf(row);
    for (const anchor of form.anchors)
      groupOf(anchor).tokens.push((source, at) => tokenOf(source, at, anchor, form));
  }
  for (const row of INFIX_TOKENS) groupOf(row[2]).others.push(infix(row));
  for (const context of CONTEXTS)
    for (const anchor of context.at)
      groupOf(anchor).others.push((source, at) => contextOf(source, at, anchor, context));
  for (const anchor of FLAG_STARTS)
    groupOf(anchor).others.push((source, at) => secretAfterFlag(source, at, tokenAt));
  groupOf('BEGIN ').others.push(privateKeyAt, publicBlockAt);
  groupOf('END ').others.push(keyTailAt);
  groupOf('Private-Lines').others.push(puttyLinesAt);
  // A line break that is spelled out, as in JSON within JSON.
  for (const anchor of ['\\n', '\\r'])
    groupOf(anchor).others.push((source, at) => keyLinesAt(source, at + 2));
  if (GROUPS.length > 255) throw new Error('more pairs of characters than the index has room for');
  const fill = (first: string, group: number) =>
    pairs.fill(group, first.charCodeAt(0) << 7, (first.charCodeAt(0) + 1) << 7);
  for (const separator of '=:') fill(separator, SEPARATOR);
  fill('\n', LINE);
  return pairs;
}

/** A token whose fixed part stands in the middle. */
function infix([kind, before, anchor, body]: (typeof INFIX_TOKENS)[number]): FindToken {
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
    // `\n` spelled out before it.
    if (text[start - 1] === '\\' && /[nrt]/.test(text.charAt(start))) start++;
    if (at - start !== run.least) return null;
    const end = bodyEnd(source, at + anchor.length, rest);
    return end < 0 ? null : { start, end, kind };
  };
}
