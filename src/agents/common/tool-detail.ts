// Those parts of a tool's structured result that neither the text that the model saw nor the input already holds. Whole
// files and patches are dropped: they are most of a transcript's bytes, and the repository has them anyway.
import type { Json } from '../../../log/index.ts';
import { objectOf } from './json-fields.ts';

/** What the program puts before a sub-agent's report: the tools that it used. */
const HARNESS_NOTE = /^\s*<tools-used-before-summary>[^<]*<\/tools-used-before-summary>\s*/;

export function withoutHarnessNote(text: string): string {
  return text.replace(HARNESS_NOTE, '');
}

/** Keys of a structured result that hold whole files, patches of them, or images. */
const WHOLE = new Set([
  'originalFile',
  'originalFileContents',
  'structuredPatch',
  'gitDiff',
  'base64',
  'prompt',
]);
const REPEATED_LENGTH_MIN = 24;

/** The structured result without the strings that the input or the shown text repeats. Null when nothing is left. */
export function detailOf(structured: Json, input: Json, shown: string | null): Json {
  // A failed tool's structured result is its error text with a prefix.
  if (typeof structured === 'string') return null;
  const seen = new Set<string>();
  collectStrings(input, seen);
  const words = (shown ?? '').trim();
  const isPartOfWords = partFinder(words);
  const isRepeated = (text: string) => {
    if (seen.has(text)) return true;
    const trimmed = text.trim();
    return trimmed.length < REPEATED_LENGTH_MIN ? trimmed === words : isPartOfWords(trimmed);
  };
  return withoutRepeated(structured, isRepeated) ?? null;
}

/** A text is located by its first HEAD_CHARS characters, then compared whole at up to ROUNDS_MAX places. */
const HEAD_CHARS = 64;
const ROUNDS_MAX = 8;
/** Characters searched per result in all. Texts after that count as not repeated. */
const SEARCHED_CHARS_MAX = 32 * 1024 * 1024;

/**
 * Returns a test for being part of `words`. Its total time does not grow with the number of texts times their length.
 */
function partFinder(words: string): (text: string) => boolean {
  let charsLeft = SEARCHED_CHARS_MAX;
  return (text) => {
    if (text.length > words.length) return false;
    const head = text.slice(0, HEAD_CHARS);
    for (let round = 0, from = 0; round < ROUNDS_MAX && charsLeft > 0; round++) {
      const at = words.indexOf(head, from);
      charsLeft -= (at < 0 ? words.length : at) - from + HEAD_CHARS;
      if (at < 0) return false;
      charsLeft -= text.length;
      if (words.startsWith(text, at)) return true;
      from = at + 1;
    }
    return false;
  };
}

function withoutRepeated(
  value: Json,
  isRepeated: (text: string) => boolean,
  key: string | null = null,
): Json | undefined {
  if (key !== null && WHOLE.has(key)) return undefined;
  if (typeof value === 'string')
    return value === '' || (key !== 'filePath' && isRepeated(value)) ? undefined : value;
  if (Array.isArray(value)) {
    const kept = value
      .map((one) => withoutRepeated(one, isRepeated))
      .filter((one): one is Json => one !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  const object = objectOf(value);
  if (object === null) return value;
  if (object.type === 'text' && typeof object.text === 'string') {
    const text = withoutHarnessNote(object.text);
    if (text === '' || isRepeated(text)) return undefined;
  }
  if (object.type === 'image' && key === null && object.source !== undefined) return undefined;
  // Not by assignment: a key `__proto__` would set the prototype.
  const kept = new Map<string, Json>();
  for (const [name, one] of Object.entries(object)) {
    // Content of a file that was read or written is in the result or the input already.
    if (key === 'file' && name === 'content') continue;
    const reduced = withoutRepeated(one, isRepeated, name);
    if (reduced !== undefined) kept.set(name, reduced);
  }
  return kept.size === 0 ? undefined : Object.fromEntries(kept);
}

function collectStrings(value: Json, into: Set<string>): void {
  if (typeof value === 'string') into.add(value);
  else if (value !== null && typeof value === 'object')
    for (const one of Object.values(value)) collectStrings(one, into);
}
