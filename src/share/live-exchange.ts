// Exchanges events with the shared log as they come, while the home is open. What fails is tried again after a pause that
// grows; nothing is asked while nothing happens.
import type { Home } from '../home/home.ts';
import { wait } from '../platform/wait.ts';
import type { SharedLog } from './log/shared-log.ts';
import { Inbox } from './sync/inbox.ts';
import { Outbox } from './sync/outbox.ts';
import { type SyncParts, syncOnce } from './sync/sync.ts';

const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;

export interface LiveParts {
  readonly home: Home;
  connect(): Promise<SharedLog>;
  parts(shared: SharedLog): SyncParts;
}

export class LiveExchange {
  readonly #parts: LiveParts;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#ended = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let pause = PAUSE_MS_MIN; !signal.aborted; pause = Math.min(2 * pause, PAUSE_MS_MAX)) {
      try {
        const shared = await this.#parts.connect();
        try {
          await this.#exchange(shared);
        } finally {
          await shared.close();
        }
        pause = PAUSE_MS_MIN;
      } catch {
        // `share status` asks the server itself, and says what is wrong.
      }
      await wait(pause, signal).catch(() => undefined);
    }
  }

  /** Until the connection is gone, or something fails. */
  async #exchange(shared: SharedLog): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, ending.signal]);
    const parts = this.#parts.parts(shared);
    const { incarnation } = await shared.state();
    await this.#taken((await syncOnce(parts, signal)).received);
    const outbox = new Outbox({ ...parts, log: parts.home.log });
    let isDirty = true;
    let sending: Promise<void> | null = null;
    const send = (): void => {
      isDirty = true;
      sending ??= (async () => {
        while (isDirty && !signal.aborted) {
          isDirty = false;
          await outbox.send(incarnation, signal);
        }
      })()
        .catch(() => ending.abort())
        .finally(() => {
          sending = null;
        });
    };
    const stop = parts.home.log.onHead(send);
    void shared.closed.then(() => ending.abort());
    try {
      send();
      const inbox = new Inbox(parts);
      while (!signal.aborted) {
        const { messages, appended } = await inbox.receive(incarnation, signal);
        await this.#taken(appended);
        if (messages === 0) continue;
        await parts.team.settle();
        if (parts.team.pending().length > 0) send();
      }
    } finally {
      stop();
      ending.abort();
      await sending;
    }
  }

  async #taken(events: number): Promise<void> {
    if (events === 0) return;
    const { imports, log, runner } = this.#parts.home;
    imports.noteAppended(log.head().position);
    await runner.catchUp();
  }
}
