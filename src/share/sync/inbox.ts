// Takes in what other machines sent. A message is opened, checked, and imported with its origin, as from an export; how far
// the shared log was read is written when all of a page is on disk. A message that cannot be used never stops those behind it.
import { type EventContent, FORGETTING, isOwnEvent } from '../../../log/index.ts';
import { INCOMPLETE } from '../../capture/private/private-prompts.ts';
import type { Home } from '../../home/home.ts';
import { type MergedForgetting, mergeForgetting } from '../../transfer/merge-forgetting.ts';
import { type Opened, type OpenedEvent, SealError } from '../keys/sealer.ts';
import { hasSameText } from '../keys/wire-event.ts';
import type { SharedLog, StoredMessage } from '../log/shared-log.ts';
import { type Rows, type SharedPosition, syncKeys } from '../rows/sync-rows.ts';
import { ForgettingsIn, type Sealed, type TakenEvent } from './forgettings-in.ts';
import type { Holdings } from './holdings.ts';
import type { Outbox } from './outbox.ts';
import type { OwnMessages } from './own-messages.ts';
import { type Opening, type Page, PagesAhead } from './pages-ahead.ts';
import {
  isOwnMatter,
  type LoggedEvent,
  type LookAtFolder,
  Placement,
  type SharedProject,
} from './placement.ts';
import type { Repair } from './repair.ts';
import { batchesOf, type SealedSender } from './sealed-sender.ts';
import { type SyncTeam, WireNames } from './team.ts';

/** How much later a member must have been seen to be noted again. */
const SEEN_MS = 60_000;

export interface InboxParts {
  readonly home: Home;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly shared: SharedLog;
  readonly sender: SealedSender;
  readonly projects: readonly SharedProject[];
  readonly lookAt: LookAtFolder;
  readonly repair: Repair;
  readonly outbox: Outbox;
  readonly holdings: Holdings;
  readonly own: OwnMessages;
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

export class Inbox {
  readonly #parts: InboxParts;
  readonly #names: WireNames;
  readonly #placement: Placement;
  readonly #pages: PagesAhead;
  /** Whatever is forgotten here was forgotten everywhere, so it counts for every event. One, which knows what it has read. */
  readonly #forgetting: Promise<MergedForgetting>;
  /** base64 characters of the messages that are kept until they can be opened. */
  #kept = 0;

  constructor(parts: InboxParts) {
    this.#parts = parts;
    this.#names = new WireNames(parts.team);
    this.#placement = new Placement({ ...parts, log: parts.home.log });
    this.#forgetting = mergeForgetting([], parts.home);
    this.#pages = new PagesAhead(parts.shared, (messages) => this.#openForeign(messages));
  }

  /** A page, and those that were read ahead; no messages at the end of the shared log. @throws AnnalsError of the shared log */
  async receive(incarnation: string, waitUntil?: AbortSignal): Promise<Received> {
    const { rows, own, outbox } = this.#parts;
    const position = this.position(incarnation);
    const sent = own.after(position);
    if (sent !== null) {
      await rows.exclusive(() => this.#pass(sent, incarnation));
      return { messages: sent.to - position, appended: 0 };
    }
    const page = await this.#pages.next(position, waitUntil);
    if (page.messages.length === 0) return { messages: 0, appended: 0 };
    return rows.exclusive(async () => {
      // A forgetting names own events that were not sent yet, too: only what was learned says whose they are.
      await outbox.learn();
      return this.#takeAll(page, incarnation);
    });
  }

  async #pass(
    { to, last }: NonNullable<ReturnType<OwnMessages['after']>>,
    incarnation: string,
  ): Promise<void> {
    const { rows, home, repair } = this.#parts;
    for (const message of last) repair.came(message);
    rows.set(syncKeys.inbox, { incarnation, position: to } satisfies SharedPosition);
    await rows.write(home.log);
  }

  /** From the beginning, when the shared log has lost messages that were read. */
  async readAgain(): Promise<void> {
    const { rows, home, repair } = this.#parts;
    await rows.exclusive(async () => {
      rows.set(syncKeys.inbox, null);
      // Records of the team may be lost with them, and without keys nobody can say what it lacks.
      rows.set(syncKeys.sent(''), null);
      repair.forget();
      await rows.write(home.log);
    });
  }

  async #takeAll(first: Page, incarnation: string): Promise<Received> {
    const { rows, home } = this.#parts;
    const storing = new Storing();
    this.#kept = rows
      .startingWith<UnopenedRow>(UNOPENED)
      .reduce((sum, [, { bytes }]) => sum + bytes.length, 0);
    let messages = 0;
    let again: SharedPosition | null = null;
    try {
      for (let page: Page | null = first, pages = 1; page !== null; pages++) {
        const learned = await this.#take(page, incarnation, storing);
        if (learned) again = rows.get<SharedPosition>(syncKeys.unkept) ?? again;
        messages += page.messages.length;
        const position: number = page.messages.at(-1)!.position;
        rows.set(syncKeys.inbox, { incarnation, position } satisfies SharedPosition);
        page = pages < PAGES_TOGETHER ? await this.#pages.ready(position) : null;
      }
    } finally {
      await storing.settled();
    }
    if (again !== null) {
      rows.set(syncKeys.unkept, null);
      rows.set(syncKeys.inbox, again.incarnation === incarnation ? again : null);
    }
    const appended = await storing.appended();
    this.#passed(storing.events, incarnation);
    await rows.write(home.log);
    return { messages, appended };
  }

  /** Whether a record of the team was new. */
  async #take(page: Page, incarnation: string, storing: Storing): Promise<boolean> {
    const { messages } = page;
    const { repair } = this.#parts;
    if (this.position(incarnation) === 0) repair.forget();
    const learned = await this.#accept(messages);
    const opened = page.opened ?? this.#openForeign(messages);
    this.#pages.readOn(page);
    for (const message of messages)
      if (message.kind === 'statement') await this.#takeStatement(message, incarnation);
      else repair.came(message);
    await this.#store(await this.#checked(this.#foreign(messages), await opened, incarnation), storing);
    if (learned) await this.#openKept(incarnation, storing);
    return learned;
  }

  /** Nobody needs to read what was just written, unless something else was written in between. */
  #passed(stored: readonly LoggedEvent[], incarnation: string): void {
    const { outbox, holdings } = this.#parts;
    const [first, last] = [stored.at(0)?.position, stored.at(-1)?.position];
    if (first === undefined || last === undefined || last - first !== stored.length - 1) return;
    holdings.passed(first - 1, last, stored);
    outbox.passed(first - 1, last, stored, incarnation);
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
      repair.take(message, { ...opened, at: this.#past(opened.at) }, incarnation);
    } catch (error) {
      if (!(error instanceof SealError)) throw error;
      if (error.reason !== 'hidden' && error.reason !== 'version') this.#refuse(message, error.message);
    }
  }

  #see({ author, at: sealedAt }: Pick<Opened, 'author' | 'at'>): void {
    const { rows, team } = this.#parts;
    const key = syncKeys.seen(author);
    const at = this.#past(sealedAt);
    if (author !== team.machine && at >= (rows.get<number>(key) ?? 0) + SEEN_MS) rows.set(key, at);
  }

  /** The clock of another machine may be ahead. */
  #past(at: number): number {
    return Math.min(at, this.#parts.home.now());
  }

  /** Events of other machines. */
  #foreign(page: readonly StoredMessage[]): readonly StoredMessage[] {
    const own = this.#names.origin(this.#parts.home.log.origin);
    return page.filter(({ kind, origin }) => kind === 'event' && origin !== own);
  }

  #openForeign(page: readonly StoredMessage[]): Promise<readonly Opening[]> {
    return this.#open(this.#foreign(page));
  }

  async #open(messages: readonly Sealed[]): Promise<readonly Opening[]> {
    const { team } = this.#parts;
    const parts = [...batchesOf(messages)].map((batch) => team.openEvents(batch.map(({ bytes }) => bytes)));
    return (await Promise.all(parts)).flat();
  }

  /** Without those that are kept for later or refused. */
  async #checked(
    messages: readonly Sealed[],
    opened: readonly Opening[],
    incarnation: string,
  ): Promise<readonly TakenEvent[]> {
    const taken: TakenEvent[] = [];
    for (const [index, message] of messages.entries()) {
      const checked = await this.#checkedOne(opened[index]!, message, incarnation);
      if (checked !== null) taken.push({ project: checked.project, event: checked.event, message });
    }
    return taken;
  }

  async #checkedOne(opened: Opening, message: Sealed, incarnation: string): Promise<OpenedEvent | null> {
    const { id, project } = message;
    if (opened === null) return this.#keep(message, incarnation);
    if ('refused' in opened)
      // All messages of the team come here.
      return opened.refused === 'hidden' ? null : this.#refuse(message, opened.reason);
    this.#see(opened);
    if (project !== this.#names.project(opened.project) || id !== opened.name)
      return this.#refuse(message, 'it was sent under the name of another one');
    if (isOwnMatter(opened.event.header))
      return this.#refuse(message, 'it is of a type that each machine keeps to itself');
    if (await this.#isClaimed(opened.event))
      return this.#refuse(message, 'it says that this machine wrote it, which is not true');
    return opened;
  }

  /** For when its key arrives. A machine that was not admitted yet can open nothing of what may be a long history. */
  #keep({ id, project, position, bytes }: Sealed, incarnation: string): null {
    const { rows } = this.#parts;
    const row: UnopenedRow = { id, project, bytes: Buffer.from(bytes).toString('base64') };
    this.#kept += row.bytes.length;
    if (this.#kept <= KEPT_CHARS_MAX) rows.set(syncKeys.unopened(position), row);
    else if (rows.get<SharedPosition>(syncKeys.unkept)?.incarnation !== incarnation)
      rows.set(syncKeys.unkept, { incarnation, position: position - 1 } satisfies SharedPosition);
    return null;
  }

  /**
   * Whether an event names this machine as its origin, and this machine does not know it. What it wrote before its log was
   * restored it may not know, but where its folders belong it sees itself.
   */
  async #isClaimed({ header: { id, origin, type } }: EventContent): Promise<boolean> {
    const { log } = this.#parts.home;
    const couldBeLost = origin !== log.origin && type !== 'workdir.seen' && type !== 'project.linked';
    if (!isOwnEvent({ origin }, log) || couldBeLost) return false;
    return log.forgotten(id) === undefined && (await log.get(id)) === undefined;
  }

  #refuse({ id, position, ...rest }: Sealed & { readonly origin?: string }, reason: string): null {
    const row: RefusedRow = { id, origin: rest.origin ?? '', reason };
    this.#parts.rows.set(syncKeys.refused(position), row);
    return null;
  }

  /** Tries again what could not be opened. */
  async #openKept(incarnation: string, storing: Storing): Promise<void> {
    const { rows } = this.#parts;
    const kept: Sealed[] = [];
    for (const [key, { id, project, bytes }] of rows.startingWith<UnopenedRow>(UNOPENED)) {
      rows.set(key, null);
      const position = Number(key.slice(UNOPENED.length));
      kept.push({ id, project, position, bytes: Buffer.from(bytes, 'base64') });
    }
    this.#kept = 0;
    await this.#store(await this.#checked(kept, await this.#open(kept), incarnation), storing);
  }

  /** Events are stored while the next ones are taken; forgettings when everything before them is there. */
  async #store(opened: readonly TakenEvent[], storing: Storing): Promise<void> {
    const before = new Map<string, TakenEvent>();
    for (const one of opened) {
      const { id } = one.event.header;
      await this.#note(one, before.get(id), storing);
      if (!before.has(id)) before.set(id, one);
    }
    const forgettings = new ForgettingsIn(opened, {
      ...{ ...this.#parts, names: this.#names, placement: this.#placement },
      refuse: (message, reason) => void this.#refuse(message, reason),
    });
    if (forgettings.count === 0) return storing.add(this.#import(opened, storing.events));
    // What is forgotten in its own project arrives forgotten. Everything else must be here before, to be told apart.
    const [named, others]: [TakenEvent[], TakenEvent[]] = [[], []];
    for (const one of opened)
      if (one.event.header.type !== FORGETTING) (forgettings.concern(one) ? named : others).push(one);
    storing.add(this.#import(others, storing.events));
    await storing.appended();
    storing.add(forgettings.apply());
    await storing.appended();
    storing.add(this.#import(named, storing.events));
  }

  /** @param stored takes the new ones */
  async #import(opened: readonly TakenEvent[], stored: LoggedEvent[]): Promise<number> {
    if (opened.length === 0) return 0;
    const { events, outcomes } = await (await this.#forgetting).take(
      opened.map(({ event }) => event),
      { cursors: [INCOMPLETE] },
    );
    const appended = new Set<string>();
    for (const [index, { outcome, position, id }] of outcomes.entries()) {
      if (outcome !== 'appended') continue;
      appended.add(id);
      stored.push({ ...events[index]!, position });
    }
    await this.#noteOwn(opened.filter(({ event }) => !appended.has(event.header.id)));
    return appended.size;
  }

  /** Events of this machine that another one counts to a project, by itself: then this one counts them to it too. */
  async #noteOwn(opened: readonly TakenEvent[]): Promise<void> {
    const { home, projects } = this.#parts;
    const { log } = home;
    const known = await log.getMany(opened.map(({ event }) => event.header.id));
    for (const [index, own] of known.entries()) {
      if (own === undefined || !isOwnEvent(own, log)) continue;
      const { project } = opened[index]!;
      const since = projects.find(({ key }) => key === project)?.since ?? Number.POSITIVE_INFINITY;
      const isPlaced =
        own.position > since &&
        this.#placement.projectsOfOwn(own, own.body as Readonly<Record<string, unknown>>).includes(project);
      if (!isPlaced) await this.#addPlace(await this.#stored(own), opened[index]!.event, project);
    }
  }

  /**
   * Notes under which project an event came.
   * @param before the first one in the same page with its id, which is stored if the log has none
   */
  async #note(
    { event, project }: TakenEvent,
    before: TakenEvent | undefined,
    storing: Storing,
  ): Promise<void> {
    const { log } = this.#parts.home;
    const { header } = event;
    const isHere = async () => {
      const { agent, session } = header;
      return session !== null && (await log.pageBySession({ agent, session, limit: 1 })).events.length > 0;
    };
    if (header.type === FORGETTING || (await this.#placement.noteOfSession(header, project, isHere))) return;
    await storing.appended();
    const stored = await log.get(header.id);
    if (stored !== undefined) {
      if (!isOwnEvent(stored, log)) await this.#addPlace(await this.#stored(stored), event, project);
      return;
    }
    if (log.forgotten(header.id) !== undefined) return;
    if (before !== undefined) {
      if (!hasSameText(before.event, event)) return;
      this.#placement.noteArrival(header, before.project);
    }
    this.#placement.noteArrival(header, project);
  }

  /** Who sends an event of this log under another project must have its text: else anybody who knows its id would be given it. */
  async #addPlace(stored: LoggedEvent, event: EventContent, project: string): Promise<void> {
    if (!hasSameText(stored, event)) return;
    const { rows, home } = this.#parts;
    let isNew = this.#placement.addPlace(stored, project);
    const key = syncKeys.sentByOthers(stored.header.id);
    const others = rows.get<readonly string[]>(key) ?? [];
    if (isOwnEvent(stored.header, home.log) && !others.includes(project)) {
      rows.set(key, [...others, project]);
      isNew = true;
    }
    if (isNew) rows.set(syncKeys.heldUpTo, null);
  }

  async #stored({ position }: { readonly position: number }): Promise<LoggedEvent> {
    return (await this.#parts.home.log.exportPage({ after: position - 1, limit: 1 })).events[0]!;
  }
}

/** What is being written. */
class Storing {
  /** New events of this log, without forgettings. */
  readonly events: LoggedEvent[] = [];
  readonly #writing: Promise<number>[] = [];

  /** @param appended how many events were new */
  add(appended: Promise<number>): void {
    // It is awaited below.
    appended.catch(() => undefined);
    this.#writing.push(appended);
  }

  /** When all of it is on disk: how many events were new. @throws what writing one of them threw */
  async appended(): Promise<number> {
    return (await Promise.all(this.#writing)).reduce((sum, count) => sum + count, 0);
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }
}

const KEPT_CHARS_MAX = 1024 * 1024;
/** Before how far the shared log was read is written. */
const PAGES_TOGETHER = 4;
const UNOPENED = syncKeys.prefixes.unopened;
