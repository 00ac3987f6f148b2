// A changing text index: immutable columns, documents added since, and a mark on each removed document. Counts skip
// marked documents, so it answers exactly like an index built from the current documents.
import type { MemoryDocument } from '../documents/document.ts';
import { termsOf } from './terms.ts';
import { columnBytes, OCCURRENCES_MAX, sumsOf, type TextColumns } from './text-columns.ts';
import { FIELD_NAMES, fieldText } from './text-recipe.ts';

const FIELDS = FIELD_NAMES.length;
/** A posting outside of the columns: two numbers in growing arrays. */
const POSTING_BYTES = 24;

/** Postings of one term's field: document numbers, and how often each document contains the term. */
export interface Postings {
  readonly documents: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
  readonly from: number;
  readonly to: number;
}

interface Growing {
  readonly documents: number[];
  readonly counts: number[];
}

export class TextContent {
  readonly columns: TextColumns;
  /** Documents added since; their numbers follow those of the columns. */
  readonly addedIds: string[] = [];
  readonly addedSessions: string[] = [];
  readonly addedLengths: number[] = [];
  /** Postings of the added documents, by term and field. */
  readonly added = new Map<string, readonly Growing[]>();
  readonly #numbers = new Map<string, number>();
  readonly #sums: number[];
  #removed: Uint8Array;
  #removedCount = 0;
  #addedPostings = 0;

  constructor(columns: TextColumns) {
    this.columns = columns;
    this.#sums = sumsOf(columns.lengths);
    this.#removed = new Uint8Array(columns.ids.length);
  }

  /** Number of current documents. */
  get documentCount(): number {
    return this.numbers - this.#removedCount;
  }

  /** Document numbers assigned so far, including removed documents. */
  get numbers(): number {
    return this.columns.ids.length + this.addedIds.length;
  }

  /** 1 at the number of each removed document; null when there is none. */
  get removed(): Uint8Array | null {
    return this.#removedCount === 0 ? null : this.#removed;
  }

  /** Sum of each field's lengths over the current documents. */
  get sums(): readonly number[] {
    return this.#sums;
  }

  /** Documents added or removed since the last compaction. */
  get changes(): number {
    return this.addedIds.length + this.#removedCount;
  }

  /** A document's number, or -1. */
  numberOf(id: string): number {
    const added = this.#numbers.get(id);
    if (added !== undefined) return added;
    const number = this.columns.ids.find(id);
    return number >= 0 && this.#removed[number] === 0 ? number : -1;
  }

  idOf(number: number): string {
    const { ids } = this.columns;
    return number < ids.length ? ids.at(number) : this.addedIds[number - ids.length]!;
  }

  sessionOf(number: number): string {
    const { ids, sessions, sessionOf } = this.columns;
    return number < ids.length ? sessions[sessionOf[number]!]! : this.addedSessions[number - ids.length]!;
  }

  lengthOf(number: number, field: number): number {
    const { ids, lengths } = this.columns;
    return number < ids.length
      ? lengths[number * FIELDS + field]!
      : this.addedLengths[(number - ids.length) * FIELDS + field]!;
  }

  /** The postings of a term by field: those of the columns, then the added ones. */
  postings(term: string): readonly (readonly Postings[])[] {
    const { terms, starts, documents, counts } = this.columns;
    const number = terms.find(term);
    const added = this.added.get(term);
    return FIELD_NAMES.map((_, field) => {
      const found: Postings[] = [];
      const at = number * FIELDS + field;
      if (number >= 0) found.push({ documents, counts, from: starts[at]!, to: starts[at + 1]! });
      const grown = added?.[field];
      if (grown !== undefined) found.push({ ...grown, from: 0, to: grown.documents.length });
      return found;
    });
  }

  /** There must be no document with its id. */
  add(document: MemoryDocument): void {
    const number = this.numbers;
    this.#numbers.set(document.id, number);
    this.addedIds.push(document.id);
    this.addedSessions.push(document.session ?? document.id);
    for (const [field, counts] of countsOf(document).entries()) {
      this.addedLengths.push(counts.size);
      this.#sums[field]! += counts.size;
      this.#addedPostings += counts.size;
      for (const [term, count] of counts) {
        let fields = this.added.get(term);
        if (fields === undefined) {
          fields = FIELD_NAMES.map(() => ({ documents: [], counts: [] }));
          this.added.set(term, fields);
        }
        fields[field]!.documents.push(number);
        fields[field]!.counts.push(count);
      }
    }
    if (number >= this.#removed.length) this.#removed = grown(this.#removed, number + 1);
  }

  /** Does nothing when there is none. */
  remove(id: string): void {
    const number = this.numberOf(id);
    if (number < 0) return;
    for (let field = 0; field < FIELDS; field++) this.#sums[field]! -= this.lengthOf(number, field);
    this.#removed[number] = 1;
    this.#removedCount += 1;
    this.#numbers.delete(id);
  }

  bytes(): number {
    return columnBytes(this.columns) + this.#addedPostings * POSTING_BYTES + this.#removed.length;
  }
}

/** For each field, how often it contains each of its terms. */
function countsOf(document: MemoryDocument): ReadonlyMap<string, number>[] {
  return FIELD_NAMES.map((field) => {
    const counts = new Map<string, number>();
    for (const term of termsOf(fieldText(document, field)))
      counts.set(term, Math.min(OCCURRENCES_MAX, (counts.get(term) ?? 0) + 1));
    return counts;
  });
}

function grown(marks: Uint8Array, least: number): Uint8Array {
  const larger = new Uint8Array(Math.max(least, 1024, 2 * marks.length));
  larger.set(marks);
  return larger;
}
