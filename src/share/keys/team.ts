// The team as one machine knows it: its records, its keys, and what follows from them.
import { Mutex } from '../../../log/index.ts';
import { type Access, EventSeals } from './event-seals.ts';
import type { SealedToOpen } from './event-work.ts';
import { EventWorkers } from './event-workers.ts';
import { type Identity, type Invitation, type RandomBytes, readIdentity, writeIdentity } from './identity.ts';
import { admissionsOf } from './joining.ts';
import { hasAccess, hasLeft, type Member, type Membership, membershipOf, refusalOf } from './membership.ts';
import { KEY_BYTES, type ProjectKey, ProjectKeys } from './project-keys.ts';
import { encodeRecord, RECORD_NONCE_BYTES, type RecordBody, type SignedRecord } from './record.ts';
import { RecordSet } from './record-set.ts';
import { type Head, headIn } from './sealed-event.ts';
import {
  type AcceptedRecords,
  type EventSealer,
  type EventToSeal,
  type KeyRecords,
  type Opened,
  type OpenedEvent,
  type PlainEvent,
  type Refusal,
  type Refused,
  SealError,
  type SealedEventOf,
  type Sealer,
  type TeamRecord,
} from './sealer.ts';
import { namesKey, opaqueName, type Signer, signerOf } from './signing.ts';
import type { TeamStore } from './team-store.ts';

export interface TeamWorld {
  now(): number;
  readonly randomBytes: RandomBytes;
}

/** Below it, the name and the key fit into a record. */
const PROJECT_BYTES_MAX = 2_000;

const NO_ACCESS: Access = { publicKey: null, refusal: null, key: null };

export class Team implements Sealer, EventSealer, KeyRecords {
  readonly #store: TeamStore;
  readonly #world: TeamWorld;
  #identity: Identity;
  readonly #signer: Signer;
  readonly #namesKey: Uint8Array;
  readonly #set: RecordSet;
  readonly #keys: ProjectKeys;
  readonly #seals: EventSeals;
  readonly #work: EventWorkers;
  #members: Membership | null = null;
  /** Two callers must not make two keys, or admit twice. */
  readonly #changes = new Mutex();

  constructor(identity: Identity, store: TeamStore, world: TeamWorld) {
    this.#identity = identity;
    this.#store = store;
    this.#world = world;
    const { team } = identity;
    const teamKey = Buffer.from(identity.teamKey, 'base64');
    this.#signer = signerOf(Buffer.from(identity.seed, 'base64'));
    this.#set = new RecordSet({ team, teamKey }, store);
    this.#namesKey = namesKey(teamKey);
    this.#keys = new ProjectKeys(team, this.#namesKey, { id: this.machine, identity: identity.age });
    for (const record of this.#set.records()) this.#keys.add(record);
    this.#seals = new EventSeals(team, world.randomBytes);
    const seed = Buffer.from(identity.seed, 'base64');
    this.#work = new EventWorkers({ team, seed, names: this.#namesKey }, world.randomBytes);
  }

  /** Null when this home is in no team. @throws AnnalsError INPUT_INVALID */
  static open(store: TeamStore, world: TeamWorld): Team | null {
    const identity = readIdentity(store);
    return identity === null ? null : new Team(identity, store, world);
  }

  get id(): string {
    return this.#identity.team;
  }

  /** The id of this machine. */
  get machine(): string {
    return this.#signer.id;
  }

  get identity(): Identity {
    return this.#identity;
  }

  /** A key that every member has, for names on the shared log. It opens nothing. */
  teamKey(): Uint8Array {
    return this.#namesKey;
  }

  /** Everybody who is or was in the team, by machine. */
  members(): Membership {
    this.#members ??= membershipOf(this.id, this.#set.records());
    return this.#members;
  }

  /** Null before this machine is admitted. */
  self(): Member | null {
    return this.members().get(this.machine) ?? null;
  }

  /** Why this machine cannot write a project. Null when it can. */
  cannotWrite(project: string): Refusal | null {
    const self = this.self();
    return self === null ? 'waiting' : refusalOf(self, this.#keys.nameOf(project), this.#world.now());
  }

  /** The names of the projects whose events this machine can open. */
  projects(): Promise<readonly string[]> {
    return this.#keys.projects();
  }

  async seal(items: readonly PlainEvent[]): Promise<readonly Uint8Array[]> {
    const keys = await this.#sealingKeys(items);
    if (items.length === 0) return [];
    const toSeal = items.map(({ project, plain }) => ({ key: keys.get(project)!, plain }));
    return this.#seals.seal(toSeal, this.#signer, this.#world.now());
  }

  async open(sealed: Uint8Array): Promise<Opened | null> {
    return this.#seals.openAs(sealed, await this.#accessTo(headIn(sealed)));
  }

  async sealEvents(items: readonly EventToSeal[]): Promise<readonly SealedEventOf[]> {
    const keys = await this.#sealingKeys(items);
    const withKeys = items.map(({ project, event }) => ({ key: keys.get(project)!, event }));
    return this.#work.seal(withKeys, this.#world.now());
  }

  async openEvents(messages: readonly Uint8Array[]): Promise<readonly (OpenedEvent | Refused | null)[]> {
    const accesses = new Map<Head, Access>();
    const items: SealedToOpen[] = [];
    for (const bytes of messages) items.push({ bytes, access: await this.#accessOrNone(bytes, accesses) });
    return this.#work.open(items);
  }

  pending(): readonly TeamRecord[] {
    return this.#set.unsent();
  }

  acknowledged(ids: readonly string[]): Promise<void> {
    return this.#changes.run(() => this.#set.acknowledged(ids));
  }

  /** Nothing for a reader: its login on the server may have no right to write. */
  all(): readonly TeamRecord[] {
    return this.self()?.role === 'reader' ? [] : this.#set.all();
  }

  accept(given: readonly Uint8Array[]): Promise<AcceptedRecords> {
    return this.#changes.run(async () => {
      const { added, refused, records } = await this.#set.accept(given);
      this.#learn(records);
      return { added, refused };
    });
  }

  settle(): Promise<void> {
    return this.#changes.run(async () => {
      const now = this.#world.now();
      const self = this.self();
      if (self?.role !== 'admin' || hasLeft(self, now)) return;
      await this.#make(admissionsOf(this.#set.records(), this.#identity, this.members(), now));
      await this.#make(await this.#keys.owed(this.members(), now));
    });
  }

  /** Signs records as this machine and adds them. Whether it may is the caller's question. */
  sign(bodies: readonly RecordBody[]): Promise<readonly SignedRecord[]> {
    return this.#changes.run(() => this.#make(bodies));
  }

  /** Makes new keys for projects: for those whose key somebody has who left, or for all those given. */
  rotate(projects?: readonly string[]): Promise<readonly string[]> {
    return this.#changes.run(async () => {
      const rotated: string[] = [];
      for (const project of projects ?? (await this.#keys.projects())) {
        const known =
          projects === undefined
            ? await this.#keys.sealing(this.#keys.nameOf(project), this.members(), this.#world.now())
            : null;
        if (known !== null || this.cannotWrite(project) !== null) continue;
        await this.#makeKey(project);
        rotated.push(project);
      }
      return rotated;
    });
  }

  records(): readonly SignedRecord[] {
    return this.#set.records();
  }

  /** The name of a project on the shared log and in records. */
  nameOf(project: string): string {
    return opaqueName(this.#namesKey, project);
  }

  async rememberInvitation(invitation: Invitation): Promise<void> {
    const now = this.#world.now();
    const invitations = this.#identity.invitations.filter(({ expiresAt }) => expiresAt > now);
    await this.#changeIdentity({ invitations: [...invitations, invitation] });
  }

  async #changeIdentity(change: Partial<Identity>): Promise<void> {
    const identity = { ...this.#identity, ...change };
    await writeIdentity(this.#store, identity);
    this.#identity = identity;
  }

  /** Why this machine may not open a project's events; only then: a key that was not given yet is no refusal. */
  #cannotRead(projectId: string): Refusal | null {
    const self = this.self();
    if (self === null) return null;
    if (self.until !== null && this.#world.now() > self.until) return 'expired';
    return hasAccess(self, projectId) ? null : 'hidden';
  }

  /** @throws SealError `waiting`, `reader`, `removed`, `expired`, `project`, `size` */
  async #sealingKeys(items: readonly { readonly project: string }[]): Promise<Map<string, ProjectKey>> {
    const keys = new Map<string, ProjectKey>();
    for (const project of new Set(items.map((item) => item.project))) {
      const refusal = this.cannotWrite(project);
      if (refusal !== null) throw new SealError(refusal);
      keys.set(project, await this.#changes.run(() => this.#sealingKey(project)));
    }
    return keys;
  }

  /** @param known of the heads of this page: messages of one batch have the same one */
  async #accessOrNone(bytes: Uint8Array, known: Map<Head, Access>): Promise<Access> {
    let head: Head;
    try {
      head = headIn(bytes);
    } catch {
      // Who opens it says what is wrong with it.
      return NO_ACCESS;
    }
    const access = known.get(head) ?? (await this.#accessTo(head));
    known.set(head, access);
    return access;
  }

  async #accessTo({ author: id, project, at, key }: Head): Promise<Access> {
    const author = this.members().get(id);
    if (author === undefined) return NO_ACCESS;
    const refusal = refusalOf(author, project, at) ?? this.#cannotRead(project);
    return {
      publicKey: author.publicKey,
      refusal,
      key: refusal === null ? await this.#keys.open(key) : null,
    };
  }

  async #sealingKey(project: string): Promise<ProjectKey> {
    const key = await this.#keys.sealing(this.#keys.nameOf(project), this.members(), this.#world.now());
    return key ?? this.#makeKey(project);
  }

  async #makeKey(project: string): Promise<ProjectKey> {
    if (Buffer.byteLength(project) > PROJECT_BYTES_MAX) throw new SealError('size');
    const bodies = await this.#keys.make(project, {
      key: Buffer.from(this.#world.randomBytes(KEY_BYTES)),
      recovery: this.#recoveryRecipient(),
      members: this.members(),
      now: this.#world.now(),
    });
    await this.#make(bodies);
    return (await this.#keys.open(bodies[0].key))!;
  }

  #recoveryRecipient(): string {
    for (const { body } of this.#set.records()) if (body.kind === 'team') return body.recipient;
    throw new SealError('waiting');
  }

  async #make(bodies: readonly RecordBody[]): Promise<readonly SignedRecord[]> {
    const encoded = bodies.map((body) =>
      encodeRecord(body, {
        team: this.id,
        teamKey: Buffer.from(this.#identity.teamKey, 'base64'),
        signer: this.#signer,
        nonce: this.#world.randomBytes(RECORD_NONCE_BYTES),
      }),
    );
    const records = await this.#set.make(encoded);
    this.#learn(records);
    return records;
  }

  #learn(records: readonly SignedRecord[]): void {
    for (const record of records) this.#keys.add(record);
    if (records.length > 0) this.#members = null;
  }
}
