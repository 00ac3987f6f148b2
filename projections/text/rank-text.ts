// BM25 over one or more projects as if they were one collection. A term counts by its rarity in all of them, and a
// length by the mean length there, not in one of them: else a word that is ordinary everywhere would weigh most in
// the smallest project. Scores are added up in one array over the documents' numbers, and only the best become hits.
import { byScoreThenId, TopK } from '../project-indexes/index.ts';
import { OwnWords } from './own-words.ts';
import { similarTerms } from './similar-terms.ts';
import type { Postings, TextContent } from './text-content.ts';
import { BM25, COVERAGE, FIELD_NAMES, FIELDS, SCORE_STEPS, WIDENING } from './text-recipe.ts';

export interface TextHit {
  readonly id: string;
  /** Rounded to nine digits after the point. */
  readonly score: number;
  /** The id of the partition it was found in. */
  readonly projectIndex: string;
}

export interface RankedContent {
  readonly id: string;
  readonly content: TextContent;
}

export interface Ranking {
  /** The best, best first, ties by id. */
  readonly hits: readonly TextHit[];
  /** All others, in the same order. */
  readonly others: () => readonly TextHit[];
  readonly own: OwnWords;
}

/** Scores of the documents of one project, by their numbers. */
class Sheet {
  readonly projectIndex: string;
  readonly content: TextContent;
  readonly scores: Float64Array;
  /** How many of the query's terms each document holds. */
  readonly evictable: Uint16Array;
  /** The last of the query's terms that each document was found to hold, counted from 1. */
  readonly #last: Uint16Array;

  constructor({ id, content }: RankedContent) {
    this.projectIndex = id;
    this.content = content;
    this.scores = new Float64Array(content.numbers);
    this.evictable = new Uint16Array(content.numbers);
    this.#last = new Uint16Array(content.numbers);
  }

  /** Adds a term's share to whatever holds it in a field. `turn`: the term's place in the query, from 1. */
  add(found: readonly Postings[], field: number, turn: number, weight: number, mean: number): void {
    const { scores, evictable, content } = this;
    const { gone } = content;
    const last = this.#last;
    const { k, b } = BM25;
    for (const { documents, counts, from, to } of found)
      for (let at = from; at < to; at += 1) {
        const number = documents[at]!;
        if (gone !== null && gone[number] === 1) continue;
        const count = counts[at]!;
        const length = 1 - b + (b * content.lengthOf(number, field)) / mean;
        scores[number]! += (weight * (count * (k + 1))) / (count + k * length);
        if (last[number] === turn) continue;
        last[number] = turn;
        evictable[number]! += 1;
      }
  }

  /** A document's score, or 0 when it holds none of the terms. */
  scoreOf(number: number): number {
    const evictable = this.evictable[number]!;
    return evictable === 0
      ? 0
      : Math.round(this.scores[number]! * evictable ** COVERAGE * SCORE_STEPS) / SCORE_STEPS;
  }
}

/** Ranks the documents of these projects for these different terms; `depth` of them are the best. */
export function rankText(
  contents: readonly RankedContent[],
  terms: readonly string[],
  depth: number,
): Ranking {
  const sheets = contents.map((one) => new Sheet(one));
  const documents = contents.reduce((sum, { content }) => sum + content.documentCount, 0);
  const means = FIELD_NAMES.map(
    (_, field) => contents.reduce((sum, { content }) => sum + content.sums[field]!, 0) / documents,
  );
  const own = new OwnWords(contents);
  for (const [index, term] of terms.entries()) {
    const found = sheets.map(({ content }) => content.postings(term));
    const counts = FIELD_NAMES.map((_, field) =>
      sheets.reduce((sum, { content }, sheet) => sum + present(found[sheet]![field]!, content.gone), 0),
    );
    own.add(term, found);
    for (const [number, sheet] of sheets.entries()) {
      if (counts.every((count) => count === 0)) widen(sheet, term, index + 1, means);
      for (const [field, name] of FIELD_NAMES.entries()) {
        if (counts[field] === 0) continue;
        const weight = FIELDS[name] * rarity(counts[field]!, documents);
        sheet.add(found[number]![field]!, field, index + 1, weight, means[field]!);
      }
    }
  }
  return { ...chosen(sheets, depth), own };
}

/** The best, and on demand all that are none. */
function chosen(sheets: readonly Sheet[], depth: number): Pick<Ranking, 'hits' | 'others'> {
  const best = new TopK<TextHit>(depth);
  let matches = 0;
  for (const sheet of sheets)
    for (let number = 0; number < sheet.evictable.length; number += 1) {
      if (sheet.evictable[number] === 0) continue;
      matches += 1;
      const score = sheet.scoreOf(number);
      if (best.admits(score)) best.offer(hitOf(sheet, number, score));
    }
  const hits = best.sorted();
  return {
    hits,
    others() {
      if (matches === hits.length) return [];
      const taken = new Set(hits.map(({ id }) => id));
      const others: TextHit[] = [];
      for (const sheet of sheets)
        sheet.evictable.forEach((evictable, number) => {
          if (evictable === 0) return;
          const hit = hitOf(sheet, number, sheet.scoreOf(number));
          if (!taken.has(hit.id)) others.push(hit);
        });
      return others.sort(byScoreThenId);
    },
  };
}

function hitOf({ content, projectIndex }: Sheet, number: number, score: number): TextHit {
  return { id: content.idOf(number), score, projectIndex };
}

/** Terms similar to one that nothing holds, weighed by how far away they are and by their rarity in this project. */
function widen(sheet: Sheet, term: string, turn: number, means: readonly number[]): void {
  const { content } = sheet;
  const similar = similarTerms(term, content.columns.terms, content.added.keys());
  for (const { term: other, distance, begins } of similar) {
    const nearness = begins
      ? (WIDENING.prefixWeight * other.length) / (other.length + 0.3 * distance)
      : (WIDENING.fuzzyWeight * other.length) / (other.length + distance);
    for (const [field, postings] of content.postings(other).entries()) {
      const count = present(postings, content.gone);
      const weight = nearness * FIELDS[FIELD_NAMES[field]!] * rarity(count, content.documentCount);
      if (count > 0) sheet.add(postings, field, turn, weight, means[field]!);
    }
  }
}

/** How many of the documents are there. */
function present(postings: readonly Postings[], gone: Uint8Array | null): number {
  let count = 0;
  for (const { documents, from, to } of postings) {
    if (gone === null) count += to - from;
    else for (let at = from; at < to; at += 1) if (gone[documents[at]!] !== 1) count += 1;
  }
  return count;
}

/** Inverse document frequency. */
function rarity(count: number, documents: number): number {
  return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
}
