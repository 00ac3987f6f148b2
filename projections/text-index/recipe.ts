// The recipe of the text index: every constant in one place, each with the figure that chose it. Measured on
// LoCoMo (1,982 questions, each turn a record): recall@10 / MRR of the whole recipe 63.6 / 48.9 without
// neighbours, against MiniSearch's own defaults. Change nothing here by feeling: bench/recall measures it, and
// a change raises RECIPE_VERSION, because an index made by another recipe is another index.
import type { MemoryDocument } from '../memory/document.ts';

/** Part of every snapshot and digest. Raised with every change here, in terms.ts, stop-words.ts or porter2.ts. */
export const RECIPE_VERSION = 1;

/** What is indexed of a document, and what a hit there weighs. Order is the field's number in snapshots. */
export const FIELDS = {
  /** A title says what a document is about in few words. Between 1.5 and 3 nothing changes much. */
  title: 2,
  body: 1,
  /** A path is often a mere mention; above 0.5 every document that touched a file crowds out the one about it. */
  files: 0.5,
  /** What stands before and after explains short turns: recall@10 on LoCoMo rises by about ten points. */
  neighbours: 0.4,
} as const satisfies Partial<Record<keyof MemoryDocument, number>>;

export type Field = keyof typeof FIELDS;
export const FIELD_NAMES = Object.keys(FIELDS) as readonly Field[];

/** BM25 with strong length normalisation and no bonus for a mere occurrence (MiniSearch: 1.2, 0.7, 0.5). */
export const BM25 = { k: 1.5, b: 0.8, d: 0 } as const;

/**
 * How a term that no searched document holds is widened: to terms it begins (`authent`), and to terms at most
 * a fifth of its letters away (`recieve`). Widening terms that *are* there costs more precision than it finds.
 */
export const WIDENING = { prefixLengthMin: 3, fuzzyLengthMin: 4, fuzzy: 0.2 } as const;

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
