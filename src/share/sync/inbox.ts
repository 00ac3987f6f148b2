// Takes in what other machines sent. A message is opened, checked, and imported with its origin, as from an export; how far
// the shared log was read is written in the same batch. A message that cannot be used never stops those behind it.
import {
  type ExportedEvent,
  isOwnEvent,
  loadCatalog,
  type NamedEvent,
  Tombstones,
} from '../../../log/index.ts';
import { INCOMPLETE } from '../../capture/private/private-prompts.ts';
import type { Home } from '../../home/home.ts';
import { mergeForgetting } from '../../transfer/merge-forgetting.ts';
import { type Opened, SealError } from '../keys/sealer.ts';
import type { SharedLog, StoredMessage } from '../log/shared-log.ts';
import { forgettingWithin } from './forgetting-within.ts';
import { removed } from './outbox.ts';
import { type LookAtFolder, Placement, type SharedProject } from './placement.ts';
import type { Repair } from './repair.ts';
import {
  type ForgettingRow,
  type Rows,
  type SessionRow,
  type SharedPosition,
  syncKeys,
} from './sync-rows.ts';
import { type SyncTeam, WireNames } from './team.ts';
import { wireEvent } from './wire-event.ts';

/** How much later a member must have been seen to be noted again. */
const SEEN_MS = 60_000;

export interface InboxParts {
  readonly home: Home;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly shared: SharedLog;
  readonly projects: readonly SharedProject[];
  readonly lookAt: LookAtFolder;
  readonly repair: Repair;
}

export interface Received {
  readonly messages: number;
  /** Events that were new here. */
  readonly appended: number;
}

/** A message whose key is not known yet, or that was refused. */
export interface UnopenedRow {
  readonly id: string;
  readonly project: string;
  /** base64. */
  readonly bytes: string;
}

export interface RefusedRow {
  readonly id: string;
  readonly origin: string;
  readonly reason: string;
}

interface OpenedEvent {
  readonly project: string;
  readonly event: ExportedEvent;
  /** Of its message. */
  readonly message: Sealed;
}

type Sealed = Pick<StoredMessage, 'id' | 'project' | 'position' | 'bytes'>;

export class Inbox {
  readonly #parts: InboxParts;
  readonly #names: WireNames;
  readonly #placement: Placement;

  constructor(parts: InboxParts) {
    this.#parts = parts;
    this.#names = new WireNames(parts.team);
    this.#placement = new Placement(parts.rows, parts.projects, parts.lookAt);
  }

  /** One page; no messages at the end of the shared log. @throws AnnalsError of the shared log */
  async receive(incarnation: string, waitUntil?: AbortSignal): Promise<Received> {
    const { shared, rows } = this.#parts;
    const after = this.position(incarnation);
    const page = await shared.page({
      after,
      limit: PAGE_MESSAGES,
      ...(waitUntil !== undefined && { waitUntil }),
    });
    if (page.length === 0) return { messages: 0, appended: 0 };
    return rows.exclusive(() => this.#take(page, incarnation));
  }

  /** From the beginning, when the shared log has lost messages that were read. */
  async readAgain(): Promise<void> {
    const { rows, home, repair } = this.#parts;
    await rows.exclusive(async () => {
      rows.set(syncKeys.inbox, null);
      // Records of the team may be lost with them, and without keys nobody can say what it lacks.
      rows.set(syncKeys.sent(''), null);
      repair.forget();
      await rows.write((cursors) => home.log.append([], { cursors }));
    });
  }

  async #take(page: readonly StoredMessage[], incarnation: string): Promise<Received> {
    const { rows, home, repair } = this.#parts;
    if (this.position(incarnation) === 0) repair.forget();
    const learned = await this.#accept(page);
    const own = this.#names.origin(home.log.origin);
    const opened: OpenedEvent[] = [];
    for (const message of page) {
      if (message.kind === 'statement') await this.#takeStatement(message, incarnation);
      else repair.came(message);
      if (message.kind !== 'event' || message.origin === own) continue;
      const event = await this.#open(message);
      if (event !== null) opened.push(event);
    }
    rows.set(syncKeys.inbox, { incarnation, position: page.at(-1)!.position } satisfies SharedPosition);
    const appended = await this.#store(opened);
    return { messages: page.length, appended: appended + (learned ? await this.#openKept() : 0) };
  }

  /** In the shared log. */
  position(incarnation: string): number {
    const read = this.#parts.rows.get<SharedPosition>(syncKeys.inbox);
    return read?.incarnation === incarnation ? read.position : 0;
  }

  /** Whether a record was new. */
  async #accept(page: readonly StoredMessage[]): Promise<boolean> {
    const records = page.filter(({ kind }) => kind === 'record');
    if (records.length === 0) return false;
    const { added, refused } = await this.#parts.team.accept(records.map(({ bytes }) => bytes));
    for (const { index, error } of refused) this.#refuse(records[index]!, error.message);
    const isRefused = new Set(refused.map(({ index }) => index));
    // One of this machine that comes back has reached the shared log.
    await this.#parts.team.acknowledged(
      records.filter((_, index) => !isRefused.has(index)).map(({ id }) => id),
    );
    return added > 0;
  }

  async #takeStatement(message: StoredMessage, incarnation: string): Promise<void> {
    const { team, repair } = this.#parts;
    try {
      const opened = await team.open(message.bytes);
      if (opened === null) return repair.missed(message.project);
      if (message.project !== this.#names.project(opened.project)) return;
      this.#see(opened);
      repair.take(message, opened, incarnation);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      if (error.reason !== 'hidden' && error.reason !== 'version') this.#refuse(message, error.message);
    }
  }

  #see({ author, at }: Pick<Opened, 'author' | 'at'>): void {
    const { rows, team } = this.#parts;
    const key = syncKeys.seen(author);
    if (author !== team.machine && at >= (rows.get<number>(key) ?? 0) + SEEN_MS) rows.set(key, at);
  }

  /** Null if it was kept for later or refused. */
  async #open(message: Sealed): Promise<OpenedEvent | null> {
    const { team, rows } = this.#parts;
    const { id, project, position, bytes } = message;
    try {
      const opened = await team.open(bytes);
      if (opened === null) {
        const row: UnopenedRow = { id, project, bytes: Buffer.from(bytes).toString('base64') };
        rows.set(syncKeys.unopened(position), row);
        return null;
      }
      this.#see(opened);
      const event = wireEvent(opened.plain, await loadCatalog());
      if (typeof event === 'string') return this.#refuse(message, event);
      const isNamed =
        project === this.#names.project(opened.project) &&
        id === this.#names.event(opened.project, event.header.id);
      if (!isNamed) return this.#refuse(message, 'it was sent under the name of another one');
      if (await this.#isClaimed(event))
        return this.#refuse(message, 'it says that this machine wrote it, which is not true');
      return { project: opened.project, event, message };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      // All messages of the team come here.
      return error.reason === 'hidden' ? null : this.#refuse(message, error.message);
    }
  }

  /** Whether an event names this machine as its origin, and this machine does not know it. */
  async #isClaimed({ header: { id, origin } }: ExportedEvent): Promise<boolean> {
    const { log } = this.#parts.home;
    return origin === log.origin && log.forgotten(id) === undefined && (await log.get(id)) === undefined;
  }

  #refuse({ id, position, ...rest }: Sealed & { readonly origin?: string }, reason: string): null {
    const row: RefusedRow = { id, origin: rest.origin ?? '', reason };
    this.#parts.rows.set(syncKeys.refused(position), row);
    return null;
  }

  /** Tries again what could not be opened. */
  async #openKept(): Promise<number> {
    const { rows } = this.#parts;
    const opened: OpenedEvent[] = [];
    for (const [key, { id, project, bytes }] of rows.startingWith<UnopenedRow>(UNOPENED)) {
      const position = Number(key.slice(UNOPENED.length));
      rows.set(key, null);
      const event = await this.#open({ id, project, position, bytes: Buffer.from(bytes, 'base64') });
      if (event !== null) opened.push(event);
    }
    return this.#store(opened);
  }

  async #store(opened: readonly OpenedEvent[]): Promise<number> {
    const { home, rows } = this.#parts;
    for (const one of opened) this.#note(one);
    const forgettings = opened.filter(({ event }) => event.header.type === FORGETTING);
    const others = opened.filter(({ event }) => event.header.type !== FORGETTING);
    // What is forgotten in its own project arrives forgotten. Everything else must be here before, to be told apart.
    const named = forgettings.length === 0 ? new Set() : namedBy(forgettings, others);
    const first = forgettings.length === 0 ? [] : others.filter((one) => !named.has(one));
    const last = forgettings.length === 0 ? others : others.filter((one) => named.has(one));
    let appended = await this.#import(first, (events) => home.log.importEvents(events));
    if (forgettings.length > 0) appended += await this.#forget(forgettings);
    appended += await this.#import(last, (events) =>
      rows.write((cursors) =>
        home.log.importEvents(events, {
          cursors: [...cursors, ...(opened.length > 0 ? [INCOMPLETE] : [])],
        }),
      ),
    );
    return appended;
  }

  async #import(
    opened: readonly OpenedEvent[],
    write: (events: readonly ExportedEvent[]) => ReturnType<Home['log']['importEvents']>,
  ): Promise<number> {
    const { home } = this.#parts;
    await this.#noteOwn(opened);
    // Whatever is forgotten here was forgotten everywhere, so it counts for every event.
    const forgetting = opened.length === 0 ? null : await mergeForgetting([], home);
    const outcomes = await write((await forgetting?.blanked(opened.map(({ event }) => event))) ?? []);
    await forgetting?.finish();
    return outcomes.filter(({ outcome }) => outcome === 'appended').length;
  }

  /** Applies forgettings of others, as far as they are of their project. */
  async #forget(opened: readonly OpenedEvent[]): Promise<number> {
    const { home, rows, shared } = this.#parts;
    const { log } = home;
    const within: ExportedEvent[] = [];
    for (const { project, event, message } of opened) {
      const key = syncKeys.forgetting(project, event.header.id);
      const known = rows.get<ForgettingRow>(key);
      if (known !== null && (known.own || known.event !== null)) continue;
      const found = await forgettingWithin(project, event, { log, rows, placement: this.#placement });
      if (!found.isWhole) this.#refuse(message, 'it also forgets events of another project, which stay here');
      // Who sent an event, last or first, removes it from the server: it may have been on its way when it was forgotten.
      const sent = found.here.filter(
        ({ id, origin }) => isOwnEvent({ origin }, log) || rows.get(syncKeys.resent(id)) !== null,
      );
      const ids = sent.map(({ id }) => this.#names.event(project, id));
      if (ids.length > 0) await removed(shared, this.#names.project(project), ids);
      if (found.event !== null) within.push(found.event);
      rows.set(key, {
        ...{ project, id: event.header.id, event: found.event?.header.id ?? null },
        ...{ own: false, whole: found.isWhole, said: null },
      } satisfies ForgettingRow);
    }
    const merged = await mergeForgetting(within, home);
    await merged.finish();
    return merged.appended;
  }

  /** Events of this machine that another one counts to a project, by itself: then this one counts them to it too. */
  async #noteOwn(opened: readonly OpenedEvent[]): Promise<void> {
    const { home, rows, projects } = this.#parts;
    const { log } = home;
    const known = await log.getMany(opened.map(({ event }) => event.header.id));
    for (const [index, own] of known.entries()) {
      if (own === undefined || !isOwnEvent(own, log)) continue;
      const { project } = opened[index]!;
      const since = projects.find(({ key }) => key === project)?.since ?? Number.POSITIVE_INFINITY;
      const isPlaced =
        own.position > since &&
        this.#placement.projectOfOwn(own, own.body as Readonly<Record<string, unknown>>) === project;
      if (isPlaced || rows.get(syncKeys.single(own.id)) === project) continue;
      rows.set(syncKeys.single(own.id), project);
      rows.set(syncKeys.heldUpTo, null);
    }
  }

  #note({ project, event: { header } }: Omit<OpenedEvent, 'message'>): void {
    const { rows } = this.#parts;
    const { id, agent, session } = header;
    if (session === null) {
      if (rows.get(syncKeys.single(id)) === null) rows.set(syncKeys.single(id), project);
      return;
    }
    const key = syncKeys.session(agent, session);
    const row = rows.get<SessionRow>(key);
    if (row?.project !== project)
      rows.set(key, { ...(row ?? { cwd: null, skipped: null }), project } satisfies SessionRow);
  }
}

/** The events that a forgetting of the same project names, or covers. */
function namedBy(
  forgettings: readonly OpenedEvent[],
  others: readonly OpenedEvent[],
): ReadonlySet<OpenedEvent> {
  const byProject = new Map<string, Tombstones>();
  for (const { project, event } of forgettings) {
    const tombstones = byProject.get(project) ?? new Tombstones();
    byProject.set(project, tombstones);
    if (event.body.salt !== null)
      tombstones.add({ ...event.header, body: JSON.parse(event.body.json) } as Parameters<
        Tombstones['add']
      >[0]);
  }
  return new Set(
    others.filter(({ project, event: { header, body } }) => {
      const tombstones = byProject.get(project);
      if (tombstones === undefined || body.salt === null) return false;
      const named = { ...header, body: JSON.parse(body.json) } as unknown as NamedEvent;
      return tombstones.holds(header.id) || tombstones.covers(named);
    }),
  );
}

const FORGETTING = 'memory.forgotten';
/** Their events are written in batches, one after the other; a larger page waits for the disk less often. */
const PAGE_MESSAGES = 1_024;
const UNOPENED = syncKeys.prefixes.unopened;
