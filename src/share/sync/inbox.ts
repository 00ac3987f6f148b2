// Takes in what other machines sent. A message is opened, checked, and imported with its origin, as from an export; how far
// the shared log was read is written in the same batch. A message that cannot be used never stops those behind it.
import { type ExportedEvent, loadCatalog } from '../../../log/index.ts';
import { INCOMPLETE } from '../../capture/private/private-prompts.ts';
import type { Home } from '../../home/home.ts';
import { mergeForgetting } from '../../transfer/merge-forgetting.ts';
import { SealError } from '../keys/sealer.ts';
import type { SharedLog, StoredMessage } from '../log/shared-log.ts';
import { type Rows, type SessionRow, type SharedPosition, syncKeys } from './sync-rows.ts';
import { type SyncTeam, WireNames } from './team.ts';
import { wireEvent } from './wire-event.ts';

export interface InboxParts {
  readonly home: Home;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly shared: SharedLog;
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
}

type Sealed = Pick<StoredMessage, 'id' | 'project' | 'position' | 'bytes'>;

export class Inbox {
  readonly #parts: InboxParts;
  readonly #names: WireNames;

  constructor(parts: InboxParts) {
    this.#parts = parts;
    this.#names = new WireNames(parts.team);
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

  async #take(page: readonly StoredMessage[], incarnation: string): Promise<Received> {
    const { rows, home } = this.#parts;
    const learned = await this.#accept(page);
    const own = this.#names.origin(home.log.origin);
    const opened: OpenedEvent[] = [];
    for (const message of page) {
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
    return added > 0;
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
      const event = wireEvent(opened.plain, await loadCatalog());
      if (typeof event === 'string') return this.#refuse(message, event);
      const isNamed =
        project === this.#names.project(opened.project) &&
        id === this.#names.event(opened.project, event.header.id);
      if (!isNamed) return this.#refuse(message, 'it was sent under the name of another one');
      return { project: opened.project, event };
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      // All messages of the team come here.
      return error.reason === 'hidden' ? null : this.#refuse(message, error.message);
    }
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
    let appended = 0;
    if (forgettings.length > 0) {
      const merged = await mergeForgetting(
        forgettings.map(({ event }) => event),
        home,
      );
      await merged.finish();
      appended += merged.appended;
    }
    // Whatever is forgotten here was forgotten everywhere, so it counts for every event.
    const forgetting = others.length === 0 ? null : await mergeForgetting([], home);
    const events = (await forgetting?.blanked(others.map(({ event }) => event))) ?? [];
    const outcomes = await rows.write((cursors) =>
      home.log.importEvents(events, { cursors: [...cursors, ...(events.length > 0 ? [INCOMPLETE] : [])] }),
    );
    await forgetting?.finish();
    return appended + outcomes.filter(({ outcome }) => outcome === 'appended').length;
  }

  #note({ project, event: { header } }: OpenedEvent): void {
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

const FORGETTING = 'memory.forgotten';
/** Their events are written in batches, one after the other; a larger page waits for the disk less often. */
const PAGE_MESSAGES = 1_024;
const UNOPENED = syncKeys.prefixes.unopened;
