// A compacted text index: a few arrays, identical in the file and in memory, in an order that depends only on the
// documents. For 100,000 documents they take a tenth of the memory of maps, and need no decoding before the first answer.
import { StringColumn } from '../project-indexes/index.ts';
import { ANY_LETTERS, letterBits, letterBitsOfEach, mayBeNear } from './term-letters.ts';
import { FIELD_NAMES } from './text-recipe.ts';

const FIELDS = FIELD_NAMES.length;
/** Occurrences are stored in one byte: BM25 hardly distinguishes higher counts. */
export const OCCURRENCES_MAX = 255;

/** Numbers of documents, of two bytes each if all of them fit (`numberArray`). */
export type DocumentNumbers = Uint16Array | Uint32Array;

/**
 * The array for the numbers of so many documents. With two bytes instead of four an index takes a quarter less, on disk and
 * in memory.
 */
export function numberArray(documents: number): Uint16ArrayConstructor | Uint32ArrayConstructor {
  return documents <= 2 ** 16 ? Uint16Array : Uint32Array;
}

export interface TextColumns {
  /** A document's number is its index here. */
  readonly ids: StringColumn;
  /** Distinct sessions, in the order of their first documents; a document without a session is its own session. */
  readonly sessions: readonly string[];
  /** The session number of each document. */
  readonly sessionOf: Uint32Array;
  /** Number of distinct terms in each field of each document. */
  readonly lengths: Uint32Array;
  readonly terms: TermTable;
  /** Start of the postings of a term's field, at index term × fields + field; one extra entry at the end. */
  readonly starts: Uint32Array;
  /** Postings: document numbers, ascending within a term's field. */
  readonly documents: DocumentNumbers;
  /** Occurrences of each posting. */
  readonly counts: Uint8Array;
}

export const EMPTY_COLUMNS: TextColumns = {
  ids: StringColumn.of([]),
  sessions: [],
  sessionOf: new Uint32Array(0),
  lengths: new Uint32Array(0),
  get terms() {
    return new TermTable(Buffer.alloc(0), new Uint32Array(1));
  },
  starts: new Uint32Array(1),
  documents: new Uint16Array(0),
  counts: new Uint8Array(0),
};

export class TermTable extends StringColumn {
  /** Letter bits of each term; computed at the first search for similar terms. */
  #letters: Uint32Array | null = null;

  /** The terms that begin with `term`. */
  *beginningWith(term: string): Generator<string> {
    for (let number = this.firstFrom(term); number < this.length; number += 1) {
      const there = this.at(number);
      if (!there.startsWith(term)) return;
      yield there;
    }
  }

  /** All terms at most `edits` away from `term`, and some false positives. */
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
}

/** Sum of the documents' lengths for each field. */
export function sumsOf(lengths: Uint32Array): number[] {
  const sums = FIELD_NAMES.map(() => 0);
  for (let at = 0; at < lengths.length; at += FIELDS)
    for (let field = 0; field < FIELDS; field += 1) sums[field]! += lengths[at + field]!;
  return sums;
}

/** Estimated memory in bytes: the arrays, and sessions as strings. */
export function columnBytes(columns: TextColumns): number {
  const { ids, sessions, sessionOf, lengths, terms, starts, documents, counts } = columns;
  const arrays = [ids, sessionOf, lengths, terms, starts, documents, counts];
  return arrays.reduce((sum, { byteLength }) => sum + byteLength, sessions.length * 48);
}
