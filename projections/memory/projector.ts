// The `memory` view: what search finds. One turn is computed at a time from all of its rows, so a late telling
// changes exactly the documents of its turn. Only what is at home in its session becomes a document, so a fork
// adds nothing.
//
//   document/<id>                        MemoryDocument
//   at/<place>/<id>                      1: which documents stand at a place
//   place/<place>                        PlaceRow: how many documents of each kind stand there
//   group/<agent>/<session>/<turn>       the ids of the documents of that turn (turn empty: saved memories)
import { below, key, keyParts } from '../keys.ts';
import { type Change, defineProjector, type ViewReader, type ViewWriter } from '../projector.ts';
import { type ItemRow, isItem, rowKeys, type SavedRow, type TurnRow } from '../turns/rows.ts';
import type { DocumentKind, MemoryDocument } from './document.ts';
import {
  answerDocument,
  promptDocument,
  savedDocument,
  stopDocument,
  toolDocument,
  withNeighbours,
} from './documents.ts';

export const memoryProjector = defineProjector({
  name: 'memory',
  version: 1,
  follows: 'turns',
  feed: 'rows',
  fold,
});

export type PlaceRow = Readonly<Record<DocumentKind, number>>;

export const memoryKeys = {
  document: (id: string) => key('document', id),
  at: (place: string, id: string) => key('at', place, id),
  allAt: (place: string) => below('at', place),
  place: (place: string) => key('place', place),
  places: () => below('place'),
  group: (agent: string, session: string, turn: string) => key('group', agent, session, turn),
} as const;

const NOTHING_HERE: PlaceRow = { prompt: 0, answer: 0, tool: 0, memory: 0 };

interface Group {
  readonly agent: string;
  readonly session: string;
  /** Empty: the memories saved in this session. */
  readonly turn: string;
  /** Key of the group's own row. */
  readonly key: string;
  row: TurnRow | null;
  readonly items: ItemRow[];
}

async function fold(changes: readonly Change[], view: ViewWriter, upstream: ViewReader): Promise<void> {
  const counts = new Map<string, Record<DocumentKind, number>>();
  for (const group of groupsOf(changes)) {
    const documents =
      group.turn === '' ? await savedDocuments(group, upstream) : await turnDocuments(group, upstream);
    await write(group, documents, view, counts);
  }
  await writeCounts(counts, view);
}

/** The turns that a page of changes touches, each once, with what the page shows of their rows. */
function groupsOf(changes: readonly Change[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { key: rowKey, after } of changes) {
    const [kind, agent, session, turn] = keyParts(rowKey) as [string, string, string, string];
    if (kind !== 'turn' && kind !== 'saved') continue;
    const name = memoryKeys.group(agent, session, kind === 'saved' ? '' : turn);
    const group = groups.get(name) ?? {
      key: name,
      agent,
      session,
      turn: kind === 'saved' ? '' : turn,
      row: null,
      items: [],
    };
    groups.set(name, group);
    if (kind === 'saved' || after === null) continue;
    const row = after as TurnRow | ItemRow;
    if (isItem(row)) group.items.push(row);
    else group.row = row;
  }
  return groups.values();
}

async function turnDocuments(group: Group, upstream: ViewReader): Promise<MemoryDocument[]> {
  const { row, items } = await rowsOf(group, upstream);
  if (row === null || row.private) return [];
  const answered = new Set<string>();
  const documents: MemoryDocument[] = [];
  for (const item of items) {
    const document = item.home === null ? documentOf(item, row) : null;
    if (document === null) continue;
    if (document.kind === 'answer') answered.add(closingWords(document.body));
    documents.push(document);
  }
  for (const item of items) {
    if (item.kind !== 'stop' || item.home !== null) continue;
    const document = stopDocument(item, row);
    if (document === null || answered.has(closingWords(document.body))) continue;
    answered.add(closingWords(document.body));
    documents.push(document);
  }
  return withNeighbours(documents);
}

/** A turn is computed from all of its rows: those of the page when it shows them all, else those of the view. */
async function rowsOf(group: Group, upstream: ViewReader): Promise<Pick<Group, 'row' | 'items'>> {
  const { agent, session, turn } = group;
  if (group.row !== null && group.row.items === group.items.length) return group;
  const row = await upstream.get<TurnRow>(rowKeys.turn(agent, session, turn));
  const items = await upstream.range<ItemRow>(rowKeys.itemsOfTurn(agent, session, turn));
  return { row: row ?? null, items: items.map(([, item]) => item) };
}

function documentOf(item: ItemRow, turn: TurnRow): MemoryDocument | null {
  switch (item.kind) {
    case 'prompt':
      return promptDocument(item, turn);
    case 'tool':
      return toolDocument(item, turn);
    case 'reply':
      return answerDocument(item, turn);
    case 'stop':
      return null;
  }
}

/** A hook tells the closing answer that the transcript tells too: the same opening words are the same answer. */
function closingWords(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 500);
}

async function savedDocuments({ agent, session }: Group, upstream: ViewReader): Promise<MemoryDocument[]> {
  const rows = await upstream.range<SavedRow>(rowKeys.savedOf(agent, session === '' ? null : session));
  const documents = rows.map(([, row]) => savedDocument(row));
  // Without a session nothing says that two saves belong together: they are no neighbours.
  return session === '' ? documents : withNeighbours(documents);
}

async function write(
  group: Group,
  documents: readonly MemoryDocument[],
  view: ViewWriter,
  counts: Map<string, Record<DocumentKind, number>>,
): Promise<void> {
  const row = group.key;
  const after = new Map(documents.map((document) => [document.id, document]));
  const ids = [...new Set([...((await view.get<string[]>(row)) ?? []), ...after.keys()])];
  const stood = await view.getMany<MemoryDocument>(ids.map(memoryKeys.document));
  ids.forEach((id, index) => {
    const old = stood[index];
    const now = after.get(id);
    // An item may have moved to another turn of this page or the next: its document is that turn's now.
    if (now === undefined && (old === undefined || (old.turn ?? '') !== group.turn)) return;
    if (old !== undefined && old.place !== now?.place) {
      view.del(memoryKeys.at(old.place, id));
      count(counts, old, -1);
    }
    if (now === undefined) view.del(memoryKeys.document(id));
    else {
      view.put(memoryKeys.document(id), now);
      if (old?.place !== now.place) {
        view.put(memoryKeys.at(now.place, id), 1);
        count(counts, now, 1);
      }
    }
  });
  if (after.size === 0) view.del(row);
  else view.put(row, [...after.keys()].sort());
}

function count(
  counts: Map<string, Record<DocumentKind, number>>,
  { place, kind }: MemoryDocument,
  by: number,
): void {
  const changed = counts.get(place) ?? { ...NOTHING_HERE };
  changed[kind] += by;
  counts.set(place, changed);
}

async function writeCounts(
  counts: ReadonlyMap<string, Record<DocumentKind, number>>,
  view: ViewWriter,
): Promise<void> {
  for (const [place, changed] of counts) {
    const row = (await view.get<PlaceRow>(memoryKeys.place(place))) ?? NOTHING_HERE;
    const sum = { ...NOTHING_HERE };
    for (const kind of Object.keys(sum) as DocumentKind[]) sum[kind] = row[kind] + changed[kind];
    if (Object.values(sum).every((number) => number === 0)) view.del(memoryKeys.place(place));
    else view.put(memoryKeys.place(place), sum);
  }
}
