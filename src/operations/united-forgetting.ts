// Forgetting, where two logs become one. Each log's `memory.forgotten` names the events that lost their bodies
// and the names under which the same thing might be told again; the other log may hold such a thing already,
// told by another witness or in a fork, which nobody could name when it was forgotten. It is forgotten then, by
// an event that follows from it alone: whoever unites the same two logs, in whichever order, writes the same one.
//
// An event that stands whole in a log which also holds a forgetting has been judged by it and was kept: it is
// only held against what the other log forgot.
import {
  blankCarried,
  type CarriedEvent,
  type LogEvent,
  type Named,
  type Telling,
  Tombstones,
} from '../../log/index.ts';
import { type ExportFolder, eventsOfExport } from './export-folder.ts';
import { expectForgetting, finishForgetting } from './forget/index.ts';
import type { Opened } from './opened.ts';

type Forgetting = LogEvent<'memory.forgotten'>;

export interface SettledForgetting {
  /** Of the forgettings themselves. */
  readonly appended: number;
  readonly duplicates: number;
  /** A page without the forgettings, and without the bodies of what is forgotten here. */
  blanked(page: readonly CarriedEvent[]): Promise<readonly CarriedEvent[]>;
  /** Takes what lost its body out of views and files. Returns how many events that were. */
  finish(): Promise<number>;
}

/** Takes over what the other log forgot, before anything else of it. */
export async function settleForgetting(folder: ExportFolder, opened: Opened): Promise<SettledForgetting> {
  const { log } = opened;
  const theirs = await forgettingsOf(folder);
  const ours = await log.forgettings();
  const known = new Set(ours.map(({ id }) => id));
  const fresh = theirs.filter(({ header }) => !known.has(header.id));
  let forgotten = 0;
  if (fresh.length > 0) {
    await expectForgetting(log);
    forgotten += await forgetAgain(await coveredHere(fresh.map(forgettingOf), opened), opened);
    forgotten += await countWhole(fresh, opened);
    await log.adopt(fresh);
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
      const again = covered.filter(
        ({ header }, index) => here[index] === undefined && log.forgotten(header.id) === undefined,
      );
      await forgetAgain(again.map(namedOf), opened);
      return events.map((event) =>
        log.forgotten(event.header.id) === undefined ? event : blankCarried(event),
      );
    },
    async finish() {
      if (fresh.length > 0) await finishForgetting(opened);
      return forgotten;
    },
  };
}

const TYPE = 'memory.forgotten';

async function forgettingsOf(folder: ExportFolder): Promise<readonly CarriedEvent[]> {
  const found: CarriedEvent[] = [];
  if (folder.manifest.forgettings === 0) return found;
  for await (const page of eventsOfExport(folder))
    found.push(...page.filter(({ header }) => header.type === TYPE));
  return found;
}

/** Events here that the other log's forgettings cover by name, but could not name themselves. */
async function coveredHere(theirs: readonly Forgetting[], { log }: Opened): Promise<readonly WithId[]> {
  const tombstones = tombstonesOf(theirs);
  const covered: WithId[] = [];
  for await (const event of log.scan(() => true))
    if (!tombstones.holds(event.id) && tombstones.covers(event)) covered.push(event);
  return covered;
}

/** How many of the events that the forgettings name have a body here. */
async function countWhole(forgettings: readonly CarriedEvent[], { log }: Opened): Promise<number> {
  const ids = forgettings.flatMap((event) => forgettingOf(event).body.events.flatMap((one) => one.ids));
  return (await log.getMany(ids)).filter((event) => event !== undefined).length;
}

type WithId = Named & { readonly id: string };

/** One forgetting for each, with nothing in it that depends on who writes it or when. */
async function forgetAgain(events: readonly WithId[], { log }: Opened): Promise<number> {
  for (const { id, agent, session } of events) {
    const telling: Telling<'memory.forgotten'> = {
      type: TYPE,
      agent: 'annals',
      session: null,
      fact: `again:${id}`,
      witness: 'import',
      occurredAt: null,
      body: { by: 'ids', copies: false, events: [{ agent, session, ids: [id] }], names: [], items: [] },
    };
    await log.append([telling]);
  }
  return events.length;
}

function isCovered(event: CarriedEvent, tombstones: Tombstones): boolean {
  return event.body.salt !== null && tombstones.covers(namedOf(event));
}

function namedOf({ header, body }: CarriedEvent): WithId {
  const fields = body.salt === null ? {} : (JSON.parse(body.json) as Named['body']);
  return { ...(header as unknown as WithId), body: fields };
}

function forgettingOf({ header, body }: CarriedEvent): Forgetting {
  const fields = body.salt === null ? {} : (JSON.parse(body.json) as object);
  // Names and lists may be missing in a body of another version.
  return { ...header, body: { events: [], names: [], items: [], ...fields } } as unknown as Forgetting;
}

function tombstonesOf(forgettings: readonly Forgetting[]): Tombstones {
  const tombstones = new Tombstones();
  for (const forgetting of forgettings) tombstones.add(forgetting);
  return tombstones;
}
