// A partition on disk, so that a fresh process answers without indexing again. For 3,662 documents of six
// projects: building takes 520 ms, loading MiniSearch's own JSON 175 ms, reading only what one query asks for
// and answering it 50 ms. Hence a form in which a term is found without parsing the rest.
//
//   file      = sha-256 of all after its LF, hex LF head LF documents LF lengths LF terms LF { term TAB postings LF }
//   head      = JSON {format, recipe, partition, places, generation, seq, averages}
//   documents = JSON [id, …]            a document's number is its index here; ids in order
//   lengths   = JSON [[length per field], …]
//   terms     = all of them, a space between: to find similar ones
//   postings  = JSON {field number: {document number: occurrences}}, terms in code unit order
//
// A file that is damaged, or not of this partition and recipe, is worth nothing and costs nothing but time: it
// is built again from the documents.
import { createHash } from 'node:crypto';
import type { AsPlainObject } from 'minisearch';
import type { Contents } from './partition-index.ts';
import { FIELD_NAMES, RECIPE_VERSION, WIDENING } from './recipe.ts';
import type { Partition, SourceAnchor } from './source.ts';

const FORMAT = 1;

interface Head extends SourceAnchor {
  readonly format: number;
  readonly recipe: number;
  readonly partition: string;
  readonly places: readonly string[];
  readonly averages: readonly number[];
}

export interface Snapshot {
  readonly anchor: SourceAnchor;
  /** The index with these terms only, which is enough to search for them; all terms when left out. */
  content(terms?: readonly string[]): AsPlainObject;
  /** All terms that a term can be widened to, and some more. */
  similar(term: string): string[];
  /** The same file for a later anchor, when nothing of this partition changed up to it. */
  movedTo(anchor: SourceAnchor): string;
}

export type ParsedSnapshot =
  | { readonly outcome: 'good'; readonly snapshot: Snapshot }
  /** Of another recipe, or of another set of places: not wrong, only of no use. */
  | { readonly outcome: 'outdated' }
  | { readonly outcome: 'damaged' };

export function snapshotName(partition: Partition): string {
  return `${createHash('sha256').update(partition.id).digest('hex').slice(0, 32)}.text`;
}

/** The file's content. Equal content gives equal bytes, whatever the order in which documents came. */
export function writeSnapshot(partition: Partition, anchor: SourceAnchor, index: Contents): string {
  const documents = [...index.ids].sort(([, a], [, b]) => (a < b ? -1 : 1));
  const numbers = new Map(documents.map(([old], number) => [old, number]));
  const terms = [...index.terms].sort(([a], [b]) => (a < b ? -1 : 1));
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
    JSON.stringify(documents.map(([old]) => index.lengths.get(old))),
    terms.map(([term]) => term).join(' '),
    terms.map(([term, fields]) => `${term}\t${postingsJson(fields, numbers)}\n`).join(''),
  ].join('\n');
  return sealed(head, rest);
}

function sealed(head: Head, rest: string): string {
  const content = `${JSON.stringify(head)}\n${rest}`;
  return `${sha256(content)}\n${content}`;
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

export function parseSnapshot(partition: Partition, file: string): ParsedSnapshot {
  const content = file.slice(65);
  if (`${sha256(content)}\n` !== file.slice(0, 65)) return { outcome: 'damaged' };
  const headEnd = content.indexOf('\n');
  const head = JSON.parse(content.slice(0, headEnd)) as Head;
  if (head.format !== FORMAT || head.recipe !== RECIPE_VERSION) return { outcome: 'outdated' };
  if (head.partition !== partition.id) return { outcome: 'damaged' };
  if (head.places.join('\n') !== [...partition.places].sort().join('\n')) return { outcome: 'outdated' };
  return { outcome: 'good', snapshot: open(head, content.slice(headEnd + 1)) };
}

function open(head: Head, rest: string): Snapshot {
  const idsEnd = rest.indexOf('\n');
  const lengthsEnd = rest.indexOf('\n', idsEnd + 1);
  const termsEnd = rest.indexOf('\n', lengthsEnd + 1);
  const ids = JSON.parse(rest.slice(0, idsEnd)) as string[];
  const lengths = JSON.parse(rest.slice(idsEnd + 1, lengthsEnd)) as Record<string, number[]>;
  let allTerms: readonly string[] | null = null;
  return {
    anchor: { generation: head.generation, seq: head.seq },
    content: (terms) => ({
      documentCount: ids.length,
      nextId: ids.length,
      documentIds: ids,
      fieldIds: Object.fromEntries(FIELD_NAMES.map((field, number) => [field, number])),
      fieldLength: lengths,
      averageFieldLength: [...head.averages],
      storedFields: {},
      dirtCount: 0,
      index: terms ? terms.flatMap((term) => postingsOf(rest, term, termsEnd)) : allPostings(rest, termsEnd),
      serializationVersion: 2,
    }),
    movedTo: (anchor) => sealed({ ...head, ...anchor }, rest),
    similar(term) {
      allTerms ??= rest.slice(lengthsEnd + 1, termsEnd).split(' ');
      return similarTerms(term, allTerms);
    },
  };
}

/** Two edits cannot touch three thirds of a term: whatever is two edits away still holds one of them. */
function similarTerms(term: string, all: readonly string[]): string[] {
  const third = Math.ceil(term.length / 3);
  const thirds = [term.slice(0, third), term.slice(third, 2 * third), term.slice(2 * third)];
  return all.filter(
    (other) =>
      other.startsWith(term) ||
      (Math.abs(other.length - term.length) <= WIDENING.maxFuzzy &&
        thirds.some((part) => other.includes(part))),
  );
}

type Postings = AsPlainObject['index'][number];

/** Terms hold only letters, digits and _ $ @ #, so a line that begins with one and a tab is that term's. */
function postingsOf(rest: string, term: string, after: number): Postings[] {
  const found = rest.indexOf(`\n${term}\t`, after);
  if (found < 0) return [];
  const start = found + term.length + 2;
  return [[term, JSON.parse(rest.slice(start, rest.indexOf('\n', start))) as Postings[1]]];
}

function allPostings(rest: string, after: number): Postings[] {
  const lines = rest.slice(after + 1, -1);
  if (lines === '') return [];
  return lines.split('\n').map((line) => {
    const tab = line.indexOf('\t');
    return [line.slice(0, tab), JSON.parse(line.slice(tab + 1)) as Postings[1]];
  });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
