// Which shared project an event of this machine belongs to: where the views have it, as far as this machine saw itself. What
// other machines say of folders is never asked, because the same path may be another repository there; that they know a
// project counts only for a name, or against it. What is not certain belongs to none.
import {
  type BodyOf,
  type EventData,
  type ExportedEvent,
  FORGETTING,
  isOwnEvent,
  type Log,
  readExported,
} from '../../../log/index.ts';
import {
  cwdReportOf,
  decidingCwd,
  foldedKey,
  importedWorkdir,
  isOlder,
  keysInRepository,
  namedWorkdir,
  placeWorkdirs,
  type Seen,
  savedWorkdir,
  unknownIdentity,
} from '../../../projections/index.ts';
import { type Rows, type SessionRow, syncKeys, type WorkdirRow } from '../rows/sync-rows.ts';

/** A project that this machine shares. */
export interface SharedProject {
  /** As the projects view names it; the same on every machine for a repository with a remote. */
  readonly key: string;
  /** For people. Names of projects change, so nothing is placed by it. */
  readonly name: string;
  /** Events of this log after this position are sent. */
  readonly since: number;
}

/** What this machine sees of a folder now; null when there is no such folder. */
export type LookAtFolder = (cwd: string) => Seen | null;

export interface PlacementParts {
  readonly log: Pick<Log, 'origin' | 'logId'>;
  readonly rows: Rows;
  readonly projects: readonly SharedProject[];
  readonly lookAt: LookAtFolder;
}

type Header = Pick<ExportedEvent['header'], 'type' | 'agent' | 'session'>;
/** Of this log. */
export interface PlacedEvent {
  readonly header: Header & Pick<ExportedEvent['header'], 'id' | 'origin'>;
  readonly position: number;
}
/** With its whole body. */
export type LoggedEvent = Pick<ExportedEvent, 'position' | 'header' | 'body'>;
type Body = Readonly<Record<string, unknown>>;

/** Whether an event is placed by what it is about: it has no session, or is about something in one (a pin, an edit). */
export function isPlacedAlone({ type, agent, session }: Header): boolean {
  return session === null || agent === 'annals' || type.startsWith('memory.') || type === 'import.memory';
}

/** What now belongs to a shared project and was skipped before: from this position on. */
export interface Found {
  readonly project: string;
  readonly from: number;
}

/** Whether an event is of a type that no machine sends. */
export function isOwnMatter({ type }: Pick<Header, 'type'>): boolean {
  return OWN_MATTER.has(type);
}

/** Types that stay on this machine. */
const OWN_MATTER: ReadonlySet<string> = new Set([
  'project.linked',
  'corpus.built',
  'corpus.deleted',
  'memory.proposed',
  'memory.confirmed',
]);

export class Placement {
  readonly #parts: PlacementParts;
  #places: Places | null = null;

  constructor(parts: PlacementParts) {
    this.#parts = parts;
  }

  /** Learns folders, names and sessions from events of any machine. */
  learn(events: readonly LoggedEvent[]): readonly Found[] {
    const before = this.#current();
    const moved: Moved[] = [];
    for (const event of events) {
      this.#learnWorkdir(event);
      this.#learnAlone(event);
      if (isOwnEvent(event.header, this.#parts.log)) moved.push(...this.#learnSession(event));
    }
    const after = this.#current();
    // Sessions first: what waits of them may wait under a folder that waits no longer.
    return [...moved.flatMap((one) => this.#foundOf(one, before, after)), ...this.#foundIn(before, after)];
  }

  /**
   * The shared project of an event, or none; several only of what takes back acts that were sent under several. What is none
   * now may be known later, so it is noted where it was.
   */
  projectsOf({ header, body, position }: LoggedEvent): readonly string[] {
    const { rows } = this.#parts;
    const { agent, session, type } = header;
    if (body.salt === null || OWN_MATTER.has(type)) return [];
    if (session !== null && !isPlacedAlone(header)) {
      const row = this.#session(agent, session);
      if (row.folder !== null) return this.#atOrSkip(row.folder.cwd, position);
      if (row.skipped === null)
        rows.set(syncKeys.session(agent, session), { ...row, skipped: position } satisfies SessionRow);
      return [];
    }
    const where = this.#ofWhat(type, JSON.parse(body.json) as Body);
    return where.workdir === null ? where.projects : this.#atOrSkip(where.workdir, position);
  }

  /** The same of an event of this machine, also of one that was forgotten: `body` is null then. Notes nothing. */
  projectsOfOwn(header: Header, body: Body | null): readonly string[] {
    const { type, agent, session } = header;
    if (OWN_MATTER.has(type)) return [];
    if (session === null || isPlacedAlone(header))
      return body === null ? [] : this.#ofWhat(type, body).projects;
    const { folder } = this.#session(agent, session);
    return folder === null ? [] : this.#at(folder.cwd);
  }

  /** As `projectsOfOwn`, for a forgetting: a session whose folder no event names any more is where it was sent. */
  projectsToForget(header: Header, body: Body): readonly string[] {
    const { agent, session } = header;
    if (session !== null && !isPlacedAlone(header)) {
      const { folder, project, sent } = this.#session(agent, session);
      if (folder === null) return project === null || sent === null ? [] : [project];
    }
    return this.projectsOfOwn(header, body);
  }

  /** The projects of an event that is named by a forgetting: where it was sent or came, or else where it would be sent. */
  knownProjectsOf(agent: string, session: string | null, event: string): readonly string[] {
    const { rows } = this.#parts;
    const single = rows.get<readonly string[]>(syncKeys.single(event));
    const isAlone = session === null || agent === 'annals' || rows.get(syncKeys.alone(event)) !== null;
    if (single !== null || isAlone) return single ?? [];
    const { folder, project } = this.#session(agent, session);
    if (project !== null) return [project];
    return folder === null ? [] : this.#at(folder.cwd);
  }

  /** Under which projects an event of this log may have been sent, or came. */
  placesOf({ header, position }: PlacedEvent): readonly string[] {
    const { rows, log } = this.#parts;
    const { id, agent, session } = header;
    const single = rows.get<readonly string[]>(syncKeys.single(id));
    if (single !== null || session === null || isPlacedAlone(header)) return single ?? [];
    const { project, sent } = this.#session(agent, session);
    const isThere =
      !isOwnEvent(header, log) || (sent !== null && sent.from <= position && position <= sent.upTo);
    return project !== null && isThere ? [project] : [];
  }

  /** Notes under which project an event of this machine leaves. Returns whether that must be on disk before it does. */
  noteLeaving(event: PlacedEvent, project: string): boolean {
    const { rows } = this.#parts;
    const { id, agent, session, type } = event.header;
    if (type === FORGETTING) return false;
    if (session !== null && !isPlacedAlone(event.header) && rows.get(syncKeys.single(id)) === null) {
      const row = this.#session(agent, session);
      if (row.project === null || row.project === project) {
        const { from, upTo } = row.sent ?? { from: event.position, upTo: 0 };
        if (event.position < from || event.position > upTo || row.project === null)
          rows.set(syncKeys.session(agent, session), {
            ...{ ...row, project },
            sent: { from: Math.min(from, event.position), upTo: Math.max(upTo, event.position) },
          } satisfies SessionRow);
        return row.project === null;
      }
    }
    return this.addPlace(event, project);
  }

  /**
   * Notes that an event of another machine came under the project of its session. False if it did not.
   * @param isHere whether the log has events of the session
   */
  async noteOfSession(
    header: PlacedEvent['header'],
    project: string,
    isHere: () => Promise<boolean>,
  ): Promise<boolean> {
    const { rows } = this.#parts;
    const { id, agent, session } = header;
    if (session === null || isPlacedAlone(header) || rows.get(syncKeys.single(id)) !== null) return false;
    const row = this.#session(agent, session);
    if (row.project !== null) return row.project === project;
    // Where a session belongs that came by no message is not for others to say.
    const isElsewhere = row.folder === null ? await isHere() : !this.#at(row.folder.cwd).includes(project);
    if (isElsewhere) return false;
    rows.set(syncKeys.session(agent, session), { ...row, project } satisfies SessionRow);
    return true;
  }

  /** Notes the project of an event that is not in the log yet, and not in that of its session. */
  noteArrival({ id }: Pick<PlacedEvent['header'], 'id'>, project: string): void {
    const { rows } = this.#parts;
    const known = rows.get<readonly string[]>(syncKeys.single(id)) ?? [];
    if (!known.includes(project)) rows.set(syncKeys.single(id), [...known, project]);
  }

  /** Notes a further project of an event of the log. Returns whether it was not known. */
  addPlace(event: PlacedEvent, project: string): boolean {
    const places = this.placesOf(event);
    if (places.includes(project)) return false;
    this.#parts.rows.set(syncKeys.single(event.header.id), [...places, project]);
    return true;
  }

  /** Of an event that did not leave. */
  removePlace(id: string, project: string): void {
    const { rows } = this.#parts;
    const left = rows.get<readonly string[]>(syncKeys.single(id))?.filter((one) => one !== project) ?? [];
    rows.set(syncKeys.single(id), left.length === 0 ? null : left);
  }

  #learnWorkdir({ header, body, position }: LoggedEvent): void {
    const { rows, log } = this.#parts;
    if (body.salt === null || !NAMING.has(header.type)) return;
    const event = readExported(header, body.json, position);
    const workdir = event.type === 'unknown' ? null : namedWorkdir(event);
    if (event.type === 'unknown' || workdir === null) return;
    const key = isOwnEvent(header, log) ? syncKeys.workdir(workdir) : syncKeys.elsewhere(workdir);
    const row = rows.get<WorkdirRow>(key) ?? this.#newRow(workdir, header);
    const learned = { ...row, by: row.by ?? event.id, ...newer(row, event) };
    if (JSON.stringify(learned) !== JSON.stringify(rows.get(key))) rows.set(key, learned);
  }

  /** A forgetting does not say of what type the events are that it names. */
  #learnAlone({ header }: LoggedEvent): void {
    const { rows } = this.#parts;
    const key = syncKeys.alone(header.id);
    const { agent, session } = header;
    if (session !== null && agent !== 'annals' && isPlacedAlone(header) && rows.get(key) === null)
      rows.set(key, true);
  }

  /** A folder that is new here is looked at: the log may know it only from another machine. */
  #newRow(workdir: string, { origin }: { readonly origin: string }): WorkdirRow {
    const { lookAt, log } = this.#parts;
    const look = isOwnEvent({ origin }, log) ? lookAt(workdir) : null;
    return { by: null, seen: look && { at: null, id: '', body: look }, link: null };
  }

  #learnSession({ header, body, position }: LoggedEvent): Moved[] {
    const { rows } = this.#parts;
    const { agent, session, type, occurredAt, channel } = header;
    if (body.salt === null || session === null || isPlacedAlone(header)) return [];
    const row = this.#session(agent, session);
    // Almost all events of a session say nothing new, and need not be read.
    if (type !== 'session.started') {
      if (channel === 'transcript' || row.folder?.offset !== undefined) return [];
      if (row.folder !== null && (occurredAt ?? NEVER) > (row.folder.at ?? NEVER)) return [];
    }
    const event = readExported(header, body.json, position);
    const report = event.type === 'unknown' ? null : cwdReportOf(event);
    if (report === null) return [];
    const folder = decidingCwd(row.folder ?? undefined, report);
    if (folder === row.folder) return [];
    rows.set(syncKeys.session(agent, session), { ...row, folder } satisfies SessionRow);
    if (rows.get(syncKeys.workdir(folder.cwd)) === null)
      rows.set(syncKeys.workdir(folder.cwd), this.#newRow(folder.cwd, header));
    return [{ agent, session, from: row.folder?.cwd ?? null }];
  }

  /** What waited under a workdir that has another project now. */
  #foundIn(before: Places, after: Places): readonly Found[] {
    const { rows } = this.#parts;
    if (before === after) return [];
    const prefix = syncKeys.prefixes.skipped;
    return rows.startingWith<number>(prefix).flatMap(([key, from]) => {
      const workdir = key.slice(prefix.length);
      const [project] = this.#at(workdir, after);
      if (project === undefined || project === this.#at(workdir, before)[0]) return [];
      rows.set(key, null);
      return [{ project, from }];
    });
  }

  /** What waited for the folder of a session, or under another folder. */
  #foundOf({ agent, session, from: left }: Moved, before: Places, after: Places): readonly Found[] {
    const { rows } = this.#parts;
    const row = this.#session(agent, session);
    const folder = row.folder!.cwd;
    const [project] = this.#at(folder, after);
    const waited = left === null ? null : rows.get<number>(syncKeys.skipped(left));
    const from = Math.min(row.skipped ?? NEVER, waited ?? NEVER);
    if (row.skipped !== null) rows.set(syncKeys.session(agent, session), { ...row, skipped: null });
    if (from === NEVER) return [];
    if (project !== undefined)
      return row.skipped === null && project === this.#at(left!, before)[0] ? [] : [{ project, from }];
    const known = rows.get<number>(syncKeys.skipped(folder));
    if (known === null || from < known) rows.set(syncKeys.skipped(folder), from);
    return [];
  }

  /** Of an event that is placed alone: as the views place it. */
  #ofWhat(type: string, fields: Body): Where {
    const named = fields as { readonly cwd: string | null; readonly project: string | null };
    switch (type) {
      case 'memory.withdrawn':
        return this.#ofActs((fields.acts as readonly { readonly id: string }[]).map(({ id }) => id));
      case 'workdir.seen':
        return this.#where(named.cwd);
      case 'import.memory':
        return this.#where(importedWorkdir({ cwd: named.cwd ?? null, project: named.project ?? null }));
      case 'memory.saved':
        return this.#where(savedWorkdir({ cwd: named.cwd ?? null, project: named.project ?? null }));
      default: {
        const where = this.#ofItem(fields.item);
        if (typeof fields.by !== 'object' || fields.by === null) return where;
        // It has the text of both.
        return this.#ofItem(fields.by).projects[0] === where.projects[0] ? where : NOWHERE;
      }
    }
  }

  #ofItem(item: unknown): Where {
    if (typeof item !== 'object' || item === null) return NOWHERE;
    const { agent, session, workdir, events } = item as BodyOf<'memory.pinned'>['item'];
    // Sent or received: then a folder of its name here may be another one.
    const known = this.#ofEvents(events);
    if (known !== null) return { workdir: null, projects: [known] };
    if (session === null || session === undefined || agent === 'annals') return this.#where(workdir ?? null);
    const { folder, project } = this.#session(agent, session);
    if (folder !== null) return this.#where(folder.cwd);
    return project === null ? NOWHERE : { workdir: null, projects: [project] };
  }

  /** The project that all of these events are in, and in no other. */
  #ofEvents(ids: readonly string[]): string | null {
    const { rows } = this.#parts;
    const [first, ...others] = ids.map((id) => rows.get<readonly string[]>(syncKeys.single(id)) ?? []);
    if (first?.length !== 1) return null;
    return others.every((one) => one.length === 1 && one[0] === first[0]) ? first[0]! : null;
  }

  /** What takes back acts goes wherever one of them was sent. */
  #ofActs(ids: readonly string[]): Where {
    const { rows } = this.#parts;
    const projects = ids.flatMap((id) => rows.get<readonly string[]>(syncKeys.single(id)) ?? []);
    return { workdir: null, projects: [...new Set(projects)] };
  }

  #where(workdir: string | null): Where {
    return workdir === null || workdir === '' ? NOWHERE : { workdir, projects: this.#at(workdir) };
  }

  #atOrSkip(workdir: string, position: number): readonly string[] {
    const { rows } = this.#parts;
    const projects = this.#at(workdir);
    const key = syncKeys.skipped(workdir);
    if (projects.length === 0 && rows.get(key) === null) rows.set(key, position);
    return projects;
  }

  /** The shared project of a workdir, or none. */
  #at(workdir: string, places: Places = this.#current()): readonly string[] {
    const { projects } = this.#parts;
    const keys = keysInRepository(places.of.get(workdir)?.identity ?? unknownIdentity(workdir));
    const found = keys.flatMap((key) => projects.filter((project) => foldedKey(project.key) === key));
    return found.slice(0, 1).map(({ key }) => key);
  }

  #current(): Places {
    const { rows } = this.#parts;
    const revision = rows.revision(syncKeys.prefixes.workdir) + rows.revision(syncKeys.prefixes.elsewhere);
    if (this.#places?.revision === revision) return this.#places;
    const elsewhere = [...placeWorkdirs(knownIn(this.#known('elsewhere'))).values()];
    // A name by which a memory was saved is no project.
    const others = elsewhere.flatMap(({ identity, by }) => (by === 'name' ? [] : [identity]));
    const of = placeWorkdirs(knownIn(this.#known('workdir')), others);
    this.#places = { revision, of };
    return this.#places;
  }

  #known(kind: 'workdir' | 'elsewhere'): readonly (readonly [workdir: string, row: WorkdirRow])[] {
    const prefix = syncKeys.prefixes[kind];
    return this.#parts.rows
      .startingWith<WorkdirRow>(prefix)
      .map(([key, row]) => [key.slice(prefix.length), row] as const);
  }

  #session(agent: string, session: string): SessionRow {
    const known = this.#parts.rows.get<SessionRow>(syncKeys.session(agent, session));
    return known ?? { folder: null, skipped: null, project: null, sent: null };
  }
}

/** Where workdirs belong, by the rows of a revision. */
interface Places {
  readonly revision: number;
  readonly of: ReturnType<typeof placeWorkdirs>;
}

/** A session that has a folder now, or another one. */
interface Moved {
  readonly agent: string;
  readonly session: string;
  /** The folder before. */
  readonly from: string | null;
}

/** What an event is about: its workdir, if that decides, and the shared project, or those of acts. */
interface Where {
  readonly workdir: string | null;
  readonly projects: readonly string[];
}

const NEVER = Number.POSITIVE_INFINITY;
const NOWHERE: Where = { workdir: null, projects: [] };

/** The types that make a workdir known. */
const NAMING: ReadonlySet<string> = new Set([
  'workdir.seen',
  'project.linked',
  'session.started',
  'memory.saved',
  'import.memory',
]);

/** What of a row an event replaces. */
function newer(
  { seen, link }: WorkdirRow,
  { type, id, occurredAt: at, body }: EventData,
): Partial<WorkdirRow> {
  if (type === 'workdir.seen' && (seen === null || isOlder(seen, { at, id })))
    return { seen: { at, id, body } };
  if (type === 'project.linked' && (link === null || isOlder(link, { at, id })))
    return { link: { at, id, project: body.project } };
  return {};
}

function knownIn(rows: readonly (readonly [workdir: string, row: WorkdirRow])[]) {
  const byAge = <T extends { readonly at: number | null; readonly id: string }>(
    found: readonly (readonly [string, T | null])[],
  ) =>
    found
      .flatMap(([workdir, value]) => (value === null ? [] : [[workdir, value] as const]))
      .sort(([, one], [, other]) => (isOlder(one, other) ? -1 : 1));
  const seen = byAge(rows.map(([workdir, row]) => [workdir, row.seen]));
  const links = byAge(rows.map(([workdir, row]) => [workdir, row.link]));
  return {
    workdirs: rows
      .filter(([, { by, seen: look }]) => by !== null || look !== null)
      .map(([workdir]) => workdir),
    seen: new Map(seen.map(([workdir, { body }]) => [workdir, body])),
    links: new Map(links.map(([workdir, { project }]) => [workdir, project])),
  };
}
