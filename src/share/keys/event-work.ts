// From an event to its sealed message, and back. Runs on the main thread for a few, in a thread for many, and knows only
// what it is given: which keys seal and open is decided by the team.
import { loadCatalog } from '../../../log/index.ts';
import { type Access, EventSeals } from './event-seals.ts';
import type { RandomBytes } from './identity.ts';
import type { ProjectKey } from './project-keys.ts';
import { type OpenedEvent, type Refused, SealError, type SealedEventOf } from './sealer.ts';
import { type Signer, signerOf } from './signing.ts';
import { EVENT_BYTES_MAX, eventName, wireEvent, withoutSecrets } from './wire-event.ts';

export interface EventWorkParts {
  readonly team: string;
  /** Of the signing key of this machine. */
  readonly seed: Uint8Array;
  /** The key of names on the shared log. */
  readonly names: Uint8Array;
}

export interface SealJob {
  readonly items: readonly { readonly key: ProjectKey; readonly packed: Buffer }[];
  /** Unix ms. */
  readonly at: number;
}

export interface SealedToOpen {
  readonly bytes: Uint8Array;
  readonly access: Access;
}

export interface OpenedBytes extends Omit<OpenedEvent, 'event'> {
  readonly packed: Buffer;
}

export type OpenOutcome = OpenedBytes | Refused | null;

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
    const sent = items.map(({ key, packed }) => ({ key, ...withoutSecrets(packed) }));
    const fitting = sent.filter(({ plain }) => plain.length <= EVENT_BYTES_MAX);
    const sealed = fitting.length === 0 ? [] : this.#seals.seal(fitting, this.#signer, at);
    let next = 0;
    return sent.map(({ key, id, plain: { length: size } }) => {
      const name = eventName(this.#names, key.project, id);
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
      const { project, author, at, plain } = opened;
      return { project, author, at, packed: plain, name: eventName(this.#names, project, event.header.id) };
    } catch (error) {
      if (error instanceof SealError) return { refused: error.reason, reason: error.message };
      throw error;
    }
  }
}
