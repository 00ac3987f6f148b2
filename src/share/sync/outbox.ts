// Sends what this machine captured in shared projects, in the order of its log. What was acknowledged moves the cursors, so
// a cut loses nothing; what is sent twice is recognised.
import { type ExportedEvent, isAnnalsError, isOwnEvent, type Log } from '../../../log/index.ts';
import type { SharedLog } from '../log/shared-log.ts';
import { partsOfForgetting } from './forgetting-parts.ts';
import { type LookAtFolder, Placement, type SharedProject } from './placement.ts';
import type { SealedSender, Sendable } from './sealed-sender.ts';
import { type ForgettingRow, type Rows, type SharedPosition, syncKeys } from './sync-rows.ts';
import { type SyncTeam, WireNames } from './team.ts';
import { EVENT_BYTES_MAX, wireText } from './wire-event.ts';

/** Before the cursors are written. */
const PAGE_EVENTS = 1_024;

export interface OutboxParts {
  readonly log: Log;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly shared: SharedLog;
  readonly sender: SealedSender;
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

interface Leaving {
  readonly project: string;
  /** Of this log, or the part of it that leaves. */
  readonly event: ExportedEvent;
  /** Id of the event of this log. */
  readonly from: string;
}

/** Projects that this machine may write, and up to which position of its log they were sent. */
type Sending = ReadonlyMap<string, number>;

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
    this.#placement = new Placement(parts.rows, parts.projects, parts.lookAt);
    this.#names = new WireNames(parts.team);
  }

  async send(incarnation: string, signal?: AbortSignal): Promise<Sent> {
    const { rows } = this.#parts;
    [this.#events, this.#known] = [0, 0];
    this.#remains.clear();
    await this.sendRecords(incarnation);
    while (await rows.exclusive(() => this.#learnPage()));
    for (let isMore = true; isMore && signal?.aborted !== true; )
      isMore = await rows.exclusive(() => this.#sendNext(incarnation));
    return { events: this.#events, known: this.#known, remains: [...this.#remains] };
  }

  /** Reads which folders and sessions belong to which project, up to the head: an event may be older than that is known. */
  async #learnPage(): Promise<boolean> {
    const { log, rows } = this.#parts;
    const page = await log.exportPage({ after: rows.get<number>(syncKeys.learned) ?? 0 });
    if (page.events.length === 0) return false;
    for (const event of page.events) {
      if (!this.#isOwn(event)) continue;
      const found = this.#placement.learn(event);
      if (found !== null) this.#goBack(found.project, found.from - 1);
    }
    rows.set(syncKeys.learned, page.end.position);
    await this.#save();
    return true;
  }

  async #sendNext(incarnation: string): Promise<boolean> {
    const { log, rows } = this.#parts;
    const sent = this.#sent(incarnation);
    const after = Math.min(...sent.values());
    const waiting = (rows.get<number>(syncKeys.learned) ?? 0) - after;
    if (waiting <= 0) return false;
    const page = await log.exportPage({ after, limit: Math.min(PAGE_EVENTS, waiting) });
    await this.#sendPage(page.events, sent);
    for (const [project, position] of sent)
      if (position < page.end.position)
        rows.set(syncKeys.sent(project), { incarnation, position: page.end.position });
    await this.#save();
    return true;
  }

  async #sendPage(events: readonly ExportedEvent[], sent: Sending): Promise<void> {
    const { sender, rows } = this.#parts;
    const fitting: Leaving[] = [];
    const leaving = events.flatMap((event) => this.#leaving(event, sent));
    const appended = await sender.send(this.#sendable(leaving, fitting));
    this.#events += appended.length;
    this.#known += appended.filter(({ duplicate }) => duplicate).length;
    for (const { project, event, from } of fitting) {
      const { id, session, type } = event.header;
      if (session === null) rows.set(syncKeys.single(id), project);
      if (type === FORGETTING) this.#noteForgetting(project, id, from);
    }
    for (const event of events) await this.#removeForgotten(event, sent);
  }

  /** With their texts, without those that are too large. */
  *#sendable(leaving: readonly Leaving[], fitting: Leaving[]): Generator<Sendable> {
    for (const one of leaving) {
      const { project, event } = one;
      const plain = wireText(event);
      if (plain.length > EVENT_BYTES_MAX)
        this.#parts.rows.set(syncKeys.unsent(event.header.id), { bytes: plain.length });
      else {
        fitting.push(one);
        yield { project, plain, event: event.header.id };
      }
    }
  }

  #leaving(event: ExportedEvent, sent: Sending): Leaving[] {
    const { header, position, body } = event;
    if (body.salt === null || !this.#isOwn(event)) return [];
    const found =
      header.type === FORGETTING
        ? partsOfForgetting(event, this.#placement)
        : [{ project: this.#placement.projectOf(event), event }];
    return found.flatMap(({ project, event: part }) =>
      project !== null && isDue(project, position, sent) ? [{ project, event: part, from: header.id }] : [],
    );
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

  async #save(): Promise<void> {
    const { log, rows } = this.#parts;
    await rows.write((cursors) => log.append([], { cursors }));
  }
}

function isDue(project: string, position: number, sent: Sending): boolean {
  return position > (sent.get(project) ?? Number.POSITIVE_INFINITY);
}

const FORGETTING = 'memory.forgotten';

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
