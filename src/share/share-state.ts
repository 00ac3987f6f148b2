// What a home knows of its sharing, and the way to its shared log.
import { AnnalsError, isAnnalsError, Mutex } from '../../log/index.ts';
import type { Home } from '../home/home.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { Team, type TeamWorld } from './keys/team.ts';
import { type TeamStore, teamStoreAt } from './keys/team-store.ts';
import { openSharedLog } from './log/open-shared-log.ts';
import type { SharedLog } from './log/shared-log.ts';
import { lookAtFolder } from './look-at-folder.ts';
import { Rows, syncKeys } from './rows/sync-rows.ts';
import { removeSharedProjects, serverOf, sharedProjects } from './share-settings.ts';
import type { LookAtFolder, SharedProject } from './sync/placement.ts';
import type { SyncParts } from './sync/sync.ts';

export class ShareState {
  readonly home: Home;
  readonly lookAt: LookAtFolder;
  readonly store: TeamStore;
  readonly world: TeamWorld;
  /** Changes of the team, of the projects and exchanges run one after the other. */
  readonly changes = new Mutex();
  rows: Rows;
  /** Null in no team. */
  team: Team | null = null;
  projects: readonly SharedProject[] = [];
  /** A file of the team cannot be read: nothing is exchanged until it can, and everything else works. */
  problem: AnnalsError | null = null;

  static async open(home: Home): Promise<ShareState> {
    const state = new ShareState(home, await Rows.load(home.log), await lookAtFolder());
    try {
      state.team = Team.open(state.store, state.world);
      state.projects = sharedProjects(home.paths.share);
    } catch (error) {
      if (!isAnnalsError(error)) throw error;
      state.problem = error;
    }
    return state;
  }

  private constructor(home: Home, rows: Rows, lookAt: LookAtFolder) {
    this.home = home;
    this.rows = rows;
    this.lookAt = lookAt;
    this.store = teamStoreAt(home.paths.share);
    this.world = { now: home.now, randomBytes };
  }

  /** @throws AnnalsError SHARE_OFF; INPUT_INVALID, INPUT_UNREADABLE: a file of the team */
  joined(): Team {
    if (this.problem !== null) throw this.problem;
    if (this.team !== null) return this.team;
    throw new AnnalsError('SHARE_OFF', 'This home is in no team.', {
      hint: 'Make one with `annals share join <url>`, or take an invitation with `annals share accept`.',
    });
  }

  /** @throws AnnalsError SHARE_OFF, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  connect(): Promise<SharedLog> {
    const team = this.joined();
    // A server that lost everything is filled again.
    const create = team.self()?.role === 'admin';
    return openSharedLog({ ...serverOf(team.identity.server), team: team.id, create });
  }

  /** Nothing of a team counts for the next one: neither its keys, nor what was shared, nor how far it was read. */
  async clear(): Promise<void> {
    const { log, paths } = this.home;
    await this.store.remove();
    await removeSharedProjects(paths.share);
    const cursors = (await log.cursors(syncKeys.all)).map(({ key }) => ({ key, value: null }));
    if (cursors.length > 0) await log.append([], { cursors });
    this.rows = await Rows.load(log);
    this.projects = [];
    this.team = null;
    this.problem = null;
  }

  /** @throws AnnalsError as `connect` */
  async connected<T>(use: (shared: SharedLog) => Promise<T>): Promise<T> {
    const shared = await this.connect();
    try {
      return await use(shared);
    } finally {
      await shared.close();
    }
  }

  parts(shared: SharedLog, team = this.joined()): SyncParts {
    const { home, rows, projects, lookAt } = this;
    return { home, rows, team, shared, projects, lookAt };
  }
}
