// Which shared project an event of this machine belongs to, by what this machine saw itself. What other machines say of
// folders is never asked: the same path may be another repository there.
import type { BodyOf, ExportedEvent } from '../../../log/index.ts';
import { identityOf } from '../../../projections/index.ts';
import { type FolderRow, type Rows, type SessionRow, syncKeys } from './sync-rows.ts';

/** A project that this machine shares. */
export interface SharedProject {
  /** As the projects view names it; the same on every machine for a repository with a remote. */
  readonly key: string;
  readonly name: string;
  /** Events of this log after this position are sent. */
  readonly since: number;
}

/** The keys of a folder's project and of those around it, as this machine sees it now; null when there is no such folder. */
export type LookAtFolder = (cwd: string) => readonly string[] | null;

type Body = Readonly<Record<string, unknown>>;

/** Types without a session that belong to a folder or to a named project. */
const SINGLE: ReadonlySet<string> = new Set(['workdir.seen', 'memory.saved', 'import.memory']);
/** Types that stay on this machine. */
const OWN_MATTER: ReadonlySet<string> = new Set(['project.linked', 'corpus.built', 'corpus.deleted']);

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
      const identity = identityOf(seen.cwd, seen, () => null);
      return this.#learnFolder(seen.cwd, {
        keys: [identity, ...identity.parents].map(({ key }) => key),
      });
    }
    if (type === 'project.linked') {
      const { cwd, project } = JSON.parse(body.json) as BodyOf<'project.linked'>;
      return this.#learnFolder(cwd, { link: project });
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
    if (session !== null) {
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
    if (session === null) return body === null ? null : this.#ofWhere(type, body).project;
    const { cwd } = this.#session(agent, session);
    return cwd === null ? null : this.#ofFolder(cwd);
  }

  /** The project of an event that is already known, whether it was sent or received. */
  knownProjectOf(agent: string, session: string | null, event: string): string | null {
    if (session === null) return this.#rows.get<string>(syncKeys.single(event));
    const { cwd, project } = this.#session(agent, session);
    return project ?? (cwd === null ? null : this.#ofFolder(cwd));
  }

  /** Of an event without a session, by the folder or the project that it names. */
  #ofWhere(type: string, fields: Body): { readonly cwd: string | null; readonly project: string | null } {
    const where = SINGLE.has(type) ? fields : (fields.item as Body | undefined);
    const cwd = where?.cwd ?? where?.workdir;
    if (typeof cwd === 'string' && cwd !== '') return { cwd, project: this.#ofFolder(cwd) };
    return { cwd: null, project: typeof where?.project === 'string' ? this.#named(where.project) : null };
  }

  #learnFolder(cwd: string, known: Partial<FolderRow>): { project: string; from: number } | null {
    const row = this.#folder(cwd);
    const project = this.#ofRow({ ...row, ...known });
    const isNew = project !== null && project !== this.#ofFolder(cwd);
    this.#rows.set(syncKeys.folder(cwd), { ...row, ...known, ...(isNew && { skipped: null }) });
    return isNew && row.skipped !== null ? { project, from: row.skipped } : null;
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
    return this.#ofRow(this.#folder(cwd));
  }

  #ofRow({ keys, link }: FolderRow): string | null {
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
    const keys = this.#lookAt(cwd) ?? [identityOf(cwd, null, () => null).key];
    const row: FolderRow = { keys, link: null, skipped: null };
    this.#rows.set(syncKeys.folder(cwd), row);
    return row;
  }

  #session(agent: string, session: string): SessionRow {
    const known = this.#rows.get<SessionRow>(syncKeys.session(agent, session));
    return known ?? { cwd: null, skipped: null, project: null };
  }
}

/** A memory saved for a named project has this workdir. */
const NAMED = 'project:';
