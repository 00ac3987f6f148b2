// What sync needs of a team, and the names of things on the wire: digests with the team's key, which the engine lacks.
import type { EventSealer, KeyRecords, Refusal, Sealer } from '../keys/sealer.ts';
import { opaqueName } from '../keys/signing.ts';
import { eventName } from '../keys/wire-event.ts';

export interface SyncTeam extends Sealer, EventSealer, KeyRecords {
  /** The id of this machine. */
  readonly machine: string;
  teamKey(): Uint8Array;
  /** Why this machine cannot write a project. Null when it can. */
  cannotWrite(project: string): Refusal | null;
}

export class WireNames {
  readonly #team: SyncTeam;
  /** Of projects and machines. There are few. */
  readonly #known = new Map<string, string>();

  constructor(team: SyncTeam) {
    this.#team = team;
  }

  project(key: string): string {
    return this.#remembered(JSON.stringify(['project', key]));
  }

  origin(origin: string): string {
    return this.#remembered(JSON.stringify(['origin', origin]));
  }

  event(project: string, id: string): string {
    return eventName(this.#team.teamKey(), project, id);
  }

  statement(sealed: Uint8Array): string {
    return this.#name(JSON.stringify(['statement', Buffer.from(sealed).toString('base64')]));
  }

  #remembered(text: string): string {
    const name = this.#known.get(text) ?? this.#name(text);
    this.#known.set(text, name);
    return name;
  }

  #name(text: string): string {
    return opaqueName(this.#team.teamKey(), text);
  }
}
