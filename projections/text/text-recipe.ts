// The recipe of the text index: all its constants, each with the figure that chose it. "LoCoMo" is recall@10 / MRR over
// 1,982 questions, one record per turn, without neighbours: 63.7 / 48.6 with these values; MiniSearch's defaults 54.1 /
// 40.0, SQLite FTS5 with porter 57.6 / 40.9. "Known items" is the MRR over the tuning half of
// bench/recall/known-items.json, 50 questions: 72.4; differences below 5 there are chance.
// Measure every change here and raise RECIPE_VERSION.
import type { MemoryDocument } from '../documents/document.ts';
import { isUnspaced, wordSpans } from './terms.ts';

/**
 * Part of every snapshot and digest. Raise it with every change here, in terms.ts, stop-words.ts, irregular-words.ts or
 * porter2.ts; with one of `fieldText` or of `wordSpans` raise that of the vectors too.
 */
export const RECIPE_VERSION = 5;

/** The indexed fields and their weights. The order gives each field's number in snapshots. */
export const FIELDS = {
  /** A title states the subject in few words. Known items: 73.3 at 1, 72.4 at 2. */
  title: 2,
  body: 1,
  /** A path is often a mere mention. Known items: 71.5 at 0.25, 72.4 at 0.5, 72.5 at 1. */
  files: 0.5,
  /** The neighbours explain a short turn. LoCoMo: 69.3 / 49.3 at 0.2, 71.5 / 49.0 at 0.4, 71.8 / 45.9 at 0.8. */
  neighbours: 0.4,
} as const satisfies Partial<Record<keyof MemoryDocument, number>>;

export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

/** The fields with a document's own words. */
export const OWN_WORDS: readonly Field[] = ['title', 'body'];

/** BM25 without a bonus for a mere occurrence; MiniSearch has 1.2, 0.7 and a bonus of 0.5. */
export const BM25 = { k: 1.2, b: 0.7 } as const;

/** Term coverage: a score is multiplied by (query terms in the document) to this power; MiniSearch has 1. */
export const COVERAGE = 0.5;

/**
 * How a term that no searched document contains is widened: to terms that begin with it (`authent`), and to terms
 * within a quarter of its length in edits, at most two. `recieve` is two edits from `receive`; a fifth, MiniSearch's
 * usual value, misses it. Widening terms that do occur gains nothing (LoCoMo 63.9 / 48.5) and costs time.
 */
export const WIDENING = {
  prefixLengthMin: 3,
  fuzzyLengthMin: 4,
  fuzzy: 0.25,
  maxFuzzy: 2,
  /** Weights of similar terms, as in MiniSearch; they fall with distance. */
  prefixWeight: 0.375,
  fuzzyWeight: 0.45,
} as const;

/** Scores are rounded to nine decimal places, so that the order of additions does not matter. */
export const SCORE_STEPS = 1e9;

/** The text of one field as it is indexed. */
export function fieldText(document: MemoryDocument, field: Field): string {
  if (field === 'title') return document.title;
  return field === 'body' ? bodyText(document) : document[field].join('\n');
}

/**
 * The body without a repeated title. Most titles are the body's first line, and counting those words three times would
 * push down the documents that are about them. Known items, tuning half: MRR 72.4, against 70.0 with the repetition.
 */
function bodyText({ type, title, body }: MemoryDocument): string {
  const words =
    type !== null && title.startsWith(type) ? title.slice(type.length).replace(/^[:\s]+/, '') : title;
  const shown = words.replace(/…$/, '');
  const text = body.trimStart();
  if (!text.startsWith(shown)) return body;
  // The title may end within a word: `Data` before “Database migrations”, or where it was cut.
  const last = wordSpans(text.slice(0, shown.length + 2)).findLast(({ start }) => start < shown.length);
  if (last === undefined || last.start + last.word.length <= shown.length) return text.slice(shown.length);
  // Without spaces a word is a whole sentence: only the pair across the end is missing.
  const letter = [...shown].at(-1)!;
  return text.slice(isUnspaced(letter) ? shown.length - letter.length : last.start);
}
