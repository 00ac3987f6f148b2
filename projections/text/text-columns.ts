// A text index as columns: what it holds of its documents, in an order that depends on nothing but them, in a few
// arrays that lie in the file as they lie in memory. For 100,000 documents a tenth of the memory of maps, and
// nothing to decode before the first answer.
import { ANY_LETTERS, letterBits, letterBitsOfEach, mayBeNear } from './term-letters.ts';
import { FIELD_NAMES } from './text-recipe.ts';

const FIELDS = FIELD_NAMES.length;
/** Occurrences are kept in a byte: BM25 hardly tells more of them apart. */
export const OCCURRENCES_MAX = 255;

export interface TextColumns {
  /** In code unit order; a document's number is its index here. */
  readonly ids: readonly string[];
  /** The different sessions, in the order of their first documents; a document without one is its own. */
  readonly sessions: readonly string[];
  /** Of each document, its session's number. */
  readonly sessionOf: Uint32Array;
  /** Different terms of each document's fields. */
  readonly lengths: Uint32Array;
  readonly terms: TermTable;
  /** Where the postings of a term's field begin: at term × fields + field. One more at the end. */
  readonly starts: Uint32Array;
  /** Postings: numbers of documents, rising within a term's field. */
  readonly documents: Uint32Array;
  /** Occurrences of each posting. */
  readonly counts: Uint8Array;
}

export const EMPTY_COLUMNS: TextColumns = {
  ids: [],
  sessions: [],
  sessionOf: new Uint32Array(0),
  lengths: new Uint32Array(0),
  get terms() {
    return new TermTable(Buffer.alloc(0), new Uint32Array(1));
  },
  starts: new Uint32Array(1),
  documents: new Uint32Array(0),
  counts: new Uint8Array(0),
};

/** Terms in code unit order, found by halving without decoding the others. */
export class TermTable {
  readonly bytes: Buffer;
  /** Where each begins in the bytes, and the end of the last. */
  readonly offsets: Uint32Array;
  /** Of each term; made when similar ones are first asked for. */
  #letters: Uint32Array | null = null;

  constructor(bytes: Buffer, offsets: Uint32Array) {
    this.bytes = bytes;
    this.offsets = offsets;
  }

  get length(): number {
    return this.offsets.length - 1;
  }

  at(number: number): string {
    return this.bytes.toString('utf8', this.offsets[number], this.offsets[number + 1]);
  }

  /** A term's number, or -1. */
  find(term: string): number {
    const number = this.#firstFrom(term);
    return number < this.length && this.at(number) === term ? number : -1;
  }

  /** The terms that begin so. */
  *beginningWith(term: string): Generator<string> {
    for (let number = this.#firstFrom(term); number < this.length; number += 1) {
      const there = this.at(number);
      if (!there.startsWith(term)) return;
      yield there;
    }
  }

  /** All terms that are so few edits from one, and some that are not. */
  *perhapsNear(term: string, edits: number): Generator<string> {
    this.#letters ??= letterBitsOfEach(this.bytes, this.offsets);
    const wanted = letterBits(term);
    for (let number = 0; number < this.length; number += 1) {
      const letters = this.#letters[number]!;
      const more = this.offsets[number + 1]! - this.offsets[number]! - term.length;
      if (letters !== ANY_LETTERS && (more > edits || -more > edits)) continue;
      if (mayBeNear(wanted, letters, edits)) yield this.at(number);
    }
  }

  /** The number of the first term that is not less. */
  #firstFrom(term: string): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < term) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** A document's number, or -1. */
export function numberOf(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const there = ids[middle]!;
    if (there === id) return middle;
    if (there < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Sums of the documents' lengths, field by field. */
export function sumsOf(lengths: Uint32Array): number[] {
  const sums = FIELD_NAMES.map(() => 0);
  for (let at = 0; at < lengths.length; at += FIELDS)
    for (let field = 0; field < FIELDS; field += 1) sums[field]! += lengths[at + field]!;
  return sums;
}

/** About how much memory it takes: its arrays, and ids and sessions as strings. */
export function columnBytes(columns: TextColumns): number {
  const { sessionOf, lengths, terms, starts, documents, counts } = columns;
  const arrays = [sessionOf, lengths, terms.bytes, terms.offsets, starts, documents, counts];
  const strings = columns.ids.length + columns.sessions.length;
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, strings * 48);
}
