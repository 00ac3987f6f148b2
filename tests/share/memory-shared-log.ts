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
  readonly #waiting = new Set<() => void>();

  connect(): SharedLog {
    return new Connection(this);
  }

  /** Loses everything, as a server whose disk was replaced. */
  wipe(): void {
    this.incarnation = `made-${Number(this.incarnation.slice(5)) + 1}`;
    this.head = 0;
    this.messages = [];
  }

  store(message: Message): Appended {
    const known = this.messages.find(({ id }) => id === message.id);
    if (known !== undefined) return { position: known.position, duplicate: true };
    return { position: this.storeAgain(message), duplicate: false };
  }

  /** Stores a message whose id was forgotten, or that nobody checked. */
  storeAgain(message: Message): number {
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
    const { incarnation, head, messages } = this.#server;
    const bytes = messages.reduce((sum, message) => sum + message.bytes.length, 0);
    return {
      ...{ engine: 'memory', version: '1', incarnation, head, bytes },
      ...{ messageBytesMax: 1024 * 1024, warnings: [] },
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
