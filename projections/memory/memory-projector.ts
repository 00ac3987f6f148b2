// The `memory` view: the documents that search finds. It derives one turn at a time, so a late report changes only
// documents of its turn. Items owned by another session make no document, so a fork adds
// nothing. Observations and summaries have a complete row and a document each.
//
//   document/<id>                        MemoryDocument
//   observation/<id>  summary/<id>       ObservationRow, SummaryRow: the complete row behind a document of that kind
//   commits/<session>/<observation>      CommitRow: see commit-rows.ts
//   at/<workdir>/<id>                    1: the documents of a workdir
//   recent/<workdir>/<kind>/<type>/<time>/<id>   the fields that filters read, newest first: see recent-rows.ts
//   workdir/<workdir>                    WorkdirCounts: how many documents of each kind it has
//   acted/<act>                          the document that an act of a person belongs to: see attach-acts.ts
//   vector/<recipe>/<id>  recipe/<recipe>  vectors that an embedding model made: see attached-vectors.ts
//   group/<agent>/<session>/<turn>/<id>  1: the documents of that turn. Turn empty: saved memories. Turn `i-…`: that
//                                        imported memory
//   hasgroup/<agent>/<session>/<turn>    1 where such a group has documents

import type { DocumentKind, MemoryDocument } from '../documents/document.ts';
import {
  type Change,
  defineProjector,
  type ViewReader,
  type ViewWriter,
} from '../engine/contract/projector.ts';
import { below, key, keyParts } from '../engine/store/row-keys.ts';
import type { ObservationRow, SummaryRow } from '../extract/transcript/observation.ts';
import {
  type ImportedRow,
  type ItemRow,
  type SavedRow,
  sessionKeys,
  type TurnRow,
} from '../sessions/session-rows.ts';
import { attachActs } from './attach-acts.ts';
import { attachVectors, type Touched, vectorOwners } from './attached-vectors.ts';
import { commitRow, commitRowKey } from './commit-rows.ts';
import { importedDocument } from './imported-document.ts';
import { type ChangedDocuments, KnownTurn } from './known-turn.ts';
import { openReadings, turnsRead } from './readings-of-turns.ts';
import { recentKey, recentRow, sameRecent } from './recent-rows.ts';
import { savedDocument, withNeighbours } from './turn-documents.ts';

export const memoryProjector = defineProjector({
  name: 'memory',
  version: 73,
  follows: 'turns',
  changes: 'rows',
  followedRows: ['document/', 'observation/', 'summary/'],
  fold,
});

export type WorkdirCounts = Readonly<Record<DocumentKind, number>>;

export const memoryKeys = {
  document: (id: string) => key('document', id),
  observation: (id: string) => key('observation', id),
  observations: () => below('observation'),
  summary: (id: string) => key('summary', id),
  summaries: () => below('summary'),
  workdir: (workdir: string) => key('workdir', workdir),
  workdirs: () => below('workdir'),
  /** 1 where a turn has documents, so that a new turn is not searched for old ones. */
  hasDocuments: (groupKey: string) => `has${groupKey}`,
  /** The documents of a turn, and of a session. */
  ofTurn: (agent: string, session: string, turn: string) => below('group', agent, session, turn),
  ofSession: (agent: string, session: string | null) => below('group', agent, session ?? ''),
  groups: () => below('group'),
  documentIn: (groupKey: string) => groupKey.slice(groupKey.lastIndexOf('/') + 1),
} as const;

export const NO_DOCUMENTS: WorkdirCounts = {
  prompt: 0,
  answer: 0,
  tool: 0,
  memory: 0,
  observation: 0,
  summary: 0,
  imported: 0,
};

/** Size of an item's row or document for the memory of the view. Only a few turns are in use at a time. */
const WEIGHT = 5;

interface Group {
  /** The rows that its documents are made of. */
  readonly rows: 'turn' | 'saved' | 'imported';
  readonly agent: string;
  readonly session: string;
  /** Empty for the memories saved in this session; the id of an imported memory. */
  readonly turn: string;
  /** The rows of its documents are below this key. */
  readonly key: string;
  /** The rows that the page contains, by key; null where the row has to be read. */
  readonly shown: Map<string, TurnRow | ItemRow | null>;
}

async function fold(changes: readonly Change[], view: ViewWriter, upstream: ViewReader): Promise<void> {
  const counts = new Map<string, Record<DocumentKind, number>>();
  const touched = new Map<string, Touched>();
  const rows: (ObservationRow | SummaryRow)[] = [];
  const written = { counts, touched, rows };
  const readings = await openReadings(upstream);
  for (const group of groupsOf([...changes, ...(await turnsRead(changes, upstream))])) {
    if (group.rows !== 'turn') {
      const made = await (group.rows === 'saved' ? savedDocuments : importedDocuments)(group, upstream);
      const isStored = { had: undefined, has: made.documents.size > 0 };
      await writeGroup(group, made, isStored, view, written);
      continue;
    }
    const known = view.memory.take<KnownTurn>(group.key);
    const turn = known ?? new KnownTurn();
    const hadDocuments = turn.documentCount > 0;
    const turnKey = sessionKeys.turn(group.agent, group.session, group.turn);
    const made = await turn.update(group.shown, turnKey, upstream, readings);
    const isStored = { had: known && hadDocuments, has: turn.documentCount > 0 };
    await writeGroup(group, made, isStored, view, written);
    if (turn.size > 0) view.memory.keep(group.key, turn, WEIGHT * turn.size);
  }
  const keep = (document: MemoryDocument, isGone: boolean): Promise<void> =>
    write(groupOfOne(document), oneDocument(document, isGone), view, written);
  await attachActs({ ...written, changes, view, upstream, keep });
  await writeCounts(counts, view);
  await attachVectors(touched, vectorOwners(changes), view, upstream);
}

/** What a page changes besides the rows of its groups. */
interface Written {
  readonly counts: Map<string, Record<DocumentKind, number>>;
  /** Documents whose attached vectors may have to change. */
  readonly touched: Map<string, Touched>;
  readonly rows: (ObservationRow | SummaryRow)[];
}

/** The rows of `turns` that make documents, by the beginning of their keys. */
const ROWS: ReadonlyMap<string, Group['rows']> = new Map([
  ['turn', 'turn'],
  ['saved', 'saved'],
  ['imported', 'imported'],
]);

/** Key of the group that a row of `turns` belongs to. */
function groupOf(rowKey: string, rows: Group['rows']): string {
  // All are `<kind>/<agent>/<session>/<turn or item>…`, and keys are escaped alike in both views.
  const session = rowKey.indexOf('/', rowKey.indexOf('/') + 1) + 1;
  const rest = rowKey.indexOf('/', session) + 1;
  const end = rowKey.indexOf('/', rest);
  return `group${rowKey.slice(rowKey.indexOf('/'), rows === 'saved' ? rest : end < 0 ? undefined : end)}`;
}

/** The groups that a page changes, each once, with the rows that the page contains. */
function groupsOf(changes: readonly Change[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { key: rowKey, after } of changes) {
    const rows = ROWS.get(rowKey.slice(0, rowKey.indexOf('/')));
    if (rows === undefined) continue;
    const name = groupOf(rowKey, rows);
    let group = groups.get(name);
    if (group === undefined) {
      const [, agent, sessionId, turn] = keyParts(name) as [string, string, string, string];
      group = { rows, key: name, agent, session: sessionId, turn, shown: new Map() };
      groups.set(name, group);
    }
    if (rows === 'turn') group.shown.set(rowKey, after as TurnRow | ItemRow | null);
  }
  return groups.values();
}

/** The group of a document that no rows of `turns` make. */
function groupOfOne({ agent, session, id }: MemoryDocument): Group {
  const names = { agent, session: session ?? '' };
  return { ...names, rows: 'saved', turn: '', key: key('group', agent, names.session, id), shown: new Map() };
}

function oneDocument(document: MemoryDocument, isGone: boolean): ChangedDocuments {
  const change = { before: undefined, after: isGone ? null : document };
  return { documents: new Map([[document.id, change]]), rows: new Map() };
}

async function savedDocuments(group: Group, upstream: ViewReader): Promise<ChangedDocuments> {
  const { agent, session } = group;
  const rows = await upstream.range<SavedRow>(sessionKeys.savedOf(agent, session === '' ? null : session));
  const documents = rows.map(([, row]) => savedDocument(row));
  // Memories saved outside of a session need not be related, so they get no neighbours.
  const all = session === '' ? documents : withNeighbours(documents);
  const made = new Map(all.map((after) => [after.id, { before: undefined, after }]));
  return { documents: made, rows: new Map() };
}

async function importedDocuments(
  { agent, session, turn }: Group,
  upstream: ViewReader,
): Promise<ChangedDocuments> {
  const range = sessionKeys.versionsOf(agent, session === '' ? null : session, turn);
  const document = importedDocument((await upstream.range<ImportedRow>(range)).map(([, row]) => row));
  const documents = document === null ? [] : [[document.id, { before: undefined, after: document }] as const];
  return { documents: new Map(documents), rows: new Map() };
}

/** `had`: whether documents of this group are stored; undefined when that is not known. */
async function writeGroup(
  group: Group,
  made: ChangedDocuments,
  { had, has }: { readonly had: boolean | undefined; readonly has: boolean },
  view: ViewWriter,
  written: Written,
): Promise<void> {
  const marker = memoryKeys.hasDocuments(group.key);
  const isStored = had ?? (await view.get(marker)) !== undefined;
  const all = had === undefined && isStored ? await withGone(group, made, view) : made;
  await write(group, all, view, written);
  if (has && !isStored) view.put(marker, 1);
  else if (!has && isStored) view.del(marker);
}

/** All documents of a group, and those that are stored but no longer made. */
async function withGone(
  { key: groupKey }: Group,
  { documents, rows }: ChangedDocuments,
  view: ViewReader,
): Promise<ChangedDocuments> {
  const stored = (await view.range(`${groupKey}/`)).map(([rowKey]) => memoryKeys.documentIn(rowKey));
  const gone = stored.filter((id) => !documents.has(id));
  if (gone.length === 0) return { documents, rows };
  const all = gone.map((id) => [id, { before: undefined, after: null }] as const);
  return { documents: new Map([...documents, ...all]), rows };
}

async function write(
  group: Group,
  { documents, rows }: ChangedDocuments,
  view: ViewWriter,
  { counts, touched, rows: allRows }: Written,
): Promise<void> {
  // A document that is new here, or gone, may be of another turn: it is read.
  const unknown = [...documents].flatMap(([id, one]) =>
    one.before === undefined || one.after === null ? [id] : [],
  );
  const read =
    unknown.length === 0 ? [] : await view.getMany<MemoryDocument>(unknown.map(memoryKeys.document));
  const stored = new Map(unknown.map((id, index) => [id, read[index]]));
  for (const [id, { before, after: now }] of documents) {
    if (now === null) view.del(`${group.key}/${id}`);
    else if (before === undefined) view.put(`${group.key}/${id}`, 1);
    const old = stored.has(id) ? stored.get(id) : before;
    // An item may have moved to another turn of this page or the next; its document then belongs to that turn.
    if (now === null && (old === undefined || turnOf(old) !== group.turn)) continue;
    touched.set(id, { before: touched.get(id)?.before ?? old ?? null, after: now });
    if (old !== undefined && old.workdir !== now?.workdir) count(counts, old, -1);
    if (old !== undefined && (now === null || recentKey(old) !== recentKey(now))) view.del(recentKey(old));
    if (now === null) {
      view.del(memoryKeys.document(id));
      const rowKey = rowKeyOf(old!);
      if (rowKey !== null) view.del(rowKey);
      if (old!.kind === 'observation') view.del(commitRowKey(old!.session!, id));
      continue;
    }
    view.put(memoryKeys.document(id), now);
    if (old === undefined || !sameRecent(old, now)) view.put(recentKey(now), recentRow(now));
    if (old?.workdir !== now.workdir) count(counts, now, 1);
  }
  // A row can change without its document: it also holds the evidence.
  for (const [id, row] of rows) {
    view.put('evidence' in row ? memoryKeys.observation(id) : memoryKeys.summary(id), row);
    allRows.push(row);
    if ('evidence' in row) writeCommits(row, view);
  }
}

function writeCommits(row: ObservationRow, view: ViewWriter): void {
  const commits = commitRow(row);
  const rowKey = commitRowKey(row.session, row.id);
  if (commits === null) view.del(rowKey);
  else view.put(rowKey, commits);
}

/** The turn of the group that a document belongs to. */
function turnOf({ kind, id, turn }: MemoryDocument): string {
  return kind === 'imported' ? id : (turn ?? '');
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
  const changed = counts.get(workdir) ?? { ...NO_DOCUMENTS };
  changed[kind] += by;
  counts.set(workdir, changed);
}

async function writeCounts(
  counts: ReadonlyMap<string, Record<DocumentKind, number>>,
  view: ViewWriter,
): Promise<void> {
  for (const [workdir, changed] of counts) {
    const row = (await view.get<WorkdirCounts>(memoryKeys.workdir(workdir))) ?? NO_DOCUMENTS;
    const sum = { ...NO_DOCUMENTS };
    for (const kind of Object.keys(sum) as DocumentKind[]) sum[kind] = row[kind] + changed[kind];
    if (Object.values(sum).every((number) => number === 0)) view.del(memoryKeys.workdir(workdir));
    else view.put(memoryKeys.workdir(workdir), sum);
  }
}
