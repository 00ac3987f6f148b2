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
  PAGE_MESSAGES,
  type PageRequest,
  type Removal,
  type SharedLog,
  type SharedLogAddress,
  type SharedLogState,
  type StoredMessage,
} from './shared-log.ts';

/** A writer that lost its connection holds up the others no longer than this. */
const TURN_MS = 10_000;

const TABLES = `
  CREATE TABLE IF NOT EXISTS annals_teams (
    team text PRIMARY KEY, incarnation uuid NOT NULL DEFAULT gen_random_uuid(), head bigint NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS annals_messages (
    team text NOT NULL, position bigint NOT NULL, id text NOT NULL, kind text NOT NULL, project text NOT NULL,
    origin text NOT NULL, bytes bytea NOT NULL, PRIMARY KEY (team, position), UNIQUE (team, id));`;

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

  async begin(create: boolean): Promise<void> {
    if (create && (await this.#teamRow()) === null) {
      await this.#queries.query(TABLES);
      await this.#queries.query('INSERT INTO annals_teams (team) VALUES ($1) ON CONFLICT DO NOTHING', [
        this.#team,
      ]);
    }
    if ((await this.#teamRow()) === null) throw noTeam();
    await this.#notices.query(`LISTEN ${this.#notices.escapeIdentifier(this.#channel)}`);
  }

  append(messages: readonly Message[]): Promise<readonly Appended[]> {
    if (messages.length === 0) return Promise.resolve([]);
    return this.#one(async (client) => {
      await client.query('BEGIN');
      try {
        const known = await this.#insert(messages, client);
        await client.query('COMMIT');
        return known;
      } catch (error) {
        await client.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    });
  }

  async #insert(messages: readonly Message[], client: pg.Client): Promise<readonly Appended[]> {
    // Waits until the writer before has committed.
    const { rows } = await client.query<{ head: string }>(
      'SELECT head FROM annals_teams WHERE team = $1 FOR UPDATE',
      [this.#team],
    );
    if (rows[0] === undefined) throw noTeam();
    const before = await this.#positions(messages, client);
    let head = Number(rows[0].head);
    const fresh = new Map<string, Message & { readonly position: number }>();
    for (const message of messages)
      if (!before.has(message.id) && !fresh.has(message.id))
        fresh.set(message.id, { ...message, position: ++head });
    const appended = messages.map(({ id }, index) => {
      const known = before.get(id);
      const first = messages.findIndex((message) => message.id === id) === index;
      return { position: known ?? fresh.get(id)!.position, duplicate: known !== undefined || !first };
    });
    if (fresh.size === 0) return appended;
    const added = [...fresh.values()];
    await client.query(
      `INSERT INTO annals_messages (team, position, id, kind, project, origin, bytes)
       SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bytea[])`,
      [
        this.#team,
        added.map(({ position }) => position),
        added.map(({ id }) => id),
        added.map(({ kind }) => kind),
        added.map(({ project }) => project),
        added.map(({ origin }) => origin),
        added.map(({ bytes }) => Buffer.from(bytes)),
      ],
    );
    await client.query('UPDATE annals_teams SET head = $2 WHERE team = $1', [this.#team, head]);
    await client.query('SELECT pg_notify($1, $2)', [this.#channel, String(head)]);
    return appended;
  }

  async #positions(messages: readonly Message[], client: pg.Client): Promise<ReadonlyMap<string, number>> {
    const { rows } = await client.query<Pick<Row, 'id' | 'position'>>(
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
    return this.#one(async (client) => {
      const { rows } = await client.query<Row>(
        `SELECT position, id, kind, project, origin, bytes FROM annals_messages
         WHERE team = $1 AND position > $2 ORDER BY position LIMIT $3`,
        [this.#team, after, limit],
      );
      return rows.map((row) => ({ ...row, position: Number(row.position) }));
    });
  }

  remove(project: string, ids: readonly string[]): Promise<Removal> {
    return this.#one(async (client) => {
      const { rowCount } = await client.query(
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
    return this.#one(async (client) => {
      const row = await this.#teamRow();
      if (row === null) throw noTeam();
      const { rows } = await client.query<{ bytes: string; version: string; sync: string }>(
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
    await Promise.allSettled([this.#queries.end(), this.#notices.end()]);
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

  /** One after the other: they share a connection, and a transaction is several queries. */
  #one<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const result = this.#last.then(() =>
      answered(this.#isRefusal, async () => {
        if (this.#isClosed) throw new Error('the connection was closed');
        return work(this.#queries);
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
    idle_in_transaction_session_timeout: TURN_MS,
  };
}

/** Whether the server answered, and said no. */
function refusalIn(postgres: typeof PostgresClient): (error: unknown) => boolean {
  return (error) => error instanceof postgres.DatabaseError && REFUSALS.test(error.code ?? '');
}

/** Classes of SQLSTATE: authorization, access rule, no such database or schema. */
const REFUSALS = /^(?:28|42|3D|3F)/;
