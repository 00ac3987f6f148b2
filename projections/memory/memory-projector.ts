// The `memory` view: the documents that search finds. It derives one turn at a time from all of the turn's rows, so a
// late report changes only the documents of its turn. Items owned by another session make no document, so a fork adds
// nothing. Observations and summaries have a complete row and a document each.
//
//   document/<id>                        MemoryDocument
//   observation/<id>  summary/<id>       ObservationRow, SummaryRow: the complete row behind a document of that kind
//   at/<workdir>/<id>                    1: the documents of a workdir
//   recent/<workdir>/<kind>/<type>/<time>/<id>   the fields that filters read, newest first: see recent-rows.ts
//   workdir/<workdir>                    WorkdirCounts: how many documents of each kind it has
//   vector/<recipe>/<id>  recipe/<recipe>  vectors that an embedding model made: see attached-vectors.ts
//   group/<agent>/<session>/<turn>       the ids of the documents of that turn (turn empty: saved memories)

import type { DocumentKind, MemoryDocument } from '../documents/document.ts';
import {
  type Change,
  defineProjector,
  type ViewReader,
  type ViewWriter,
} from '../engine/contract/projector.ts';
import { below, key, keyParts } from '../engine/store/row-keys.ts';
import { observe } from '../extract/observe-turn.ts';
import type { ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';
import { readPrompt, readReply } from '../sessions/merge-reports.ts';
import {
  type ItemRow,
  isItemRow,
  type SavedRow,
  sessionKeys,
  type TurnRow,
} from '../sessions/session-rows.ts';
import { attachVectors, type Touched, vectorOwners } from './attached-vectors.ts';
import { observedDocuments } from './observation-documents.ts';
import { recentKey, recentRow, sameRecent } from './recent-rows.ts';
import {
  answerDocument,
  promptDocument,
  savedDocument,
  stopDocument,
  toolDocument,
  withNeighbours,
} from './turn-documents.ts';

export const memoryProjector = defineProjector({
  name: 'memory',
  version: 12,
  follows: 'turns',
  feed: 'rows',
  fold,
  together: (rowKey) => groupOf(rowKey) ?? '',
});

export type WorkdirCounts = Readonly<Record<DocumentKind, number>>;

export const memoryKeys = {
  document: (id: string) => key('document', id),
  observation: (id: string) => key('observation', id),
  observations: () => below('observation'),
  summary: (id: string) => key('summary', id),
  summaries: () => below('summary'),
  at: (workdir: string, id: string) => key('at', workdir, id),
  allAt: (workdir: string) => below('at', workdir),
  workdir: (workdir: string) => key('workdir', workdir),
  workdirs: () => below('workdir'),
  group: (agent: string, session: string, turn: string) => key('group', agent, session, turn),
} as const;

const NOTHING_HERE: WorkdirCounts = { prompt: 0, answer: 0, tool: 0, memory: 0, observation: 0, summary: 0 };

/** What is derived from a group: its documents, and by id the complete rows of its observations and summary. */
interface Made {
  readonly documents: readonly MemoryDocument[];
  readonly rows: ReadonlyMap<string, ObservationRow | SummaryRow>;
}

const NO_ROWS: Made['rows'] = new Map();
const NOTHING: Made = { documents: [], rows: NO_ROWS };

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
  const touched = new Map<string, Touched>();
  for (const group of groupsOf(changes)) {
    const made =
      group.turn === '' ? await savedDocuments(group, upstream) : await turnDocuments(group, upstream);
    await write(group, made, view, { counts, touched });
  }
  await writeCounts(counts, view);
  await attachVectors(touched, vectorOwners(changes), view, upstream);
}

/** What a page changes besides the rows of its groups. */
interface Written {
  readonly counts: Map<string, Record<DocumentKind, number>>;
  /** Documents whose attached vectors may have to change. */
  readonly touched: Map<string, Touched>;
}

/** Key of the group that a row of `turns` belongs to; null for rows that make no document. */
function groupOf(rowKey: string): string | null {
  const isTurn = rowKey.startsWith('turn/');
  if (!isTurn && !rowKey.startsWith('saved/')) return null;
  // Both are `<kind>/<agent>/<session>/…`, and keys are escaped alike in both views.
  const session = rowKey.indexOf('/', rowKey.indexOf('/') + 1) + 1;
  const rest = rowKey.indexOf('/', session) + 1;
  const end = rowKey.indexOf('/', rest);
  return `group${rowKey.slice(rowKey.indexOf('/'), isTurn ? (end < 0 ? undefined : end) : rest)}`;
}

/** The groups that a page changes, each once, with the rows that the page contains. */
function groupsOf(changes: readonly Change[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { key: rowKey, after } of changes) {
    const name = groupOf(rowKey);
    if (name === null) continue;
    let group = groups.get(name);
    if (group === undefined) {
      const [, agent, sessionId, turn] = keyParts(name) as [string, string, string, string];
      group = { key: name, agent, session: sessionId, turn, row: null, items: [] };
      groups.set(name, group);
    }
    if (rowKey.startsWith('saved/') || after === null) continue;
    const row = after as TurnRow | ItemRow;
    if (isItemRow(row)) group.items.push(row);
    else group.row = row;
  }
  return groups.values();
}

async function turnDocuments(group: Group, upstream: ViewReader): Promise<Made> {
  const { row, items } = await rowsOf(group, upstream);
  if (row === null || row.private) return NOTHING;
  const answerOpenings = new Set<string>();
  const documents: MemoryDocument[] = [];
  const carriesNothing = isCommandAlone(items);
  for (const item of items) {
    if (carriesNothing && item.kind === 'prompt') continue;
    const document = item.home === null ? documentOf(item, row) : null;
    if (document === null) continue;
    documents.push(document);
  }
  const stops = items.some(({ kind }) => kind === 'stop');
  if (stops)
    for (const { kind, body } of documents) if (kind === 'answer') answerOpenings.add(openingWords(body));
  for (const item of items) {
    if (item.kind !== 'stop' || item.home !== null) continue;
    const document = stopDocument(item, row);
    if (document === null || answerOpenings.has(openingWords(document.body))) continue;
    answerOpenings.add(openingWords(document.body));
    documents.push(document);
  }
  const observed = observe(row, items);
  const { observations, summary } = observed;
  return {
    documents: [...withNeighbours(documents), ...observedDocuments(observed)],
    rows: new Map([...observations, ...(summary === null ? [] : [summary])].map((one) => [one.id, one])),
  };
}

/** `/compact`, `/exit`: the agent's program handles these itself, no hook reports them, and they hold nothing to remember. */
function isCommandAlone(items: readonly ItemRow[]): boolean {
  return items.every((item) => {
    if (item.kind === 'reply') return readReply(item).compaction === true;
    if (item.kind !== 'prompt') return false;
    const { kind, text } = readPrompt(item);
    return kind === 'command' && text?.startsWith('/') === true;
  });
}

/** All rows of a turn: from the page when it contains them all, else from the upstream view. */
async function rowsOf(group: Group, upstream: ViewReader): Promise<Pick<Group, 'row' | 'items'>> {
  const { agent, session, turn } = group;
  if (group.row !== null && group.row.items === group.items.length) {
    // In the order of the view's rows, so that the result does not depend on where they were read.
    group.items.sort((one, other) => (one.id < other.id ? -1 : 1));
    return group;
  }
  const row = await upstream.get<TurnRow>(sessionKeys.turn(agent, session, turn));
  const items = await upstream.range<ItemRow>(sessionKeys.itemsOfTurn(agent, session, turn));
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

/** Hook and transcript both report the final answer: equal opening words mean the same answer. */
function openingWords(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 500);
}

async function savedDocuments({ agent, session }: Group, upstream: ViewReader): Promise<Made> {
  const rows = await upstream.range<SavedRow>(sessionKeys.savedOf(agent, session === '' ? null : session));
  const documents = rows.map(([, row]) => savedDocument(row));
  // Memories saved outside of a session need not be related, so they get no neighbours.
  return { documents: session === '' ? documents : withNeighbours(documents), rows: NO_ROWS };
}

async function write(
  group: Group,
  { documents, rows }: Made,
  view: ViewWriter,
  { counts, touched }: Written,
): Promise<void> {
  const row = group.key;
  const after = new Map(documents.map((document) => [document.id, document]));
  const before = await view.get<string[]>(row);
  const ids = before === undefined ? [...after.keys()] : [...new Set([...before, ...after.keys()])];
  const keys = ids.map(memoryKeys.document);
  const stored = await view.getMany<MemoryDocument>(keys);
  let at = '';
  let workdir: string | null = null;
  ids.forEach((id, index) => {
    const old = stored[index];
    const now = after.get(id);
    // An item may have moved to another turn of this page or the next; its document then belongs to that turn.
    if (now === undefined && (old === undefined || (old.turn ?? '') !== group.turn)) return;
    touched.set(id, { before: touched.get(id)?.before ?? old ?? null, after: now ?? null });
    if (old !== undefined && old.workdir !== now?.workdir) {
      view.del(memoryKeys.at(old.workdir, id));
      count(counts, old, -1);
    }
    if (old !== undefined && (now === undefined || recentKey(old) !== recentKey(now)))
      view.del(recentKey(old));
    if (now === undefined) {
      view.del(keys[index]!);
      const rowKey = rowKeyOf(old!);
      if (rowKey !== null) view.del(rowKey);
    } else {
      view.put(keys[index]!, now);
      if (old === undefined || !sameRecent(old, now)) view.put(recentKey(now), recentRow(now));
      const rowKey = rowKeyOf(now);
      if (rowKey !== null) view.put(rowKey, rows.get(id)!);
      if (old?.workdir !== now.workdir) {
        if (workdir !== now.workdir) at = memoryKeys.allAt(now.workdir);
        workdir = now.workdir;
        view.put(`${at}${id}`, 1);
        count(counts, now, 1);
      }
    }
  });
  if (after.size === 0) view.del(row);
  else view.put(row, [...after.keys()].sort());
}

/** Key of the complete row behind a document; null for kinds without one. */
function rowKeyOf({ id, kind }: MemoryDocument): string | null {
  if (kind === 'observation') return memoryKeys.observation(id);
  return kind === 'summary' ? memoryKeys.summary(id) : null;
}

function count(
  counts: Map<string, Record<DocumentKind, number>>,
  { workdir, kind }: MemoryDocument,
  by: number,
): void {
  const changed = counts.get(workdir) ?? { ...NOTHING_HERE };
  changed[kind] += by;
  counts.set(workdir, changed);
}

async function writeCounts(
  counts: ReadonlyMap<string, Record<DocumentKind, number>>,
  view: ViewWriter,
): Promise<void> {
  for (const [workdir, changed] of counts) {
    const row = (await view.get<WorkdirCounts>(memoryKeys.workdir(workdir))) ?? NOTHING_HERE;
    const sum = { ...NOTHING_HERE };
    for (const kind of Object.keys(sum) as DocumentKind[]) sum[kind] = row[kind] + changed[kind];
    if (Object.values(sum).every((number) => number === 0)) view.del(memoryKeys.workdir(workdir));
    else view.put(memoryKeys.workdir(workdir), sum);
  }
}
