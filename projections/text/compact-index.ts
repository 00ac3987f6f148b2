// Compacts a changed text index: merges added documents into the columns, drops removed ones and renumbers documents in
// the order of their ids. It runs in slices, because 100,000 documents mean ten million numbers, and works on a
// snapshot: later changes are not included.
import { columnOf, type Pause, StringColumn } from '../project-indexes/index.ts';
import {
  type DocumentNumbers,
  numberArray,
  OCCURRENCES_MAX,
  TermTable,
  type TextColumns,
} from './text-columns.ts';
import type { Postings, TextContent } from './text-content.ts';
import { FIELD_NAMES } from './text-recipe.ts';

const FIELDS = FIELD_NAMES.length;
const REMOVED = 0xffff_ffff;
/** A document's new number and its count are sorted as one value: number × this + count. */
const COUNTS = OCCURRENCES_MAX + 1;
/** Steps between two pauses: about 2 ms. A stored posting is one step; an added posting and a term are several. */
const SLICE_STEPS = 100_000;
const STEPS_OF_ADDED = 10;
const STEPS_OF_TERM = 20;

export async function compactContent(content: TextContent, pause: Pause): Promise<TextColumns> {
  const { columns } = content;
  if (content.changes === 0) return columns;
  // Copy everything that may change before the first pause.
  const last = content.numbers;
  const removed = content.removed?.slice(0, last) ?? null;
  const addedTerms = [...content.added.keys()].sort();
  const order = orderOf(content, last, removed);
  const numbers = new Uint32Array(last).fill(REMOVED);
  order.forEach((old, number) => {
    numbers[old] = number;
  });
  const described = describe(content, order);
  await pause();

  let room = columns.documents.length;
  for (const term of addedTerms)
    for (const { documents } of content.added.get(term)!) room += documents.length;
  const out = { documents: new (numberArray(order.length))(room), counts: new Uint8Array(room) };
  const terms: string[] = [];
  const starts: number[] = [];
  let end = 0;
  let steps = 0;
  let old = 0;
  for (let next = 0; old < columns.terms.length || next < addedTerms.length; ) {
    const known = old < columns.terms.length ? columns.terms.at(old) : null;
    const fresh = addedTerms[next] ?? null;
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
    terms: new TermTable(...columnOf(terms)),
    starts: Uint32Array.from(starts),
    documents: out.documents.slice(0, end),
    counts: out.counts.slice(0, end),
  };
}

/** The old numbers of the current documents, in the order of their ids. */
function orderOf(content: TextContent, last: number, removed: Uint8Array | null): number[] {
  const { ids } = content.columns;
  const added: number[] = [];
  for (let number = ids.length; number < last; number += 1) if (removed?.[number] !== 1) added.push(number);
  added.sort((a, b) => (content.idOf(a) < content.idOf(b) ? -1 : 1));
  const order: number[] = [];
  let next = 0;
  for (let number = 0; number < ids.length; number += 1) {
    if (removed?.[number] === 1) continue;
    while (next < added.length && content.idOf(added[next]!) < ids.at(number)) order.push(added[next++]!);
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
  return {
    ids: StringColumn.of(order.map((old) => content.idOf(old))),
    sessions: [...sessions.keys()],
    sessionOf,
    lengths,
  };
}

/**
 * Writes the postings of a term's field from `at` on, in the order of the new numbers, without removed documents.
 * Returns the end.
 */
function merged(
  { known, fresh }: { readonly known: Postings | null; readonly fresh: Postings | null },
  numbers: Uint32Array,
  { documents, counts }: { readonly documents: DocumentNumbers; readonly counts: Uint8Array },
  at: number,
): number {
  let end = at;
  if (known !== null)
    for (let index = known.from; index < known.to; index += 1) {
      const number = numbers[known.documents[index]!]!;
      if (number === REMOVED) continue;
      documents[end] = number;
      counts[end] = known.counts[index]!;
      end += 1;
    }
  const addedPairs = fresh === null ? [] : sortedOf(fresh, numbers);
  // Merge from the back, so that no posting is overwritten before it is moved.
  let last = end - 1;
  let to = end + addedPairs.length - 1;
  for (let index = addedPairs.length - 1; index >= 0; to -= 1) {
    const number = Math.floor(addedPairs[index]! / COUNTS);
    const isKnown = last >= at && documents[last]! > number;
    documents[to] = isKnown ? documents[last]! : number;
    counts[to] = isKnown ? counts[last]! : addedPairs[index]! % COUNTS;
    if (isKnown) last -= 1;
    else index -= 1;
  }
  return end + addedPairs.length;
}

/** Number and count of each current document as one sortable value, in order. */
function sortedOf({ documents, counts, from, to }: Postings, numbers: Uint32Array): number[] {
  const addedPairs: number[] = [];
  for (let index = from; index < to; index += 1) {
    const number = numbers[documents[index]!] ?? REMOVED;
    if (number !== REMOVED) addedPairs.push(number * COUNTS + counts[index]!);
  }
  return addedPairs.sort((a, b) => a - b);
}

function columnPostings({ starts, documents, counts }: TextColumns, term: number, field: number): Postings {
  const at = term * FIELDS + field;
  return { documents, counts, from: starts[at]!, to: starts[at + 1]! };
}

function addedPostings(content: TextContent, term: string, field: number): Postings {
  const { documents, counts } = content.added.get(term)![field]!;
  return { documents, counts, from: 0, to: documents.length };
}
