// BM25 over one or more projects as if they were one collection. Term rarity and mean field length are taken over all
// of them; otherwise a common word would weigh most in the smallest project. Scores are summed in one array indexed by
// document number, and only the best become hits.
import { byScoreThenId, TopK } from '../project-indexes/index.ts';
import { OwnWords, type RankedContent } from './own-words.ts';
import { similarTerms } from './similar-terms.ts';
import type { Postings, TextContent } from './text-content.ts';
import { BM25, COVERAGE, FIELD_NAMES, FIELDS, SCORE_STEPS, WIDENING } from './text-recipe.ts';

export interface TextHit {
  readonly id: string;
  /** Rounded to nine decimal places. */
  readonly score: number;
  /** The id of the project index that contains it. */
  readonly projectIndex: string;
}

export interface Ranking {
  /** The best, best first, ties by id. */
  readonly hits: readonly TextHit[];
  /** All others, in the same order. */
  readonly others: () => readonly TextHit[];
  readonly own: OwnWords;
}

/** Scores of the documents of one project, by document number. */
class Sheet {
  readonly projectIndex: string;
  readonly content: TextContent;
  readonly scores: Float64Array;
  /** How many of the query's terms each document contains. */
  readonly matchedTerms: Uint16Array;
  /** The last of the query's terms that was counted for each document, from 1. */
  readonly #last: Uint16Array;
  /** The factor for each number of matched terms. */
  readonly #coverage: readonly number[];

  constructor({ id, content }: RankedContent, coverage: readonly number[]) {
    this.projectIndex = id;
    this.content = content;
    this.scores = new Float64Array(content.numbers);
    this.matchedTerms = new Uint16Array(content.numbers);
    this.#last = new Uint16Array(content.numbers);
    this.#coverage = coverage;
  }

  /** Adds a term's score to every document with it in a field. `termNumber`: the term's position in the query, from 1. */
  add(found: readonly Postings[], field: number, termNumber: number, weight: number, mean: number): void {
    const { scores, matchedTerms, content } = this;
    const { removed } = content;
    const last = this.#last;
    const { k, b } = BM25;
    for (const { documents, counts, from, to } of found)
      for (let at = from; at < to; at += 1) {
        const number = documents[at]!;
        if (removed !== null && removed[number] === 1) continue;
        const count = counts[at]!;
        const length = 1 - b + (b * content.lengthOf(number, field)) / mean;
        scores[number]! += (weight * (count * (k + 1))) / (count + k * length);
        if (last[number] === termNumber) continue;
        last[number] = termNumber;
        matchedTerms[number]! += 1;
      }
  }

  /** A document's score, or 0 when it contains none of the terms. */
  scoreOf(number: number): number {
    const coverage = this.#coverage[this.matchedTerms[number]!]!;
    return Math.round(this.scores[number]! * coverage * SCORE_STEPS) / SCORE_STEPS;
  }
}

/** Ranks the documents of these projects for distinct terms; the best `depth` become hits. */
export function rankText(
  contents: readonly RankedContent[],
  terms: readonly string[],
  depth: number,
): Ranking {
  const coverage = Array.from({ length: terms.length + 1 }, (_, matched) => matched ** COVERAGE);
  const sheets = contents.map((one) => new Sheet(one, coverage));
  const documents = contents.reduce((sum, { content }) => sum + content.documentCount, 0);
  const means = FIELD_NAMES.map(
    (_, field) => contents.reduce((sum, { content }) => sum + content.sums[field]!, 0) / documents,
  );
  const own = new OwnWords(contents);
  for (const [index, term] of terms.entries()) {
    const found = sheets.map(({ content }) => content.postings(term));
    const counts = FIELD_NAMES.map((_, field) =>
      sheets.reduce((sum, { content }, sheet) => sum + present(found[sheet]![field]!, content.removed), 0),
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

/** The best hits, and on demand all others. */
function chosen(sheets: readonly Sheet[], depth: number): Pick<Ranking, 'hits' | 'others'> {
  const best = new TopK<TextHit>(depth);
  let matches = 0;
  let least = best.least;
  for (const sheet of sheets)
    for (let number = 0; number < sheet.matchedTerms.length; number += 1) {
      if (sheet.matchedTerms[number] === 0) continue;
      matches += 1;
      const score = sheet.scoreOf(number);
      if (score < least) continue;
      best.offer(hitOf(sheet, number, score));
      least = best.least;
    }
  const hits = best.sorted();
  return {
    hits,
    others() {
      if (matches === hits.length) return [];
      const taken = new Set(hits.map(({ id }) => id));
      const others: TextHit[] = [];
      for (const sheet of sheets)
        sheet.matchedTerms.forEach((matchedTerms, number) => {
          if (matchedTerms === 0) return;
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

/** Scores terms similar to one that no document contains, weighted by distance and by their rarity in this project. */
function widen(sheet: Sheet, term: string, termNumber: number, means: readonly number[]): void {
  const { content } = sheet;
  const similar = similarTerms(term, content.columns.terms, content.added.keys());
  for (const { term: other, distance, begins } of similar) {
    const nearness = begins
      ? (WIDENING.prefixWeight * other.length) / (other.length + 0.3 * distance)
      : (WIDENING.fuzzyWeight * other.length) / (other.length + distance);
    for (const [field, postings] of content.postings(other).entries()) {
      const count = present(postings, content.removed);
      const weight = nearness * FIELDS[FIELD_NAMES[field]!] * rarity(count, content.documentCount);
      if (count > 0) sheet.add(postings, field, termNumber, weight, means[field]!);
    }
  }
}

/** The number of postings whose documents are not removed. */
function present(postings: readonly Postings[], removed: Uint8Array | null): number {
  let count = 0;
  for (const { documents, from, to } of postings) {
    if (removed === null) count += to - from;
    else for (let at = from; at < to; at += 1) if (removed[documents[at]!] !== 1) count += 1;
  }
  return count;
}

/** Inverse document frequency. */
function rarity(count: number, documents: number): number {
  return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
}
