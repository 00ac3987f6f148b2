// The shared log on PostgreSQL: one row for a message, its id is unique in the team. Writers take turns, so that positions
// become visible in their order: otherwise a reader could pass a row that is not yet committed.
import type pg from 'pg';
import { answered, noTeam } from './log-errors.ts';
import type * as PostgresClient from './postgres-client.ts';
import { serverUrl, TIMEOUT_MS } from './server-url.ts';
import {
  type Appended,
  MESSAGE_BYTES_MAX,
  type Message,
  type MessageKind,
  PAGE_BYTES,
  PAGE_MESSAGES,
  type PageRequest,
  type Removal,
  type SharedLog,
  type SharedLogAddress,
  type SharedLogState,
  type StoredMessage,
} from './shared-log.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS annals_teams (
    team text PRIMARY KEY, incarnation uuid NOT NULL DEFAULT gen_random_uuid(), head bigint NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS annals_messages (
    team text NOT NULL, position bigint NOT NULL, id text NOT NULL, kind text NOT NULL, project text NOT NULL,
    origin text NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (team, position), UNIQUE (team, id));`;

const INSERT = `
  WITH turn AS (
    UPDATE annals_teams SET head = head + $2::bigint WHERE team = $1 RETURNING head - $2::bigint AS start),
  added AS (
    INSERT INTO annals_messages (team, position, id, kind, project, origin, bytes)
    SELECT $1, turn.start + place, id, kind, project, origin, bytes
    FROM turn, unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[])
      WITH ORDINALITY AS message (id, kind, project, origin, bytes, place)
    ORDER BY place
    ON CONFLICT (team, id) DO NOTHING
    RETURNING id, position)
  SELECT id, position, pg_notify($8, '') FROM added`;

export async function openPostgresLog(address: SharedLogAddress): Promise<SharedLog> {
  const postgres = await import('./postgres-client.ts');
  return answered(refusalIn(postgres), async () => {
    const options = clientOptions(address);
    const [queries, notices] = [new postgres.Client(options), new postgres.Client(options)];
    const log = new PostgresLog(postgres, queries, notices, address.team);
    try {
      await Promise.all([queries.connect(), notices.connect()]);
      await log.begin(address.create === true);
      return log;
    } catch (error) {
      await log.close();
      throw error;
    }
  });
}

interface Row {
  readonly position: string;
  readonly id: string;
  readonly kind: MessageKind;
  readonly project: string;
  readonly origin: string;
  readonly bytes: Buffer;
}

class PostgresLog implements SharedLog {
  readonly closed: Promise<void>;
  readonly #isRefusal: (error: unknown) => boolean;
  readonly #queries: pg.Client;
  /** A connection of its own: it waits for notices. */
  readonly #notices: pg.Client;
  readonly #team: string;
  readonly #channel: string;
  readonly #listeners = new Set<() => void>();
  #last: Promise<unknown> = Promise.resolve();
  #close: () => void = () => {};
  #isClosed = false;

  constructor(postgres: typeof PostgresClient, queries: pg.Client, notices: pg.Client, team: string) {
    this.#isRefusal = refusalIn(postgres);
    this.#queries = queries;
    this.#notices = notices;
    this.#team = team;
    this.#channel = `annals_${team}`;
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
    for (const client of [queries, notices]) {
      client.on('error', () => void this.close());
      client.on('end', () => void this.close());
    }
    notices.on('notification', () => this.#wake());
  }

  begin(create: boolean): Promise<void> {
    return this.#one(async () => {
      if (create && (await this.#teamRow()) === null) {
        await this.#queries.query(TABLES);
        await this.#queries.query('INSERT INTO annals_teams (team) VALUES ($1) ON CONFLICT DO NOTHING', [
          this.#team,
        ]);
      }
      if ((await this.#teamRow()) === null) throw noTeam();
      const listen = `LISTEN ${this.#notices.escapeIdentifier(this.#channel)}`;
      await answering(this.#notices, () => this.#notices.query(listen));
    });
  }

  append(messages: readonly Message[]): Promise<readonly Appended[]> {
    if (messages.length === 0) return Promise.resolve([]);
    return this.#one(async () => {
      const positions = new Map<string, number>();
      const added = await this.#insert(messages);
      for (const [id, position] of added) positions.set(id, position);
      // What was removed while this looked for it is added after all.
      for (let left = messages; ; ) {
        left = left.filter(({ id }) => !positions.has(id));
        if (left.length === 0) break;
        for (const [id, position] of await this.#positions(left)) positions.set(id, position);
        left = left.filter(({ id }) => !positions.has(id));
        const more = await this.#insert(left);
        if (left.length > 0 && more.size === 0 && (await this.#teamRow()) === null) throw noTeam();
        for (const [id, position] of more) {
          positions.set(id, position);
          added.set(id, position);
        }
      }
      return messages.map(({ id }) => ({ position: positions.get(id)!, duplicate: !added.delete(id) }));
    });
  }

  /**
   * One statement, so that a server far away is asked once: it waits for the writer before, takes as many positions as there
   * are messages, and tells the readers. Returns the positions of those that are new; what it does not use is a gap.
   */
  async #insert(messages: readonly Message[]): Promise<Map<string, number>> {
    if (messages.length === 0) return new Map();
    const { rows } = await this.#queries.query<Pick<Row, 'id' | 'position'>>(INSERT, [
      this.#team,
      messages.length,
      messages.map(({ id }) => id),
      messages.map(({ kind }) => kind),
      messages.map(({ project }) => project),
      messages.map(({ origin }) => origin),
      messages.map(({ bytes }) => Buffer.from(bytes)),
      this.#channel,
    ]);
    return new Map(rows.map(({ id, position }) => [id, Number(position)]));
  }

  async #positions(messages: readonly Message[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.#queries.query<Pick<Row, 'id' | 'position'>>(
      'SELECT id, position FROM annals_messages WHERE team = $1 AND id = ANY($2)',
      [this.#team, messages.map(({ id }) => id)],
    );
    return new Map(rows.map(({ id, position }) => [id, Number(position)]));
  }

  async page({ after, limit = PAGE_MESSAGES, waitUntil }: PageRequest): Promise<readonly StoredMessage[]> {
    if (waitUntil === undefined) return this.#read(after, limit);
    for (;;) {
      // Listens before it looks: otherwise it could miss a notice in between.
      const notice = this.#noticeUntil(waitUntil);
      try {
        const found = await this.#read(after, limit);
        if (found.length > 0 || waitUntil.aborted) return found;
        await notice.arrived;
      } finally {
        notice.cancel();
      }
    }
  }

  #read(after: number, limit: number): Promise<readonly StoredMessage[]> {
    return this.#one(async () => {
      const { rows } = await this.#queries.query<Row>(
        `SELECT position, id, kind, project, origin, bytes FROM (
           SELECT *, sum(octet_length(bytes)) OVER (ORDER BY position) - octet_length(bytes) AS size_before FROM (
             SELECT position, id, kind, project, origin, bytes FROM annals_messages
             WHERE team = $1 AND position > $2 ORDER BY position LIMIT $3) AS found) AS page
         WHERE size_before < $4 ORDER BY position`,
        [this.#team, after, limit, PAGE_BYTES],
      );
      return rows.map((row) => ({ ...row, position: Number(row.position) }));
    });
  }

  remove(project: string, ids: readonly string[]): Promise<Removal> {
    return this.#one(async () => {
      const { rowCount } = await this.#queries.query(
        'DELETE FROM annals_messages WHERE team = $1 AND project = $2 AND id = ANY($3)',
        [this.#team, project, ids],
      );
      const removed = rowCount ?? 0;
      return {
        removed,
        remains:
          removed === 0
            ? null
            : 'PostgreSQL keeps deleted rows, sealed, in its files until VACUUM, and in its archives and backups.',
      };
    });
  }

  state(): Promise<SharedLogState> {
    return this.#one(async () => {
      const row = await this.#teamRow();
      if (row === null) throw noTeam();
      const { rows } = await this.#queries.query<{ bytes: string; version: string; sync: string }>(
        `SELECT pg_total_relation_size('annals_messages') AS bytes,
           current_setting('server_version') AS version, current_setting('synchronous_commit') AS sync`,
      );
      const { bytes, version, sync } = rows[0]!;
      return {
        engine: 'PostgreSQL',
        version,
        incarnation: row.incarnation,
        head: Number(row.head),
        bytes: Number(bytes),
        messageBytesMax: MESSAGE_BYTES_MAX,
        warnings:
          sync === 'off'
            ? ['synchronous_commit is off: a power cut can lose messages that were acknowledged.']
            : [],
      };
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#wake();
    await Promise.all([this.#queries, this.#notices].map(end));
    this.#close();
  }

  /** Null if there is none, or no table for it. */
  async #teamRow(): Promise<{ readonly incarnation: string; readonly head: string } | null> {
    const { rows: tables } = await this.#queries.query("SELECT to_regclass('annals_teams') AS found");
    if (tables[0].found === null) return null;
    const { rows } = await this.#queries.query<{ incarnation: string; head: string }>(
      'SELECT incarnation, head FROM annals_teams WHERE team = $1',
      [this.#team],
    );
    return rows[0] ?? null;
  }

  /** One after the other: they share a connection, and some are several queries. */
  #one<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(() =>
      answered(this.#isRefusal, async () => {
        if (this.#isClosed) throw new Error('the connection was closed');
        return answering(this.#queries, work);
      }),
    );
    this.#last = result.catch(() => undefined);
    return result;
  }

  #wake(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Arrives at the next notice, at the end of the wait, and when the connection is gone. */
  #noticeUntil(signal: AbortSignal): { readonly arrived: Promise<void>; cancel(): void } {
    let cancel = () => {};
    const arrived = new Promise<void>((resolve) => {
      const arrive = () => {
        this.#listeners.delete(arrive);
        signal.removeEventListener('abort', arrive);
        resolve();
      };
      this.#listeners.add(arrive);
      signal.addEventListener('abort', arrive);
      cancel = arrive;
    });
    return { arrived, cancel };
  }
}

/**
 * Ends the connection when the server is silent for too long while it is asked something. A long answer over a slow line
 * may take its time.
 */
async function answering<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const socket = socketOf(client);
  const giveUp = () => socket.destroy(new Error('it does not answer'));
  socket.setTimeout(TIMEOUT_MS, giveUp);
  try {
    return await work();
  } finally {
    socket.setTimeout(0, giveUp);
  }
}

/** Says goodbye, and does not wait for an answer. */
async function end(client: pg.Client): Promise<void> {
  const ended = client.end().catch(() => undefined);
  socketOf(client).destroySoon();
  await ended;
}

interface Socket {
  setTimeout(ms: number, listener: () => void): void;
  destroy(error: Error): void;
  destroySoon(): void;
}

/** The types of the client know it as a stream only. */
function socketOf({ connection }: pg.Client): Socket {
  return connection.stream as unknown as Socket;
}

function clientOptions({ url, ca }: SharedLogAddress): pg.ClientConfig {
  const { hostname, port, user, password, database, isEncrypted } = serverUrl(url);
  return {
    application_name: 'annals',
    host: hostname,
    // Without a password the client reads PGPASSWORD and ~/.pgpass.
    ...(port !== '' && { port: Number(port) }),
    ...(user !== '' && { user }),
    ...(password !== '' && { password }),
    ...(database !== '' && { database }),
    ...((isEncrypted || ca !== undefined) && { ssl: ca === undefined ? true : { ca } }),
    keepAlive: true,
    connectionTimeoutMillis: TIMEOUT_MS,
    // A query that was given up must not wait on the server for its turn.
    lock_timeout: TIMEOUT_MS,
  };
}

/** Whether the server answered, and said no. */
function refusalIn(postgres: typeof PostgresClient): (error: unknown) => boolean {
  return (error) => error instanceof postgres.DatabaseError && REFUSALS.test(error.code ?? '');
}

/** Classes of SQLSTATE: authorization, access rule, no such database or schema. */
const REFUSALS = /^(?:28|42|3D|3F)/;
