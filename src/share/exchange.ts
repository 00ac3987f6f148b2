// What a home exchanges with its shared log: once, as events come, or only the records of the team; and how far it is.
import type { ShareStatus, ShareSyncReport } from '../api/share/sharing.ts';
import { copiedSentence } from './copied-home.ts';
import { SealError } from './keys/sealer.ts';
import { LiveExchange } from './live-exchange.ts';
import { isSharedLogError } from './log/log-errors.ts';
import { shownAddress } from './log/server-url.ts';
import type { SharedLogState } from './log/shared-log.ts';
import { type SharedPosition, syncKeys } from './rows/sync-rows.ts';
import { serverOf } from './share-settings.ts';
import type { ShareState } from './share-state.ts';
import type { RefusedRow } from './sync/inbox.ts';
import { syncOnce, syncRecords } from './sync/sync.ts';

const REFUSED_SHOWN_MAX = 20;
const SILENT =
  'The login of this machine may not send statements (…statement.> on NATS), so it can neither ask for what it lacks nor confirm what it forgot.';

export class Exchange {
  readonly #state: ShareState;
  readonly #isLive: boolean;
  #live: LiveExchange | null = null;

  /** @param isLive whether events are exchanged as they come */
  constructor(state: ShareState, isLive: boolean) {
    this.#state = state;
    this.#isLive = isLive;
  }

  /** Begins, ends, or begins again, after a change of the team or of its projects. */
  restart(): void {
    const previous = this.#live;
    const state = this.#state;
    this.#live = null;
    if (state.team === null || state.problem !== null || !this.#isLive) return void previous?.close();
    this.#live = new LiveExchange({
      home: state.home,
      connect: async () => {
        await previous?.close();
        return state.connect();
      },
      parts: (shared) => state.parts(shared),
      machines: () => state.joined().members().size,
    });
  }

  async close(): Promise<void> {
    const live = this.#live;
    this.#live = null;
    await live?.close();
  }

  /** @throws AnnalsError SHARE_OFF, SHARED_LOG_UNREACHABLE, SHARED_LOG_REFUSED */
  sync(signal?: AbortSignal): Promise<ShareSyncReport> {
    const state = this.#state;
    return state.changes.run(async () => {
      try {
        return await state.connected(async (shared) => {
          const first = await syncOnce(state.parts(shared), signal);
          // What this machine sent may let others in, and the other way round.
          const second = await syncOnce(state.parts(shared), signal);
          return {
            sent: first.events + second.events,
            known: first.known + second.known,
            messages: first.messages + second.messages,
            received: first.received + second.received,
            remains: [...new Set([...first.remains, ...second.remains])],
            held: this.#held().flatMap(({ name, held }) => (held === null ? [] : [`${name}: ${held}`])),
          };
        });
      } finally {
        await state.home.runner.catchUp();
      }
    });
  }

  /** Sends the records that the team made. False if that must wait. */
  async sendRecords(): Promise<boolean> {
    const state = this.#state;
    try {
      await state.connected((shared) => syncRecords(state.parts(shared)));
      return true;
    } catch (error) {
      if (isSharedLogError(error)) return false;
      throw error;
    }
  }

  async status(): Promise<ShareStatus> {
    const { team, rows, problem: unreadable } = this.#state;
    if (unreadable !== null)
      return { ...NO_TEAM, warnings: [[unreadable.message, unreadable.hint].filter(Boolean).join(' ')] };
    if (team === null) return NO_TEAM;
    const { state, problem = this.#live?.problem ?? null } = await this.#serverState();
    const copied = copiedSentence(rows.get<number>(syncKeys.copied), this.#state.home.now());
    const refused = rows.startingWith<RefusedRow>(syncKeys.prefixes.refused);
    return {
      team: team.id,
      name: team.identity.name,
      role: team.self()?.role ?? null,
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
      warnings: [
        ...[problem, copied].filter((sentence) => sentence !== null),
        ...(rows.get(syncKeys.silent) === null ? [] : [SILENT]),
        ...(state?.warnings ?? []),
      ],
    };
  }

  async #serverState(): Promise<{ readonly state: SharedLogState | null; readonly problem?: string }> {
    try {
      return { state: await this.#state.connected((shared) => shared.state()) };
    } catch (error) {
      return { state: null, problem: (error as Error).message };
    }
  }

  #held(): ShareStatus['projects'] {
    const { home, projects, rows, team } = this.#state;
    const head = home.log.head().position;
    return projects.map(({ key, name, since }) => {
      const refusal = team?.cannotWrite(key) ?? null;
      const sent = rows.get<SharedPosition>(syncKeys.sent(key))?.position ?? 0;
      return {
        ...{ key, name, waiting: Math.max(0, head - Math.max(since, sent)) },
        held: refusal === null ? null : new SealError(refusal).message,
      };
    });
  }
}

const NO_TEAM: ShareStatus = {
  ...{ team: null, name: null, role: null, server: null, engine: null },
  ...{ projects: [], read: 0, unopened: 0, refused: [], unsent: 0, warnings: [] },
};
