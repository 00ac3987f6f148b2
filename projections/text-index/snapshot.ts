// A partition on disk, so that a fresh process answers without indexing again. For 3,662 documents of six
// projects: building takes 520 ms, loading MiniSearch's own JSON 175 ms, reading only what one query asks for
// and answering it 20 ms. Hence a form in which a term is found without parsing, or even decoding, the rest.
//
//   file      = CRC-32 of all after its LF, 8 hex digits LF head LF documents LF lengths LF terms LF { line LF }
//   head      = JSON {format, recipe, partition, places, generation, seq, averages}
//   documents = JSON [id, …]            a document's number is its index here; ids in order
//   lengths   = JSON [length, …]        each document's fields in order, one document after the other
//   terms     = all of them, a space between: to find similar ones
//   line      = term TAB postings       in code unit order of the terms
//   postings  = JSON {field number: {document number: occurrences}}
//
// A file that is damaged, or not of this partition and recipe, is worth nothing and costs nothing but time: it
// is built again from the documents. A CRC sees what disks do; a sha-256 took as long as the search itself.
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { AsPlainObject } from 'minisearch';
import type { Contents } from './partition-index.ts';
import { FIELD_NAMES, RECIPE_VERSION, WIDENING } from './recipe.ts';
import type { Partition, SourceAnchor } from './source.ts';

const FORMAT = 2;
const LINE_END = 0x0a;
const TAB = 0x09;
const CHECKSUM_DIGITS = 8;

interface Head extends SourceAnchor {
  readonly format: number;
  readonly recipe: number;
  readonly partition: string;
  readonly places: readonly string[];
  readonly averages: readonly number[];
}

export interface Snapshot {
  readonly anchor: SourceAnchor;
  readonly documentCount: number;
  holds(term: string): boolean;
  /** The index with these terms only, which is enough to search for them; all terms when left out. */
  content(terms?: readonly string[]): AsPlainObject;
  /** All terms that a term can be widened to. */
  similar(term: string): string[];
  /** The same file for a later anchor, when nothing of this partition changed up to it. */
  movedTo(anchor: SourceAnchor): Buffer;
}

export type ParsedSnapshot =
  | { readonly outcome: 'good'; readonly snapshot: Snapshot }
  /** Of another format or recipe, or of another set of places: not wrong, only of no use. */
  | { readonly outcome: 'outdated' }
  | { readonly outcome: 'damaged' };

export function snapshotName(partition: Partition): string {
  return `${createHash('sha256').update(partition.id).digest('hex').slice(0, 32)}.text`;
}

/** The file's content. Equal content gives equal bytes, whatever the order in which documents came. */
export function writeSnapshot(partition: Partition, anchor: SourceAnchor, index: Contents): Buffer {
  const documents = [...index.ids].sort(([, a], [, b]) => (a < b ? -1 : 1));
  const numbers = new Map(documents.map(([old], number) => [old, number]));
  // A term that was cut inside a character is sorted as it will be read back, or it would not be found.
  const terms = Array.from(index.terms, ([term, fields]) => [wellFormed(term), fields] as const);
  terms.sort(([a], [b]) => (a < b ? -1 : 1));
  const head: Head = {
    format: FORMAT,
    recipe: RECIPE_VERSION,
    partition: partition.id,
    places: [...partition.places].sort(),
    ...anchor,
    averages: index.averages,
  };
  const rest = [
    JSON.stringify(documents.map(([, id]) => id)),
    JSON.stringify(documents.flatMap(([old]) => lengthsOf(index.lengths.get(old)))),
    terms.map(([term]) => term).join(' '),
    terms.map(([term, fields]) => `${term}\t${postingsJson(fields, numbers)}\n`).join(''),
  ].join('\n');
  return sealed(head, Buffer.from(rest));
}

/** One length for every field, so that a document's lengths are found by its number. */
function lengthsOf(lengths: readonly number[] = []): number[] {
  return FIELD_NAMES.map((_, field) => lengths[field] ?? 0);
}

function sealed(head: Head, rest: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), rest]);
  return Buffer.concat([Buffer.from(`${checksum(content)}\n`), content]);
}

type Fields = ReadonlyMap<number, ReadonlyMap<number, number>>;

/** Written by hand, because this is most of the file: objects for JSON.stringify take several times as long. */
function postingsJson(fields: Fields, numbers: ReadonlyMap<number, number>): string {
  const parts = [...fields]
    .sort(([a], [b]) => a - b)
    .map(([field, counts]) => {
      const entries = Array.from(counts, ([old, count]): [number, number] => [numbers.get(old)!, count]);
      entries.sort(([a], [b]) => a - b);
      return `"${field}":{${entries.map(([number, count]) => `"${number}":${count}`).join(',')}}`;
    });
  return `{${parts.join(',')}}`;
}

export function parseSnapshot(partition: Partition, file: Buffer): ParsedSnapshot {
  const content = file.subarray(CHECKSUM_DIGITS + 1);
  if (`${checksum(content)}\n` !== file.toString('latin1', 0, CHECKSUM_DIGITS + 1))
    return isOlder(file) ? { outcome: 'outdated' } : { outcome: 'damaged' };
  const headEnd = content.indexOf(LINE_END);
  const head = JSON.parse(content.toString('utf8', 0, headEnd)) as Head;
  if (head.format !== FORMAT || head.recipe !== RECIPE_VERSION) return { outcome: 'outdated' };
  if (head.partition !== partition.id) return { outcome: 'damaged' };
  if (head.places.join('\n') !== [...partition.places].sort().join('\n')) return { outcome: 'outdated' };
  return { outcome: 'good', snapshot: new OpenSnapshot(head, content.subarray(headEnd + 1)) };
}

type Postings = AsPlainObject['index'][number];

/** Decodes what it is asked for, when it is asked for it. */
class OpenSnapshot implements Snapshot {
  readonly anchor: SourceAnchor;
  readonly #head: Head;
  readonly #rest: Buffer;
  readonly #ids: readonly string[];
  readonly #lengthsAt: number;
  readonly #termsAt: number;
  readonly #linesAt: number;
  #lengths: readonly number[] | null = null;
  #terms: readonly string[] | null = null;

  constructor(head: Head, rest: Buffer) {
    const idsEnd = rest.indexOf(LINE_END);
    this.anchor = { generation: head.generation, seq: head.seq };
    this.#head = head;
    this.#rest = rest;
    this.#ids = JSON.parse(rest.toString('utf8', 0, idsEnd)) as string[];
    this.#lengthsAt = idsEnd + 1;
    this.#termsAt = rest.indexOf(LINE_END, this.#lengthsAt) + 1;
    this.#linesAt = rest.indexOf(LINE_END, this.#termsAt) + 1;
  }

  get documentCount(): number {
    return this.#ids.length;
  }

  holds(term: string): boolean {
    return this.#line(term) !== null;
  }

  content(terms?: readonly string[]): AsPlainObject {
    const index = terms ? terms.flatMap((term) => this.#postings(term)) : this.#all();
    const numbers = terms ? documentsIn(index) : this.#ids.keys();
    const documentIds: Record<string, string> = {};
    const fieldLength: Record<string, readonly number[]> = {};
    for (const number of numbers) {
      documentIds[number] = this.#ids[number]!;
      fieldLength[number] = this.#lengthsOf(number);
    }
    return {
      documentCount: this.#ids.length,
      nextId: this.#ids.length,
      documentIds,
      fieldIds: Object.fromEntries(FIELD_NAMES.map((field, number) => [field, number])),
      fieldLength: fieldLength as AsPlainObject['fieldLength'],
      averageFieldLength: [...this.#head.averages],
      storedFields: {},
      dirtCount: 0,
      index,
      serializationVersion: 2,
    };
  }

  movedTo(anchor: SourceAnchor): Buffer {
    return sealed({ ...this.#head, ...anchor }, this.#rest);
  }

  similar(term: string): string[] {
    this.#terms ??= this.#rest.toString('utf8', this.#termsAt, this.#linesAt - 1).split(' ');
    return similarTerms(term, this.#terms);
  }

  #lengthsOf(number: number): readonly number[] {
    this.#lengths ??= JSON.parse(this.#rest.toString('utf8', this.#lengthsAt, this.#termsAt - 1)) as number[];
    return this.#lengths.slice(number * FIELD_NAMES.length, (number + 1) * FIELD_NAMES.length);
  }

  #postings(term: string): Postings[] {
    const line = this.#line(term);
    return line === null ? [] : [parseLine(this.#rest.toString('utf8', line.start, line.end))];
  }

  #all(): Postings[] {
    const lines = this.#rest.toString('utf8', this.#linesAt, this.#rest.length - 1);
    return lines === '' ? [] : lines.split('\n').map(parseLine);
  }

  /** Where a term's line stands: by halving, as the lines are in the order of their terms. */
  #line(term: string): { readonly start: number; readonly end: number } | null {
    let low = this.#linesAt;
    let high = this.#rest.length;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const start = middle === low ? low : Math.max(low, this.#rest.lastIndexOf(LINE_END, middle - 1) + 1);
      const end = this.#rest.indexOf(LINE_END, start);
      const other = this.#rest.toString('utf8', start, this.#rest.indexOf(TAB, start));
      if (other === term) return { start, end };
      if (other < term) low = end + 1;
      else high = start;
    }
    return null;
  }
}

/** Terms hold only letters, digits and _ $ @ #, never a tab. */
function parseLine(line: string): Postings {
  const tab = line.indexOf('\t');
  return [line.slice(0, tab), JSON.parse(line.slice(tab + 1)) as Postings[1]];
}

function documentsIn(index: readonly Postings[]): Set<number> {
  const numbers = new Set<number>();
  for (const [, fields] of index)
    for (const counts of Object.values(fields)) for (const number in counts) numbers.add(Number(number));
  return numbers;
}

/** As MiniSearch widens: the terms that this one begins, and those a few edits away. */
function similarTerms(term: string, all: readonly string[]): string[] {
  const edits =
    term.length < WIDENING.fuzzyLengthMin
      ? 0
      : Math.min(WIDENING.maxFuzzy, Math.round(term.length * WIDENING.fuzzy));
  const parts = pieces(term, edits + 1);
  const begins = term.length >= WIDENING.prefixLengthMin;
  return all.filter(
    (other) =>
      (begins && other.startsWith(term)) ||
      (edits > 0 &&
        Math.abs(other.length - term.length) <= edits &&
        parts.some((part) => other.includes(part)) &&
        isWithin(term, other, edits)),
  );
}

/** So many edits cannot touch one piece more: what is that near still holds one of them. */
function pieces(term: string, count: number): string[] {
  const length = Math.ceil(term.length / count);
  return Array.from({ length: count }, (_, at) => term.slice(at * length, (at + 1) * length));
}

/** Whether one term becomes the other by at most so many insertions, removals and replacements. */
function isWithin(one: string, other: string, edits: number): boolean {
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const now = [row];
    for (let at = 1; at <= other.length; at++) {
      const replaced = before[at - 1]! + (one.charCodeAt(row - 1) === other.charCodeAt(at - 1) ? 0 : 1);
      now.push(Math.min(replaced, before[at]! + 1, now[at - 1]! + 1));
    }
    if (Math.min(...now) > edits) return false;
    before = now;
  }
  return before[other.length]! <= edits;
}

function wellFormed(term: string): string {
  return /[\ud800-\udfff]/.test(term) ? Buffer.from(term).toString() : term;
}

/** Files of the first format began with 64 hex digits. */
function isOlder(file: Buffer): boolean {
  return /^[0-9a-f]{64}\n\{"format":1,/.test(file.toString('latin1', 0, 80));
}

function checksum(content: Buffer): string {
  return crc32(content).toString(16).padStart(CHECKSUM_DIGITS, '0');
}
