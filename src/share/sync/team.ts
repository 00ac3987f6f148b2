// What sync needs of a team, and the names of things on the wire: digests with the team's key, which the engine lacks.
import type { KeyRecords, Refusal, Sealer } from '../keys/sealer.ts';
import { opaqueName } from '../keys/signing.ts';

export interface SyncTeam extends Sealer, KeyRecords {
  teamKey(): Uint8Array;
  /** Why this machine cannot write a project. Null when it can. */
  cannotWrite(project: string): Refusal | null;
}

export class WireNames {
  readonly #team: SyncTeam;

  constructor(team: SyncTeam) {
    this.#team = team;
  }

  project(key: string): string {
    return this.#name(['project', key]);
  }

  origin(origin: string): string {
    return this.#name(['origin', origin]);
  }

  /** An event may belong to two projects. */
  event(project: string, id: string): string {
    return this.#name(['event', project, id]);
  }

  #name(parts: readonly string[]): string {
    return opaqueName(this.#team.teamKey(), JSON.stringify(parts));
  }
}
