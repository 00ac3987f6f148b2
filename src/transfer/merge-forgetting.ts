// Merges the forgetting of two logs. Each log's `memory.forgotten` event names the events that lost their bodies, and the
// names under which the same item could be reported again. The other log may already have such a report, from another
// channel or in a fork, with an id that the first log did not know. It is then forgotten by an event that depends on
// nothing else: anyone who merges the same two logs, in either order, writes the same event.
//
// If a log has an event with its body and also a `memory.forgotten` event, that log checked the one against the other
// and kept the body. Such an event is only checked against what the other log forgot.
import {
  type AppendOptions,
  type AppendOutcome,
  blankExported,
  type EventContent,
  FORGETTING,
  type Log,
  type LogEvent,
  type LogWriter,
  type NamedEvent,
  type NewEvent,
  pagesAfter,
  Tombstones,
} from '../../log/index.ts';
import { injectionsOfForgotten } from '../forget/forgotten-injections.ts';
import { requestsRecordedAgain } from '../forget/forgotten-requests.ts';
import { vectorsOfForgotten } from '../forget/forgotten-vectors.ts';
import {
  appendForgetting,
  finishForgettingOf,
  runExclusive,
  sharedRowsWithout,
  UNFINISHED_MARK,
} from '../forget/index.ts';
import type { Home } from '../home/home.ts';

type Forgetting = LogEvent<'memory.forgotten'>;

export interface MergedForgetting {
  /** Counts of the `memory.forgotten` events themselves. */
  readonly appended: number;
  readonly duplicates: number;
  /**
   * Imports a page without `memory.forgotten` events, without unexplained blank events, and without bodies that are forgotten
   * here, also meanwhile.
   */
  take(page: readonly EventContent[], options?: AppendOptions): Promise<TakenPage>;
  /** Removes forgotten text from views and files. Returns how many events lost their bodies. */
  finish(): Promise<number>;
}

export interface TakenPage {
  /** As they were imported. */
  readonly events: readonly EventContent[];
  /** In the order of `events`. */
  readonly outcomes: readonly AppendOutcome[];
}

/** Imports what the other log forgot, before anything else of it. */
export async function mergeForgetting(
  theirs: readonly EventContent[],
  home: Home,
): Promise<MergedForgetting> {
  const { log } = home;
  const reforgotten = new Set<string>();
  const theirIds = new Set(theirs.map(({ header }) => header.id));
  const forgettings = async () => {
    const { position } = log.head();
    const ours = await log.forgettings();
    const oursOnly = ours.filter(({ id }) => !theirIds.has(id));
    return {
      position,
      ids: new Set(ours.map(({ id }) => id)),
      all: tombstonesOf([...ours, ...theirs.map(forgettingOf)]),
      oursAlone: oursOnly.length === 0 ? null : tombstonesOf(oursOnly),
    };
  };
  const before = theirs.length === 0 ? null : await forgettings();
  const newForgettings = theirs.filter(({ header }) => !before?.ids.has(header.id));
  let forgotten = 0;
  if (newForgettings.length > 0) forgotten += await takeForgettings(newForgettings, reforgotten, home);
  let known = before;
  const blanked = async (
    page: readonly EventContent[],
    { all, oursAlone }: Awaited<ReturnType<typeof forgettings>>,
    writer: LogWriter,
  ) => {
    // Not `log.forgotten`: that also knows display names, but a body may only be missing if its event is named.
    const isForgotten = ({ header }: EventContent) => all.holds(header.id) || reforgotten.has(header.id);
    const events = page.filter(({ header }) => header.type !== FORGETTING);
    const covered = oursAlone === null ? [] : events.filter((event) => isCovered(event, oursAlone));
    const here = await log.getMany(covered.map(({ header }) => header.id));
    // An event with a body here was checked here and kept.
    const reportedHere = covered.filter((event, index) => here[index] === undefined && !isForgotten(event));
    await forgetAgain(reportedHere.map(namedOf), reforgotten, writer, home);
    const taken = await withoutUnnamed(events, isForgotten, home);
    forgotten += events.length - taken.length;
    return taken.map((event) => (isForgotten(event) ? blankExported(event) : event));
  };
  return {
    appended: newForgettings.length,
    duplicates: theirs.length - newForgettings.length,
    take: (page, options) =>
      log.exclusively(async (writer) => {
        if (known?.position !== log.head().position) known = await forgettings();
        const events = await blanked(page, known, writer);
        // Parts, so that one is prepared while the one before it is written.
        const parts = Array.from({ length: Math.ceil(events.length / EVENTS_IN_PART) }, (_, part) =>
          events.slice(part * EVENTS_IN_PART, (part + 1) * EVENTS_IN_PART),
        );
        const outcomes = await Promise.all(parts.map((part) => writer.importEvents(part, options)));
        // Nobody else wrote.
        known = { ...known, position: log.head().position };
        return { events, outcomes: outcomes.flat() };
      }),
    async finish() {
      if (newForgettings.length > 0) await finishForgettingOf(home);
      return forgotten;
    },
  };
}

const EVENTS_IN_PART = 512;

/** Returns how many events lost their bodies. */
async function takeForgettings(
  forgettings: readonly EventContent[],
  reforgotten: Set<string>,
  home: Home,
): Promise<number> {
  const { log } = home;
  const theirs = forgettings.map(forgettingOf);
  const { position } = log.head();
  const coveredBefore = await coveredHere(
    theirs,
    log.scan(() => true),
  );
  // The mark of unfinished work must stay until this is done too.
  return runExclusive(log, () =>
    appendForgetting(home, position, async (writer, isSame) => {
      const since = isSame ? [] : await coveredHere(theirs, eventsAfter(position, log));
      const covered = await whole([...coveredBefore, ...since], home);
      const named = theirs.flatMap(({ body }) => body.events.flatMap((one) => one.ids));
      const learned = await sharedRowsWithout([...named, ...covered.map(({ id }) => id)], [], log);
      await writer.append([], { cursors: [UNFINISHED_MARK, ...learned] });
      let forgotten = await forgetAgain(covered, reforgotten, writer, home);
      forgotten += await forgetWhatWasMade(theirs, reforgotten, writer, home);
      const bodies = await whole(named, home);
      const spent = await requestsRecordedAgain(bodies, home);
      if (spent.length > 0) await writer.append(spent);
      await writer.importEvents(forgettings);
      return forgotten + bodies.length;
    }),
  );
}

/**
 * Removes events without a body whose `memory.forgotten` event neither log has: a partial export leaves that event out
 * if it comes before the part. Imported without it, such an event would count as damage.
 */
async function withoutUnnamed(
  events: readonly EventContent[],
  isForgotten: (event: EventContent) => boolean,
  { log }: Home,
): Promise<readonly EventContent[]> {
  const unnamed = events.filter((event) => event.body.salt === null && !isForgotten(event));
  if (unnamed.length === 0) return events;
  const here = await log.getMany(unnamed.map(({ header }) => header.id));
  const left = new Set(unnamed.filter((_, index) => here[index] === undefined));
  return events.filter((event) => !left.has(event));
}

/** Ids of events here that the other log's tombstones cover by name, with ids it did not know. */
async function coveredHere(
  theirs: readonly Forgetting[],
  events: AsyncIterable<LogEvent>,
): Promise<readonly string[]> {
  const tombstones = tombstonesOf(theirs);
  const covered: string[] = [];
  for await (const event of events)
    if (!tombstones.holds(event.id) && tombstones.covers(event)) covered.push(event.id);
  return covered;
}

async function* eventsAfter(position: number, log: Log): AsyncGenerator<LogEvent> {
  for await (const { events } of pagesAfter(position, (after) => log.page({ after })))
    for (const event of events) if (event.type !== 'unknown') yield event;
}

/** Those of the events that have a body here. */
async function whole(ids: readonly string[], { log }: Home): Promise<readonly LogEvent[]> {
  return (await log.getMany(ids)).filter((event) => event !== undefined);
}

/** Forgets what was made here of documents that the other log forgot, vectors and injections; it could not know them. */
async function forgetWhatWasMade(
  theirs: readonly Forgetting[],
  reforgotten: Set<string>,
  writer: LogWriter,
  home: Home,
): Promise<number> {
  await home.runner.catchUp();
  const sessions = theirs.flatMap(({ body }) => body.events);
  const gone = new Set(sessions.flatMap(({ ids }) => ids));
  const { events, recordedAgain } = await vectorsOfForgotten(gone, sessions, home);
  if (recordedAgain.length > 0) await writer.append(recordedAgain);
  const injections = await injectionsOfForgotten(gone, sessions, home);
  const made = await whole(
    [...events, ...injections].filter((id) => !gone.has(id)),
    home,
  );
  return forgetAgain(made, reforgotten, writer, home);
}

type WithId = NamedEvent & { readonly id: string; readonly origin: string };

/** Appends one `memory.forgotten` event per event. Its content does not depend on who writes it or when. */
async function forgetAgain(
  events: readonly WithId[],
  reforgotten: Set<string>,
  writer: LogWriter,
  home: Home,
): Promise<number> {
  const spent = await requestsRecordedAgain(events, home);
  if (spent.length > 0) await writer.append(spent);
  for (const { id, agent, session } of events) {
    const newEvent: NewEvent<'memory.forgotten'> = {
      type: FORGETTING,
      agent: 'annals',
      session: null,
      dedupeKey: `again:${id}`,
      channel: 'import',
      occurredAt: null,
      body: { by: 'ids', copies: false, events: [{ agent, session, ids: [id] }], names: [], items: [] },
    };
    await writer.append([newEvent]);
    reforgotten.add(id);
  }
  return events.length;
}

function isCovered(event: EventContent, tombstones: Tombstones): boolean {
  return event.body.salt !== null && tombstones.covers(namedOf(event));
}

function namedOf({ header, body }: EventContent): WithId {
  const fields = body.salt === null ? {} : (JSON.parse(body.json) as NamedEvent['body']);
  return { ...(header as unknown as WithId), body: fields };
}

function forgettingOf({ header, body }: EventContent): Forgetting {
  const fields = body.salt === null ? {} : (JSON.parse(body.json) as object);
  // A body of another version may lack names and lists.
  return { ...header, body: { events: [], names: [], items: [], ...fields } } as unknown as Forgetting;
}

function tombstonesOf(forgettings: readonly Forgetting[]): Tombstones {
  const tombstones = new Tombstones();
  for (const forgetting of forgettings) tombstones.add(forgetting);
  return tombstones;
}
