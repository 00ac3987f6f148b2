// From an index that changed to one that did not: what came is put among what was, what left is left out, and
// documents are numbered again in the order of their ids. In slices, because of 100,000 documents ten million
// numbers are touched; what changes meanwhile is not seen.
import type { Pause } from '../project-indexes/index.ts';
import { OCCURRENCES_MAX, TermTable, type TextColumns } from './text-columns.ts';
import type { Postings, TextContent } from './text-content.ts';
import { FIELD_NAMES } from './text-recipe.ts';

const FIELDS = FIELD_NAMES.length;
const LEFT = 0xffff_ffff;
/** A document's new number and its count are sorted as one: number × this + count. */
const COUNTS = OCCURRENCES_MAX + 1;
/** Steps between two pauses: about 2 ms. A posting that was there is one; what comes, and each term, is several. */
const SLICE_STEPS = 100_000;
const STEPS_OF_ADDED = 10;
const STEPS_OF_TERM = 20;

export async function compactContent(content: TextContent, pause: Pause): Promise<TextColumns> {
  const { columns } = content;
  if (content.changes === 0) return columns;
  // All that may change meanwhile is taken before the first pause.
  const last = content.numbers;
  const gone = content.gone?.slice(0, last) ?? null;
  const came = [...content.added.keys()].sort();
  const order = orderOf(content, last, gone);
  const numbers = new Uint32Array(last).fill(LEFT);
  order.forEach((old, number) => {
    numbers[old] = number;
  });
  const described = describe(content, order);
  await pause();

  let room = columns.documents.length;
  for (const term of came) for (const { documents } of content.added.get(term)!) room += documents.length;
  const out = { documents: new Uint32Array(room), counts: new Uint8Array(room) };
  const terms: string[] = [];
  const starts: number[] = [];
  let end = 0;
  let steps = 0;
  let old = 0;
  for (let next = 0; old < columns.terms.length || next < came.length; ) {
    const known = old < columns.terms.length ? columns.terms.at(old) : null;
    const fresh = came[next] ?? null;
    const isKnown = known !== null && (fresh === null || known <= fresh);
    const isFresh = fresh !== null && (known === null || fresh <= known);
    const term = isKnown ? known : fresh!;
    const before = end;
    const at = starts.length;
    for (let field = 0; field < FIELDS; field += 1) {
      starts.push(end);
      const lists = {
        known: isKnown ? columnPostings(columns, old, field) : null,
        fresh: isFresh ? addedPostings(content, term, field) : null,
      };
      end = merged(lists, numbers, out, end);
    }
    if (end === before) starts.length = at;
    else terms.push(term);
    steps += end - before + STEPS_OF_TERM;
    if (isFresh)
      for (const { documents } of content.added.get(term)!) steps += documents.length * STEPS_OF_ADDED;
    if (isKnown) old += 1;
    if (isFresh) next += 1;
    if (steps < SLICE_STEPS) continue;
    steps = 0;
    await pause();
  }
  starts.push(end);
  return {
    ...described,
    terms: tableOf(terms),
    starts: Uint32Array.from(starts),
    documents: out.documents.slice(0, end),
    counts: out.counts.slice(0, end),
  };
}

/** The old numbers of the documents that are there, in the order of their ids. */
function orderOf(content: TextContent, last: number, gone: Uint8Array | null): number[] {
  const { ids } = content.columns;
  const added: number[] = [];
  for (let number = ids.length; number < last; number += 1) if (gone?.[number] !== 1) added.push(number);
  added.sort((a, b) => (content.idOf(a) < content.idOf(b) ? -1 : 1));
  const order: number[] = [];
  let next = 0;
  for (let number = 0; number < ids.length; number += 1) {
    if (gone?.[number] === 1) continue;
    while (next < added.length && content.idOf(added[next]!) < ids[number]!) order.push(added[next++]!);
    order.push(number);
  }
  return [...order, ...added.slice(next)];
}

/** Ids, sessions and lengths in the new order. */
function describe(
  content: TextContent,
  order: readonly number[],
): Pick<TextColumns, 'ids' | 'sessions' | 'sessionOf' | 'lengths'> {
  const sessions = new Map<string, number>();
  const sessionOf = new Uint32Array(order.length);
  const lengths = new Uint32Array(order.length * FIELDS);
  order.forEach((old, number) => {
    const session = content.sessionOf(old);
    if (!sessions.has(session)) sessions.set(session, sessions.size);
    sessionOf[number] = sessions.get(session)!;
    for (let field = 0; field < FIELDS; field += 1)
      lengths[number * FIELDS + field] = content.lengthOf(old, field);
  });
  return { ids: order.map((old) => content.idOf(old)), sessions: [...sessions.keys()], sessionOf, lengths };
}

/**
 * Writes those postings of a term's field whose documents are there, from `at` on, in the order of the new numbers.
 * Returns their end.
 */
function merged(
  { known, fresh }: { readonly known: Postings | null; readonly fresh: Postings | null },
  numbers: Uint32Array,
  { documents, counts }: { readonly documents: Uint32Array; readonly counts: Uint8Array },
  at: number,
): number {
  let end = at;
  if (known !== null)
    for (let index = known.from; index < known.to; index += 1) {
      const number = numbers[known.documents[index]!]!;
      if (number === LEFT) continue;
      documents[end] = number;
      counts[end] = known.counts[index]!;
      end += 1;
    }
  const came = fresh === null ? [] : sortedOf(fresh, numbers);
  // From the back, where there is room: nothing is overwritten that is still to be moved.
  let last = end - 1;
  let to = end + came.length - 1;
  for (let index = came.length - 1; index >= 0; to -= 1) {
    const number = Math.floor(came[index]! / COUNTS);
    const isKnown = last >= at && documents[last]! > number;
    documents[to] = isKnown ? documents[last]! : number;
    counts[to] = isKnown ? counts[last]! : came[index]! % COUNTS;
    if (isKnown) last -= 1;
    else index -= 1;
  }
  return end + came.length;
}

/** New number and count of each document that is there, as one, in order. */
function sortedOf({ documents, counts, from, to }: Postings, numbers: Uint32Array): number[] {
  const came: number[] = [];
  for (let index = from; index < to; index += 1) {
    const number = numbers[documents[index]!] ?? LEFT;
    if (number !== LEFT) came.push(number * COUNTS + counts[index]!);
  }
  return came.sort((a, b) => a - b);
}

function columnPostings({ starts, documents, counts }: TextColumns, term: number, field: number): Postings {
  const at = term * FIELDS + field;
  return { documents, counts, from: starts[at]!, to: starts[at + 1]! };
}

function addedPostings(content: TextContent, term: string, field: number): Postings {
  const { documents, counts } = content.added.get(term)![field]!;
  return { documents, counts, from: 0, to: documents.length };
}

function tableOf(terms: readonly string[]): TermTable {
  const offsets = new Uint32Array(terms.length + 1);
  terms.forEach((term, index) => {
    offsets[index + 1] = offsets[index]! + Buffer.byteLength(term);
  });
  return new TermTable(Buffer.from(terms.join('')), offsets);
}
