// Exchanges events with the shared log as they come, while the home is open. What fails is tried again after a pause that
// grows; nothing is asked while nothing happens.
import type { Home } from '../home/home.ts';
import { wait } from '../platform/clock.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import type { SharedLog } from './log/shared-log.ts';
import { connectedParts, exchange, type SyncParts } from './sync/sync.ts';

const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 60_000;
/** After so long without a message of a project, machines say what they hold of it. */
const QUIET_MS = 1_000;
/** Of many machines with the same to say, one speaks first and the others hear it: each waits up to so long for each member. */
const TURN_MS = 20;
const TURNS_MS_MAX = 10_000;

export interface LiveParts {
  readonly home: Home;
  connect(): Promise<SharedLog>;
  parts(shared: SharedLog): SyncParts;
  /** How many machines are in the team. */
  machines(): number;
}

export class LiveExchange {
  readonly #parts: LiveParts;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #problem: string | null = null;

  constructor(parts: LiveParts) {
    this.#parts = parts;
    this.#ended = this.#run();
  }

  /** Why the last exchange failed, in one sentence; null if it worked. */
  get problem(): string | null {
    return this.#problem;
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
          await this.#exchange(shared, () => {
            pause = PAUSE_MS_MIN;
            this.#problem = null;
          });
        } finally {
          await shared.close();
        }
      } catch (error) {
        this.#problem = (error as Error).message;
      }
      await wait(pause, signal).catch(() => undefined);
    }
  }

  /** Until the connection is gone, or something fails. @param onWorks called when everything was exchanged once */
  async #exchange(shared: SharedLog, onWorks: () => void): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([this.#closing.signal, ending.signal]);
    const parts = this.#parts.parts(shared);
    const { incarnation } = await shared.state();
    const connected = connectedParts(parts);
    const { inbox, outbox, repair } = connected;
    await this.#taken((await exchange(parts, connected, incarnation, signal)).received);
    onWorks();
    let quiet: NodeJS.Timeout | undefined;
    let speaking: Promise<void> | null = null;
    const speakLater = (): void => {
      if (quiet !== undefined || signal.aborted) return;
      quiet = setTimeout(() => {
        quiet = undefined;
        speaking = repair.speak(incarnation, QUIET_MS).then(
          () => (repair.hasLeft ? speakLater() : undefined),
          () => ending.abort(),
        );
      }, QUIET_MS + this.#turn());
    };
    let isDirty = true;
    let sending: Promise<void> | null = null;
    const send = (): void => {
      isDirty = true;
      sending ??= (async () => {
        while (isDirty && !signal.aborted) {
          isDirty = false;
          await outbox.send(incarnation, signal);
        }
        speakLater();
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
      while (!signal.aborted) {
        const { messages, appended } = await inbox.receive(incarnation, signal);
        await this.#taken(appended);
        if (messages === 0) continue;
        await parts.team.settle();
        // Also learns what came in, before anything is said of it.
        if (appended > 0 || parts.team.pending().length > 0) send();
        else speakLater();
      }
    } finally {
      stop();
      ending.abort();
      clearTimeout(quiet);
      await Promise.all([sending, speaking]);
    }
  }

  #turn(): number {
    const most = Math.min(TURNS_MS_MAX, this.#parts.machines() * TURN_MS);
    return (randomBytes(1)[0]! / 256) * most;
  }

  async #taken(events: number): Promise<void> {
    if (events === 0) return;
    const { imports, log, runner } = this.#parts.home;
    imports.noteAppended(log.head().position);
    await runner.catchUp();
  }
}
