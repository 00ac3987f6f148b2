// Machines of a team around one shared log of records, in memory, with a clock that moves when a test says so.
import { randomBytes } from 'node:crypto';
import { invite } from '../../../src/share/keys/acts.ts';
import { acceptInvitation, createTeam } from '../../../src/share/keys/make-team.ts';
import type { Role } from '../../../src/share/keys/record.ts';
import type { Team, TeamWorld } from '../../../src/share/keys/team.ts';
import { type MemoryStore, memoryStore } from './memory-store.ts';

export const HOUR_MS = 3_600_000;
export const START = Date.UTC(2026, 10, 1);

export interface Machine {
  readonly team: Team;
  readonly store: MemoryStore;
}

export class TeamScene {
  time = START;
  /** Records on the shared log, by id. */
  readonly log = new Map<string, Uint8Array>();
  readonly world: TeamWorld = { now: () => this.time, randomBytes };
  readonly machines: Machine[] = [];
  recoveryKey = '';

  /** A team with its first admin. */
  static async of(name = 'ada'): Promise<{ scene: TeamScene; admin: Team }> {
    const scene = new TeamScene();
    const store = memoryStore();
    const made = await createTeam({ name, server: 'nats://x' }, store, scene.world);
    scene.recoveryKey = made.recoveryKey;
    scene.machines.push({ team: made.team, store });
    await scene.exchange();
    return { scene, admin: made.team };
  }

  /** A member who was invited, has joined and has the keys. */
  async member(
    admin: Team,
    name: string,
    rights: { role?: Role; projects?: readonly string[] | null; until?: number | null } = {},
  ): Promise<Team> {
    const invited = {
      name,
      role: 'member' as Role,
      projects: null,
      until: null,
      server: 'nats://x',
      ...rights,
    };
    const text = await invite({ ...invited, expiresAt: this.time + HOUR_MS }, admin, this.world);
    const team = await this.joined(text);
    await this.exchange();
    return team;
  }

  async joined(text: string): Promise<Team> {
    const store = memoryStore();
    const team = await acceptInvitation(text, store, this.world);
    this.machines.push({ team, store });
    return team;
  }

  /** Everybody sends and receives until nothing is new. */
  async exchange(): Promise<void> {
    for (let changes = 1, rounds = 0; changes > 0; rounds++) {
      if (rounds > 20) throw new Error('The machines never come to an end.');
      changes = 0;
      for (const { team } of this.machines) {
        changes += await this.send(team);
        changes += (await team.accept([...this.log.values()])).added;
        await team.settle();
        changes += team.pending().length;
      }
      this.time += 1;
    }
  }

  async send(team: Team): Promise<number> {
    const pending = team.pending();
    for (const { id, bytes } of pending) this.log.set(id, bytes);
    await team.acknowledged(pending.map(({ id }) => id));
    return pending.length;
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function textOf(bytes: Uint8Array | undefined): string | undefined {
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
