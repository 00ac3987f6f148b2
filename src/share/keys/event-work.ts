// From an event to its sealed message, and back. Runs on the main thread for a few, in a thread for many, and knows only
// what it is given: which keys seal and open is decided by the team.
import { type ExportedEvent, loadCatalog } from '../../../log/index.ts';
import { type Access, EventSeals } from './event-seals.ts';
import type { RandomBytes } from './identity.ts';
import type { ProjectKey } from './project-keys.ts';
import { type OpenedEvent, type Refused, SealError, type SealedEventOf } from './sealer.ts';
import { type Signer, signerOf } from './signing.ts';
import { EVENT_BYTES_MAX, eventName, wireEvent, wireText } from './wire-event.ts';

export interface EventWorkParts {
  readonly team: string;
  /** Of the signing key of this machine. */
  readonly seed: Uint8Array;
  /** The key of names on the shared log. */
  readonly names: Uint8Array;
}

export interface SealJob {
  readonly items: readonly { readonly key: ProjectKey; readonly event: ExportedEvent }[];
  /** Unix ms. */
  readonly at: number;
}

export interface SealedToOpen {
  readonly bytes: Uint8Array;
  readonly access: Access;
}

export type OpenOutcome = OpenedEvent | Refused | null;

export class EventWork {
  readonly #seals: EventSeals;
  readonly #signer: Signer;
  readonly #names: Uint8Array;

  constructor({ team, seed, names }: EventWorkParts, randomBytes: RandomBytes) {
    this.#seals = new EventSeals(team, randomBytes);
    this.#signer = signerOf(seed);
    this.#names = names;
  }

  /** One signature covers them all. @throws SealError size */
  seal({ items, at }: SealJob): readonly SealedEventOf[] {
    const plain = items.map(({ key, event }) => ({ key, plain: wireText(event) }));
    const fitting = plain.filter((one) => one.plain.length <= EVENT_BYTES_MAX);
    const sealed = fitting.length === 0 ? [] : this.#seals.seal(fitting, this.#signer, at);
    let next = 0;
    return items.map(({ key, event }, index) => {
      const size = plain[index]!.plain.length;
      const name = eventName(this.#names, key.project, event.header.id);
      return { name, bytes: size <= EVENT_BYTES_MAX ? sealed[next++]! : null, size };
    });
  }

  async open(items: readonly SealedToOpen[]): Promise<readonly OpenOutcome[]> {
    const catalog = await loadCatalog();
    return items.map((item) => this.#open(item, catalog));
  }

  #open({ bytes, access }: SealedToOpen, catalog: Awaited<ReturnType<typeof loadCatalog>>): OpenOutcome {
    try {
      const opened = this.#seals.openAs(bytes, access);
      if (opened === null) return null;
      const event = wireEvent(opened.plain, catalog);
      if (typeof event === 'string') return { refused: null, reason: event };
      const { project, author, at } = opened;
      return { project, author, at, event, name: eventName(this.#names, project, event.header.id) };
    } catch (error) {
      if (error instanceof SealError) return { refused: error.reason, reason: error.message };
      throw error;
    }
  }
}
