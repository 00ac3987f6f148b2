// Machines that share through one server in memory, for tests of what is sent and taken in. The team seals nothing: it marks
// who sealed for which project, and may lack a key.
import { hash } from 'node:crypto';
import { AnnalsError, type Log, loadCatalog, type NewEvent, packEvent } from '../../log/index.ts';
import { sharedRowsWithout } from '../../src/forget/index.ts';
import type { Home } from '../../src/home/home.ts';
import {
  type AcceptedRecords,
  type EventToSeal,
  type Opened,
  type OpenedEvent,
  type Refused,
  SealError,
  type SealedEventOf,
  type TeamRecord,
} from '../../src/share/keys/sealer.ts';
import { EVENT_BYTES_MAX, eventName, wireEvent, withoutSecrets } from '../../src/share/keys/wire-event.ts';
import type { SharedLog } from '../../src/share/log/shared-log.ts';
import { Rows } from '../../src/share/rows/sync-rows.ts';
import type { SharedProject } from '../../src/share/sync/placement.ts';
import { connectedParts, exchange, type SyncReport, syncOnce } from '../../src/share/sync/sync.ts';
import type { SyncTeam } from '../../src/share/sync/team.ts';
import { memoryStore, openMemoryLog } from '../helpers/logs.ts';
import { testWorld } from '../helpers/world.ts';

/** Of tests with random orders. */
export const RUNS = Number(process.env.ANNALS_TEST_SEEDS ?? 10);
export const SEED = Number(process.env.ANNALS_TEST_SEED ?? 20261123);

export const REMOTE = 'github.com/acme/app';
export const PROJECT: SharedProject = { key: `repo:${REMOTE}`, name: 'app', since: 0 };

/** Opens what was sealed with a key that it has; a record `key <name>` brings one. */
export class TeamDouble implements SyncTeam {
  readonly machine: string;
  readonly #keys = new Set(['first']);
  readonly #records = new Map<string, TeamRecord>();
  #pending: TeamRecord[] = [];
  key = 'first';
  /** When it seals, Unix ms. */
  at = 0;
  /** Projects that it has no access to. */
  readonly hidden = new Set<string>();

  constructor(machine: string) {
    this.machine = machine;
  }

  /** Seals with a new key from now on, which the others learn from a record. */
  rotate(key: string): void {
    const bytes = new TextEncoder().encode(`key ${key}`);
    const record = { id: recordId(key), bytes };
    this.key = key;
    this.#keys.add(key);
    this.#records.set(record.id, record);
    this.#pending.push(record);
  }

  teamKey(): Uint8Array {
    return new TextEncoder().encode('names of the team');
  }

  async seal(items: readonly { readonly project: string; readonly plain: Uint8Array }[]) {
    return items.map(({ project, plain }) => {
      const text = Buffer.from(plain).toString('latin1');
      const { key, machine: author, at } = this;
      return new TextEncoder().encode(JSON.stringify({ key, project, author, at, text }));
    });
  }

  async open(sealed: Uint8Array): Promise<Opened | null> {
    let parsed: { key: string; project: string; author: string; at: number; text: string };
    try {
      parsed = JSON.parse(Buffer.from(sealed).toString('utf8'));
    } catch {
      throw new SealError('damaged');
    }
    const { key, project, author, at, text } = parsed;
    if (this.hidden.has(project)) throw new SealError('hidden');
    return this.#keys.has(key) ? { project, author, at, plain: Buffer.from(text, 'latin1') } : null;
  }

  async sealEvents(items: readonly EventToSeal[]): Promise<readonly SealedEventOf[]> {
    const plain = items.map(({ project, event }) => ({ project, ...withoutSecrets(packEvent(event)) }));
    const sealed = await this.seal(plain);
    return items.map(({ project, event }, index) => ({
      name: eventName(this.teamKey(), project, event.header.id),
      bytes: plain[index]!.plain.length <= EVENT_BYTES_MAX ? sealed[index]! : null,
      size: plain[index]!.plain.length,
    }));
  }

  async openEvents(messages: readonly Uint8Array[]): Promise<readonly (OpenedEvent | Refused | null)[]> {
    const catalog = await loadCatalog();
    return Promise.all(
      messages.map(async (bytes) => {
        try {
          const opened = await this.open(bytes);
          if (opened === null) return null;
          const { plain, ...rest } = opened;
          const event = wireEvent(plain, catalog);
          if (typeof event === 'string') return { refused: null, reason: event };
          return { ...rest, event, name: eventName(this.teamKey(), rest.project, event.header.id) };
        } catch (error) {
          if (error instanceof SealError) return { refused: error.reason, reason: error.message };
          throw error;
        }
      }),
    );
  }

  cannotWrite(): ReturnType<SyncTeam['cannotWrite']> {
    return null;
  }

  pending(): readonly TeamRecord[] {
    return this.#pending;
  }

  async acknowledged(ids: readonly string[]): Promise<void> {
    this.#pending = this.#pending.filter(({ id }) => !ids.includes(id));
  }

  async accept(records: readonly Uint8Array[]): Promise<AcceptedRecords> {
    let added = 0;
    const refused = [];
    for (const [index, bytes] of records.entries()) {
      const [word, key] = Buffer.from(bytes).toString('utf8').split(' ');
      if (word !== 'key' || key === undefined) refused.push({ index, error: new SealError('forged') });
      else if (!this.#keys.has(key)) {
        this.#keys.add(key);
        this.#records.set(recordId(key), { id: recordId(key), bytes });
        added += 1;
      }
    }
    return { added, refused };
  }

  all(): readonly TeamRecord[] {
    return [...this.#records.values()];
  }

  async settle(): Promise<void> {}
}

function recordId(key: string): string {
  return hash('sha256', key).slice(0, 32);
}

export interface Machine {
  readonly log: Log;
  readonly team: TeamDouble;
  capture(...events: readonly NewEvent[]): Promise<void>;
  sync(shared: SharedLog): Promise<SyncReport>;
  /** As `sync`, but says nothing of what it holds. */
  exchange(shared: SharedLog, signal?: AbortSignal): Promise<SyncReport>;
  /** As after a new start: what is remembered is read from the log. */
  restart(): Promise<void>;
  rows(): Rows;
}

/** A machine without views. It cannot take in a forgetting. @param start of its clock, Unix ms */
export async function machine(
  name: string,
  projects: readonly SharedProject[] = [PROJECT],
  start?: number,
): Promise<Machine> {
  const log = await openMemoryLog(memoryStore(), testWorld(name, start));
  const home = { log, now: Date.now } as unknown as Home;
  const team = new TeamDouble(name);
  let rows = await Rows.load(log);
  return {
    log,
    team,
    rows: () => rows,
    capture: async (...events) => {
      const named = events.flatMap((one) =>
        one.type === 'memory.forgotten' ? (one.body.events ?? []).flatMap(({ ids }) => ids) : [],
      );
      // As forgetting does.
      const cursors = named.length === 0 ? [] : await sharedRowsWithout(named, [], log);
      await log.append(events, { cursors });
    },
    sync: (shared) => syncOnce({ home, rows, team, shared, projects, lookAt: () => null }),
    exchange: async (shared, signal) => {
      const parts = { home, rows, team, shared, projects, lookAt: () => null };
      return exchange(parts, connectedParts(parts), (await shared.state()).incarnation, signal);
    },
    restart: async () => {
      rows = await Rows.load(log);
    },
  };
}

/** The folder of a repository as a machine sees it. */
export function seen(cwd: string, remote: string): NewEvent<'workdir.seen'> {
  return {
    ...{ type: 'workdir.seen', agent: 'annals', session: null, channel: 'cli', occurredAt: 5 },
    dedupeKey: `${cwd} ${remote}`,
    body: { cwd, root: cwd, commonDir: `${cwd}/.git`, remotes: [{ name: 'origin', url: remote }] },
  };
}

export function reply(session: string, number: number, cwd: string | null): NewEvent<'agent.replied'> {
  return {
    ...{ type: 'agent.replied', agent: 'claude-code', session, channel: 'hook' },
    ...{ dedupeKey: `line-${number}`, occurredAt: 1_000 + number },
    body: { text: `answer ${number} of ${session}`, cwd, uuid: `line-${number}` },
  };
}

export function saved(project: string | null, cwd: string | null): NewEvent<'memory.saved'> {
  return {
    ...{ type: 'memory.saved', agent: 'annals', session: null, channel: 'cli', occurredAt: 1 },
    dedupeKey: `${project} ${cwd}`,
    body: { title: `Of ${project} in ${cwd}`, text: 'The port is 8080.', project, cwd },
  };
}

export function linked(cwd: string, project: string, occurredAt = 5): NewEvent<'project.linked'> {
  return {
    ...{ type: 'project.linked', agent: 'annals', session: null, channel: 'cli', occurredAt },
    ...{ dedupeKey: `${cwd} ${project}`, body: { cwd, project } },
  };
}

/** @param session null for a pin on a memory */
export function pinned(session: string | null, workdir: string): NewEvent<'memory.pinned'> {
  const kind = session === null ? 'memory' : 'prompt';
  const agent = session === null ? 'annals' : 'claude-code';
  return {
    ...{ type: 'memory.pinned', agent: 'annals', session, channel: 'api', occurredAt: 1 },
    dedupeKey: `pin ${session} ${workdir}`,
    body: {
      item: {
        ...{ id: 'p-1', kind, agent, session, turn: null, workdir, at: 1 },
        ...{ title: 'A title', text: `A pin in ${workdir}`, events: [] },
      },
    },
  };
}

export function unpinned(session: string | null, ids: readonly string[]): NewEvent<'memory.withdrawn'> {
  return {
    ...{ type: 'memory.withdrawn', agent: 'annals', session, channel: 'api', occurredAt: 1 },
    ...{ dedupeKey: `unpin ${ids}`, body: { acts: ids.map((id) => ({ id, session })) } },
  };
}

/** @param session null for what `annals` itself recorded */
export function forgotten(session: string | null, ids: readonly string[]): NewEvent<'memory.forgotten'> {
  return {
    ...{ type: 'memory.forgotten', agent: 'annals', session: null, channel: 'cli', occurredAt: 20 },
    dedupeKey: ids.join(),
    body: {
      ...{ by: 'ids', copies: false, names: [], items: [] },
      events: [{ agent: session === null ? 'annals' : 'claude-code', session, ids: [...ids] }],
    },
  };
}

/** Of the first event of a type. */
export async function idOf({ log }: Pick<Machine, 'log'>, type: string): Promise<string> {
  return (await log.exportPage({ after: 0 })).events.find(({ header }) => header.type === type)!.header.id;
}

/** What a log holds of sessions: ids with bodies. */
export async function contents(log: Log): Promise<ReadonlyMap<string, string>> {
  const { events } = await log.exportPage({ after: 0, limit: 100_000, bytesMax: 1e9 });
  return new Map(events.map(({ header, body }) => [header.id, body.salt === null ? '' : body.json]));
}

/** What a connection that was cut throws. */
export class Cut extends AnnalsError {
  constructor() {
    super('SHARED_LOG_UNREACHABLE', 'It was cut.');
  }
}

/** A connection that is cut after some calls, also in the middle of one. */
export function cutAfter(log: SharedLog, calls: number): SharedLog {
  let left = calls;
  const counted = async <T>(work: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> => {
    left -= 1;
    if (left >= 0) return work();
    await half?.();
    throw new Cut();
  };
  return {
    append: (messages) =>
      counted(
        () => log.append(messages),
        () => log.append(messages.slice(0, messages.length / 2)),
      ),
    page: (request) => counted(() => log.page(request)),
    remove: (project, ids) => counted(() => log.remove(project, ids)),
    state: () => log.state(),
    closed: log.closed,
    close: () => log.close(),
  };
}
