// Machines find out what others lack, and send it again. A machine whose set of a project has changed says what it holds, when
// nothing more comes; who holds the same is silent from then on. Who holds something else lists what it has of the part that
// differs, and a machine that has more sends that again. So nothing that is lost on the way stays lost while one machine has it.
//
// Forgettings come first: events are compared only by machines that have the same ones, so that nobody gives back what
// another one has forgotten.
import { isAnnalsError } from '../../../log/index.ts';
import type { StoredMessage } from '../log/shared-log.ts';
import { type SharedPosition, syncKeys } from '../rows/sync-rows.ts';
import { confirm, toConfirm } from './confirmations.ts';
import { differentParts, HeldSet, partOf } from './held-set.ts';
import { nextNumber, noteOwnStatement, noteSpoken } from './own-statements.ts';
import { RECORDS } from './sealed-sender.ts';
import { type Mine, type Received, SendAgain, type SendAgainParts } from './send-again.ts';
import {
  hasSameDigests,
  LISTED_MAX,
  readStatement,
  type Statement,
  shortId,
  statementBytes,
} from './statement.ts';
import { WireNames } from './team.ts';
import { TRIES_MAX, Tries } from './tries.ts';

/** Statements that wait, the newest; a member that floods drives out only older ones. */
const STATEMENTS_MAX = 200;
/** Events of a project whose ids are kept while this machine answers; of more the log is read for each list. */
const IDS_MAX = 100_000;

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

export class Repair {
  readonly #parts: SendAgainParts;
  readonly #names: WireNames;
  readonly #tries = new Tries();
  readonly #again: SendAgain;
  #statements: Received[] = [];
  /** When something came, by `performance.now()`, and the name of its project. */
  readonly #cameAt = new Map<string, number>();
  #hasLeft = false;
  /** Names of projects with statements that could not be opened. */
  readonly #missed = new Set<string>();
  #isRecounted = false;
  /** By project, with this connection. */
  readonly #said = new Map<string, string>();

  constructor(parts: SendAgainParts) {
    this.#parts = parts;
    this.#names = new WireNames(parts.team);
    this.#again = new SendAgain(parts);
  }

  /** A message that is not a statement. */
  came({ position, id, project }: Pick<StoredMessage, 'position' | 'id' | 'project'>): void {
    this.#parts.rows.set(syncKeys.content(project), position);
    this.#cameAt.set(project, performance.now());
    // What was said before is about other sets. What somebody lacks may still be missing.
    this.#statements = this.#statements.filter(
      ({ name, statement }) => statement.list !== null || (name !== project && project !== RECORDS),
    );
    if (this.#statements.length > 0 && this.#again.came(id, position)) return;
    this.#statements = [];
    this.#again.forget();
  }

  /** A statement that cannot be opened: a key is missing, or its author is not known. @param name of the project, opaque */
  missed(name: string): void {
    this.#missed.add(name);
  }

  /** Messages from before `position` are read again: nothing that was received is true any more. */
  forget(): void {
    this.#statements = [];
    this.#again.forget();
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
    if (author === team.machine) noteOwnStatement(statement.number, plain, at, rows);
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
      await rows.write(log);
    });
  }

  async #speak(incarnation: string, quietMs: number): Promise<number> {
    const { rows, log } = this.#parts;
    const received = this.#statements;
    const learned = rows.get<number>(syncKeys.learned) ?? 0;
    if (!this.#isAllSent(learned, incarnation)) return 0;
    let sets = await this.#parts.holdings.events(learned);
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
        sets = await this.#parts.holdings.events(learned);
        mine = this.#mine(project, sets, records);
      }
      sent += await this.#speakOf(project, mine, incarnation);
    }
    this.#statements = this.#statements.filter(({ project }) => left.has(project));
    if (this.#statements.length === 0) this.#again.forget();
    this.#missed.clear();
    this.#again.answered();
    this.#hasLeft = left.size > 0;
    await rows.write(log);
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
    const forgettings = this.#parts.holdings.forgettings(project);
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
      const read = rows.get<SharedPosition>(syncKeys.inbox);
      // A log that was made again may have nothing to read yet.
      const at = read?.incarnation === incarnation ? read.position : 0;
      const parts = mine.events.parts(mine.events.partsCount);
      const number = nextNumber(rows);
      const plain = statementBytes({ number, at, ...mine.digests, parts, forgotten, list });
      noteSpoken(plain, rows);
      await rows.write(this.#parts.log);
      await sender.sendStatement(project, plain);
      this.#said.set(project, digests);
    }
    const said: SaidRow = { incarnation, digests, isShared, times: isDue ? times + 1 : times };
    if (JSON.stringify(said) !== JSON.stringify(before)) rows.set(syncKeys.said(project), said);
    return Number(isDue && !isEmpty) + (await this.#again.send(project, received, mine));
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
      if (this.#tries.isSpent(JSON.stringify(difference))) continue;
      return list;
    }
    return null;
  }

  async #list(project: string, theirs: Statement, mine: Mine): Promise<NonNullable<Statement['list']>> {
    const differ = (what: 'records' | 'forgettings' | 'events') => theirs[what] !== mine.digests[what];
    const records = differ('records') ? recordsIn(mine) : null;
    const forgettings = differ('forgettings') ? mine.forgettings.map(({ id }) => shortId(id)) : null;
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
      parts[part] = ids.map(shortId);
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
      for await (const { header } of this.#parts.holdings.all(project)) ids.push(header.id);
    if (ids.length > 0) for (const id of ids) found.get(partOf(id, count))?.push(id);
    else
      for await (const { header } of this.#parts.holdings.all(project))
        found.get(partOf(header.id, count))?.push(header.id);
    return found;
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
}

const NO_LIST = { records: null, forgettings: null, events: null };

function recordsIn({ records }: Mine): string[] {
  return [...records.keys()].map(shortId).slice(0, LISTED_MAX);
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
