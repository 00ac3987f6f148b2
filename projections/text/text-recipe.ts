// The recipe of the text index: every constant in one place, each with the figure that chose it. "LoCoMo" is
// recall@10 / MRR over 1,982 questions, each turn a record: 63.7 / 48.6 as it stands, without neighbours;
// MiniSearch's own defaults 54.1 / 40.0, SQLite FTS5 with porter 57.6 / 40.9. "Known items" is the MRR over the
// tuning half of bench/recall/known-items.json, 50 questions: 72.4; differences below 5 there are chance.
// Change nothing here by feeling. A change raises RECIPE_VERSION: an index of another recipe is another index.
import type { MemoryDocument } from '../documents/document.ts';

/** Part of every snapshot and digest. Raised with every change here, in terms.ts, stop-words.ts, irregular-words.ts or porter2.ts. */
export const RECIPE_VERSION = 4;

/** What is indexed of a document, and what a hit there weighs. Order is the field's number in snapshots. */
export const FIELDS = {
  /** A title says what a document is about in few words. Known items: 73.3 at 1, 72.4 at 2. */
  title: 2,
  body: 1,
  /** A path is often a mere mention. Known items: 71.5 at 0.25, 72.4 at 0.5, 72.5 at 1. */
  files: 0.5,
  /** What stands before and after explains a short turn. LoCoMo: 69.3 / 49.3 at 0.2, 71.5 / 49.0 at 0.4, 71.8 / 45.9 at 0.8. */
  neighbours: 0.4,
} as const satisfies Partial<Record<keyof MemoryDocument, number>>;

export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

/** The fields that hold a document's own words. */
export const OWN_WORDS: readonly Field[] = ['title', 'body'];

/** Strong length normalisation and no bonus for a mere occurrence; MiniSearch has 1.2, 0.7 and a bonus of 0.5. */
export const BM25 = { k: 1.2, b: 0.7 } as const;

/** A score is multiplied by this power of how many of the query's terms a document holds; MiniSearch has 1. */
export const COVERAGE = 0.5;

/**
 * How a term that no searched document holds is widened: to terms it begins (`authent`), and to terms at most
 * a quarter of its letters away, two at most: `recieve` is two from `receive`, which a fifth, MiniSearch's
 * usual, misses. Widening terms that *are* there changes nothing (LoCoMo 63.9 / 48.5) and costs time.
 */
export const WIDENING = {
  prefixLengthMin: 3,
  fuzzyLengthMin: 4,
  fuzzy: 0.25,
  maxFuzzy: 2,
  /** What a term counts that was widened to, as MiniSearch has it; less the farther away it is. */
  prefixWeight: 0.375,
  fuzzyWeight: 0.45,
} as const;

/** Scores are rounded to nine digits after the point, so that the order of additions never shows. */
export const SCORE_STEPS = 1e9;

/** The text of one field as it is indexed. */
export function fieldText(document: MemoryDocument, field: Field): string {
  if (field === 'title') return document.title;
  return field === 'body' ? bodyText(document) : document[field].join('\n');
}

/**
 * The body without what the title already says: titles are mostly the body's first line, and a word that
 * counts three times there pushes down the documents that are about it. Known items, tuning half: MRR 72.4
 * against 70.0 with the repetition.
 */
function bodyText({ type, title, body }: MemoryDocument): string {
  const words =
    type !== null && title.startsWith(type) ? title.slice(type.length).replace(/^[:\s]+/, '') : title;
  const said = words.replace(/…$/, '');
  const text = body.trimStart();
  return text.startsWith(said) ? text.slice(said.length) : body;
}
