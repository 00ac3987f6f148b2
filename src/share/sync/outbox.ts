// Sends what this machine captured in shared projects, in the order of its log. What was acknowledged moves the cursors, so
// a cut loses nothing; what is sent twice is recognised.
import type { ExportedEvent, Log } from '../../../log/index.ts';
import type { Message, SharedLog } from '../log/shared-log.ts';
import { partsOfForgetting } from './forgetting-parts.ts';
import { type LookAtFolder, Placement, type SharedProject } from './placement.ts';
import { type Rows, type SharedPosition, syncKeys } from './sync-rows.ts';
import { type SyncTeam, WireNames } from './team.ts';
import { EVENT_BYTES_MAX, wireText } from './wire-event.ts';

/** Under one signature, and sent at once. */
const BATCH_EVENTS = 256;
/** Before the cursors are written. */
const PAGE_EVENTS = 4 * BATCH_EVENTS;

export interface OutboxParts {
  readonly log: Log;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly shared: SharedLog;
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
  readonly event: ExportedEvent;
}

interface Fitting extends Leaving {
  readonly plain: Uint8Array;
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
    await rows.exclusive(() => this.#sendRecords(incarnation));
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
    const leaving = events.flatMap((event) => this.#leaving(event, sent));
    let sending: Promise<void> = Promise.resolve();
    for (let from = 0; from < leaving.length; from += BATCH_EVENTS) {
      const batch = this.#fitting(leaving.slice(from, from + BATCH_EVENTS));
      const sealed = await this.#parts.team.seal(batch);
      // The server takes one batch while the next one is sealed.
      await sending;
      // A new key must be there before what it sealed.
      await this.#sendPending();
      sending = this.#append(batch, sealed);
      // It is awaited above or below.
      sending.catch(() => undefined);
    }
    await sending;
    for (const event of events) await this.#removeForgotten(event, sent);
  }

  /** With their texts, without those that are too large. */
  #fitting(leaving: readonly Leaving[]): readonly Fitting[] {
    return leaving.flatMap((one) => {
      const plain = wireText(one.event);
      if (plain.length <= EVENT_BYTES_MAX) return [{ ...one, plain }];
      this.#parts.rows.set(syncKeys.unsent(one.event.header.id), { bytes: plain.length });
      return [];
    });
  }

  async #append(batch: readonly Fitting[], sealed: readonly Uint8Array[]): Promise<void> {
    const { shared, rows, log } = this.#parts;
    const origin = this.#names.origin(log.origin);
    const messages = batch.map(
      ({ project, event }, index): Message => ({
        ...{ id: this.#names.event(project, event.header.id), kind: 'event', origin },
        ...{ project: this.#names.project(project), bytes: sealed[index]! },
      }),
    );
    const appended = await shared.append(messages);
    this.#events += appended.length;
    this.#known += appended.filter(({ duplicate }) => duplicate).length;
    for (const { project, event } of batch)
      if (event.header.session === null) rows.set(syncKeys.single(event.header.id), project);
  }

  #leaving(event: ExportedEvent, sent: Sending): Leaving[] {
    const { header, position, body } = event;
    if (body.salt === null || !this.#isOwn(event)) return [];
    const found =
      header.type === FORGETTING
        ? partsOfForgetting(event, this.#placement)
        : [{ project: this.#placement.projectOf(event), event }];
    return found.flatMap(({ project, event: part }) =>
      project !== null && isDue(project, position, sent) ? [{ project, event: part }] : [],
    );
  }

  async #removeForgotten(event: ExportedEvent, sent: Sending): Promise<void> {
    if (event.header.type !== FORGETTING || !this.#isOwn(event)) return;
    for (const { project, ids } of partsOfForgetting(event, this.#placement))
      if (isDue(project, event.position, sent)) await this.#remove(project, ids);
  }

  async #remove(project: string, ids: readonly string[]): Promise<void> {
    const names = ids.map((id) => this.#names.event(project, id));
    const { remains } = await this.#parts.shared.remove(this.#names.project(project), names);
    if (remains !== null) this.#remains.add(remains);
  }

  async #sendRecords(incarnation: string): Promise<void> {
    const { team, rows } = this.#parts;
    const key = syncKeys.sent('');
    // A log that was made again has none of them.
    if (rows.get<SharedPosition>(key)?.incarnation !== incarnation) {
      await this.#appendRecords(team.all());
      rows.set(key, { incarnation, position: 0 });
    }
    await this.#sendPending();
  }

  async #sendPending(): Promise<void> {
    const { team } = this.#parts;
    const pending = team.pending();
    if (pending.length === 0) return;
    await this.#appendRecords(pending);
    await team.acknowledged(pending.map(({ id }) => id));
  }

  async #appendRecords(records: ReturnType<SyncTeam['all']>): Promise<void> {
    const { shared, log } = this.#parts;
    const origin = this.#names.origin(log.origin);
    for (let from = 0; from < records.length; from += BATCH_EVENTS) {
      const batch = records.slice(from, from + BATCH_EVENTS);
      await shared.append(
        batch.map(({ id, bytes }) => ({ id, kind: 'record', project: RECORDS, origin, bytes })),
      );
    }
  }

  /** A restored log has its own earlier events under its id. Events of other machines are theirs to send. */
  #isOwn({ header: { origin } }: ExportedEvent): boolean {
    const { log } = this.#parts;
    return origin === log.origin || origin === log.logId;
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
/** In the place of a project. */
const RECORDS = 'team';
