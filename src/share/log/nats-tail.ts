// Reads a stream from a place on. The server sends messages ahead, as many as the client asked for; they wait here.
import type { Consumer, ConsumerMessages, JetStreamClient, JsMsg } from '@nats-io/jetstream';
import type * as NatsClient from './nats-client.ts';

/** Messages that the server sends ahead. */
const AHEAD = 512;
/** A page ends at this size, bytes. */
const PAGE_BYTES = 4 * 1024 * 1024;

export class NatsTail {
  /** Of the last message that was read. */
  position: number;
  readonly #consumer: Consumer;
  readonly #messages: ConsumerMessages;
  readonly #iterator: AsyncIterator<JsMsg>;
  /** Asked for, and not yet read. */
  #next: Promise<IteratorResult<JsMsg>> | null = null;
  /** Number of the last message that was read, among those that the server sent here. */
  #delivered = 0;
  /** Messages in the stream behind the last one, when the server sent that. */
  #pending = 0;

  static async after(
    position: number,
    { DeliverPolicy }: typeof NatsClient,
    client: JetStreamClient,
    stream: string,
    options: { readonly subject?: string; readonly headersOnly?: boolean } = {},
  ): Promise<NatsTail> {
    const { subject, headersOnly = false } = options;
    const consumer = await client.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: position + 1,
      headers_only: headersOnly,
      ...(subject !== undefined && { filter_subjects: subject }),
    });
    return new NatsTail(position, consumer, await consumer.consume({ max_messages: AHEAD }));
  }

  private constructor(position: number, consumer: Consumer, messages: ConsumerMessages) {
    this.position = position;
    this.#consumer = consumer;
    this.#messages = messages;
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
      const message = await this.#read(waitUntil);
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
    const next = await (waitUntil === undefined ? this.#next : orAborted(this.#next, waitUntil));
    if (next === null) return null;
    this.#next = null;
    if (next.done === true) throw new Error('the connection was closed');
    const message = next.value;
    this.position = message.seq;
    this.#delivered = message.info.deliverySequence;
    this.#pending = message.info.pending;
    return message;
  }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const end = () => resolve(null);
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
