// Forgetting, where two logs become one. Each log's `memory.forgotten` names the events that lost their bodies
// and the names under which the same thing might be told again; the other log may hold such a thing already,
// told by another witness or in a fork, which nobody could name when it was forgotten. It is forgotten then, by
// an event that follows from it alone: whoever unites the same two logs, in whichever order, writes the same one.
//
// An event that stands whole in a log which also holds a forgetting has been judged by it and was kept: it is
// only held against what the other log forgot.
import {
  blankExported,
  type ExportedEvent,
  type LogEvent,
  type NamedEvent,
  type NewEvent,
  Tombstones,
} from '../../log/index.ts';
import { vectorsOfForgotten } from '../forget/forgotten-vectors.ts';
import { expectForgetting, finishForgettingOf } from '../forget/index.ts';
import type { Home } from '../home/home.ts';

type Forgetting = LogEvent<'memory.forgotten'>;

export interface MergedForgetting {
  /** Of the forgettings themselves. */
  readonly appended: number;
  readonly duplicates: number;
  /** A page without the forgettings, what nobody can know, and the bodies of what is forgotten here. */
  blanked(page: readonly ExportedEvent[]): Promise<readonly ExportedEvent[]>;
  /** Takes what lost its body out of views and files. Returns how many events that were. */
  finish(): Promise<number>;
}

/** Takes over what the other log forgot, before anything else of it. */
export async function mergeForgetting(
  theirs: readonly ExportedEvent[],
  home: Home,
): Promise<MergedForgetting> {
  const { log } = home;
  const ours = await log.forgettings();
  const known = new Set(ours.map(({ id }) => id));
  const fresh = theirs.filter(({ header }) => !known.has(header.id));
  const tombstones = tombstonesOf([...ours, ...fresh.map(forgettingOf)]);
  const again = new Set<string>();
  // Not `log.forgotten`: that knows people's names for things too, and a body may only miss where its event is named.
  const isForgotten = ({ header }: ExportedEvent) => tombstones.holds(header.id) || again.has(header.id);
  let forgotten = 0;
  if (fresh.length > 0) {
    await expectForgetting(log);
    forgotten += await forgetAgain(await coveredHere(fresh.map(forgettingOf), home), again, home);
    forgotten += await forgetVectors(fresh.map(forgettingOf), again, home);
    forgotten += await countWhole(fresh, home);
    await log.importEvents(fresh);
  }
  const their = new Set(theirs.map(({ header }) => header.id));
  const oursAlone = tombstonesOf(ours.filter(({ id }) => !their.has(id)));
  return {
    appended: fresh.length,
    duplicates: theirs.length - fresh.length,
    async blanked(page) {
      const events = page.filter(({ header }) => header.type !== TYPE);
      const covered = events.filter((event) => isCovered(event, oursAlone));
      const here = await log.getMany(covered.map(({ header }) => header.id));
      // What is here whole has been judged here, and was kept.
      const reportedHere = covered.filter((event, index) => here[index] === undefined && !isForgotten(event));
      await forgetAgain(reportedHere.map(namedOf), again, home);
      const taken = await withoutUnnamed(events, isForgotten, home);
      forgotten += events.length - taken.length;
      return taken.map((event) => (isForgotten(event) ? blankExported(event) : event));
    },
    async finish() {
      if (fresh.length > 0) await finishForgettingOf(home);
      return forgotten;
    },
  };
}

const TYPE = 'memory.forgotten';

/**
 * Without what has lost its body by a forgetting that neither log holds: the export of a part leaves it out when
 * it stands before that part. Taken without it, such an event would be damage here.
 */
async function withoutUnnamed(
  events: readonly ExportedEvent[],
  isForgotten: (event: ExportedEvent) => boolean,
  { log }: Home,
): Promise<readonly ExportedEvent[]> {
  const unnamed = events.filter((event) => event.body.salt === null && !isForgotten(event));
  if (unnamed.length === 0) return events;
  const here = await log.getMany(unnamed.map(({ header }) => header.id));
  const left = new Set(unnamed.filter((_, index) => here[index] === undefined));
  return events.filter((event) => !left.has(event));
}

/** Events here that the other log's forgettings cover by name, but could not name themselves. */
async function coveredHere(theirs: readonly Forgetting[], { log }: Home): Promise<readonly WithId[]> {
  const tombstones = tombstonesOf(theirs);
  const covered: WithId[] = [];
  for await (const event of log.scan(() => true))
    if (!tombstones.holds(event.id) && tombstones.covers(event)) covered.push(event);
  return covered;
}

/** How many of the events that the forgettings name have a body here. */
async function countWhole(forgettings: readonly ExportedEvent[], { log }: Home): Promise<number> {
  const ids = forgettings.flatMap((event) => forgettingOf(event).body.events.flatMap((one) => one.ids));
  return (await log.getMany(ids)).filter((event) => event !== undefined).length;
}

/** What a model made here of what the other log forgot: nobody there could name it. */
async function forgetVectors(theirs: readonly Forgetting[], again: Set<string>, home: Home): Promise<number> {
  await home.runner.catchUp();
  const sessions = theirs.flatMap(({ body }) => body.events);
  const gone = new Set(sessions.flatMap(({ ids }) => ids));
  const { events, recordedAgain } = await vectorsOfForgotten(gone, sessions, home);
  if (recordedAgain.length > 0) await home.log.append(recordedAgain);
  const there = await home.log.getMany(events.filter((id) => !gone.has(id)));
  return forgetAgain(
    there.filter((event) => event !== undefined),
    again,
    home,
  );
}

type WithId = NamedEvent & { readonly id: string };

/** One forgetting for each, with nothing in it that depends on who writes it or when. */
async function forgetAgain(events: readonly WithId[], again: Set<string>, { log }: Home): Promise<number> {
  for (const { id, agent, session } of events) {
    const newEvent: NewEvent<'memory.forgotten'> = {
      type: TYPE,
      agent: 'annals',
      session: null,
      dedupeKey: `again:${id}`,
      channel: 'import',
      occurredAt: null,
      body: { by: 'ids', copies: false, events: [{ agent, session, ids: [id] }], names: [], items: [] },
    };
    await log.append([newEvent]);
    again.add(id);
  }
  return events.length;
}

function isCovered(event: ExportedEvent, tombstones: Tombstones): boolean {
  return event.body.salt !== null && tombstones.covers(namedOf(event));
}

function namedOf({ header, body }: ExportedEvent): WithId {
  const fields = body.salt === null ? {} : (JSON.parse(body.json) as NamedEvent['body']);
  return { ...(header as unknown as WithId), body: fields };
}

function forgettingOf({ header, body }: ExportedEvent): Forgetting {
  const fields = body.salt === null ? {} : (JSON.parse(body.json) as object);
  // Names and lists may be missing in a body of another version.
  return { ...header, body: { events: [], names: [], items: [], ...fields } } as unknown as Forgetting;
}

function tombstonesOf(forgettings: readonly Forgetting[]): Tombstones {
  const tombstones = new Tombstones();
  for (const forgetting of forgettings) tombstones.add(forgetting);
  return tombstones;
}
