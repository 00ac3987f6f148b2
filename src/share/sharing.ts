// Sharing of one open home: its team, its projects, and the exchange with the shared log.
import { AnnalsError, isAnnalsError, Mutex } from '../../log/index.ts';
import type {
  ShareAccepted,
  ShareChanged,
  ShareCredentialOptions,
  ShareDigest,
  ShareInviteOptions,
  ShareJoined,
  ShareJoinOptions,
  ShareMember,
  SharePreview,
  ShareProjectOptions,
  ShareRecoverOptions,
  ShareRemoved,
  ShareStatus,
  ShareSyncReport,
} from '../api/share/sharing.ts';
import type { Home } from '../home/home.ts';
import { knownProjects } from '../home/home-projects.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { depart, invite } from './keys/acts.ts';
import { acceptInvitation, createTeam } from './keys/make-team.ts';
import { SealError } from './keys/sealer.ts';
import { Team, type TeamWorld } from './keys/team.ts';
import { teamStoreAt } from './keys/team-store.ts';
import { LiveExchange } from './live-exchange.ts';
import { openSharedLog, shownAddress } from './log/open-shared-log.ts';
import type { SharedLog, SharedLogState } from './log/shared-log.ts';
import { lookAtFolder } from './look-at-folder.ts';
import { previewOf } from './preview.ts';
import { setDigests } from './set-digests.ts';
import {
  removeSharedProjects,
  serverOf,
  serverText,
  sharedProjects,
  writeSharedProjects,
} from './share-settings.ts';
import type { RefusedRow } from './sync/inbox.ts';
import type { LookAtFolder, SharedProject } from './sync/placement.ts';
import { type SyncParts, syncOnce } from './sync/sync.ts';
import { Rows, type SharedPosition, syncKeys } from './sync/sync-rows.ts';
import { credential, membersOf, recover, remove, serverFor } from './team-acts.ts';

const REFUSED_SHOWN_MAX = 20;
const INVITED_DAYS = 7;
const DAY_MS = 86_400_000;

export interface SharingOptions {
  /** Whether events are exchanged as they come, while the home is open. For the worker. */
  readonly live: boolean;
}

export class Sharing {
  readonly #home: Home;
  readonly #options: SharingOptions;
  readonly #lookAt: LookAtFolder;
  readonly #changes = new Mutex();
  #rows: Rows;
  #team: Team | null;
  #projects: readonly SharedProject[];
  #live: LiveExchange | null = null;

  static async open(home: Home, options: SharingOptions): Promise<Sharing> {
    const { log, paths } = home;
    const [rows, projects] = [await Rows.load(log), await sharedProjects(paths.share)];
    const sharing = new Sharing(home, options, rows, projects, await lookAtFolder());
    sharing.#restart();
    return sharing;
  }

  private constructor(
    home: Home,
    options: SharingOptions,
    rows: Rows,
    projects: readonly SharedProject[],
    lookAt: LookAtFolder,
  ) {
    this.#home = home;
    this.#options = options;
    this.#rows = rows;
    this.#projects = projects;
    this.#lookAt = lookAt;
    this.#team = Team.open(teamStoreAt(home.paths.share), { now: home.now, randomBytes });
  }

  /** Makes a team. @throws AnnalsError USAGE, INPUT_INVALID, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  join({ url, name, credentials, ca, replicas = 1 }: ShareJoinOptions): Promise<ShareJoined> {
    return this.#changes.run(async () => {
      const shown = shownAddress(url);
      const server = { url, credentials, ca };
      const store = teamStoreAt(this.#home.paths.share);
      const options = { name, server: serverText(server) };
      const { team, recoveryKey } = await createTeam(options, store, this.#world());
      try {
        const shared = await openSharedLog({ ...server, team: team.id, create: true, replicas });
        try {
          await syncOnce({ ...this.#parts(shared, team), projects: [] });
        } finally {
          await shared.close();
        }
      } catch (error) {
        await store.remove();
        throw error;
      }
      this.#team = team;
      this.#restart();
      return { team: team.id, server: shown, recoveryKey };
    });
  }

  /** @throws AnnalsError SHARE_OFF, SHARE_DENIED, USAGE */
  async invite({ name, role = 'member', days = INVITED_DAYS, ...server }: ShareInviteOptions): Promise<{
    readonly invitation: string;
  }> {
    const team = this.#joined();
    const { now } = this.#home;
    const invited = { name, role, projects: null, until: null, server: serverFor(server, team) };
    const expiresAt = now() + days * DAY_MS;
    return { invitation: await invite({ ...invited, expiresAt }, team, { now, randomBytes }) };
  }

  /** @throws AnnalsError INVITATION_INVALID, INPUT_INVALID, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  accept(invitation: string): Promise<ShareAccepted> {
    return this.#changes.run(async () => {
      const store = teamStoreAt(this.#home.paths.share);
      this.#team = await acceptInvitation(invitation, store, this.#world());
      try {
        const shared = await this.#connect();
        try {
          await syncOnce(this.#parts(shared));
        } finally {
          await shared.close();
        }
      } catch (error) {
        await store.remove();
        this.#team = null;
        throw error;
      }
      this.#restart();
      const { id, identity } = this.#team;
      return { team: id, server: shownAddress(serverOf(identity.server).url) };
    });
  }

  /** @throws AnnalsError SHARE_OFF, SHARE_DENIED, USAGE */
  credential(options: ShareCredentialOptions): Promise<{ readonly credential: string } & ShareChanged> {
    return this.#change((team, world) => credential(options, team, world));
  }

  /** @throws AnnalsError SHARE_OFF */
  async members(): Promise<readonly ShareMember[]> {
    return membersOf(this.#joined());
  }

  /** @throws AnnalsError SHARE_OFF, SHARE_DENIED, NOT_FOUND */
  remove(member: string): Promise<ShareRemoved> {
    return this.#change((team, world) => remove(member, team, world));
  }

  /** @throws AnnalsError SHARE_OFF */
  rotate(): Promise<{ readonly rotated: readonly string[] } & ShareChanged> {
    return this.#change(async (team) => ({ rotated: await team.rotate(await team.projects()) }));
  }

  /** @throws AnnalsError as `recover` of team-acts.ts */
  recover(options: ShareRecoverOptions): Promise<ShareAccepted> {
    return this.#changes.run(async () => {
      const store = teamStoreAt(this.#home.paths.share);
      this.#team = await recover(options, store, this.#world());
      await this.#sendChanges();
      this.#restart();
      return { team: this.#team.id, server: shownAddress(options.url) };
    });
  }

  /** What was received stays. @throws AnnalsError SHARE_OFF */
  leave(): Promise<{ readonly team: string }> {
    return this.#changes.run(async () => {
      const team = this.#joined();
      const { id } = team;
      const { log, paths } = this.#home;
      await depart(team, this.#world());
      await this.#sendChanges();
      await this.#live?.close();
      this.#live = null;
      await teamStoreAt(paths.share).remove();
      await removeSharedProjects(paths.share);
      const cursors = (await log.cursors(syncKeys.all)).map(({ key }) => ({ key, value: null }));
      await log.append([], { cursors });
      this.#rows = await Rows.load(log);
      this.#projects = [];
      this.#team = null;
      return { team: id };
    });
  }

  /** Begins or ends sharing a project. @throws AnnalsError SHARE_OFF, NOT_FOUND, SHARE_DENIED */
  project(name: string, { stop = false, withHistory = false }: ShareProjectOptions): Promise<SharedProject> {
    return this.#changes.run(async () => {
      const team = this.#joined();
      const shared = stop ? this.#sharedProject(name) : null;
      const found = shared ?? (await this.#projectCalled(name));
      const refusal = stop ? null : team.cannotWrite(found.key);
      if (refusal !== null && refusal !== 'waiting')
        throw new AnnalsError('SHARE_DENIED', new SealError(refusal).message);
      const project = { ...found, since: withHistory ? 0 : this.#home.log.head().position };
      const others = this.#projects.filter(({ key }) => key !== project.key);
      const projects = stop ? others : [...others, project];
      await writeSharedProjects(this.#home.paths.share, projects);
      await this.#rows.exclusive(async () => {
        this.#rows.set(syncKeys.sent(project.key), null);
        await this.#rows.write((cursors) => this.#home.log.append([], { cursors }));
      });
      this.#projects = projects;
      this.#restart();
      return project;
    });
  }

  /** @param lines events to show as they would be sent @throws AnnalsError NOT_FOUND */
  async preview(name: string, lines: number): Promise<SharePreview> {
    return previewOf({ ...(await this.#projectCalled(name)), since: 0 }, this.#home.log, this.#lookAt, lines);
  }

  /** @throws AnnalsError SHARE_OFF, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  sync(signal?: AbortSignal): Promise<ShareSyncReport> {
    return this.#changes.run(async () => {
      const shared = await this.#connect();
      try {
        const first = await syncOnce(this.#parts(shared), signal);
        // What this machine sent may let others in, and the other way round.
        const second = await syncOnce(this.#parts(shared), signal);
        return {
          sent: first.events + second.events,
          known: first.known + second.known,
          messages: first.messages + second.messages,
          received: first.received + second.received,
          remains: [...new Set([...first.remains, ...second.remains])],
          held: this.#held().flatMap(({ name, held }) => (held === null ? [] : [`${name}: ${held}`])),
        };
      } finally {
        await shared.close();
        await this.#home.runner.catchUp();
      }
    });
  }

  digests(): Promise<readonly ShareDigest[]> {
    return setDigests(this.#home.log, this.#rows, this.#projects, this.#lookAt);
  }

  async status(): Promise<ShareStatus> {
    const team = this.#team;
    if (team === null) return NO_TEAM;
    const rows = this.#rows;
    const { state, problem } = await this.#state();
    const self = team.self();
    const refused = rows.startingWith<RefusedRow>(syncKeys.prefixes.refused);
    return {
      team: team.id,
      name: team.identity.name,
      role: self?.role ?? null,
      server: shownAddress(serverOf(team.identity.server).url),
      engine: state === null ? null : { name: state.engine, version: state.version, head: state.head },
      projects: this.#held(),
      read: rows.get<SharedPosition>(syncKeys.inbox)?.position ?? 0,
      unopened: rows.startingWith(syncKeys.prefixes.unopened).length,
      refused: refused.slice(-REFUSED_SHOWN_MAX).map(([key, { reason }]) => ({
        position: Number(key.slice(syncKeys.prefixes.refused.length)),
        reason,
      })),
      unsent: rows.startingWith(syncKeys.prefixes.unsent).length,
      warnings: [...(problem === null ? [] : [problem]), ...(state?.warnings ?? [])],
    };
  }

  async close(): Promise<void> {
    await this.#live?.close();
  }

  #world(): TeamWorld {
    return { now: this.#home.now, randomBytes };
  }

  #change<T>(act: (team: Team, world: TeamWorld) => Promise<T>): Promise<T & ShareChanged> {
    return this.#changes.run(async () => {
      const done = await act(this.#joined(), this.#world());
      return { ...done, sent: await this.#sendChanges() };
    });
  }

  /** Sends the records that the team made. False if that must wait. */
  async #sendChanges(): Promise<boolean> {
    try {
      const shared = await this.#connect();
      try {
        await syncOnce({ ...this.#parts(shared), projects: [] });
        return true;
      } finally {
        await shared.close();
      }
    } catch (error) {
      if (isAnnalsError(error) && error.code.startsWith('SHARED_LOG_')) return false;
      throw error;
    }
  }

  #restart(): void {
    const previous = this.#live;
    this.#live = null;
    if (this.#team === null || !this.#options.live) return void previous?.close();
    this.#live = new LiveExchange({
      home: this.#home,
      connect: async () => {
        await previous?.close();
        return this.#connect();
      },
      parts: (shared) => this.#parts(shared),
    });
  }

  async #state(): Promise<{ readonly state: SharedLogState | null; readonly problem: string | null }> {
    try {
      const shared = await this.#connect();
      try {
        return { state: await shared.state(), problem: null };
      } finally {
        await shared.close();
      }
    } catch (error) {
      return { state: null, problem: (error as Error).message };
    }
  }

  #held(): ShareStatus['projects'] {
    const head = this.#home.log.head().position;
    return this.#projects.map(({ key, name, since }) => {
      const refusal = this.#team?.cannotWrite(key) ?? null;
      const sent = this.#rows.get<SharedPosition>(syncKeys.sent(key))?.position ?? 0;
      return {
        ...{ key, name, waiting: Math.max(0, head - Math.max(since, sent)) },
        held: refusal === null ? null : new SealError(refusal).message,
      };
    });
  }

  #parts(shared: SharedLog, team = this.#joined()): SyncParts {
    return {
      ...{ home: this.#home, rows: this.#rows, team, shared },
      ...{ projects: this.#projects, lookAt: this.#lookAt },
    };
  }

  #connect(): Promise<SharedLog> {
    const { id, identity } = this.#joined();
    return openSharedLog({ ...serverOf(identity.server), team: id });
  }

  #joined(): Team {
    if (this.#team !== null) return this.#team;
    throw new AnnalsError('SHARE_OFF', 'This home is in no team.', {
      hint: 'Make one with `annals share join <url>`, or take an invitation with `annals share accept`.',
    });
  }

  #sharedProject(name: string): Pick<SharedProject, 'key' | 'name'> | null {
    const wanted = name.toLowerCase();
    return this.#projects.find(({ key, name: own }) => key === name || own.toLowerCase() === wanted) ?? null;
  }

  /** By name or key. */
  async #projectCalled(name: string): Promise<Pick<SharedProject, 'key' | 'name'>> {
    const { runner, views } = this.#home;
    await runner.catchUp();
    const { rows } = await knownProjects(views);
    const wanted = name.toLowerCase();
    const found = rows.find(({ key, name: own }) => key === name || own.toLowerCase() === wanted);
    if (found !== undefined) return { key: found.key, name: found.name };
    throw new AnnalsError('NOT_FOUND', 'No project has this name.', {
      hint: '`annals status` lists projects.',
    });
  }
}

const NO_TEAM: ShareStatus = {
  ...{ team: null, name: null, role: null, server: null, engine: null },
  ...{ projects: [], read: 0, unopened: 0, refused: [], unsent: 0, warnings: [] },
};
