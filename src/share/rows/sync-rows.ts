// What sharing remembers, as cursors of the log: they are written in the batch of the events that they cover.
import { type CursorWrite, type Log, Mutex } from '../../../log/index.ts';
import type { CwdReport, Seen } from '../../../projections/index.ts';

const PREFIX = 'share:';

/** Events come in runs of one session. */
let lastSession = { agent: '', session: '' as string | null, key: '' };

function sessionKey(agent: string, session: string | null): string {
  if (lastSession.session !== session || lastSession.agent !== agent)
    lastSession = { agent, session, key: `${PREFIX}session:${JSON.stringify([agent, session])}` };
  return lastSession.key;
}

export const syncKeys = {
  all: PREFIX,
  /** Inbox: how far the shared log was read. */
  inbox: `${PREFIX}inbox`,
  /** Up to which position of this log it is known which folders and sessions belong to which project. */
  learned: `${PREFIX}learned up to`,
  /** How many forgettings there were: by it a write of these rows sees that one came first. Only a forgetting writes it. */
  taken: `${PREFIX}taken`,
  /** Outbox: up to which position of this log a project's events were sent. */
  sent: (project: string) => `${PREFIX}sent:${project}`,
  /** What events of this machine say of a folder or `project:<name>`. */
  workdir: (workdir: string) => `${PREFIX}workdir:${workdir}`,
  /** What events of other machines say of one. */
  elsewhere: (workdir: string) => `${PREFIX}elsewhere:${workdir}`,
  /** Position of the first event of a workdir that was not sent. */
  skipped: (workdir: string) => `${PREFIX}skipped:${workdir}`,
  session: sessionKey,
  /** The projects of an event, if it has not only that of its session. On disk before the event is sent. */
  single: (event: string) => `${PREFIX}single:${event}`,
  /** The projects under which another machine sent an event of this one, with its text. */
  sentByOthers: (event: string) => `${PREFIX}sent by others:${event}`,
  /** An event of a session that is not placed as its session is. */
  alone: (event: string) => `${PREFIX}alone:${event}`,
  /** A sealed message whose key is not known yet. */
  unopened: (position: number) => `${PREFIX}unopened:${String(position).padStart(16, '0')}`,
  /** The first message that could not be opened and was not kept, because many are: it is read again. */
  unkept: `${PREFIX}unkept`,
  /** A message that was refused. */
  refused: (position: number) => `${PREFIX}refused:${String(position).padStart(16, '0')}`,
  /** An event that cannot be sent. */
  unsent: (event: string) => `${PREFIX}unsent:${event}`,
  /** Position in the shared log of the last message of a project that was not a statement. Under its opaque name. */
  content: (project: string) => `${PREFIX}content:${project}`,
  /** Up to which position of this log the sets of held events are counted. */
  heldUpTo: `${PREFIX}held up to`,
  /** The events of a project that this machine holds, as a digest. */
  held: (project: string) => `${PREFIX}held:${project}`,
  /** What this machine said last of what it holds of a project. */
  said: (project: string) => `${PREFIX}said:${project}`,
  /** A forgetting of a project, sent or applied. */
  forgetting: (project: string, id: string) => `${PREFIX}forgetting:${JSON.stringify([project, id])}`,
  /** When a machine said that it applied a forgetting of this machine. */
  confirmed: (id: string, machine: string) => `${PREFIX}confirmed:${id}:${machine}`,
  /** When a machine sealed its last message, by its clock, but not after it was read. */
  seen: (machine: string) => `${PREFIX}seen:${machine}`,
  /** What this machine said last. */
  spoken: `${PREFIX}spoken`,
  /** When another home last spoke under the name of this machine, Unix ms. */
  copied: `${PREFIX}copied`,
  /** Why the server takes no statements of this machine. */
  silent: `${PREFIX}silent`,
  /** An event of another machine that this one sent again. */
  resent: (event: string) => `${PREFIX}resent:${event}`,
  prefixes: {
    content: `${PREFIX}content:`,
    workdir: `${PREFIX}workdir:`,
    elsewhere: `${PREFIX}elsewhere:`,
    skipped: `${PREFIX}skipped:`,
    session: `${PREFIX}session:`,
    held: `${PREFIX}held:`,
    forgetting: `${PREFIX}forgetting:`,
    confirmed: `${PREFIX}confirmed:`,
    unopened: `${PREFIX}unopened:`,
    refused: `${PREFIX}refused:`,
    unsent: `${PREFIX}unsent:`,
  },
} as const;

/** A place in the shared log. */
export interface SharedPosition {
  readonly incarnation: string;
  readonly position: number;
}

interface Dated {
  /** Unix ms. */
  readonly at: number | null;
  /** Of the event; empty for what was looked up on the disk. */
  readonly id: string;
}

export interface WorkdirRow {
  /** An event by which the views know it; null if it only is the folder of a session. */
  readonly by: string | null;
  readonly seen: (Dated & { readonly body: Seen }) | null;
  /** A person's link to another project, by its name or key. */
  readonly link: (Dated & { readonly project: string }) | null;
}

export interface SessionRow {
  /** By the events of this machine. */
  readonly folder: CwdReport | null;
  /** Position of its first event that came before its folder was known, and was not sent. */
  readonly skipped: number | null;
  /** Under which its events were sent, or came, unless they have a row of their own. */
  readonly project: string | null;
  /** The first and the last position of its events of this machine that may have been sent under `project`. */
  readonly sent: { readonly from: number; readonly upTo: number } | null;
}

/** A forgetting that this machine sent or applied. */
export interface ForgettingRow {
  readonly project: string;
  readonly id: string;
  /** The event of this log that it comes from; null if nothing of it was applied here. */
  readonly event: string | null;
  /** Whether this machine wrote it. */
  readonly own: boolean;
  /** False if it named events of other projects, which stay here. */
  readonly whole: boolean;
  /** The incarnation of the shared log in which this machine said that it applied it. */
  readonly said: string | null;
}

/** All rows in memory, and what of them is not on disk yet. */
export class Rows {
  readonly #values = new Map<string, unknown>();
  /** Keys by their kind, `share:<kind>:`: most rows are sessions. */
  readonly #kinds = new Map<string, Set<string>>();
  readonly #revisions = new Map<string, number>();
  /** What the log has of the changed ones. */
  readonly #before = new Map<string, unknown>();
  readonly #mutex = new Mutex();

  static async load(log: Pick<Log, 'cursors'>): Promise<Rows> {
    return new Rows(await log.cursors(PREFIX));
  }

  constructor(rows: readonly { readonly key: string; readonly value: unknown }[]) {
    for (const { key, value } of rows) this.#put(key, value);
  }

  /**
   * Runs work that changes rows and writes them, one piece at a time: nobody may write what another one has only planned.
   * What it has not written when it fails is taken back.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(async () => {
      try {
        return await work();
      } catch (error) {
        for (const [key, value] of this.#before) this.#put(key, value);
        this.#before.clear();
        throw error;
      }
    });
  }

  get<T>(key: string): T | null {
    return (this.#values.get(key) as T | undefined) ?? null;
  }

  /** null removes the row. */
  set(key: string, value: unknown): void {
    if (!this.#before.has(key)) this.#before.set(key, this.get(key));
    this.#put(key, value);
  }

  /** In the order of their keys. @param prefix of one kind, or of all rows */
  startingWith<T>(prefix: string): readonly (readonly [key: string, value: T])[] {
    const some = prefix === PREFIX ? this.#values.keys() : (this.#kinds.get(kindOf(prefix)) ?? []);
    const keys = [...some].filter((key) => key.startsWith(prefix)).sort();
    return keys.map((key) => [key, this.#values.get(key) as T]);
  }

  /** Another number after each change of a row of a kind. @param prefix of the kind */
  revision(prefix: string): number {
    return this.#revisions.get(prefix) ?? 0;
  }

  #put(key: string, value: unknown): void {
    const kind = kindOf(key);
    this.#revisions.set(kind, this.revision(kind) + 1);
    if (value === null) {
      this.#values.delete(key);
      this.#kinds.get(kind)?.delete(key);
      return;
    }
    this.#values.set(key, value);
    const keys = this.#kinds.get(kind) ?? new Set();
    this.#kinds.set(kind, keys.add(key));
  }

  /**
   * Writes what changed. False if there was a forgetting since they were read: then they are as the log has them, and of what
   * changed only what was not learned is written.
   */
  async write(log: Pick<Log, 'cursor' | 'cursors' | 'exclusively'>): Promise<boolean> {
    const isCurrent = await log.exclusively(async (writer) => {
      const isCurrent = ((await log.cursor(syncKeys.taken)) ?? null) === this.get(syncKeys.taken);
      if (!isCurrent) this.#takeOver(await log.cursors(PREFIX));
      await writer.append([], {
        cursors: [...this.#before.keys()].map((key) => ({ key, value: this.get(key) })),
      });
      return isCurrent;
    });
    this.#before.clear();
    return isCurrent;
  }

  #takeOver(rows: readonly Row[]): void {
    const kept = new Map(rows.map(({ key, value }) => [key, value]));
    for (const key of new Set([...this.#values.keys(), ...this.#before.keys(), ...kept.keys()])) {
      const changed = this.#before.has(key) && !isLearned(key);
      const row = kept.get(key) ?? null;
      if (!changed) {
        // Not even as removed: the key may name a folder that is forgotten.
        this.#before.delete(key);
        this.#put(key, row);
        continue;
      }
      this.#before.set(key, row);
      if (kindOf(key) === syncKeys.prefixes.session) {
        const { folder = null, skipped = null } = (row ?? {}) as Partial<SessionRow>;
        this.#put(key, { ...this.get<SessionRow>(key), folder, skipped });
      }
    }
  }
}

interface Row {
  readonly key: string;
  readonly value: unknown;
}

/** Whether a row can be learned from the log, or is about what may be in no row again. */
function isLearned(key: string): boolean {
  return LEARNED.has(key) || LEARNED.has(kindOf(key));
}

const LEARNED: ReadonlySet<string> = new Set([
  ...[syncKeys.learned, syncKeys.taken],
  ...[syncKeys.prefixes.workdir, syncKeys.prefixes.elsewhere, syncKeys.prefixes.skipped],
]);

/** What is forgotten. */
export interface Forgotten {
  /** Of events. */
  readonly ids: ReadonlySet<string>;
  holdsText(row: Row): boolean;
  /** Those of some workdirs that an event names which stays in the log. */
  named(workdirs: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * What a forgetting changes in the rows. If it takes what one of them was learned from, the last event that names a folder, or
 * text that one holds, sharing learns everything again. What was looked up on the disk and where something waits is kept of
 * folders that are named by what stays, because nothing else says it again. @param rows all
 */
export async function withoutForgotten(
  rows: readonly Row[],
  { ids, holdsText, named }: Forgotten,
): Promise<readonly CursorWrite[]> {
  const known = new Map(rows.map(({ key, value }) => [key, value]));
  const asked = new Set(rows.flatMap((row) => (isLearnedAgain(row) ? [] : (workdirOf(row.key) ?? []))));
  const staying = new Set(
    rows.flatMap((row) => (sourcesOf(row).some((id) => !ids.has(id)) ? (placeOf(row) ?? []) : [])),
  );
  for (const workdir of await named([...asked].filter((one) => !staying.has(one)))) staying.add(workdir);
  // Also if nothing else changes: an exchange may have learned from what is forgotten, and not written it yet.
  const taken = {
    key: syncKeys.taken,
    value: ((known.get(syncKeys.taken) as number | undefined) ?? 0) + 1,
  };
  const isTaken = (row: Row) =>
    holdsText(row) ||
    sourcesOf(row).some((id) => ids.has(id)) ||
    (!isLearnedAgain(row) && !staying.has(workdirOf(row.key) ?? ''));
  if (!rows.some(isTaken)) return [taken];
  const changed = rows.flatMap((row): CursorWrite[] => {
    const { key, value } = row;
    const isKept = staying.has(workdirOf(key) ?? '') && !holdsText(row);
    switch (kindOf(key)) {
      case syncKeys.prefixes.session: {
        const { folder, skipped, ...rest } = value as SessionRow;
        if (folder === null) return [];
        const waits = known.get(syncKeys.skipped(folder.cwd)) as number | undefined;
        return [
          { key, value: { ...rest, folder: null, skipped: skipped ?? waits ?? null } satisfies SessionRow },
        ];
      }
      case syncKeys.prefixes.workdir: {
        const { seen } = value as WorkdirRow;
        const looked: WorkdirRow = { by: null, seen, link: null };
        return [{ key, value: isKept && !isLearnedAgain(row) ? looked : null }];
      }
      case syncKeys.prefixes.elsewhere:
        return [{ key, value: null }];
      case syncKeys.prefixes.skipped:
        return isKept ? [] : [{ key, value: null }];
      default:
        return [];
    }
  });
  return [...changed, { key: syncKeys.learned, value: null }, taken];
}

/** Whether events say it all. */
function isLearnedAgain({ key, value }: Row): boolean {
  if (kindOf(key) === syncKeys.prefixes.workdir) {
    const { seen } = value as WorkdirRow;
    // Null: it was looked at, and was not there.
    return seen !== null && seen.id !== '';
  }
  return kindOf(key) !== syncKeys.prefixes.skipped;
}

/** Ids of events from which a row was learned. */
function sourcesOf({ key, value }: Row): readonly string[] {
  switch (kindOf(key)) {
    case syncKeys.prefixes.session: {
      const { folder } = value as SessionRow;
      return folder === null ? [] : [folder.event];
    }
    case syncKeys.prefixes.workdir:
    case syncKeys.prefixes.elsewhere: {
      const { by, seen, link } = value as WorkdirRow;
      return [by, seen?.id, link?.id].filter((id): id is string => typeof id === 'string' && id !== '');
    }
    default:
      return [];
  }
}

/** The workdir that a row was learned about. */
function placeOf({ key, value }: Row): string | null {
  return kindOf(key) === syncKeys.prefixes.session
    ? ((value as SessionRow).folder?.cwd ?? null)
    : workdirOf(key);
}

/** That a key names. */
function workdirOf(key: string): string | null {
  const kind = kindOf(key);
  return isLearned(kind) ? key.slice(kind.length) : null;
}

/** Up to the second colon. */
function kindOf(key: string): string {
  return key.slice(0, key.indexOf(':', PREFIX.length) + 1);
}
