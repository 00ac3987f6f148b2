// Machines find out what others lack, and send it again. A machine whose set of a project has changed says what it holds, when
// nothing more comes; who holds the same is silent from then on. Who holds something else lists what it has of the part that
// differs, and a machine that has more sends that again. So nothing that is lost on the way stays lost while one machine has it.
//
// Forgettings come first: events are compared only by machines that have the same ones, so that nobody gives back what
// another one has forgotten.
import { type ExportedEvent, isAnnalsError, isOwnEvent, type Log } from '../../../log/index.ts';
import type { StoredMessage } from '../log/shared-log.ts';
import { confirm, toConfirm } from './confirmations.ts';
import { partsOfForgetting } from './forgetting-parts.ts';
import { differentParts, HeldSet, partOf } from './held-set.ts';
import { Holdings } from './holdings.ts';
import { type LookAtFolder, Placement, type SharedProject } from './placement.ts';
import { RECORDS, type SealedSender, type Sendable } from './sealed-sender.ts';
import {
  hasSameDigests,
  LISTED_MAX,
  readStatement,
  SHORT_ID_DIGITS,
  type Statement,
  statementBytes,
} from './statement.ts';
import { type ForgettingRow, type Rows, type SharedPosition, syncKeys } from './sync-rows.ts';
import { type SyncTeam, WireNames } from './team.ts';
import { EVENT_BYTES_MAX, wireText } from './wire-event.ts';

/** Events that are sent again at a time; what is left differs still, and comes with the next round. */
const AGAIN_MAX = 1_000;
const AGAIN_BYTES_MAX = 8 * 1024 * 1024;
/** How often one process answers the same difference, sends the same event again, and says the same without an answer. */
const TRIES_MAX = 3;
/** Statements that wait, the newest; a member that floods drives out only older ones. */
const STATEMENTS_MAX = 200;
/** Events of a project whose ids are kept while this machine answers; of more the log is read for each list. */
const IDS_MAX = 100_000;
/** Names of events that are remembered because they came after a list. */
const CAME_MAX = 20_000;

export interface RepairParts {
  readonly log: Log;
  readonly rows: Rows;
  readonly team: SyncTeam;
  readonly sender: SealedSender;
  readonly projects: readonly SharedProject[];
  readonly lookAt: LookAtFolder;
}

interface Received {
  readonly project: string;
  /** Of the project, opaque. */
  readonly name: string;
  readonly author: string;
  readonly position: number;
  readonly id: string;
  readonly statement: Statement;
}

/** What this machine said last of a project. */
interface SaidRow {
  readonly incarnation: string;
  readonly digests: string;
  /** Another machine said the same. */
  readonly isShared: boolean;
  readonly times: number;
}

interface Records {
  readonly byId: ReadonlyMap<string, Uint8Array>;
  readonly digest: string;
}

/** Events that a machine has, in the parts where it differs: what else is there, it lacks. */
interface AskedFor {
  readonly count: number;
  readonly known: ReadonlyMap<number, ReadonlySet<string>>;
  readonly position: number;
  readonly again: string;
}

interface Mine {
  readonly digests: Pick<Statement, 'records' | 'forgettings' | 'events'>;
  readonly records: ReadonlyMap<string, Uint8Array>;
  readonly forgettings: readonly ForgettingRow[];
  readonly events: HeldSet;
  /** Of the events, once they were read: many machines may list theirs at once. */
  readonly ids: string[];
}

export class Repair {
  readonly #parts: RepairParts;
  readonly #names: WireNames;
  readonly #holdings: Holdings;
  readonly #tries = new Map<string, number>();
  #statements: Received[] = [];
  /** Ids of what was sent again since it was asked for. */
  readonly #sentNow = new Set<string>();
  /** Names of events that came after the first list in `#statements`. */
  readonly #came = new Map<string, number>();
  /** When something came, by `performance.now()`, and the name of its project. */
  readonly #cameAt = new Map<string, number>();
  #hasLeft = false;
  /** Names of projects with statements that could not be opened. */
  readonly #missed = new Set<string>();
  #isRecounted = false;
  /** By project, with this connection. */
  readonly #said = new Map<string, string>();

  constructor(parts: RepairParts) {
    this.#parts = parts;
    this.#names = new WireNames(parts.team);
    this.#holdings = new Holdings(parts);
  }

  /** A message that is not a statement. */
  came({ position, id, project }: Pick<StoredMessage, 'position' | 'id' | 'project'>): void {
    this.#parts.rows.set(syncKeys.content(project), position);
    this.#cameAt.set(project, performance.now());
    // What was said before is about other sets. What somebody lacks may still be missing.
    this.#statements = this.#statements.filter(
      ({ name, statement }) => statement.list !== null || (name !== project && project !== RECORDS),
    );
    if (this.#statements.length === 0) this.#came.clear();
    else this.#came.set(id, position);
    if (this.#came.size <= CAME_MAX) return;
    this.#statements = [];
    this.#came.clear();
  }

  /** A statement that cannot be opened: a key is missing, or its author is not known. @param name of the project, opaque */
  missed(name: string): void {
    this.#missed.add(name);
  }

  /** Messages from before `position` are read again: nothing that was received is true any more. */
  forget(): void {
    this.#statements = [];
    this.#came.clear();
    const { rows } = this.#parts;
    for (const [key] of rows.startingWith(syncKeys.prefixes.content)) rows.set(key, null);
  }

  take(
    { position, id, project: name }: Pick<StoredMessage, 'position' | 'id' | 'project'>,
    { project, author, at, plain }: { project: string; author: string; at: number; plain: Uint8Array },
    incarnation: string,
  ): void {
    const { rows, team } = this.#parts;
    const statement = readStatement(plain);
    if (statement === null) return;
    confirm(statement.forgotten, { project, author, at, incarnation, isOwn: author === team.machine }, rows);
    // What its author could not know of when it spoke makes its sets differ rightly.
    const content = Math.max(...[name, RECORDS].map((one) => rows.get<number>(syncKeys.content(one)) ?? 0));
    const isCurrent = content <= statement.at && statement.at < position;
    if (author === team.machine || !isCurrent) return;
    // The last one of each machine counts.
    const others = this.#statements.filter((one) => one.author !== author || one.project !== project);
    this.#statements = [...others, { project, name, author, position, id, statement }].slice(-STATEMENTS_MAX);
  }

  /** Whether something was left to say because it was not quiet. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /**
   * Says what there is to say. To be called when everything was read and sent. Returns how many messages it sent.
   * @param quietMs says nothing about a project that received something within this time
   */
  async speak(incarnation: string, quietMs = 0): Promise<number> {
    try {
      const sent = await this.#parts.rows.exclusive(() => this.#speak(incarnation, quietMs));
      if (sent > 0) await this.#noteSilent(null);
      return sent;
    } catch (error) {
      if (!isAnnalsError(error) || error.code !== 'SHARED_LOG_REFUSED') throw error;
      await this.#noteSilent(error.message);
      return 0;
    }
  }

  /** A login that may not publish statements keeps nothing else from being exchanged. */
  async #noteSilent(reason: string | null): Promise<void> {
    const { rows, log } = this.#parts;
    if (rows.get(syncKeys.silent) === reason) return;
    await rows.exclusive(async () => {
      rows.set(syncKeys.silent, reason);
      await rows.write((cursors) => log.append([], { cursors }));
    });
  }

  async #speak(incarnation: string, quietMs: number): Promise<number> {
    const { rows, log } = this.#parts;
    const received = this.#statements;
    const learned = rows.get<number>(syncKeys.learned) ?? 0;
    if (!this.#isAllSent(learned, incarnation)) return 0;
    let sets = await this.#holdings.events(learned);
    const projects = new Set([
      ...[...this.#parts.projects.map(({ key }) => key), ...sets.keys()],
      ...received.map(({ project }) => project),
    ]);
    let sent = 0;
    const left = new Set<string>();
    const records = this.#records();
    for (const project of projects) {
      const name = this.#names.project(project);
      if (performance.now() - (this.#cameAt.get(name) ?? Number.NEGATIVE_INFINITY) < quietMs) {
        left.add(project);
        continue;
      }
      this.#cameAt.delete(name);
      if (this.#parts.team.cannotWrite(project) !== null) {
        this.#readAgain(project, received, this.#mine(project, sets, records));
        continue;
      }
      let mine = this.#mine(project, sets, records);
      const differs = received.some(
        (one) => one.project === project && !hasSameDigests(one.statement, mine.digests),
      );
      if (differs && !this.#isRecounted) {
        this.#isRecounted = true;
        rows.set(syncKeys.heldUpTo, null);
        sets = await this.#holdings.events(learned);
        mine = this.#mine(project, sets, records);
      }
      sent += await this.#speakOf(project, mine, incarnation);
    }
    this.#statements = this.#statements.filter(({ project }) => left.has(project));
    if (this.#statements.length === 0) this.#came.clear();
    this.#missed.clear();
    this.#sentNow.clear();
    this.#hasLeft = left.size > 0;
    await rows.write((cursors) => log.append([], { cursors }));
    return sent;
  }

  #isAllSent(learned: number, incarnation: string): boolean {
    const { log, rows, projects, team } = this.#parts;
    if (learned !== log.head().position) return false;
    return projects.every(({ key, since }) => {
      const sent = rows.get<SharedPosition>(syncKeys.sent(key));
      const upTo = sent?.incarnation === incarnation ? sent.position : 0;
      return team.cannotWrite(key) !== null || Math.max(upTo, since) >= learned;
    });
  }

  #records(): Records {
    const byId = new Map(this.#parts.team.all().map(({ id, bytes }) => [id, bytes] as const));
    return { byId, digest: HeldSet.of(byId.keys()).digest };
  }

  #mine(project: string, sets: ReadonlyMap<string, HeldSet>, { byId: records, digest }: Records): Mine {
    const forgettings = this.#holdings.forgettings(project);
    const events = sets.get(project) ?? new HeldSet();
    const digests = {
      records: digest,
      forgettings: HeldSet.of(forgettings.map(({ id }) => id)).digest,
      events: events.digest,
    };
    return { digests, records, forgettings, events, ids: [] };
  }

  async #speakOf(project: string, mine: Mine, incarnation: string): Promise<number> {
    const { rows, sender } = this.#parts;
    const received = this.#statements.filter((one) => one.project === project);
    // A machine that lacks a key may be unable to read what others say of it, so it lists the records that it has.
    const lacksKey = this.#lacksKey(project);
    const digests = JSON.stringify([...Object.values(mine.digests), lacksKey]);
    const before = rows.get<SaidRow>(syncKeys.said(project));
    const isSame = before?.digests === digests && before.incarnation === incarnation;
    const isShared =
      (isSame && before.isShared) ||
      (!lacksKey && received.some(({ statement }) => hasSameDigests(statement, mine.digests)));
    const forgotten = toConfirm(mine.forgettings, incarnation);
    const differing = await this.#listFor(project, received, mine);
    const list = differing ?? (lacksKey ? { ...NO_LIST, records: recordsIn(mine) } : null);
    const times = isSame ? before.times : 0;
    const isNew = !isShared && times < TRIES_MAX && this.#said.get(project) !== digests;
    const isDue = differing !== null || forgotten.length > 0 || isNew;
    // Nothing was ever shared.
    const isEmpty = mine.events.count === 0 && mine.forgettings.length === 0 && received.length === 0;
    if (isDue && !isEmpty) {
      const at = rows.get<SharedPosition>(syncKeys.inbox)?.position ?? 0;
      const parts = mine.events.parts(mine.events.partsCount);
      const plain = statementBytes({ at, ...mine.digests, parts, forgotten, list });
      await sender.send([{ project, plain, event: null }]);
      this.#said.set(project, digests);
    }
    const said: SaidRow = { incarnation, digests, isShared, times: isDue ? times + 1 : times };
    if (JSON.stringify(said) !== JSON.stringify(before)) rows.set(syncKeys.said(project), said);
    return Number(isDue && !isEmpty) + (await this.#sendAgain(project, received, mine));
  }

  #lacksKey(project: string): boolean {
    const name = this.#names.project(project);
    const rows = this.#parts.rows.startingWith<{ readonly project: string }>(syncKeys.prefixes.unopened);
    return this.#missed.has(name) || rows.some(([, row]) => row.project === name);
  }

  /** What this machine has of what differs; null if nobody needs it, or another machine with the same set said it. */
  async #listFor(project: string, received: readonly Received[], mine: Mine): Promise<Statement['list']> {
    for (const { statement, position } of received.toReversed()) {
      if (hasSameDigests(statement, mine.digests)) continue;
      const isAnswered = received.some(
        (later) =>
          later.position > position &&
          later.statement.list !== null &&
          hasSameDigests(later.statement, mine.digests),
      );
      if (isAnswered) continue;
      const theirs = statement.list;
      const list = await this.#list(project, statement, mine);
      if (theirs !== null && !lacks(list, theirs)) continue;
      const { records, forgettings, events } = statement;
      const difference = [project, mine.digests, records, forgettings, events, theirs !== null];
      if (this.#isTried(JSON.stringify(difference))) continue;
      return list;
    }
    return null;
  }

  async #list(project: string, theirs: Statement, mine: Mine): Promise<NonNullable<Statement['list']>> {
    const differ = (what: 'records' | 'forgettings' | 'events') => theirs[what] !== mine.digests[what];
    const records = differ('records') ? recordsIn(mine) : null;
    const forgettings = differ('forgettings') ? mine.forgettings.map(({ id }) => short(id)) : null;
    const list = { records, forgettings: forgettings?.slice(0, LISTED_MAX) ?? null };
    let left = LISTED_MAX - (records?.length ?? 0);
    if (forgettings !== null || !differ('events')) return { ...list, events: null };
    const count = Buffer.from(theirs.parts, 'base64').length / 6;
    const wanted = theirs.list?.events
      ? Object.keys(theirs.list.events.parts).map(Number)
      : (differentParts(mine.events.parts(count), theirs.parts) ?? []);
    const all = await this.#idsIn(project, count, new Set(wanted), mine);
    const parts: Record<string, string[]> = {};
    for (const [part, ids] of all) {
      left -= ids.length;
      if (left < 0) break;
      parts[part] = ids.map(short);
    }
    return { ...list, events: { count, parts } };
  }

  async #idsIn(
    project: string,
    count: number,
    wanted: ReadonlySet<number>,
    { events, ids }: Mine,
  ): Promise<ReadonlyMap<number, string[]>> {
    const found = new Map<number, string[]>([...wanted].map((part) => [part, []]));
    if (events.count <= IDS_MAX && ids.length === 0)
      for await (const { header } of this.#holdings.all(project)) ids.push(header.id);
    if (ids.length > 0) for (const id of ids) found.get(partOf(id, count))?.push(id);
    else
      for await (const { header } of this.#holdings.all(project))
        found.get(partOf(header.id, count))?.push(header.id);
    return found;
  }

  async #sendAgain(project: string, received: readonly Received[], mine: Mine): Promise<number> {
    let sent = 0;
    const asked: AskedFor[] = [];
    for (const one of received) {
      const { list, events, forgettings } = one.statement;
      if (list === null) continue;
      const again = one.id.slice(0, SHORT_ID_DIGITS);
      sent += await this.#sendRecords(list.records, mine, again);
      sent += await this.#sendForgettings(project, list.forgettings, mine, again);
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
      if (known.size > 0) asked.push({ count, known, position: one.position, again });
    }
    return asked.length === 0 ? sent : sent + (await this.#sendEvents(project, asked));
  }

  async #sendRecords(theirs: readonly string[] | null, mine: Mine, again: string): Promise<number> {
    if (theirs === null) return 0;
    const known = new Set(theirs);
    const records = [...mine.records]
      .map(([id, bytes]) => ({ id, bytes }))
      .filter(({ id }) => !known.has(short(id)) && !this.#isSent(id));
    await this.#parts.sender.sendRecords(records.slice(0, AGAIN_MAX), again);
    return records.length;
  }

  async #sendForgettings(
    project: string,
    theirs: readonly string[] | null,
    mine: Mine,
    again: string,
  ): Promise<number> {
    if (theirs === null) return 0;
    const known = new Set(theirs);
    const items: Sendable[] = [];
    for (const row of mine.forgettings) {
      if (known.has(short(row.id)) || row.event === null || this.#isSent(row.id)) continue;
      const event = await this.#forgetting(row);
      if (event !== null) items.push({ project, plain: wireText(event), event: row.id, again });
    }
    return (await this.#parts.sender.send(items.slice(0, AGAIN_MAX))).length;
  }

  /** As it was sent: it may be a part of an event of this log. */
  async #forgetting({ id, event, project }: ForgettingRow): Promise<ExportedEvent | null> {
    const { log, rows, projects, lookAt } = this.#parts;
    const stored = event === null ? undefined : await log.get(event);
    if (stored === undefined) return null;
    const [found] = (await log.exportPage({ after: stored.position - 1, limit: 1 })).events;
    if (found === undefined || found.header.id === id) return found ?? null;
    const parts = partsOfForgetting(found, new Placement(rows, projects, lookAt));
    return parts.find((part) => part.project === project && part.event.header.id === id)?.event ?? null;
  }

  /** Reads the log once for all that ask. */
  async #sendEvents(project: string, asked: readonly AskedFor[]): Promise<number> {
    const { rows, log, sender } = this.#parts;
    const items: Sendable[] = [];
    let bytes = 0;
    for await (const event of this.#holdings.all(project)) {
      const { id, origin } = event.header;
      if (event.body.salt === null) continue;
      const cameAt = this.#came.get(this.#names.event(project, id)) ?? 0;
      const lacking = asked.find(
        ({ count, known, position }) =>
          cameAt <= position && known.get(partOf(id, count))?.has(short(id)) === false,
      );
      if (lacking === undefined || this.#isSent(id)) continue;
      const plain = wireText(event);
      if (plain.length > EVENT_BYTES_MAX) continue;
      items.push({ project, plain, event: id, again: lacking.again });
      if (!isOwnEvent({ origin }, log)) rows.set(syncKeys.resent(id), true);
      bytes += plain.length;
      if (items.length === AGAIN_MAX || bytes > AGAIN_BYTES_MAX) break;
    }
    return (await sender.send(items)).length;
  }

  /** A machine that only reads cannot ask: it reads the shared log once more. */
  #readAgain(project: string, received: readonly Received[], mine: Mine): void {
    const { rows } = this.#parts;
    for (const { project: about, statement } of received) {
      if (about !== project || hasSameDigests(statement, { ...mine.digests, records: statement.records }))
        continue;
      const digests = JSON.stringify([statement.forgettings, statement.events]);
      if (rows.get<SaidRow>(syncKeys.said(project))?.digests === digests) continue;
      rows.set(syncKeys.said(project), {
        incarnation: '',
        digests,
        isShared: false,
        times: 0,
      } satisfies SaidRow);
      rows.set(syncKeys.inbox, null);
      this.forget();
    }
  }

  /** Whether something was sent enough; counts it otherwise. Once now is enough for all that ask. */
  #isSent(id: string): boolean {
    if (this.#sentNow.has(id) || this.#isTried(id)) return true;
    this.#sentNow.add(id);
    return false;
  }

  #isTried(what: string): boolean {
    const times = this.#tries.get(what) ?? 0;
    if (this.#tries.size < 100_000) this.#tries.set(what, times + 1);
    return times >= TRIES_MAX;
  }
}

const NO_LIST = { records: null, forgettings: null, events: null };

function recordsIn({ records }: Mine): string[] {
  return [...records.keys()].map(short).slice(0, LISTED_MAX);
}

function short(id: string): string {
  return id.slice(0, SHORT_ID_DIGITS);
}

/** Whether the other list has something that this one has not. */
function lacks(mine: NonNullable<Statement['list']>, theirs: NonNullable<Statement['list']>): boolean {
  const more = (ours: readonly string[] | null | undefined, other: readonly string[] | null | undefined) => {
    const known = new Set(ours);
    return (other ?? []).some((id) => !known.has(id));
  };
  const parts = theirs.events?.count === mine.events?.count ? (theirs.events?.parts ?? {}) : {};
  return (
    (mine.records !== null && more(mine.records, theirs.records)) ||
    (mine.forgettings !== null && more(mine.forgettings, theirs.forgettings)) ||
    Object.entries(parts).some(
      ([part, ids]) => mine.events?.parts[part] !== undefined && more(mine.events.parts[part], ids),
    )
  );
}
