// The keys of projects: which exist, which this machine can open, and which one seals. A key's id is a hash of the key, so
// a key proves by itself that it is the one, no matter who gave it. Which key may seal follows from the set of records:
// its maker may still write, and everybody who has left since is among those that it was not given to. So after a
// removal the next writer makes a new key, without waiting for anybody. Of several the latest generation seals, then
// the smallest id.
import { Decrypter, Encrypter } from 'age-encryption';
import { hasAccess, hasLeft, type Member, type Membership } from './membership.ts';
import type { BodyOf, SignedRecord } from './record.ts';
import { opaqueName, shortHash } from './signing.ts';

export const KEY_BYTES = 32;
/** Of a record, which then has less than a megabyte, whatever the length of the project's name. */
const WRAPS_MAX = 250;
/** The holder of the recovery key, beside the ids of machines. */
export const RECOVERY = 'recovery';

export interface ProjectKey {
  readonly id: string;
  readonly key: Buffer;
  /** As the machine that made the key names it. */
  readonly project: string;
  readonly projectId: string;
}

/** This machine as a reader of wrapped keys. */
export interface Holder {
  /** A machine's id, or `recovery`. */
  readonly id: string;
  /** Its age identity. */
  readonly identity: string;
}

interface KnownKey {
  readonly project: string;
  readonly made: SignedRecord<BodyOf<'key'>>[];
  /** By holder. More than one when several machines gave it, or when some are false. */
  readonly wraps: Map<string, Set<string>>;
}

export class ProjectKeys {
  readonly #team: string;
  readonly #teamKey: Uint8Array;
  readonly #holder: Holder;
  readonly #known = new Map<string, KnownKey>();
  readonly #opened = new Map<string, ProjectKey>();

  constructor(team: string, teamKey: Uint8Array, holder: Holder) {
    this.#team = team;
    this.#teamKey = teamKey;
    this.#holder = holder;
  }

  add({ id, by, body }: SignedRecord): void {
    if (body.kind !== 'key' && body.kind !== 'wraps') return;
    const known: KnownKey = this.#known.get(body.key) ?? {
      project: body.project,
      made: [],
      wraps: new Map(),
    };
    this.#known.set(body.key, known);
    if (body.kind === 'key') known.made.push({ id, by, body });
    for (const [holder, wrapped] of Object.entries(body.wraps)) {
      const given = known.wraps.get(holder) ?? new Set<string>();
      known.wraps.set(holder, given.add(wrapped));
    }
  }

  /** Null while nobody has given this key to this machine. */
  async open(id: string): Promise<ProjectKey | null> {
    const opened = this.#opened.get(id);
    if (opened !== undefined) return opened;
    for (const wrapped of this.#known.get(id)?.wraps.get(this.#holder.id) ?? []) {
      const found = await this.#unwrap(id, wrapped);
      if (found === null) continue;
      this.#opened.set(id, found);
      return found;
    }
    return null;
  }

  /** The key that seals now. Null when a new one must be made. */
  async sealing(projectId: string, members: Membership, now: number): Promise<ProjectKey | null> {
    const left = leftOf(projectId, members, now);
    const usable = this.#madeFor(projectId)
      .filter(({ by, body }) => maySeal(members.get(by), projectId, now) && isWithout(body, left))
      .sort((a, b) => b.body.generation - a.body.generation || (a.body.key < b.body.key ? -1 : 1));
    for (const { body } of usable) {
      const found = await this.open(body.key);
      if (found?.projectId === projectId) return found;
    }
    return null;
  }

  /** A new key for a project: the records that give it to everybody who may have it, the first one of the key itself. */
  async make(
    project: string,
    { key, recovery, members, now }: { key: Buffer; recovery: string; members: Membership; now: number },
  ): Promise<readonly [BodyOf<'key'>, ...BodyOf<'wraps'>[]]> {
    const projectId = this.nameOf(project);
    const id = this.#idOf(projectId, key);
    const generations = this.#madeFor(projectId).map(({ body }) => body.generation);
    const holders = [...members.values()].filter((member) => isHolder(member, projectId, now));
    const [first = {}, ...others] = inParts([
      [RECOVERY, await wrap(key, project, recovery)],
      ...(await wrapsFor(holders, key, project)),
    ]);
    this.#opened.set(id, { id, key, project, projectId });
    const about = { at: now, project: projectId, key: id };
    const made: BodyOf<'key'> = {
      ...{ kind: 'key', ...about, wraps: first, generation: Math.max(0, ...generations) + 1 },
      without: leftOf(projectId, members, now),
    };
    return [made, ...others.map((wraps) => ({ kind: 'wraps' as const, ...about, wraps }))];
  }

  /** What members lack of the keys that this machine can open. */
  async owed(members: Membership, now: number): Promise<readonly BodyOf<'wraps'>[]> {
    const records: BodyOf<'wraps'>[] = [];
    for (const [id, { project, wraps }] of this.#known) {
      const lacking = [...members.values()].filter(
        (member) => isHolder(member, project, now) && !wraps.has(member.id),
      );
      const opened = lacking.length === 0 ? null : await this.open(id);
      if (opened === null) continue;
      for (const part of inParts(await wrapsFor(lacking, opened.key, opened.project)))
        records.push({ kind: 'wraps', at: now, project, key: id, wraps: part });
    }
    return records;
  }

  /** The names of all projects with a key that this machine can open. */
  async projects(): Promise<readonly string[]> {
    const opened = await Promise.all([...this.#known.keys()].map((id) => this.open(id)));
    return [...new Set(opened.flatMap((key) => key?.project ?? []))].sort();
  }

  /** What the shared log calls a project. */
  nameOf(project: string): string {
    return opaqueName(this.#teamKey, project);
  }

  #madeFor(projectId: string): SignedRecord<BodyOf<'key'>>[] {
    return [...this.#known.values()].flatMap(({ project, made }) => (project === projectId ? made : []));
  }

  #idOf(projectId: string, key: Uint8Array): string {
    return shortHash('annals project key', Buffer.from(this.#team + projectId, 'hex'), key);
  }

  async #unwrap(id: string, wrapped: string): Promise<ProjectKey | null> {
    const content = await unwrap(wrapped, this.#holder.identity);
    if (content === null) return null;
    const projectId = this.nameOf(content.project);
    return this.#idOf(projectId, content.key) === id ? { id, projectId, ...content } : null;
  }
}

type Wrap = readonly [holder: string, wrapped: string];

async function wrapsFor(holders: readonly Member[], key: Uint8Array, project: string): Promise<Wrap[]> {
  const wraps: Wrap[] = [];
  for (const { id, recipient } of holders) {
    const wrapped = await wrap(key, project, recipient).catch(() => null);
    // A recipient that is none: that machine can be given nothing, and keeps nobody from making keys.
    if (wrapped !== null) wraps.push([id, wrapped]);
  }
  return wraps;
}

/** Parts that fit into a record. */
function inParts(wraps: readonly Wrap[]): Record<string, string>[] {
  const count = Math.ceil(wraps.length / WRAPS_MAX);
  return Array.from({ length: count }, (_, part) =>
    Object.fromEntries(wraps.slice(part * WRAPS_MAX, (part + 1) * WRAPS_MAX)),
  );
}

/** An age file with a key and the name of its project, as base64. */
async function wrap(key: Uint8Array, project: string, recipient: string): Promise<string> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const file = await encrypter.encrypt(Buffer.concat([key, Buffer.from(project)]));
  return Buffer.from(file).toString('base64');
}

/** Null if it was not wrapped for this identity, or was changed. */
async function unwrap(
  wrapped: string,
  identity: string,
): Promise<{ readonly key: Buffer; readonly project: string } | null> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    const content = Buffer.from(await decrypter.decrypt(Buffer.from(wrapped, 'base64')));
    return { key: content.subarray(0, KEY_BYTES), project: content.toString('utf8', KEY_BYTES) };
  } catch {
    return null;
  }
}

function maySeal(maker: Member | undefined, projectId: string, now: number): boolean {
  return maker !== undefined && maker.role !== 'reader' && isHolder(maker, projectId, now);
}

function isHolder(member: Member, projectId: string, now: number): boolean {
  return !hasLeft(member, now) && hasAccess(member, projectId);
}

/** Machines that could have had a key of this project, and may have no new one. */
function leftOf(projectId: string, members: Membership, now: number): string[] {
  return [...members.values()]
    .filter((member) => hasLeft(member, now) && hasAccess(member, projectId))
    .map(({ id }) => id)
    .sort();
}

function isWithout({ without }: BodyOf<'key'>, left: readonly string[]): boolean {
  return left.every((id) => without.includes(id));
}
