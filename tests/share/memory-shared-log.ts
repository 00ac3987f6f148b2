// A shared log in memory, for tests of what runs above it. Machines share one server and each has its own connection.
import { AnnalsError } from '../../log/index.ts';
import type {
  Appended,
  Message,
  PageRequest,
  Removal,
  SharedLog,
  SharedLogState,
  StoredMessage,
} from '../../src/share/log/shared-log.ts';

export class MemoryServer {
  incarnation = 'made-1';
  head = 0;
  messages: StoredMessage[] = [];
  messageBytesMax = 1024 * 1024;
  /** Ids that it still recognises, with what they were sent again for; also of messages that it lost. */
  readonly #known = new Map<string, number>();
  readonly #waiting = new Set<() => void>();

  connect(): SharedLog {
    return new Connection(this);
  }

  /** Loses everything, as a server whose disk was replaced. */
  wipe(): void {
    this.incarnation = `made-${Number(this.incarnation.slice(5)) + 1}`;
    this.head = 0;
    this.messages = [];
    this.#known.clear();
  }

  /** Loses messages that were acknowledged. Their ids stay known. */
  lose(isLost: (message: StoredMessage) => boolean): void {
    this.messages = this.messages.filter((message) => !isLost(message));
  }

  /** Goes back to an earlier state, as a server whose last writes did not reach the disk. */
  rollBack(messages: number): void {
    for (const { position } of this.messages.slice(-messages))
      for (const [key, known] of this.#known) if (known === position) this.#known.delete(key);
    this.messages = this.messages.slice(0, -messages);
    this.head = this.messages.at(-1)?.position ?? 0;
  }

  store(message: Message): Appended {
    const key = JSON.stringify([message.id, message.resent ?? null]);
    const known = this.#known.get(key);
    if (known !== undefined) return { position: known, duplicate: true };
    const position = this.storeAgain(message);
    this.#known.set(key, position);
    return { position, duplicate: false };
  }

  /** Stores a message whose id was forgotten, or that nobody checked. */
  storeAgain({ resent: _, ...message }: Message): number {
    this.head += 1;
    this.messages.push({ ...message, position: this.head });
    for (const wake of [...this.#waiting]) wake();
    return this.head;
  }

  change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}

class Connection implements SharedLog {
  readonly closed: Promise<void>;
  readonly #server: MemoryServer;
  #close: () => void = () => {};
  #isClosed = false;

  constructor(server: MemoryServer) {
    this.#server = server;
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
  }

  async append(messages: readonly Message[]): Promise<readonly Appended[]> {
    this.#refuseIfClosed();
    if (messages.some(({ bytes }) => bytes.length > this.#server.messageBytesMax))
      throw new AnnalsError('SHARED_LOG_UNREACHABLE', 'A message is too large.');
    return messages.map((message) => this.#server.store(message));
  }

  async page({ after, limit = 256, waitUntil }: PageRequest): Promise<readonly StoredMessage[]> {
    for (;;) {
      this.#refuseIfClosed();
      const found = this.#server.messages.filter(({ position }) => position > after).slice(0, limit);
      if (found.length > 0 || waitUntil === undefined || waitUntil.aborted) return found;
      await this.#server.change(waitUntil);
    }
  }

  async remove(project: string, ids: readonly string[]): Promise<Removal> {
    const before = this.#server.messages.length;
    this.#server.messages = this.#server.messages.filter(
      (message) => message.project !== project || !ids.includes(message.id),
    );
    return { removed: before - this.#server.messages.length, remains: null };
  }

  async state(): Promise<SharedLogState> {
    const { incarnation, head, messages, messageBytesMax } = this.#server;
    const bytes = messages.reduce((sum, message) => sum + message.bytes.length, 0);
    return {
      ...{ engine: 'memory', version: '1', incarnation, head, bytes },
      ...{ messageBytesMax, warnings: [] },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#close();
  }

  #refuseIfClosed(): void {
    if (this.#isClosed) throw new AnnalsError('SHARED_LOG_UNREACHABLE', 'The connection was closed.');
  }
}

export function textOf(messages: readonly Pick<StoredMessage, 'bytes'>[]): string {
  return messages.map(({ bytes }) => Buffer.from(bytes).toString()).join();
}
