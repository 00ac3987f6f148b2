// The shared log on NATS JetStream: one stream for a team, one subject for each kind, project and origin. The server keeps
// every subject in memory, so there is none for a session or an event.
import type { JetStreamClient, JetStreamManager, JsMsg, StoredMsg, StreamInfo } from '@nats-io/jetstream';
import type { NatsConnection, NodeConnectionOptions } from '@nats-io/transport-node';
import { answered, noTeam } from './log-errors.ts';
import type * as NatsClient from './nats-client.ts';
import { NatsPublisher } from './nats-publisher.ts';
import { NatsTail } from './nats-tail.ts';
import { serverUrl, TIMEOUT_MS } from './server-url.ts';
import {
  type Appended,
  MESSAGE_BYTES_MAX,
  type Message,
  type MessageKind,
  PAGE_MESSAGES,
  type PageRequest,
  type Removal,
  type SharedLog,
  type SharedLogAddress,
  type SharedLogState,
  type StoredMessage,
} from './shared-log.ts';

const PREFIX = 'annals.v1';
/** The server recognises an id for this long. It keeps the ids of that time in memory. */
const DUPLICATE_WINDOW_MS = 10 * 60_000;
/** A server that is away for longer is opened again, with growing pauses. */
const RECONNECTS_MAX = 20;
const RECONNECT_WAIT_MS = 250;
/** Earlier versions can lose a whole stream. */
const VERSION_MIN = [2, 10, 23] as const;

export async function openNatsLog(address: SharedLogAddress): Promise<SharedLog> {
  const client = await import('./nats-client.ts');
  return answered(refusalIn(client), async () => {
    const connection = await client.connect(connectionOptions(address, client));
    try {
      const manager = await client.jetstreamManager(connection, { timeout: TIMEOUT_MS });
      const log = new NatsLog(client, connection, manager, address.team);
      await log.begin(address);
      return log;
    } catch (error) {
      await connection.close();
      throw error;
    }
  });
}

class NatsLog implements SharedLog {
  readonly closed: Promise<void>;
  readonly #nats: typeof NatsClient;
  readonly #isRefusal: (error: unknown) => boolean;
  readonly #connection: NatsConnection;
  readonly #manager: JetStreamManager;
  readonly #client: JetStreamClient;
  readonly #team: string;
  readonly #stream: string;
  readonly #publisher: NatsPublisher;
  #tail: NatsTail | null = null;
  #incarnation = '';

  constructor(nats: typeof NatsClient, connection: NatsConnection, manager: JetStreamManager, team: string) {
    this.#nats = nats;
    this.#isRefusal = refusalIn(nats);
    this.#connection = connection;
    this.#manager = manager;
    this.#client = nats.jetstream(connection, { timeout: TIMEOUT_MS });
    this.#team = team;
    this.#stream = `ANNALS_${team}`;
    this.#publisher = new NatsPublisher(nats, connection, this.#stream, (message) => this.#subject(message));
    this.closed = connection.closed().then(() => undefined);
    void this.#watch();
  }

  async begin({ create = false, replicas = 1 }: SharedLogAddress): Promise<void> {
    const { DiscardPolicy, RetentionPolicy, StorageType, nanos } = this.#nats;
    try {
      this.#incarnation = (await this.#info()).created;
    } catch (error) {
      if (!isMissing(error, this.#nats)) throw error;
      if (!create) throw noTeam();
      const { created } = await this.#manager.streams.add({
        name: this.#stream,
        subjects: [`${PREFIX}.${this.#team}.>`],
        storage: StorageType.File,
        retention: RetentionPolicy.Limits,
        discard: DiscardPolicy.New,
        num_replicas: replicas,
        duplicate_window: nanos(DUPLICATE_WINDOW_MS),
        max_msg_size: MESSAGE_BYTES_MAX,
        allow_direct: true,
      });
      this.#incarnation = created;
    }
  }

  append(messages: readonly Message[]): Promise<readonly Appended[]> {
    return answered(this.#isRefusal, () => this.#publisher.publish(messages));
  }

  page({ after, limit = PAGE_MESSAGES, waitUntil }: PageRequest): Promise<readonly StoredMessage[]> {
    return answered(this.#isRefusal, async () => {
      if (this.#tail?.position !== after) {
        this.#tail?.end();
        this.#tail = null;
        this.#tail = await NatsTail.after(after, this.#nats, this.#client, this.#stream, {
          isFollowed: async (position) => (await this.#next(position)) !== null,
        });
      }
      const found = await this.#tail.read(limit);
      if (found.length > 0 && (await this.#isCurrent(found))) return found.map(storedMessage);
      const missed = await this.#fromLeader(after, limit);
      if (missed.length > 0 || waitUntil === undefined) return missed;
      const next = await this.#currentTail().read(limit, waitUntil);
      if (await this.#isCurrent(next)) return next.map(storedMessage);
      return this.#fromLeader(after, limit);
    });
  }

  /**
   * A server that was away while the log was made again still has the messages of the log before, and gives them until it
   * has caught up. They are older than this log, and the leader does not have them.
   */
  async #isCurrent(messages: readonly JsMsg[]): Promise<boolean> {
    const made = Date.parse(this.#incarnation);
    const old = messages.findLast((message) => timeOf(message) < made);
    if (old === undefined) return true;
    // Clocks of servers differ, so an old message may be one of this log.
    const stored = await this.#manager.streams.getMessage(this.#stream, { seq: old.seq });
    if (stored !== null && Math.abs(stored.time.getTime() - timeOf(old)) <= 1) return true;
    this.#tail?.end();
    this.#tail = null;
    return false;
  }

  /** @throws Error while only a server that has not caught up could deliver */
  #currentTail(): NatsTail {
    if (this.#tail !== null) return this.#tail;
    throw new Error('a server has not caught up yet');
  }

  /**
   * A consumer may be on a copy of the stream that lags behind, and then it ends too early. The leader knows what follows; it
   * answers one message at a time.
   */
  async #fromLeader(after: number, limit: number): Promise<readonly StoredMessage[]> {
    const found: StoredMessage[] = [];
    const { state } = await this.#info();
    for (let seq = after + 1; seq <= state.last_seq && found.length < limit; ) {
      const stored = await this.#next(seq - 1);
      // The last ones were deleted.
      if (stored === null) break;
      const { subject, header, data } = stored;
      found.push(storedMessage({ subject, seq: stored.seq, headers: header, data }));
      seq = stored.seq + 1;
    }
    return found;
  }

  /** The leader's. Null: there is none, or the last ones were deleted. */
  #next(after: number, subject = `${PREFIX}.${this.#team}.>`): Promise<StoredMsg | null> {
    const request = { seq: after + 1, next_by_subj: subject };
    return this.#manager.streams.getMessage(this.#stream, request);
  }

  remove(project: string, ids: readonly string[]): Promise<Removal> {
    return answered(this.#isRefusal, async () => {
      const wanted = new Set(ids);
      const subject = `${PREFIX}.${this.#team}.event.${project}.*`;
      const places = await this.#placesOf(wanted, subject);
      // The server overwrites the message before it drops it.
      for (const place of places) await this.#delete(place);
      return { removed: places.length, remains: null };
    });
  }

  async #delete(place: number): Promise<void> {
    const { streams } = this.#manager;
    try {
      await streams.deleteMessage(this.#stream, place, true);
    } catch (error) {
      // Another machine was faster.
      const isGone =
        error instanceof this.#nats.JetStreamApiError &&
        (await streams.getMessage(this.#stream, { seq: place })) === null;
      if (!isGone) throw error;
    }
  }

  async state(): Promise<SharedLogState> {
    return answered(this.#isRefusal, async () => {
      const { state, created, config } = await this.#info();
      const server = this.#connection.info;
      const version = server?.version ?? '';
      return {
        engine: 'NATS JetStream',
        version,
        incarnation: created,
        head: state.last_seq,
        bytes: state.bytes,
        messageBytesMax: Math.min(server?.max_payload ?? MESSAGE_BYTES_MAX, messageBytesMax(config)),
        warnings: isOlder(version)
          ? [
              `NATS ${version} is older than ${VERSION_MIN.join('.')}: use a newer one, older ones lost streams.`,
            ]
          : [],
      };
    });
  }

  async close(): Promise<void> {
    this.#tail?.end();
    this.#publisher.end();
    await this.#connection.close();
  }

  /**
   * A server that comes back may have lost messages or the whole log, and no longer has the consumer: who reads on would wait for
   * what has another position now. A new connection looks first.
   */
  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === 'error' && isRefusedPublish(status.error, this.#nats))
        this.#publisher.fail(status.error);
      if (status.type === 'reconnect') await this.close();
    }
  }

  #subject({ kind, project, origin }: Message): string {
    return `${PREFIX}.${this.#team}.${kind}.${project}.${origin}`;
  }

  #info(): Promise<StreamInfo> {
    return this.#manager.streams.info(this.#stream);
  }

  /** The server has no index by id: the headers of the project's messages are read. */
  async #placesOf(ids: ReadonlySet<string>, subject: string): Promise<number[]> {
    const tail = await NatsTail.after(0, this.#nats, this.#client, this.#stream, {
      subject,
      headersOnly: true,
      isFollowed: async (position) => (await this.#next(position, subject)) !== null,
    });
    const places: number[] = [];
    try {
      for (;;) {
        const page = await tail.read(PAGE_MESSAGES);
        if (page.length === 0) return places;
        for (const message of page) if (ids.has(idOf(message.headers))) places.push(message.seq);
      }
    } finally {
      tail.end();
    }
  }
}

function connectionOptions(
  { url, credentials, ca }: SharedLogAddress,
  { credsAuthenticator }: typeof NatsClient,
): NodeConnectionOptions {
  const { hostname, port, user, password, isEncrypted } = serverUrl(url);
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  return {
    servers: [`${host}:${port === '' ? '4222' : port}`],
    name: 'annals',
    timeout: TIMEOUT_MS,
    // Each message would make two errors for their stack traces.
    noAsyncTraces: true,
    maxReconnectAttempts: RECONNECTS_MAX,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    ...((isEncrypted || ca !== undefined) && { tls: ca === undefined ? {} : { ca } }),
    ...(credentials !== undefined && {
      authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
    }),
    ...(user !== '' && { user, pass: password }),
  };
}

type Delivered = Pick<JsMsg, 'subject' | 'seq' | 'headers' | 'data'>;

function storedMessage({ subject, seq, headers, data }: Delivered): StoredMessage {
  const [kind, project, origin] = subject.split('.').slice(-3);
  return {
    position: seq,
    id: idOf(headers),
    kind: kind as MessageKind,
    project: project!,
    origin: origin!,
    bytes: data,
  };
}

const ID_HEADER = 'Nats-Msg-Id';

/** A message that was sent again has a suffix after its id. */
function idOf(headers: Delivered['headers']): string {
  return headers?.get(ID_HEADER).split('.', 1)[0] ?? '';
}

/** Unix ms. */
function timeOf({ info }: JsMsg): number {
  return info.timestampNanos / 1e6;
}

function messageBytesMax({ max_msg_size: most }: StreamInfo['config']): number {
  return most > 0 ? most : MESSAGE_BYTES_MAX;
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, least] of VERSION_MIN.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part < least;
  }
  return false;
}

function isRefusedPublish(error: unknown, { PermissionViolationError }: typeof NatsClient): boolean {
  return error instanceof PermissionViolationError && error.operation === 'publish';
}

function isMissing(error: unknown, { JetStreamApiError, JetStreamApiCodes }: typeof NatsClient): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

/** Whether the server answered, and said no. */
function refusalIn(nats: typeof NatsClient): (error: unknown) => boolean {
  const refusals = [
    nats.PermissionViolationError,
    nats.AuthorizationError,
    nats.UserAuthenticationExpiredError,
    nats.JetStreamApiError,
  ];
  return (error) =>
    [error, error instanceof Error ? error.cause : undefined].some((cause) =>
      refusals.some((refusal) => cause instanceof refusal),
    );
}
