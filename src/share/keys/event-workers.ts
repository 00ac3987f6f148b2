// Seals and opens events: a few here, many in a thread, which is started when it is needed and ends when nothing comes.
import { type EventContent, packEvent, unpackEvent } from '../../../log/index.ts';
import { startThread, type Thread } from '../../platform/threads.ts';
import { type EventReply, type EventRequest, joinedBytes, separateBytes } from './event-messages.ts';
import { EventWork, type EventWorkParts, type OpenOutcome, type SealedToOpen } from './event-work.ts';
import type { RandomBytes } from './identity.ts';
import type { ProjectKey } from './project-keys.ts';
import type { OpenedEvent, Refused, SealedEventOf } from './sealer.ts';

/** Fewer are done here: they take less time than a thread takes to start. */
const MANY = 128;
const IDLE_MS = 5_000;

export interface EventWithKey {
  readonly key: ProjectKey;
  readonly event: EventContent;
}

interface Waiting {
  take(reply: EventReply): void;
  /** The thread is gone. */
  fail(): void;
}

export class EventWorkers {
  readonly #parts: EventWorkParts;
  readonly #here: EventWork;
  readonly #start: typeof startThread;
  #thread: Thread | null = null;
  /** There is no program, or it failed. */
  #isWithout = false;
  #waiting: Waiting[] = [];
  #idle: NodeJS.Timeout | undefined;

  constructor(parts: EventWorkParts, randomBytes: RandomBytes, start = startThread) {
    this.#parts = parts;
    this.#start = start;
    this.#here = new EventWork(parts, randomBytes);
  }

  /** @throws SealError size */
  async seal(items: readonly EventWithKey[], at: number): Promise<readonly SealedEventOf[]> {
    const keys = items.map(({ key }) => key);
    const packed = items.map(({ event }) => packEvent(event));
    const reply =
      items.length < MANY
        ? null
        : await this.#ask(() => {
            const joined = joinedBytes(packed);
            return [{ seal: { keys, at }, packed: joined }, [joined.bytes]];
          });
    if (reply === null || !('named' in reply))
      return this.#here.seal({ items: keys.map((key, index) => ({ key, packed: packed[index]! })), at });
    const bytes = separateBytes(reply.sealed);
    return reply.named.map(({ name, size }, index) => {
      const one = bytes[index]!;
      return { name, size, bytes: one.length === 0 ? null : one };
    });
  }

  async open(items: readonly SealedToOpen[]): Promise<readonly (OpenedEvent | Refused | null)[]> {
    const reply =
      items.length < MANY
        ? null
        : await this.#ask(() => {
            const sealed = joinedBytes(items.map(({ bytes }) => bytes));
            return [{ open: items.map(({ access }) => access), sealed }, [sealed.bytes]];
          });
    if (reply === null || !('opened' in reply)) return (await this.#here.open(items)).map(eventOf);
    const packed = separateBytes(reply.packed);
    return reply.opened.map((one, index) =>
      one !== null && 'name' in one ? eventOf({ ...one, packed: packed[index]! }) : one,
    );
  }

  /** Null when there is no thread to do it. */
  #ask(request: () => [EventRequest, ArrayBuffer[]]): Promise<EventReply | null> {
    const thread = this.#started();
    if (thread === null) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#waiting.push({ take: resolve, fail: () => resolve(null) });
      clearTimeout(this.#idle);
      thread.ref();
      thread.postMessage(...request());
    });
  }

  #started(): Thread | null {
    if (this.#thread !== null || this.#isWithout) return this.#thread;
    const thread = this.#start('event-thread', this.#parts);
    if (thread === null) {
      this.#isWithout = true;
      return null;
    }
    thread.on('message', (reply: EventReply) => {
      this.#waiting.shift()!.take(reply);
      if (this.#waiting.length === 0) this.#rest(thread);
    });
    // What it was asked is done here, as is everything from then on.
    thread.on('error', () => this.#end(thread, true));
    thread.on('exit', () => this.#end(thread, this.#thread === thread));
    this.#thread = thread;
    return thread;
  }

  /** Nobody waits for it any more: it keeps no process alive, and ends after a while. */
  #rest(thread: Thread): void {
    thread.unref();
    this.#idle = setTimeout(() => {
      this.#end(thread, false);
      void thread.terminate();
    }, IDLE_MS).unref();
  }

  #end(thread: Thread, isWithout: boolean): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    this.#isWithout = isWithout;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { fail } of waiting) fail();
  }
}

function eventOf(outcome: OpenOutcome): OpenedEvent | Refused | null {
  if (outcome === null || !('packed' in outcome)) return outcome;
  const { packed, project, author, at, name } = outcome;
  // It was checked when it was opened.
  return { project, author, at, name, event: unpackEvent(packed) as EventContent };
}
