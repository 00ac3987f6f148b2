// A shared log in memory for many machines, with the faults of real ones: connections that are cut in the middle of a call,
// acknowledgements that never arrive, messages that come twice or late, a server that loses everything.
import type {
  Appended,
  Message,
  MessageKind,
  PageRequest,
  SharedLog,
  StoredMessage,
} from '../../../src/share/log/shared-log.ts';
import type { Chance } from '../../helpers/chance.ts';
import { Cut } from '../machines.ts';

export interface Faults {
  /** Connections that ended early. */
  cuts: number;
  /** Messages that were stored a second time. */
  twice: number;
  /** Messages that were acknowledged and are gone. */
  lost: number;
  /** How often everything was lost. */
  wipes: number;
}

export class FaultyServer {
  readonly faults: Faults = { cuts: 0, twice: 0, lost: 0, wipes: 0 };
  /** Kind, project and origin of all messages that were ever stored. */
  readonly subjects = new Set<string>();
  /** Messages by kind, and bytes, of all that was ever stored or read. */
  readonly stored: Record<MessageKind, number> = { event: 0, record: 0, statement: 0 };
  bytesIn = 0;
  bytesOut = 0;
  readonly #chance: Chance;
  /** By position, from 1; what is gone leaves a gap. */
  #messages: (StoredMessage | null)[] = [];
  #positions = new Map<string, number>();
  #incarnation = 1;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** @param calls after so many the connection is cut, also in the middle of one */
  connect(calls = Number.POSITIVE_INFINITY): SharedLog {
    let left = calls;
    const counted = async <T>(work: () => T, half: () => unknown = () => undefined): Promise<T> => {
      left -= 1;
      if (left >= 0) return work();
      this.faults.cuts += 1;
      half();
      throw new Cut();
    };
    return {
      append: (messages) =>
        counted(
          () => messages.map((message) => this.#store(message)),
          // Some arrive, and nobody says so.
          () => messages.slice(0, this.#chance.below(messages.length + 1)).map((one) => this.#store(one)),
        ),
      page: (request) => counted(() => this.#page(request)),
      remove: (project, ids) => counted(() => this.#remove(project, new Set(ids))),
      state: async () => ({
        ...{ engine: 'simulated', version: '1', incarnation: `made-${this.#incarnation}` },
        ...{ head: this.#messages.length, bytes: 0, messageBytesMax: 1024 * 1024, warnings: [] },
      }),
      closed: new Promise(() => undefined),
      close: async () => undefined,
    };
  }

  /** The server recognises no id of before. */
  forgetIds(): void {
    this.#positions.clear();
  }

  /** Stores earlier messages once more, as they may come late from anywhere. */
  repeat(count: number): void {
    for (let left = count; left > 0; left--) {
      const message = this.#any();
      if (message === null) continue;
      this.faults.twice += 1;
      this.#add(message);
    }
  }

  /** Loses messages that it acknowledged, and still knows their ids. */
  lose(count: number): void {
    for (let left = count; left > 0; left--) {
      const message = this.#any();
      if (message === null) continue;
      this.faults.lost += 1;
      this.#messages[message.position - 1] = null;
    }
  }

  /** Loses everything. */
  wipe(): void {
    this.faults.wipes += 1;
    this.#incarnation += 1;
    this.#messages = [];
    this.#positions.clear();
  }

  #any(): StoredMessage | null {
    return this.#messages[this.#chance.below(Math.max(1, this.#messages.length))] ?? null;
  }

  #store({ resent, ...message }: Message): Appended {
    const key = `${message.id} ${resent ?? ''}`;
    const known = this.#positions.get(key);
    if (known !== undefined) return { position: known, duplicate: true };
    const position = this.#add(message);
    this.#positions.set(key, position);
    return { position, duplicate: false };
  }

  #add(message: Omit<Message, 'again'>): number {
    const position = this.#messages.length + 1;
    this.#messages.push({ ...message, position });
    this.subjects.add(`${message.kind}.${message.project}.${message.origin}`);
    this.stored[message.kind] += 1;
    this.bytesIn += message.bytes.length;
    return position;
  }

  #page({ after, limit = 256 }: PageRequest): readonly StoredMessage[] {
    // A page may be shorter than it could be.
    const most = 1 + this.#chance.below(limit);
    const page: StoredMessage[] = [];
    for (let at = after; at < this.#messages.length && page.length < most; at++) {
      const message = this.#messages[at]!;
      if (message === null) continue;
      page.push(message);
      this.bytesOut += message.bytes.length;
    }
    return page;
  }

  #remove(project: string, ids: ReadonlySet<string>) {
    let removed = 0;
    for (const [index, message] of this.#messages.entries())
      if (message?.project === project && ids.has(message.id)) {
        this.#messages[index] = null;
        removed += 1;
      }
    return { removed, remains: null };
  }
}
