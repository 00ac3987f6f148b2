// Merges the forgetting of two logs. Each log's `memory.forgotten` event names the events that lost their bodies, and the
// names under which the same item could be reported again. The other log may already have such a report, from another
// channel or in a fork, with an id that the first log did not know. It is then forgotten by an event that depends on
// nothing else: anyone who merges the same two logs, in either order, writes the same event.
//
// If a log has an event with its body and also a `memory.forgotten` event, that log checked the one against the other
// and kept the body. Such an event is only checked against what the other log forgot.
import {
  blankExported,
  type EventContent,
  FORGETTING,
  type LogEvent,
  type NamedEvent,
  type NewEvent,
  Tombstones,
} from '../../log/index.ts';
import { injectionsOfForgotten } from '../forget/forgotten-injections.ts';
import { requestsRecordedAgain } from '../forget/forgotten-requests.ts';
import { vectorsOfForgotten } from '../forget/forgotten-vectors.ts';
import { expectForgetting, finishForgettingOf } from '../forget/index.ts';
import type { Home } from '../home/home.ts';

type Forgetting = LogEvent<'memory.forgotten'>;

export interface MergedForgetting {
  /** Counts of the `memory.forgotten` events themselves. */
  readonly appended: number;
  readonly duplicates: number;
  /** A page without `memory.forgotten` events, without unexplained blank events, and without bodies that are forgotten here. */
  blanked(page: readonly EventContent[]): Promise<readonly EventContent[]>;
  /** Removes forgotten text from views and files. Returns how many events lost their bodies. */
  finish(): Promise<number>;
}

/** Imports what the other log forgot, before anything else of it. */
export async function mergeForgetting(
  theirs: readonly EventContent[],
  home: Home,
): Promise<MergedForgetting> {
  const { log } = home;
  const ours = await log.forgettings();
  const known = new Set(ours.map(({ id }) => id));
  const newForgettings = theirs.filter(({ header }) => !known.has(header.id));
  const tombstones = tombstonesOf([...ours, ...newForgettings.map(forgettingOf)]);
  const reforgotten = new Set<string>();
  // Not `log.forgotten`: that also knows display names, but a body may only be missing if its event is named.
  const isForgotten = ({ header }: EventContent) => tombstones.holds(header.id) || reforgotten.has(header.id);
  let forgotten = 0;
  if (newForgettings.length > 0) {
    await expectForgetting(log);
    forgotten += await forgetAgain(
      await coveredHere(newForgettings.map(forgettingOf), home),
      reforgotten,
      home,
    );
    forgotten += await forgetWhatWasMade(newForgettings.map(forgettingOf), reforgotten, home);
    const whole = await wholeOf(newForgettings, home);
    const spent = await requestsRecordedAgain(whole, home);
    if (spent.length > 0) await log.append(spent);
    forgotten += whole.length;
    await log.importEvents(newForgettings);
  }
  const theirIds = new Set(theirs.map(({ header }) => header.id));
  const oursOnly = ours.filter(({ id }) => !theirIds.has(id));
  const oursAlone = oursOnly.length === 0 ? null : tombstonesOf(oursOnly);
  return {
    appended: newForgettings.length,
    duplicates: theirs.length - newForgettings.length,
    async blanked(page) {
      const events = page.filter(({ header }) => header.type !== FORGETTING);
      const covered = oursAlone === null ? [] : events.filter((event) => isCovered(event, oursAlone));
      const here = await log.getMany(covered.map(({ header }) => header.id));
      // An event with a body here was checked here and kept.
      const reportedHere = covered.filter((event, index) => here[index] === undefined && !isForgotten(event));
      await forgetAgain(reportedHere.map(namedOf), reforgotten, home);
      const taken = await withoutUnnamed(events, isForgotten, home);
      forgotten += events.length - taken.length;
      return taken.map((event) => (isForgotten(event) ? blankExported(event) : event));
    },
    async finish() {
      if (newForgettings.length > 0) await finishForgettingOf(home);
      return forgotten;
    },
  };
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

/** Events here that the other log's tombstones cover by name, with ids it did not know. */
async function coveredHere(theirs: readonly Forgetting[], { log }: Home): Promise<readonly WithId[]> {
  const tombstones = tombstonesOf(theirs);
  const covered: WithId[] = [];
  for await (const event of log.scan(() => true))
    if (!tombstones.holds(event.id) && tombstones.covers(event)) covered.push(event);
  return covered;
}

/** The events that were forgotten there and have a body here. */
async function wholeOf(forgettings: readonly EventContent[], { log }: Home): Promise<readonly LogEvent[]> {
  const ids = forgettings.flatMap((event) => forgettingOf(event).body.events.flatMap((one) => one.ids));
  return (await log.getMany(ids)).filter((event) => event !== undefined);
}

/** Forgets what was made here of documents that the other log forgot, vectors and injections; it could not know them. */
async function forgetWhatWasMade(
  theirs: readonly Forgetting[],
  reforgotten: Set<string>,
  home: Home,
): Promise<number> {
  await home.runner.catchUp();
  const sessions = theirs.flatMap(({ body }) => body.events);
  const gone = new Set(sessions.flatMap(({ ids }) => ids));
  const { events, recordedAgain } = await vectorsOfForgotten(gone, sessions, home);
  if (recordedAgain.length > 0) await home.log.append(recordedAgain);
  const injections = await injectionsOfForgotten(gone, sessions, home);
  const loaded = await home.log.getMany([...events, ...injections].filter((id) => !gone.has(id)));
  return forgetAgain(
    loaded.filter((event) => event !== undefined),
    reforgotten,
    home,
  );
}

type WithId = NamedEvent & { readonly id: string; readonly origin: string };

/** Appends one `memory.forgotten` event per event. Its content does not depend on who writes it or when. */
async function forgetAgain(events: readonly WithId[], reforgotten: Set<string>, home: Home): Promise<number> {
  const { log } = home;
  const spent = await requestsRecordedAgain(events, home);
  if (spent.length > 0) await log.append(spent);
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
    await log.append([newEvent]);
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
