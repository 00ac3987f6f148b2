// A shared log in memory for many machines, with the faults of real ones: connections that are cut in the middle of a call,
// acknowledgements that never arrive, messages that come twice or late, a server that loses everything.
import type {
  Appended,
  Message,
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
  /** How often everything was lost. */
  wipes: number;
}

export class FaultyServer {
  readonly faults: Faults = { cuts: 0, twice: 0, wipes: 0 };
  /** Kind, project and origin of all messages that were ever stored. */
  readonly subjects = new Set<string>();
  /** Of all that was ever stored or read. */
  bytesIn = 0;
  bytesOut = 0;
  readonly #chance: Chance;
  #messages: StoredMessage[] = [];
  #positions = new Map<string, number>();
  #incarnation = 1;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  get size(): number {
    return this.#messages.length;
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
        ...{ engine: 'simulated', version: '1', incarnation: `made-${this.#incarnation}`, head: this.size },
        ...{ bytes: 0, messageBytesMax: 1024 * 1024, warnings: [] },
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
    for (let left = count; left > 0 && this.size > 0; left--) {
      const message = this.#messages[this.#chance.below(this.size)]!;
      this.faults.twice += 1;
      this.#add(message);
    }
  }

  /** Loses everything. */
  wipe(): void {
    this.faults.wipes += 1;
    this.#incarnation += 1;
    this.#messages = [];
    this.#positions.clear();
  }

  #store(message: Message): Appended {
    const known = this.#positions.get(message.id);
    if (known !== undefined) return { position: known, duplicate: true };
    return { position: this.#add(message), duplicate: false };
  }

  #add(message: Message): number {
    const position = this.size + 1;
    this.#messages.push({ ...message, position });
    this.#positions.set(message.id, position);
    this.subjects.add(`${message.kind}.${message.project}.${message.origin}`);
    this.bytesIn += message.bytes.length;
    return position;
  }

  #page({ after, limit = 256 }: PageRequest): readonly StoredMessage[] {
    // A page may be shorter than it could be.
    const page = this.#messages.slice(after, after + 1 + this.#chance.below(limit));
    for (const { bytes } of page) this.bytesOut += bytes.length;
    return page;
  }

  #remove(project: string, ids: ReadonlySet<string>) {
    const isKept = (message: StoredMessage) => message.project !== project || !ids.has(message.id);
    const before = this.size;
    this.#messages = this.#messages
      .filter(isKept)
      .map((message, index) => ({ ...message, position: index + 1 }));
    return { removed: before - this.size, remains: null };
  }
}
