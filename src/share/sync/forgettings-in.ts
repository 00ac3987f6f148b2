// The forgettings that came together from other machines: which events they name, and what of them applies here. What this
// machine had also sent under another project it forgets there too: members of that one may never hear of it from others.
import {
  type EventContent,
  FORGETTING,
  isOwnEvent,
  type NamedEvent,
  type StoredBody,
  Tombstones,
} from '../../../log/index.ts';
import type { Home } from '../../home/home.ts';
import { mergeForgetting } from '../../transfer/merge-forgetting.ts';
import type { OpenedEvent } from '../keys/sealer.ts';
import type { StoredMessage } from '../log/shared-log.ts';
import { type ForgettingRow, syncKeys } from '../rows/sync-rows.ts';
import type { ForgettingPart } from './forgetting-parts.ts';
import { forgettingsAcross, forgettingWithin } from './forgetting-within.ts';
import { type OutboxParts, removed } from './outbox.ts';
import type { Placement } from './placement.ts';
import type { EventToSend } from './sealed-sender.ts';
import type { WireNames } from './team.ts';

export type Sealed = Pick<StoredMessage, 'id' | 'project' | 'position' | 'bytes'>;

export interface TakenEvent extends Pick<OpenedEvent, 'project' | 'event'> {
  /** Of its message. */
  readonly message: Sealed;
}

export interface ForgettingsInParts extends Pick<OutboxParts, 'rows' | 'team' | 'shared' | 'sender'> {
  readonly home: Home;
  readonly names: WireNames;
  readonly placement: Placement;
  refuse(message: Sealed, reason: string): void;
}

export class ForgettingsIn {
  readonly #all: readonly TakenEvent[];
  readonly #parts: ForgettingsInParts;
  readonly #tombstones = new Map<string, Tombstones>();
  readonly #within: EventContent[] = [];
  readonly #leaving: EventToSend[] = [];

  /** @param opened other events are left out */
  constructor(opened: readonly TakenEvent[], parts: ForgettingsInParts) {
    this.#all = opened.filter(({ event }) => event.header.type === FORGETTING);
    this.#parts = parts;
    for (const { project, event } of this.#all) {
      const tombstones = this.#tombstones.get(project) ?? new Tombstones();
      this.#tombstones.set(project, tombstones);
      tombstones.add(namedEvent(event) as unknown as Parameters<Tombstones['add']>[0]);
    }
  }

  get count(): number {
    return this.#all.length;
  }

  /** Whether one of the same project names an event, or covers it. */
  concern({ project, event }: TakenEvent): boolean {
    const tombstones = this.#tombstones.get(project);
    return (
      tombstones !== undefined && (tombstones.holds(event.header.id) || tombstones.covers(namedEvent(event)))
    );
  }

  /** Applies them as far as they are of their project. Returns how many were new. */
  async apply(): Promise<number> {
    const { home, sender } = this.#parts;
    for (const one of this.#all) await this.#apply(one);
    // Before it is done here: what is done is not looked at again.
    await sender.sendAll(this.#leaving);
    const merged = await mergeForgetting(this.#within, home);
    await merged.finish();
    return merged.appended;
  }

  async #apply({ project, event, message }: TakenEvent): Promise<void> {
    const { home, rows, placement, refuse } = this.#parts;
    const { log } = home;
    const known = rows.get<ForgettingRow>(syncKeys.forgetting(project, event.header.id));
    if (known !== null && known.event !== null) return;
    const found = await forgettingWithin(project, event, { log, placement });
    if (!found.isWhole) refuse(message, 'it also forgets events of another project, which stay here');
    // Who sent an event, last or first, removes it from the server: it may have been on its way when it was forgotten.
    const sent = found.here.filter(
      ({ id, origin }) => isOwnEvent({ origin }, log) || rows.get(syncKeys.resent(id)) !== null,
    );
    await this.#remove(
      project,
      sent.map(({ id }) => id),
    );
    if (found.event !== null) this.#within.push(found.event);
    this.#note(project, event.header.id, found.event?.header.id ?? null, found.isWhole);
    for (const across of forgettingsAcross(project, found, { log, placement }))
      if (!this.#isComing(across)) await this.#applyAcross(across);
  }

  async #applyAcross({ project, event, ids }: ForgettingPart): Promise<void> {
    this.#within.push(event);
    if (this.#parts.team.cannotWrite(project) === null) this.#leaving.push({ project, event });
    await this.#remove(project, ids);
    this.#note(project, event.header.id, event.header.id, true);
  }

  /** Who shares several projects sends a forgetting under each of them. */
  #isComing({ project, ids }: ForgettingPart): boolean {
    const tombstones = this.#tombstones.get(project);
    return tombstones !== undefined && ids.every((id) => tombstones.holds(id));
  }

  #note(project: string, id: string, event: string | null, whole: boolean): void {
    const row: ForgettingRow = { project, id, event, own: false, whole, said: null };
    this.#parts.rows.set(syncKeys.forgetting(project, id), row);
  }

  async #remove(project: string, ids: readonly string[]): Promise<void> {
    const { shared, names } = this.#parts;
    if (ids.length === 0) return;
    await removed(
      shared,
      names.project(project),
      ids.map((id) => names.event(project, id)),
    );
  }
}

/** As tombstones compare it. What comes from other machines has a body. */
function namedEvent({ header, body }: EventContent): NamedEvent {
  return { ...header, body: JSON.parse((body as StoredBody).json) } as unknown as NamedEvent;
}
