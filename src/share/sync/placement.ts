// Which shared project an event of this machine belongs to, by what this machine saw itself. What other machines say of
// folders is never asked: the same path may be another repository there.
import type { BodyOf, ExportedEvent } from '../../../log/index.ts';
import { identityOf, linkOf } from '../../../projections/index.ts';
import { type FolderRow, type Rows, type SessionRow, syncKeys } from './sync-rows.ts';

/** A project that this machine shares. */
export interface SharedProject {
  /** As the projects view names it; the same on every machine for a repository with a remote. */
  readonly key: string;
  readonly name: string;
  /** Events of this log after this position are sent. */
  readonly since: number;
}

/** What this machine sees of a folder now; null when there is no such folder. */
export type LookAtFolder = (cwd: string) => Pick<FolderRow, 'keys' | 'root'> | null;

export function placeOf(
  { key, parents }: ReturnType<typeof identityOf>,
  root: string | null,
): Pick<FolderRow, 'keys' | 'root'> {
  return { keys: [key, ...parents.map((parent) => parent.key)], root };
}

/** Whether an event is placed by what it is about: it has no session, or is about something in one (a pin, an edit). */
export function isPlacedAlone({ agent, session }: { agent: string; session: string | null }): boolean {
  return session === null || agent === 'annals';
}

type Body = Readonly<Record<string, unknown>>;

/** Types that stay on this machine. */
const OWN_MATTER: ReadonlySet<string> = new Set([
  'project.linked',
  'corpus.built',
  'corpus.deleted',
  'memory.proposed',
  'memory.confirmed',
]);

export class Placement {
  readonly #rows: Rows;
  readonly #projects: readonly SharedProject[];
  readonly #lookAt: LookAtFolder;

  constructor(rows: Rows, projects: readonly SharedProject[], lookAt: LookAtFolder) {
    this.#rows = rows;
    this.#projects = projects;
    this.#lookAt = lookAt;
  }

  /** Learns folders and sessions from an event. Returns what now belongs to a shared project and was skipped before. */
  learn({ header, body }: ExportedEvent): { readonly project: string; readonly from: number } | null {
    if (body.salt === null) return null;
    const { type, agent, session } = header;
    if (type === 'workdir.seen') {
      const seen = JSON.parse(body.json) as BodyOf<'workdir.seen'>;
      const place = placeOf(
        identityOf(seen.cwd, seen, () => null),
        seen.root,
      );
      const { skipped } = this.#folder(seen.cwd);
      return this.#learnPlaces([seen.cwd], () =>
        this.#rows.set(syncKeys.folder(seen.cwd), { ...place, skipped }),
      );
    }
    if (type === 'project.linked') {
      const { cwd, project } = JSON.parse(body.json) as BodyOf<'project.linked'>;
      return this.#learnPlaces(this.#foldersBelow(cwd), () => this.#rows.set(syncKeys.link(cwd), project));
    }
    if (session === null || agent === 'annals') return null;
    const row = this.#session(agent, session);
    if (row.cwd !== null || !body.json.includes('"cwd":"')) return null;
    const { cwd } = JSON.parse(body.json) as Body;
    if (typeof cwd !== 'string') return null;
    this.#rows.set(syncKeys.session(agent, session), { ...row, cwd, skipped: null });
    const project = this.#ofFolder(cwd);
    return project === null || row.skipped === null ? null : { project, from: row.skipped };
  }

  /** The shared project of an event, or null. What is null now may be known later, so it is noted where it was. */
  projectOf({ header, body, position }: ExportedEvent): string | null {
    const { agent, session, type } = header;
    if (body.salt === null || OWN_MATTER.has(type)) return null;
    if (session !== null && !isPlacedAlone(header)) {
      const row = this.#session(agent, session);
      if (row.cwd !== null) return this.#ofFolderOrSkip(row.cwd, position);
      if (row.skipped === null)
        this.#rows.set(syncKeys.session(agent, session), { ...row, skipped: position });
      return null;
    }
    const { cwd, project } = this.#ofWhere(type, JSON.parse(body.json) as Body);
    return cwd === null ? project : this.#ofFolderOrSkip(cwd, position);
  }

  /** The shared project of an event of this machine, also of one that was forgotten: `body` is null then. Notes nothing. */
  projectOfOwn(
    { type, agent, session }: Pick<ExportedEvent['header'], 'type' | 'agent' | 'session'>,
    body: Body | null,
  ): string | null {
    if (OWN_MATTER.has(type)) return null;
    if (session === null || isPlacedAlone({ agent, session }))
      return body === null ? null : this.#ofWhere(type, body).project;
    const { cwd } = this.#session(agent, session);
    return cwd === null ? null : this.#ofFolder(cwd);
  }

  /** The project of an event that is already known, whether it was sent or received. */
  knownProjectOf(agent: string, session: string | null, event: string): string | null {
    const single = this.#rows.get<string>(syncKeys.single(event));
    if (session === null || (agent === 'annals' && single !== null)) return single;
    const { cwd, project } = this.#session(agent, session);
    return project ?? (cwd === null ? null : this.#ofFolder(cwd));
  }

  /** Of an event that is placed alone: as the views place it. */
  #ofWhere(type: string, fields: Body): Where {
    if (type === 'memory.withdrawn') return this.#ofActs(fields.acts);
    if (type === 'workdir.seen' || type === 'import.memory') return this.#at(fields.cwd, fields.project);
    if (type === 'memory.saved')
      return typeof fields.project === 'string' ? this.#at(null, fields.project) : this.#at(fields.cwd, null);
    const where = this.#ofItem(fields.item as Body | undefined);
    if (typeof fields.by !== 'object' || fields.by === null) return where;
    // It has the text of both.
    return this.#ofItem(fields.by as Body).project === where.project ? where : NOWHERE;
  }

  #ofItem(item: Body | undefined): Where {
    if (item === undefined) return NOWHERE;
    const { agent, session } = item;
    if (typeof session !== 'string' || agent === 'annals') return this.#at(item.workdir, null);
    const { cwd, project } = this.#session(String(agent), session);
    return cwd === null ? { cwd, project } : this.#at(cwd, null);
  }

  /** Of what takes acts back: where these are. */
  #ofActs(acts: unknown): Where {
    const ids = (Array.isArray(acts) ? acts : []).map((act: { readonly id: string }) => act.id);
    const projects = new Set(ids.map((id) => this.#rows.get<string>(syncKeys.single(id))));
    return { cwd: null, project: projects.size === 1 ? [...projects][0]! : null };
  }

  #at(cwd: unknown, project: unknown): Where {
    if (typeof cwd === 'string' && cwd !== '') return { cwd, project: this.#ofFolder(cwd) };
    return { cwd: null, project: typeof project === 'string' ? this.#named(project) : null };
  }

  /**
   * @param learn changes where these folders belong
   * @returns what of them now belongs to a shared project and was skipped before
   */
  #learnPlaces(folders: readonly string[], learn: () => void): { project: string; from: number } | null {
    const skipped = folders
      .map((cwd) => ({ cwd, from: this.#folder(cwd).skipped, before: this.#ofFolder(cwd) }))
      .filter(({ from }) => from !== null);
    learn();
    let found: { project: string; from: number } | null = null;
    for (const { cwd, from, before } of skipped) {
      const project = this.#ofFolder(cwd);
      if (project === null || project === before) continue;
      this.#rows.set(syncKeys.folder(cwd), { ...this.#folder(cwd), skipped: null });
      if (found === null || from! < found.from) found = { project, from: from! };
    }
    return found;
  }

  /** Known ones, with itself. */
  #foldersBelow(cwd: string): string[] {
    const { folder } = syncKeys.prefixes;
    const known = this.#rows.startingWith<FolderRow>(folder).map(([key]) => key.slice(folder.length));
    return known.filter((one) => one.startsWith(cwd));
  }

  #ofFolderOrSkip(cwd: string, position: number): string | null {
    const project = this.#ofFolder(cwd);
    if (project !== null) return project;
    const row = this.#folder(cwd);
    if (row.skipped === null) this.#rows.set(syncKeys.folder(cwd), { ...row, skipped: position });
    return null;
  }

  #ofFolder(cwd: string): string | null {
    if (cwd.startsWith(NAMED)) return this.#named(cwd.slice(NAMED.length));
    const { keys, root = null } = this.#folder(cwd);
    const { link: prefix } = syncKeys.prefixes;
    const links = this.#rows
      .startingWith<string>(prefix)
      .map(([key, to]) => [key.slice(prefix.length), to] as const);
    const link = linkOf(cwd, root, new Map(links));
    if (link !== null) return this.#named(link);
    return keys.find((key) => this.#projects.some((project) => project.key === key)) ?? null;
  }

  #named(name: string): string | null {
    const wanted = name.trim().toLowerCase();
    const found = this.#projects.find(
      ({ key, name: own }) => key === name.trim() || own.toLowerCase() === wanted,
    );
    return found?.key ?? null;
  }

  #folder(cwd: string): FolderRow {
    const known = this.#rows.get<FolderRow>(syncKeys.folder(cwd));
    if (known !== null) return known;
    const place =
      this.#lookAt(cwd) ??
      placeOf(
        identityOf(cwd, null, () => null),
        null,
      );
    const row: FolderRow = { ...place, skipped: null };
    this.#rows.set(syncKeys.folder(cwd), row);
    return row;
  }

  #session(agent: string, session: string): SessionRow {
    const known = this.#rows.get<SessionRow>(syncKeys.session(agent, session));
    return known ?? { cwd: null, skipped: null, project: null };
  }
}

/** What an event is about: its folder, if it names one, and the shared project. */
interface Where {
  readonly cwd: string | null;
  readonly project: string | null;
}

const NOWHERE: Where = { cwd: null, project: null };
/** A memory saved for a named project has this workdir. */
const NAMED = 'project:';
