// MiniSearch with this product's recipe. It adds two things that MiniSearch does not offer and that need its
// protected counts: how often a term occurs (to compare partitions), and averages without the drift that
// thousands of additions and removals leave (to be equal to a rebuilt index). Documents leave by `remove` with
// the document they were added with, never by `discard` or `replace`, which leave their terms in the counts
// (179 of 200 top tens then differ from a rebuild; with `remove`: 0).
import MiniSearch, { type AsPlainObject, type Options, type Query } from 'minisearch';
import type { MemoryDocument } from '../memory/document.ts';
import {
  BM25,
  COVERAGE,
  FIELD_NAMES,
  FIELDS,
  type Field,
  fieldText,
  OWN_WORDS,
  SCORE_STEPS,
  WIDENING,
} from './recipe.ts';
import { termsOf } from './terms.ts';

export interface Hit {
  readonly id: string;
  /** Rounded to nine digits after the point. */
  readonly score: number;
}

/** How many documents there are, how long, and how many hold a term in a field: of all partitions that are searched. */
export interface Frequencies {
  readonly documents: number;
  /** Mean length of each field, in the fields' order. */
  readonly averages: readonly number[];
  count(term: string, field: Field): number;
}

/** What a search asks of one partition. */
export interface SearchedIndex {
  readonly documentCount: number;
  /** Mean length of each field here. */
  readonly averages: readonly number[];
  /** How many documents hold a term in a field. */
  frequency(term: string, field: Field): number;
  /** The best hits for these terms, best first, ties by id. */
  hits(terms: readonly string[], all: Frequencies): Hit[];
  /** How often each document's own words (its title's and body's) are this term, by id. */
  occurrences(term: string): ReadonlyMap<string, number>;
}

/** A partition that holds none of the terms: most of them, in most searches. */
export function nothingIn(documentCount: number, averages: readonly number[]): SearchedIndex {
  return { documentCount, averages, frequency: () => 0, hits: () => [], occurrences: () => new Map() };
}

/** The inside of an index: documents go by numbers, which mean nothing outside of it. */
export interface Contents {
  readonly averages: readonly number[];
  readonly ids: ReadonlyMap<number, string>;
  /** Different terms per field. */
  readonly lengths: ReadonlyMap<number, readonly number[]>;
  /** Term → field number → document number → occurrences. */
  readonly terms: Iterable<readonly [string, ReadonlyMap<number, ReadonlyMap<number, number>>]>;
}

const OPTIONS: Options<MemoryDocument> = {
  fields: [...FIELD_NAMES],
  extractField: (document, field) => (field === 'id' ? document.id : fieldText(document, field as Field)),
  tokenize: termsOf,
  processTerm: (term) => term,
  logger: (_level, message) => {
    throw new Error(message);
  },
  autoVacuum: false,
};

export class PartitionIndex extends MiniSearch<MemoryDocument> implements SearchedIndex {
  constructor() {
    super(OPTIONS);
  }

  /** Takes over a snapshot's content: all of its terms, or only those that a query asks for. */
  static of(content: AsPlainObject): PartitionIndex {
    return Object.assign(new PartitionIndex(), MiniSearch.loadJS(content, OPTIONS));
  }

  holds(term: string): boolean {
    return this._index.has(term);
  }

  frequency(term: string, field: Field): number {
    return this._index.get(term)?.get(this._fieldIds[field]!)?.size ?? 0;
  }

  get averages(): readonly number[] {
    return this._avgFieldLength;
  }

  occurrences(term: string): ReadonlyMap<string, number> {
    const found = new Map<string, number>();
    for (const field of OWN_WORDS)
      for (const [number, count] of this._index.get(term)?.get(this._fieldIds[field]!) ?? []) {
        const id = this._documentIds.get(number) as string;
        found.set(id, (found.get(id) ?? 0) + count);
      }
    return found;
  }

  /** What the index holds, in no order. */
  contents(): Contents {
    return {
      averages: this._avgFieldLength,
      ids: this._documentIds,
      lengths: this._fieldLength,
      terms: this._index,
    };
  }

  /** Sets the averages from the exact lengths; to be called after the last of some additions and removals. */
  settle(): void {
    const sums = FIELD_NAMES.map(() => 0);
    for (const lengths of this._fieldLength.values())
      for (const [field, length] of lengths.entries()) sums[field]! += length;
    this._avgFieldLength = sums.map((sum) => (this._documentCount === 0 ? 0 : sum / this._documentCount));
  }

  /**
   * The best hits for these terms, best first, ties by id. A term counts by its rarity in `all`, and a length by
   * the mean length there, not in this partition: else a word that is ordinary everywhere would weigh most in
   * the smallest project, and the longest of short documents would count as long.
   */
  hits(terms: readonly string[], all: Frequencies): Hit[] {
    const queries = terms.flatMap((term) => this.#termQueries(term, all));
    if (queries.length === 0) return [];
    const own = this._avgFieldLength;
    this._avgFieldLength = [...all.averages];
    try {
      return this.search({ combineWith: 'OR', queries })
        .map(({ id, score, queryTerms }) => ({ id: id as string, score: covered(score, queryTerms.length) }))
        .sort(byScoreThenId);
    } finally {
      this._avgFieldLength = own;
    }
  }

  #termQueries(term: string, all: Frequencies): Query[] {
    const common = { queries: [term], tokenize: (text: string) => [text], bm25: BM25 };
    if (FIELD_NAMES.every((field) => all.count(term, field) === 0)) {
      const prefix = term.length >= WIDENING.prefixLengthMin;
      const fuzzy = term.length >= WIDENING.fuzzyLengthMin ? WIDENING.fuzzy : false;
      return [{ ...common, boost: FIELDS, prefix, fuzzy, maxFuzzy: WIDENING.maxFuzzy }];
    }
    return FIELD_NAMES.flatMap((field) => {
      const here = this.frequency(term, field);
      if (here === 0) return [];
      const rarity = inverseFrequency(all.count(term, field), all.documents);
      const weight = (FIELDS[field] * rarity) / inverseFrequency(here, this.documentCount);
      return [{ ...common, fields: [field], boost: { [field]: weight } }];
    });
  }
}

/** MiniSearch multiplies a score by how many of the terms the document holds; the recipe has a power of that. */
function covered(score: number, held: number): number {
  return Math.round((score / held) * held ** COVERAGE * SCORE_STEPS) / SCORE_STEPS;
}

export function byScoreThenId(a: Hit, b: Hit): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** As MiniSearch computes it, so that dividing by it takes it out again. */
function inverseFrequency(count: number, documents: number): number {
  return Math.log(1 + (documents - count + 0.5) / (count + 0.5));
}
