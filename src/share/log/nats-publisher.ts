// Publishes batches to a stream. One subscription takes all acknowledgements: a request for each message, as the client
// makes it, costs more than sealing the event.
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import type * as NatsClient from './nats-client.ts';
import { TIMEOUT_MS } from './server-url.ts';
import type { Appended, Message } from './shared-log.ts';

/** While a cluster chooses a leader, nobody takes a message. */
const NOBODY_RETRIES_MAX = 8;
const NOBODY_WAIT_MS = 250;
const NOBODY = 503;

interface Batch {
  /** Undefined where nobody took the message. */
  readonly acks: (Appended | undefined)[];
  readonly first: number;
  open: number;
  settle(error?: Error): void;
}

export class NatsPublisher {
  readonly #nats: typeof NatsClient;
  readonly #connection: NatsConnection;
  readonly #stream: string;
  readonly #subjectOf: (message: Message) => string;
  readonly #inbox: string;
  readonly #acks: Subscription;
  readonly #batches = new Set<Batch>();
  /**
   * Ends what waits when nothing is acknowledged any more. It is one for all batches: on a slow line a batch waits for those
   * before it.
   */
  #silence: NodeJS.Timeout | undefined;
  #next = 0;

  constructor(
    nats: typeof NatsClient,
    connection: NatsConnection,
    stream: string,
    subjectOf: (message: Message) => string,
  ) {
    this.#nats = nats;
    this.#connection = connection;
    this.#stream = stream;
    this.#subjectOf = subjectOf;
    this.#inbox = nats.createInbox();
    this.#acks = connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => (error === null ? this.#take(message) : this.fail(error)),
    });
    void connection.closed().then(() => this.fail(new Error('the connection was closed')));
  }

  /** Resolves when all are acknowledged, in their order. @throws what the server answered */
  async publish(messages: readonly Message[]): Promise<readonly Appended[]> {
    const outcomes: Appended[] = [];
    let left = messages.map((message, place) => ({ message, place }));
    for (let tries = 0; left.length > 0; tries++) {
      if (tries > NOBODY_RETRIES_MAX) throw new Error('no server takes messages of this team');
      if (tries > 0) await new Promise((resolve) => setTimeout(resolve, NOBODY_WAIT_MS));
      const { acks } = await this.#send(left.map(({ message }) => message));
      for (const [index, ack] of acks.entries()) if (ack !== undefined) outcomes[left[index]!.place] = ack;
      left = left.filter((_, index) => acks[index] === undefined);
    }
    return outcomes;
  }

  /** Ends everything that waits: the server refused a message, and does not say which one. */
  fail(error: Error): void {
    for (const batch of this.#batches) batch.settle(error);
  }

  end(): void {
    this.#acks.unsubscribe();
  }

  #send(messages: readonly Message[]): Promise<Batch> {
    return new Promise((resolve, reject) => {
      const batch: Batch = {
        ...{ acks: new Array(messages.length), first: this.#next, open: messages.length },
        settle: (error) => {
          this.#batches.delete(batch);
          if (this.#batches.size === 0) this.#endSilence();
          if (error === undefined) resolve(batch);
          else reject(error);
        },
      };
      this.#batches.add(batch);
      this.#silence ??= setTimeout(
        () => this.fail(new Error('the server did not answer in time')),
        TIMEOUT_MS,
      );
      this.#next += messages.length;
      try {
        for (const [index, message] of messages.entries()) this.#sendOne(message, batch.first + index);
      } catch (error) {
        batch.settle(error as Error);
      }
    });
  }

  #endSilence(): void {
    clearTimeout(this.#silence);
    this.#silence = undefined;
  }

  #sendOne(message: Message, number: number): void {
    const headers = this.#nats.headers();
    const { id, resent } = message;
    headers.set('Nats-Msg-Id', resent === undefined ? id : `${id}.${resent}`);
    headers.set('Nats-Expected-Stream', this.#stream);
    const reply = `${this.#inbox}.${number}`;
    this.#connection.publish(this.#subjectOf(message), message.bytes, { headers, reply });
  }

  #take(message: Msg): void {
    this.#silence?.refresh();
    const number = Number(message.subject.slice(this.#inbox.length + 1));
    for (const batch of this.#batches) {
      const place = number - batch.first;
      if (place < 0 || place >= batch.acks.length) continue;
      if (message.headers?.code !== NOBODY) {
        const ack = message.json<Ack>();
        if (ack.error !== undefined) {
          batch.settle(new this.#nats.JetStreamApiError(ack.error));
          return;
        }
        batch.acks[place] = { position: ack.seq, duplicate: ack.duplicate === true };
      }
      batch.open -= 1;
      if (batch.open === 0) batch.settle();
      return;
    }
  }
}

interface Ack {
  readonly seq: number;
  readonly duplicate?: boolean;
  readonly error?: ConstructorParameters<typeof NatsClient.JetStreamApiError>[0];
}
