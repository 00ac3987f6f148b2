// Sends what this machine captured in shared projects, in the order of its log. What was acknowledged moves the cursors, so
// a cut loses nothing; what is sent twice is recognised.
import {
  type ExportedEvent,
  FORGETTING,
  isAnnalsError,
  isOwnEvent,
  type Log,
  StoredBody,
} from '../../../log/index.ts';
import type { SharedLog } from '../log/shared-log.ts';
import { type ForgettingRow, type Rows, type SharedPosition, syncKeys } from '../rows/sync-rows.ts';
import { leavingOf, partsOfForgetting } from './forgetting-parts.ts';
import type { CountedEvent, Holdings } from './holdings.ts';
import {
  isPlacedAlone,
  type LoggedEvent,
  type LookAtFolder,
  Placement,
  type SharedProject,
} from './placement.ts';
import { BATCH, batchesOf, type EventToSend, type Outcome, type SealedSender } from './sealed-sender.ts';
import { type SyncTeam, WireNames } from './team.ts';

/** Of the log. To find where a page begins costs as much as to read some events. */
const EVENTS_IN_PAGE = 4 * BATCH;
/** Before the cursors are written. After a kill so many are sent again, and recognised. */
const EVENTS_AT_ONCE = 16_384;
/** The same on a slow line. Then what is on its way is waited for, and what came in has its turn. */
const TIME_AT_ONCE_MS = 5_000;

export interface OutboxParts {
  readonly log: Log;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly shared: SharedLog;
  readonly sender: SealedSender;
  readonly holdings: Holdings;
  readonly projects: readonly SharedProject[];
  readonly lookAt: LookAtFolder;
}

export interface Sent {
  readonly events: number;
  /** Of these, how many the engine had already. */
  readonly known: number;
  /** What of forgotten events may be left in the engine, one sentence each. */
  readonly remains: readonly string[];
}

interface Leaving extends EventToSend {
  /** Id of the event of this log that it is, or that it is a part of. */
  readonly from: string;
  readonly position: number;
}

interface LeavingBatch {
  readonly events: readonly Leaving[];
  /** Position of this log: what leaves up to it is in this batch, or in one before it. */
  readonly upTo: number;
}

/** Projects that this machine may write, and up to which position of its log they were sent. */
type Sending = ReadonlyMap<string, number>;

/** A piece of this log that is sent before the cursors are written. */
interface Piece {
  readonly after: number;
  readonly end: number;
  readonly sent: Sending;
  /** What was read of it so far. */
  readonly read: CountedEvent[];
  /** Of these, the forgettings whose messages were not removed yet. */
  readonly forgettings: ExportedEvent[];
  /** A forgetting took from what places its events: it is sent again, and what was sent is recognised. */
  isStale: boolean;
}

/** Sends everything that waits, of the projects that this machine may write. @throws AnnalsError of the shared log */
export class Outbox {
  readonly #parts: OutboxParts;
  readonly #placement: Placement;
  readonly #names: WireNames;
  #events = 0;
  #known = 0;
  readonly #remains = new Set<string>();

  constructor(parts: OutboxParts) {
    this.#parts = parts;
    this.#placement = new Placement(parts);
    this.#names = new WireNames(parts.team);
  }

  async send(incarnation: string, signal?: AbortSignal): Promise<Sent> {
    const { rows } = this.#parts;
    [this.#events, this.#known] = [0, 0];
    this.#remains.clear();
    await this.sendRecords(incarnation);
    for (let isMore = true; isMore; )
      isMore = await rows.exclusive(async () => {
        await this.learn();
        return signal?.aborted !== true && this.#sendNext(incarnation, signal);
      });
    return { events: this.#events, known: this.#known, remains: [...this.#remains] };
  }

  /**
   * Reads which folders and sessions belong to which project, up to the head: an event may be older than that is known. Before
   * anything is placed, in the same exclusive work: a forgetting may have taken what was learned. Changes and writes rows.
   */
  async learn(): Promise<void> {
    while (await this.#learnPage());
  }

  async #learnPage(): Promise<boolean> {
    const { log, rows } = this.#parts;
    const learned = rows.get<number>(syncKeys.learned) ?? 0;
    const page = await log.exportPage({ after: learned });
    if (page.events.length === 0) return false;
    this.#learnFrom(page.events);
    rows.set(syncKeys.learned, page.end.position);
    await this.#save();
    return true;
  }

  #learnFrom(events: readonly LoggedEvent[]): void {
    for (const { project, from } of this.#placement.learn(events)) this.#goBack(project, from - 1);
  }

  async #sendNext(incarnation: string, signal?: AbortSignal): Promise<boolean> {
    const { rows, sender } = this.#parts;
    const sent = this.#sent(incarnation);
    const after = Math.min(...sent.values());
    const waiting = (rows.get<number>(syncKeys.learned) ?? 0) - after;
    if (waiting <= 0) return false;
    const end = after + Math.min(EVENTS_AT_ONCE, waiting);
    const piece: Piece = { after, end, sent, read: [], forgettings: [], isStale: false };
    const { forgettings } = piece;
    let acknowledged = after;
    try {
      for await (const { batch, outcomes } of sender.sendEvents(this.#batches(piece, signal))) {
        for (const [index, event] of batch.events.entries()) this.#noteOutcome(event, outcomes[index]!);
        acknowledged = batch.upTo;
      }
      // Nothing is on its way now, for which a request would have to wait.
      for (; forgettings[0] !== undefined && forgettings[0].position <= acknowledged; forgettings.shift())
        await this.#removeForgotten(forgettings[0], sent);
    } finally {
      // Also when something failed, up to a forgetting that is not done.
      const done = Math.min(acknowledged, (forgettings[0]?.position ?? Number.POSITIVE_INFINITY) - 1);
      if (done > after && !piece.isStale) await this.#noteSent(piece, done, incarnation);
    }
    return true;
  }

  #noteOutcome({ project, from, event }: Leaving, outcome: Outcome): void {
    const { rows } = this.#parts;
    const { id, type } = event.header;
    if (outcome.appended === null) {
      rows.set(syncKeys.unsent(id), { bytes: outcome.size });
      this.#placement.removePlace(id, project);
      return;
    }
    if (rows.get(syncKeys.unsent(id)) !== null) rows.set(syncKeys.unsent(id), null);
    this.#events += 1;
    if (outcome.appended.duplicate) this.#known += 1;
    if (type === FORGETTING) this.#noteForgetting(project, id, from);
  }

  async #noteSent({ after, sent, read }: Piece, upTo: number, incarnation: string): Promise<void> {
    const { rows, holdings } = this.#parts;
    // First what waits of it: if that is learned again, all of it is sent again.
    if (!(await this.#save())) return;
    for (const [project, position] of sent)
      if (position < upTo) rows.set(syncKeys.sent(project), { incarnation, position: upTo });
    const passed = read.filter(({ position }) => position <= upTo);
    holdings.passed(after, upTo, passed);
    await this.#save();
  }

  /** Reads the log one page ahead. Ends early when it is to stop, or takes long. */
  async *#batches(piece: Piece, signal?: AbortSignal): AsyncGenerator<LeavingBatch> {
    const { log } = this.#parts;
    const { after, end, sent } = piece;
    const began = performance.now();
    const read = (from: number) =>
      log.exportPage({ after: from, limit: Math.min(EVENTS_IN_PAGE, end - from) });
    let next = read(after);
    for (let position = after; position < end; ) {
      const page = await next;
      position = page.end.position;
      if (position < end) {
        next = read(position);
        // It is awaited in the next round, unless nobody wants it any more.
        next.catch(() => undefined);
      }
      piece.forgettings.push(...page.events.filter(({ header }) => header.type === FORGETTING));
      // Bodies are large, and those of sessions are not asked for.
      for (const { position: at, header, body } of page.events)
        piece.read.push({
          ...{ position: at, header },
          body: body.salt === null || isPlacedAlone(header) ? body : WITH_BODY,
        });
      const leaving: Leaving[] = [];
      let isNew = false;
      for (const event of page.events)
        for (const one of this.#leaving(event, sent)) {
          // At once: what takes it back may be the next one.
          if (this.#placement.noteLeaving({ ...one.event, position: one.position }, one.project))
            isNew = true;
          leaving.push(one);
        }
      // Whatever happens next, it must be known where these were sent: if one is forgotten, its body no longer says it.
      if (isNew && !(await this.#save())) {
        piece.isStale = true;
        return;
      }
      if (leaving.length === 0) yield { events: [], upTo: position };
      let taken = 0;
      for (const events of batchesOf(leaving)) {
        taken += events.length;
        // The parts of a forgetting have one position.
        const rest = leaving[taken];
        yield { events, upTo: rest === undefined ? position : rest.position - 1 };
        if (signal?.aborted === true || performance.now() - began > TIME_AT_ONCE_MS) return;
      }
    }
  }

  #leaving(event: ExportedEvent, sent: Sending): Leaving[] {
    const { header, position } = event;
    if (!this.#isOwn(event)) return [];
    return leavingOf(event, this.#placement)
      .filter(({ project }) => isDue(project, position, sent))
      .map(({ project, event: part }) => ({ project, event: part, from: header.id, position }));
  }

  #noteForgetting(project: string, id: string, event: string): void {
    const row: ForgettingRow = { project, id, event, own: true, whole: true, said: null };
    this.#parts.rows.set(syncKeys.forgetting(project, id), row);
  }

  async #removeForgotten(event: ExportedEvent, sent: Sending): Promise<void> {
    if (event.header.type !== FORGETTING || !this.#isOwn(event)) return;
    for (const { project, ids } of partsOfForgetting(event, this.#placement))
      if (isDue(project, event.position, sent)) await this.#remove(project, ids);
  }

  async #remove(project: string, ids: readonly string[]): Promise<void> {
    const names = ids.map((id) => this.#names.event(project, id));
    const remains = await removed(this.#parts.shared, this.#names.project(project), names);
    if (remains !== null) this.#remains.add(remains);
  }

  /**
   * Events of other machines follow what was looked at and sent: there is nothing to send, so nobody needs to read them.
   * Does nothing if they do not follow it. Changes rows.
   * @param events all those after position `after` up to position `until`
   */
  passed(after: number, until: number, events: readonly LoggedEvent[], incarnation: string): void {
    const { rows } = this.#parts;
    if ((rows.get<number>(syncKeys.learned) ?? 0) !== after) return;
    // It may have to go back first.
    this.#learnFrom(events);
    const sent = [...this.#sent(incarnation)].filter(([, position]) => position === after);
    rows.set(syncKeys.learned, until);
    for (const [project] of sent) rows.set(syncKeys.sent(project), { incarnation, position: until });
  }

  /** Only the records of the team. */
  async sendRecords(incarnation: string): Promise<void> {
    await this.#parts.rows.exclusive(() => this.#sendRecords(incarnation));
  }

  async #sendRecords(incarnation: string): Promise<void> {
    const { team, rows, sender } = this.#parts;
    const key = syncKeys.sent('');
    // Everything was read, so what did not come back is not there, whatever the server still knows of its id.
    const read = String(rows.get<SharedPosition>(syncKeys.inbox)?.position ?? 0);
    // A log that was made again, or went back, has none of them.
    if (rows.get<SharedPosition>(key)?.incarnation !== incarnation) {
      await sender.sendRecords(team.all(), read);
      rows.set(key, { incarnation, position: 0 });
    }
    await sender.sendPending(read);
  }

  /** Events of other machines are theirs to send. */
  #isOwn({ header }: ExportedEvent): boolean {
    return isOwnEvent(header, this.#parts.log);
  }

  /** How far the projects were sent that this machine may write. */
  #sent(incarnation: string): Sending {
    const { projects, rows, team } = this.#parts;
    return new Map(
      projects
        .filter(({ key }) => team.cannotWrite(key) === null)
        .map(({ key, since }) => {
          const sent = rows.get<SharedPosition>(syncKeys.sent(key));
          return [key, Math.max(since, sent?.incarnation === incarnation ? sent.position : 0)];
        }),
    );
  }

  #goBack(project: string, position: number): void {
    const { rows } = this.#parts;
    rows.set(syncKeys.heldUpTo, null);
    const key = syncKeys.sent(project);
    const sent = rows.get<SharedPosition>(key);
    if (sent !== null && sent.position > position) rows.set(key, { ...sent, position });
  }

  /** False if a forgetting came in between, see `Rows.write`. */
  #save(): Promise<boolean> {
    const { log, rows } = this.#parts;
    return rows.write(log);
  }
}

function isDue(project: string, position: number, sent: Sending): boolean {
  return position > (sent.get(project) ?? Number.POSITIVE_INFINITY);
}

const WITH_BODY: CountedEvent['body'] = StoredBody.of(Buffer.alloc(0), '');

/** Removes messages of events. Returns one sentence about what remains of them, or null. @throws AnnalsError SHARED_LOG_UNREACHABLE */
export async function removed(
  shared: SharedLog,
  project: string,
  ids: readonly string[],
): Promise<string | null> {
  try {
    return (await shared.remove(project, ids)).remains;
  } catch (error) {
    if (!isAnnalsError(error) || error.code !== 'SHARED_LOG_REFUSED') throw error;
    return 'The login of this machine may not remove messages: those of forgotten events stay on the server, sealed.';
  }
}
