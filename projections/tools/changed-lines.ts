// What an edit does to the lines of its file, as one number: edits that cancel each other add up to 0.
import type { Json } from '../../log/index.ts';

type Fields = Readonly<Record<string, Json>>;

/** The fields of edits that hold the text before and after. */
export const BEFORE_AND_AFTER = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['old_str', 'new_str'],
] as const;
const REPLACES_ALL = ['replace_all', 'replaceAll'];

/** A 32-bit integer; null when it is not known which lines the edit adds and removes. Lines that only move count as unchanged. */
export function changedLines(input: Json): number | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const { edits } = input as Fields;
  if (!Array.isArray(edits)) return replacedLines(input as Fields);
  return edits.reduce((sum: number | null, edit) => addedLines(sum, changedLines(edit)), 0);
}

/** The same of a patch of one file that it neither adds, deletes nor renames. */
export function patchedLines(patch: string): number | null {
  if (/^\*\*\* (?:Add File|Delete File|Move to): /m.test(patch)) return null;
  return patch.split('\n').reduce((sum, line) => {
    if (line.startsWith('+')) return (sum + lineHash(line.slice(1))) | 0;
    return line.startsWith('-') ? (sum - lineHash(line.slice(1))) | 0 : sum;
  }, 0);
}

/** Of one edit after another. */
export function addedLines(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : (one + other) | 0;
}

function replacedLines(fields: Fields): number | null {
  if (REPLACES_ALL.some((name) => fields[name] === true)) return null;
  for (const [before, after] of BEFORE_AND_AFTER) {
    const [old, text] = [fields[before], fields[after]];
    if (typeof old === 'string' && typeof text === 'string') return (linesSum(text) - linesSum(old)) | 0;
  }
  return null;
}

function linesSum(text: string): number {
  return text.split('\n').reduce((sum, line) => (sum + lineHash(line)) | 0, 0);
}

/** FNV-1a of the UTF-16 code units. */
function lineHash(line: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < line.length; index++)
    hash = Math.imul(hash ^ line.charCodeAt(index), 0x01000193);
  return hash | 0;
}
