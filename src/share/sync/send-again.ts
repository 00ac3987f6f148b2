// Sends again what other machines lack, by the lists that they sealed.
import { type EventContent, isOwnEvent, type Log } from '../../../log/index.ts';
import { type ForgettingRow, type Rows, syncKeys } from '../rows/sync-rows.ts';
import { partsOfForgetting } from './forgetting-parts.ts';
import { differentParts, type HeldSet, partOf } from './held-set.ts';
import type { Holdings } from './holdings.ts';
import { type LookAtFolder, Placement, type SharedProject } from './placement.ts';
import type { EventToSend, SealedSender } from './sealed-sender.ts';
import { SHORT_ID_DIGITS, type Statement, shortId } from './statement.ts';
import { type SyncTeam, WireNames } from './team.ts';
import { Tries } from './tries.ts';

/** Events that are sent again at a time; what is left differs still, and comes with the next round. */
const AGAIN_MAX = 1_000;
/** Characters of their bodies. */
const AGAIN_SIZE_MAX = 8 * 1024 * 1024;
/** Names of events that are remembered because they came after a list. */
const CAME_MAX = 20_000;

export interface SendAgainParts {
  readonly log: Log;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly sender: SealedSender;
  readonly projects: readonly SharedProject[];
  readonly lookAt: LookAtFolder;
  readonly holdings: Holdings;
}

/** A statement of another machine. */
export interface Received {
  readonly project: string;
  /** Of the project, opaque. */
  readonly name: string;
  readonly author: string;
  readonly position: number;
  readonly id: string;
  readonly statement: Statement;
}

/** What this machine holds of a project. */
export interface Mine {
  readonly digests: Pick<Statement, 'records' | 'forgettings' | 'events'>;
  readonly records: ReadonlyMap<string, Uint8Array>;
  readonly forgettings: readonly ForgettingRow[];
  readonly events: HeldSet;
  /** Of the events, once they were read: many machines may list theirs at once. */
  readonly ids: string[];
}

/** Events that a machine has, in the parts where it differs: what else is there, it lacks. */
interface AskedFor {
  readonly count: number;
  readonly known: ReadonlyMap<number, ReadonlySet<string>>;
  readonly position: number;
  readonly resent: string;
}

export class SendAgain {
  readonly #parts: SendAgainParts;
  readonly #names: WireNames;
  readonly #tries = new Tries();
  /** Ids of what was sent since it was asked for. */
  readonly #sentNow = new Set<string>();
  /** Names of events that came after the first list that waits. */
  readonly #came = new Map<string, number>();

  constructor(parts: SendAgainParts) {
    this.#parts = parts;
    this.#names = new WireNames(parts.team);
  }

  /** An event that came while lists wait: who listed before it did not know of it. False if these are too many to remember. */
  came(name: string, position: number): boolean {
    this.#came.set(name, position);
    return this.#came.size <= CAME_MAX;
  }

  /** No list waits any more. */
  forget(): void {
    this.#came.clear();
  }

  /** Those who ask next are answered again. */
  answered(): void {
    this.#sentNow.clear();
  }

  /** Returns how many messages it sent. */
  async send(project: string, received: readonly Received[], mine: Mine): Promise<number> {
    let sent = 0;
    const asked: AskedFor[] = [];
    for (const one of received) {
      const { list, events, forgettings } = one.statement;
      if (list === null) continue;
      const resent = one.id.slice(0, SHORT_ID_DIGITS);
      sent += await this.#sendRecords(list.records, mine, resent);
      sent += await this.#sendForgettings(project, list.forgettings, mine, resent);
      // A machine with the same set has nothing to add. Most members need not look into their logs.
      if (list.events === null || events === mine.digests.events || forgettings !== mine.digests.forgettings)
        continue;
      const { count, parts } = list.events;
      const differing = differentParts(mine.events.parts(count), one.statement.parts);
      const known = new Map(
        Object.entries(parts)
          .map(([part, ids]) => [Number(part), new Set(ids)] as const)
          .filter(([part]) => differing?.includes(part) ?? true),
      );
      if (known.size > 0) asked.push({ count, known, position: one.position, resent });
    }
    return asked.length === 0 ? sent : sent + (await this.#sendEvents(project, asked));
  }

  async #sendRecords(theirs: readonly string[] | null, mine: Mine, resent: string): Promise<number> {
    if (theirs === null) return 0;
    const known = new Set(theirs);
    const records = [...mine.records]
      .map(([id, bytes]) => ({ id, bytes }))
      .filter(({ id }) => !known.has(shortId(id)) && !this.#isSent(id));
    await this.#parts.sender.sendRecords(records.slice(0, AGAIN_MAX), resent);
    return records.length;
  }

  async #sendForgettings(
    project: string,
    theirs: readonly string[] | null,
    mine: Mine,
    resent: string,
  ): Promise<number> {
    if (theirs === null) return 0;
    const known = new Set(theirs);
    const items: EventToSend[] = [];
    for (const row of mine.forgettings) {
      if (known.has(shortId(row.id)) || row.event === null || this.#isSent(row.id)) continue;
      const event = await this.#forgetting(row);
      if (event !== null) items.push({ project, event, resent });
    }
    return this.#parts.sender.sendAll(items.slice(0, AGAIN_MAX));
  }

  /** As it was sent: it may be a part of an event of this log. */
  async #forgetting({ id, event, project }: ForgettingRow): Promise<EventContent | null> {
    const { log } = this.#parts;
    const stored = event === null ? undefined : await log.get(event);
    if (stored === undefined) return null;
    const [found] = (await log.exportPage({ after: stored.position - 1, limit: 1 })).events;
    if (found === undefined || found.header.id === id) return found ?? null;
    const parts = partsOfForgetting(found, new Placement(this.#parts));
    return parts.find((part) => part.project === project && part.event.header.id === id)?.event ?? null;
  }

  /** Reads the log once for all that ask. */
  async #sendEvents(project: string, asked: readonly AskedFor[]): Promise<number> {
    const { rows, log } = this.#parts;
    const placement = new Placement(this.#parts);
    const items: EventToSend[] = [];
    let size = 0;
    for await (const event of this.#parts.holdings.all(project)) {
      const { id, origin } = event.header;
      if (event.body.salt === null) continue;
      const cameAt = this.#came.get(this.#names.event(project, id)) ?? 0;
      const lacking = asked.find(
        ({ count, known, position }) =>
          cameAt <= position && known.get(partOf(id, count))?.has(shortId(id)) === false,
      );
      if (lacking === undefined || this.#isSent(id)) continue;
      if (rows.get(syncKeys.unsent(id)) !== null) continue;
      items.push({ project, event, resent: lacking.resent });
      if (isOwnEvent({ origin }, log)) placement.noteLeaving(event, project);
      else rows.set(syncKeys.resent(id), true);
      size += event.body.json.length;
      if (items.length === AGAIN_MAX || size > AGAIN_SIZE_MAX) break;
    }
    // As when they were sent first: where they are must be known when one is forgotten.
    await rows.write(log);
    return this.#parts.sender.sendAll(items);
  }

  /** Whether something was sent enough; counts it otherwise. Once now is enough for all that ask. */
  #isSent(id: string): boolean {
    if (this.#sentNow.has(id) || this.#tries.isSpent(id)) return true;
    this.#sentNow.add(id);
    return false;
  }
}
