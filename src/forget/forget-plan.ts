// Makes the plan before anything is forgotten: the events, the names under which they could be reported again, the ids
// people know them by, and what a person is shown of it.
import {
  actedItems,
  isoTime,
  type LogEvent,
  lookupNames,
  type NewEvent,
  nameOfSession,
  tombstoneNames,
} from '../../log/index.ts';
import {
  documentEvents,
  type ItemRow,
  isItemRow,
  type MemoryDocument,
  memoryKeys,
  resolveProject,
  type SessionRow,
  sessionKeys,
  type TurnRow,
} from '../../projections/index.ts';
import type { ForgetGroup, ForgetPlan, ForgetThing } from '../api.ts';
import type { Home } from '../home/home.ts';
import { exists } from '../platform/disk-files.ts';
import { actsOn } from './acts-on.ts';
import { findOtherOccurrences, type OtherOccurrences } from './elsewhere.ts';
import { traitsOf } from './event-traits.ts';
import { injectionsOfForgotten } from './forgotten-injections.ts';
import { type PromptsLeft, promptsLeft } from './forgotten-prompts.ts';
import { requestsRecordedAgain } from './forgotten-requests.ts';
import { vectorsOfForgotten } from './forgotten-vectors.ts';
import { matchedText } from './matched-text.ts';
import type { Selected } from './select-events.ts';

export interface ForgetWork {
  readonly by: Selected['by'];
  readonly events: readonly LogEvent[];
  readonly names: readonly string[];
  readonly items: readonly string[];
  readonly sessions: Selected['sessions'];
  readonly promptsLeft: PromptsLeft;
  readonly query: string | null;
  /** Fragments of the forgotten text that no remaining event holds. */
  readonly needles: readonly string[];
  /** From events that go, vectors of documents that stay and what requests cost: recorded again first. */
  readonly recordedAgain: readonly NewEvent[];
  readonly shown: Omit<ForgetPlan, 'spoolFiles'>;
}

/** How many items of a list are shown with their titles. */
const SHOWN_MAX = 200;
const TITLE_CHARS_MAX = 110;
const DOCUMENTS_PER_READ = 500;
/** How many of the forgotten vectors are searched for afterwards, and how many characters of each. */
const VECTORS_SEARCHED_MAX = 50;
const VECTOR_NEEDLE_CHARS = 48;

export async function forgetPlanOf(
  selected: Selected,
  options: { readonly withCopies: boolean; readonly kept: ReadonlyMap<string, LogEvent> },
  home: Home,
): Promise<ForgetWork> {
  for (const act of await actsOn(selected.events, home)) selected.events.set(act.id, act);
  const elsewhere = await findOtherOccurrences(selected, options, home);
  // An item chosen by itself is forgotten wherever it occurs. One chosen with its session stays in other sessions.
  const includesSame = options.withCopies || selected.by === 'ids' || selected.by === 'query';
  const found = [
    ...selected.events.values(),
    ...(includesSame ? elsewhere.same.values() : []),
    ...(options.withCopies ? elsewhere.copies.values() : []),
  ];
  const known = new Map(found.map((event) => [event.id, event]));
  const reports = [...known.values(), ...(await actsOn(known, home))];
  const vectors = await vectorsOfForgotten(
    new Set(reports.map(({ id }) => id)),
    sessionsOf([...reports, ...elsewhere.copies.values()]),
    home,
  );
  const injections = await injectionsOfForgotten(
    new Set(reports.map(({ id }) => id)),
    sessionsOf(reports),
    home,
  );
  const events = [...reports, ...(await eventsOf([...vectors.events, ...injections], reports, home))];
  const forgotten = new Set(events.map(({ id }) => id));
  const names = new Set([
    ...(selected.names ?? []),
    ...selected.sessions.map(({ agent, session }) => nameOfSession(agent, session)),
    ...events.flatMap((event) => tombstoneNames(event as Parameters<typeof tombstoneNames>[0])),
  ]);
  if (!includesSame)
    for (const event of elsewhere.same.values())
      for (const name of lookupNames(event as Parameters<typeof lookupNames>[0])) names.delete(name);
  for (const event of options.kept.values())
    for (const name of lookupNames(event as Parameters<typeof lookupNames>[0])) names.delete(name);
  const derived = await derivedFrom([...events, ...elsewhere.copies.values()], forgotten, home);
  const projectOf = projectNamesOf(home);
  const shown = async (
    found: Iterable<LogEvent>,
    wordsOf: (event: LogEvent) => string | null,
  ): Promise<{ readonly items: number; readonly things: ForgetThing[] }> => {
    const all = thingsOf(found, derived.documents);
    const things = all.slice(0, SHOWN_MAX).map(async ({ event, document }) => ({
      ...thingOf(event, document),
      project: document === undefined ? null : await projectOf(document.workdir),
      matched: matchedText(event.body, wordsOf(event) ?? ''),
    }));
    return { items: all.length, things: await Promise.all(things) };
  };
  const query = selected.query === null ? null : (JSON.parse(`"${selected.query}"`) as string);
  return {
    by: selected.by,
    events,
    names: [...names],
    items: [...derived.ids, ...selected.sessions.map(({ session }) => session)],
    sessions: selected.sessions,
    promptsLeft: await promptsLeft(events, home),
    query: selected.query,
    recordedAgain: [...vectors.recordedAgain, ...(await requestsRecordedAgain(events, home))],
    needles: [
      ...needlesIn(elsewhere.fragments, forgotten),
      ...vectors.vectors.slice(0, VECTORS_SEARCHED_MAX).map(needleOf),
    ],
    shown: {
      by: selected.by,
      events: events.length,
      bytes: events.reduce((sum, event) => sum + bytesOf(event), 0),
      sessions: sessionsIn(events),
      kinds: groupsOf(events),
      ...(await shown(
        [...selected.events.values()].filter(({ type }) => type !== 'vectors.computed'),
        () => query,
      )),
      same: {
        included: includesSame,
        events: elsewhere.same.size,
        sessions: new Set([...elsewhere.same.values()].map(({ session }) => session)).size,
      },
      copies: {
        included: options.withCopies,
        events: elsewhere.copies.size,
        kinds: groupsOf([...elsewhere.copies.values()]),
        ...(await shown(elsewhere.copies.values(), ({ id }) => longestIn(elsewhere.fragments, id))),
      },
      derived: derived.touched,
      team: await exists(home.paths.share),
    },
  };
}

/** A saved memory may be of none. */
function sessionsIn(events: readonly LogEvent[]): number {
  const ofSessions = events.filter(({ session }) => session !== null);
  return new Set(ofSessions.map(({ agent, session }) => `${agent} ${session}`)).size;
}

/** Reads each name once. */
function projectNamesOf({ views }: Home): (workdir: string) => Promise<string> {
  const names = new Map<string, Promise<string>>();
  return (workdir) => {
    const name =
      names.get(workdir) ?? resolveProject(workdir, views.projects).then((project) => project.name);
    names.set(workdir, name);
    return name;
  };
}

/** The events with these ids that are not in the list yet. */
async function eventsOf(
  ids: readonly string[],
  loaded: readonly LogEvent[],
  { log }: Home,
): Promise<readonly LogEvent[]> {
  const known = new Set(loaded.map(({ id }) => id));
  const events = await log.getMany(ids.filter((id) => !known.has(id)));
  return events.filter((event) => event !== undefined);
}

/** The sessions of these events, and of the items that acts among them are about. */
function sessionsOf(events: readonly LogEvent[]): readonly Pick<LogEvent, 'agent' | 'session'>[] {
  const all = events.flatMap((event) => [event, ...actedItems(event)]);
  return [
    ...new Map(
      all.map(({ agent, session }) => [JSON.stringify([agent, session]), { agent, session }]),
    ).values(),
  ];
}

/** The middle of a vector: it begins with its scale, which other vectors may share. */
function needleOf(vector: string): string {
  return vector.slice(8, 8 + VECTOR_NEEDLE_CHARS);
}

/** The fragments to search for afterwards: those that no remaining event holds. */
function needlesIn(fragments: OtherOccurrences['fragments'], forgotten: ReadonlySet<string>): string[] {
  return [...fragments].flatMap(([text, holders]) =>
    holders !== null && [...holders].every((id) => forgotten.has(id)) ? [text] : [],
  );
}

interface Derived {
  /** Ids of items, turns, documents and sessions that lose all their events. */
  readonly ids: readonly string[];
  /** The raw document of each event. */
  readonly documents: ReadonlyMap<string, MemoryDocument>;
  /** Observations and summaries that are removed, or derived again from what remains. */
  readonly touched: number;
}

async function derivedFrom(
  events: readonly LogEvent[],
  forgotten: ReadonlySet<string>,
  { views }: Home,
): Promise<Derived> {
  const ids = new Set<string>();
  const documents = new Map<string, MemoryDocument>();
  let touched = 0;
  for (const { agent, session } of sessionsOf(events)) {
    for (const id of session === null ? [] : await emptiedTurns(agent, session, forgotten, views.turns))
      ids.add(id);
    const groups = await views.memory.range(memoryKeys.ofSession(agent, session));
    const all = groups.map(([rowKey]) => memoryKeys.documentIn(rowKey));
    for (let from = 0; from < all.length; from += DOCUMENTS_PER_READ) {
      const keys = all.slice(from, from + DOCUMENTS_PER_READ).map(memoryKeys.document);
      for (const document of await views.memory.getMany<MemoryDocument>(keys)) {
        if (document === undefined) continue;
        const isDerived = document.kind === 'observation' || document.kind === 'summary';
        if (!isDerived) for (const id of document.events) documents.set(id, document);
        const sources = await documentEvents(document, views.memory);
        if (!sources.some((id) => forgotten.has(id))) continue;
        if (isDerived) touched += 1;
        if (sources.every((id) => forgotten.has(id))) ids.add(document.id);
      }
    }
  }
  return { ids: [...ids], documents, touched };
}

async function emptiedTurns(
  agent: string,
  session: string,
  forgotten: ReadonlySet<string>,
  turns: Home['views']['turns'],
): Promise<string[]> {
  const ids: string[] = [];
  const rows = await turns.range<TurnRow | ItemRow>(sessionKeys.turns(agent, session));
  const left = new Set<string>();
  for (const [, row] of rows) {
    if (!isItemRow(row)) continue;
    if (row.reports.every(({ event }) => forgotten.has(event))) ids.push(row.id);
    else if (row.kind !== 'prompt' || row.reports[0]?.forgotten === undefined) left.add(row.turn);
  }
  for (const [, row] of rows) if (!isItemRow(row) && !left.has(row.id)) ids.push(row.id);
  const own = await turns.get<SessionRow>(sessionKeys.session(agent, session));
  if (left.size === 0 && own?.reports.every(({ event }) => forgotten.has(event)) === true) ids.push(session);
  return ids;
}

/** One event per item: two channels' reports of one item count once. */
function distinct(events: Iterable<LogEvent>): LogEvent[] {
  const things = new Map<string, LogEvent>();
  for (const event of events) {
    const name = JSON.stringify([event.agent, event.session, traitsOf(event).label, event.dedupeKey]);
    if (!things.has(name)) things.set(name, event);
  }
  return [...things.values()];
}

function groupsOf(events: readonly LogEvent[]): ForgetGroup[] {
  const groups = new Map<string, { kind: string; count: number; bytes: number }>();
  const group = (event: LogEvent) => {
    const kind = traitsOf(event).label;
    const known = groups.get(kind) ?? { kind, count: 0, bytes: 0 };
    groups.set(kind, known);
    return known;
  };
  for (const event of distinct(events)) group(event).count += 1;
  for (const event of events) group(event).bytes += bytesOf(event);
  return [...groups.values()].sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
}

function bytesOf(event: LogEvent): number {
  return Buffer.byteLength(JSON.stringify(event.body));
}

/** As `distinct`; several reports of one document are one item too. */
function thingsOf(
  events: Iterable<LogEvent>,
  documents: Derived['documents'],
): { event: LogEvent; document: MemoryDocument | undefined }[] {
  const things = new Map<string, { event: LogEvent; document: MemoryDocument | undefined }>();
  for (const event of distinct(events)) {
    const document = documents.get(event.id);
    const id = document?.id ?? event.id;
    if (!things.has(id)) things.set(id, { event, document });
  }
  return [...things.values()];
}

/** The longest fragment of what is forgotten that another event holds. */
function longestIn(fragments: OtherOccurrences['fragments'], id: string): string | null {
  let longest: string | null = null;
  for (const [text, holders] of fragments)
    if (holders?.has(id) === true && text.length > (longest?.length ?? 0)) longest = text;
  return longest;
}

function thingOf(
  event: LogEvent,
  document: MemoryDocument | undefined,
): Omit<ForgetThing, 'matched' | 'project'> {
  return {
    id: document?.id ?? event.id,
    kind: traitsOf(event).label,
    title: titleOf(event, document),
    session: event.session,
    at: isoTime(event.occurredAt),
  };
}

function titleOf({ body, type }: LogEvent, document: MemoryDocument | undefined): string {
  if (document !== undefined) return document.title;
  const { title, text, name, cwd }: Readonly<Record<string, unknown>> = { ...body };
  const isNamed = (one: unknown) => typeof one === 'string' && one.trim() !== '';
  // The folder alone would not say that it is a step of the agent, or a private prompt.
  const where = text === undefined ? cwd : `without text, in ${isNamed(cwd) ? cwd : 'no folder'}`;
  const line = String([title, text, name, where].find(isNamed) ?? type)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= TITLE_CHARS_MAX ? line : `${line.slice(0, TITLE_CHARS_MAX - 1).toWellFormed()}…`;
}
