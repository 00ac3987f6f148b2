// Reads a stream from a place on. The server sends messages ahead, as many as the client asked for; they wait here.
import type { Consumer, ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type * as NatsClient from './nats-client.ts';
import { PAGE_BYTES } from './shared-log.ts';

/** Messages that the server sends ahead. */
const AHEAD = 512;
/** Nothing came for this long: the messages that the server counted may have been removed. */
const SILENCE_MS = 250;

export interface NatsTailOptions {
  readonly subject?: string;
  readonly headersOnly?: boolean;
  /** Whether the leader has a message of these subjects behind a position. */
  readonly isFollowed: (position: number) => Promise<boolean>;
}

export class NatsTail {
  /** Of the last message that was read. */
  position: number;
  readonly #consumer: Consumer;
  readonly #messages: ConsumerMessages;
  readonly #iterator: AsyncIterator<JsMsg>;
  readonly #isFollowed: NatsTailOptions['isFollowed'];
  /** Asked for, and not yet read. */
  #next: Promise<IteratorResult<JsMsg>> | null = null;
  /** Number of the last message that was read, among those that the server sent here. */
  #delivered = 0;
  /** Messages in the stream behind the last one, when the server sent that. Too many where some are removed meanwhile. */
  #pending = 0;

  static async after(
    position: number,
    { DeliverPolicy }: typeof NatsClient,
    client: JetStreamClient,
    stream: string,
    { subject, headersOnly = false, isFollowed }: NatsTailOptions,
  ): Promise<NatsTail> {
    const consumer = await client.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: position + 1,
      headers_only: headersOnly,
      ...(subject !== undefined && { filter_subjects: subject }),
    });
    return new NatsTail(position, consumer, await consumer.consume({ max_messages: AHEAD }), isFollowed);
  }

  private constructor(
    position: number,
    consumer: Consumer,
    messages: ConsumerMessages,
    isFollowed: NatsTailOptions['isFollowed'],
  ) {
    this.position = position;
    this.#consumer = consumer;
    this.#messages = messages;
    this.#isFollowed = isFollowed;
    this.#iterator = messages[Symbol.asyncIterator]();
  }

  /** Empty at the end of the stream, or when the wait was ended. @throws what the client throws */
  async read(limit: number, waitUntil?: AbortSignal): Promise<readonly JsMsg[]> {
    const page: JsMsg[] = [];
    let bytes = 0;
    while (page.length < limit && bytes < PAGE_BYTES) {
      if (this.#pending === 0) {
        if (page.length > 0) break;
        if (waitUntil === undefined && (await this.#isAtEnd())) break;
      }
      // What was read already waits for nothing but messages that are there.
      const message = await this.#read(page.length > 0 ? undefined : waitUntil);
      if (message === null) break;
      page.push(message);
      bytes += message.data.length;
    }
    return page;
  }

  /** Not awaited: the client waits until everything that it fetched was read. */
  end(): void {
    void this.#messages.close();
    // The server drops it by itself after a while.
    void this.#consumer.delete().catch(() => false);
  }

  async #isAtEnd(): Promise<boolean> {
    const { num_pending: pending, delivered } = await this.#consumer.info();
    return pending === 0 && delivered.consumer_seq <= this.#delivered;
  }

  async #read(waitUntil: AbortSignal | undefined): Promise<JsMsg | null> {
    this.#next ??= this.#iterator.next();
    const next = await (waitUntil === undefined
      ? this.#orNothingFollows(this.#next)
      : orAborted(this.#next, waitUntil));
    if (next === null) return null;
    this.#next = null;
    if (next.done === true) throw new Error('the connection was closed');
    const message = next.value;
    this.position = message.seq;
    this.#delivered = message.info.deliverySequence;
    this.#pending = message.info.pending;
    return message;
  }

  async #orNothingFollows<T>(promise: Promise<T>): Promise<T | null> {
    for (;;) {
      const found = await orSilence(promise);
      if (found !== null || !(await this.#isFollowed(this.position))) return found;
    }
  }
}

/** Null after the time. */
function orSilence<T>(promise: Promise<T>): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), SILENCE_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const end = () => resolve(null);
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
