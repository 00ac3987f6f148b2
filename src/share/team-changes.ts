// What changes the team of a home: it makes one, joins or leaves it, invites, removes, and makes new keys.
import { AnnalsError } from '../../log/index.ts';
import type {
  ShareAccepted,
  ShareChanged,
  ShareCredentialOptions,
  ShareInviteOptions,
  ShareJoined,
  ShareJoinOptions,
  ShareLeaveOptions,
  ShareLeft,
  ShareMember,
  ShareRecoverOptions,
  ShareRemoved,
} from '../api/share/sharing.ts';
import type { Exchange } from './exchange.ts';
import { depart } from './keys/acts.ts';
import { acceptInvitation, createTeam } from './keys/make-team.ts';
import type { Team, TeamWorld } from './keys/team.ts';
import { isSharedLogError } from './log/log-errors.ts';
import { openSharedLog } from './log/open-shared-log.ts';
import { shownAddress } from './log/server-url.ts';
import { serverOf, serverText } from './share-settings.ts';
import type { ShareState } from './share-state.ts';
import { projectKeys } from './shared-projects.ts';
import { syncOnce, syncRecords } from './sync/sync.ts';
import { credential, invitation, membersOf, recover, remove } from './team-acts.ts';

export class TeamChanges {
  readonly #state: ShareState;
  readonly #exchange: Exchange;

  constructor(state: ShareState, exchange: Exchange) {
    this.#state = state;
    this.#exchange = exchange;
  }

  /** Makes a team. @throws AnnalsError USAGE, INPUT_INVALID, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  join({ url, name, credentials, ca, replicas }: ShareJoinOptions): Promise<ShareJoined> {
    const state = this.#state;
    return state.changes.run(async () => {
      const shown = shownAddress(url);
      const server = { url, credentials, ca, replicas };
      const options = { name, server: serverText(server) };
      await this.#begin();
      const { team, recoveryKey } = await createTeam(options, state.store, state.world);
      try {
        const shared = await openSharedLog({ ...server, team: team.id, create: true });
        try {
          await syncRecords(state.parts(shared, team));
        } finally {
          await shared.close();
        }
      } catch (error) {
        await state.store.remove();
        throw error;
      }
      state.team = team;
      this.#exchange.restart();
      return { team: team.id, server: shown, recoveryKey };
    });
  }

  /** @throws AnnalsError SHARE_OFF, SHARE_DENIED, NOT_FOUND, USAGE */
  async invite(options: ShareInviteOptions): Promise<{ readonly invitation: string }> {
    const { home, world } = this.#state;
    const team = this.#state.joined();
    return invitation(options, await projectKeys(options.projects, home), team, world);
  }

  /** @throws AnnalsError INVITATION_INVALID, INPUT_INVALID, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  accept(text: string): Promise<ShareAccepted> {
    const state = this.#state;
    return state.changes.run(async () => {
      await this.#begin();
      const team = await acceptInvitation(text, state.store, state.world);
      state.team = team;
      try {
        await state.connected((shared) => syncOnce(state.parts(shared)));
      } catch (error) {
        await state.store.remove();
        state.team = null;
        throw error;
      }
      this.#exchange.restart();
      return { team: team.id, server: shownAddress(serverOf(team.identity.server).url) };
    });
  }

  /** @throws AnnalsError SHARE_OFF, SHARE_DENIED, NOT_FOUND, USAGE */
  credential(options: ShareCredentialOptions): Promise<{ readonly credential: string } & ShareChanged> {
    return this.#change(async (team, world) =>
      credential(options, await projectKeys(options.projects, this.#state.home), team, world),
    );
  }

  /** @throws AnnalsError SHARE_OFF */
  async members(): Promise<readonly ShareMember[]> {
    return membersOf(this.#state.joined());
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
    const state = this.#state;
    return state.changes.run(async () => {
      await this.#begin();
      const team = await recover(options, state.store, state.world);
      state.team = team;
      await this.#exchange.sendRecords();
      this.#exchange.restart();
      return { team: team.id, server: shownAddress(options.url) };
    });
  }

  /** What was received stays. @throws AnnalsError SHARE_OFF; without `force` SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  leave({ force = false }: ShareLeaveOptions = {}): Promise<ShareLeft> {
    const state = this.#state;
    return state.changes.run(async () => {
      const { team } = state;
      if (team === null) {
        // Who this machine was cannot be read any more.
        if (state.problem === null) state.joined();
        await state.clear();
        return { team: null, sent: false };
      }
      let sent = false;
      try {
        sent = await this.#sendDeparture(team);
      } catch (error) {
        if (!isSharedLogError(error)) throw error;
        if (!force)
          throw new AnnalsError(error.code, `The others cannot be told. ${error.message}`, {
            hint: 'Try again later. Or leave with --force, and have an admin remove this machine.',
            cause: error,
          });
      }
      await this.#exchange.close();
      await state.clear();
      return { team: team.id, sent };
    });
  }

  /** A call that failed, or was killed, may have left something. @throws AnnalsError INPUT_INVALID: a file cannot be read */
  async #begin(): Promise<void> {
    const state = this.#state;
    if (state.problem !== null) throw state.problem;
    if (state.team === null) await state.clear();
  }

  /** False for an admin: another one must remove it. @throws AnnalsError SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  #sendDeparture(team: Team): Promise<boolean> {
    const state = this.#state;
    return state.connected(async (shared) => {
      // Only now: a departure that is kept here would be sent later.
      const departed = await depart(team, state.world);
      await syncRecords(state.parts(shared));
      return departed;
    });
  }

  #change<T>(act: (team: Team, world: TeamWorld) => Promise<T>): Promise<T & ShareChanged> {
    const state = this.#state;
    return state.changes.run(async () => {
      const done = await act(state.joined(), state.world);
      return { ...done, sent: await this.#exchange.sendRecords() };
    });
  }
}
