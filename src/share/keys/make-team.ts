// How this machine comes to be in a team: it makes one, it has an invitation or a credential, or somebody has the team's
// recovery key.
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { AnnalsError } from '../../../log/index.ts';
import {
  base64,
  type Identity,
  machineKeys,
  newMachine,
  readIdentity,
  recoverySeed,
  writeIdentity,
} from './identity.ts';
import { readGivenText } from './invitation.ts';
import { joiningOf } from './joining.ts';
import { membershipOf } from './membership.ts';
import { ProjectKeys, RECOVERY } from './project-keys.ts';
import {
  decodeRecord,
  type EncodedRecord,
  encodeRecord,
  RECORD_NONCE_BYTES,
  type RecordBody,
  type SignedRecord,
} from './record.ts';
import { RecordSet } from './record-set.ts';
import { membersNamed, removalOf } from './removal.ts';
import { SealError } from './sealer.ts';
import { namesKey, type Signer, signerOf } from './signing.ts';
import { Team, type TeamWorld } from './team.ts';
import type { TeamStore } from './team-store.ts';

const KEY_BYTES = 32;
const RECOVERY_KEY = /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/;

export interface NewTeam {
  readonly team: Team;
  /** An age identity. It is kept nowhere: it must be shown once, and stored away from this machine. */
  readonly recoveryKey: string;
}

/** @throws AnnalsError INPUT_INVALID: this home is in a team */
export async function createTeam(
  { name, server }: { readonly name: string; readonly server: string },
  store: TeamStore,
  world: TeamWorld,
): Promise<NewTeam> {
  await refuseSecondTeam(store);
  const recoveryKey = await generateX25519Identity();
  const signer = signerOf(recoverySeed(recoveryKey));
  const teamKey = world.randomBytes(KEY_BYTES);
  const recipient = await identityToRecipient(recoveryKey);
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  const identity = await newIdentity({ team: signer.id, teamKey: base64(teamKey), name, server }, world);
  const root: RecordBody = {
    ...{ kind: 'team', at: world.now(), recipient },
    teamKey: base64(await encrypter.encrypt(teamKey)),
  };
  const bodies = [root, await firstAdmin(identity, world)];
  await newSet(identity, store).make(encoded(bodies, identity, signer, world));
  await writeIdentity(store, identity);
  return { team: new Team(identity, store, world), recoveryKey };
}

/**
 * Takes an invitation or a credential. With an invitation the team is there at once, but this machine is a member only
 * when the machine that invited it has answered.
 * @throws AnnalsError INVITATION_INVALID, INPUT_INVALID: this home is in a team
 */
export async function acceptInvitation(text: string, store: TeamStore, world: TeamWorld): Promise<Team> {
  await refuseSecondTeam(store);
  const { kind, value } = readGivenText(text);
  const { team, teamKey, name, server, seed } = value;
  if (kind === 'credential') {
    const identity = { ...value, invitations: [] };
    await writeIdentity(store, identity);
    return new Team(identity, store, world);
  }
  const identity = await newIdentity({ team, teamKey, name, server }, world);
  const joining = await joiningOf(identity, Buffer.from(seed, 'base64'), world.now());
  const signer = signerOf(Buffer.from(identity.seed, 'base64'));
  await newSet(identity, store).make(encoded([joining], identity, signer, world));
  await writeIdentity(store, identity);
  return new Team(identity, store, world);
}

/** The id of the team of a recovery key. @throws AnnalsError INVITATION_INVALID */
export function teamOfRecoveryKey(recoveryKey: string): string {
  return signerOf(recoverySeed(checkedRecoveryKey(recoveryKey))).id;
}

/**
 * Makes this machine an admin with the team's recovery key, which opens the keys of all projects and can remove anybody.
 * @param records all that the shared log has
 * @throws AnnalsError INVITATION_INVALID, INPUT_INVALID: this home is in a team; NOT_FOUND: the log has no such team, or
 *   nobody has a name to be removed
 */
export async function recoverTeam(
  { recoveryKey, remove, name, server }: Recovery,
  records: readonly Uint8Array[],
  store: TeamStore,
  world: TeamWorld,
): Promise<Team> {
  await refuseSecondTeam(store);
  const age = checkedRecoveryKey(recoveryKey);
  const signer = signerOf(recoverySeed(age));
  const teamKey = await recoveredTeamKey(records, signer.id, age);
  const identity = await newIdentity({ team: signer.id, teamKey: base64(teamKey), name, server }, world);
  const set = new RecordSet({ team: signer.id, teamKey }, store);
  await set.accept(records);
  const sign = (bodies: readonly RecordBody[]) => set.make(encoded(bodies, identity, signer, world));
  const gone = remove.flatMap((one) => membersNamed(one, membershipOf(signer.id, set.records())));
  await sign(gone.map((member) => removalOf(member, set.records(), world.now())));
  await sign([await firstAdmin(identity, world)]);
  const keys = new ProjectKeys(signer.id, namesKey(teamKey), { id: RECOVERY, identity: age });
  for (const record of set.records()) keys.add(record);
  await sign(await keys.owed(membershipOf(signer.id, set.records()), world.now()));
  await writeIdentity(store, identity);
  return new Team(identity, store, world);
}

export interface Recovery {
  readonly recoveryKey: string;
  /** Names or ids of members to remove: those whose machine was lost. */
  readonly remove: readonly string[];
  /** Of this machine. */
  readonly name: string;
  readonly server: string;
}

function newSet({ team, teamKey }: Identity, store: TeamStore): RecordSet {
  return new RecordSet({ team, teamKey: Buffer.from(teamKey, 'base64') }, store);
}

async function newIdentity(
  about: Pick<Identity, 'team' | 'teamKey' | 'name' | 'server'>,
  { randomBytes }: TeamWorld,
): Promise<Identity> {
  return { ...about, ...(await newMachine(randomBytes)), invitations: [] };
}

async function firstAdmin(identity: Identity, { now }: TeamWorld): Promise<RecordBody> {
  const rights = { role: 'admin', projects: null, until: null } as const;
  return {
    kind: 'member',
    at: now(),
    machine: await machineKeys(identity),
    name: identity.name,
    ...rights,
  };
}

function encoded(
  bodies: readonly RecordBody[],
  { team, teamKey }: Identity,
  signer: Signer,
  { randomBytes }: TeamWorld,
): readonly EncodedRecord[] {
  const about = { team, teamKey: Buffer.from(teamKey, 'base64'), signer };
  return bodies.map((body) => encodeRecord(body, { ...about, nonce: randomBytes(RECORD_NONCE_BYTES) }));
}

/** The first record of the team holds it, for the recovery key. */
async function recoveredTeamKey(
  records: readonly Uint8Array[],
  team: string,
  recoveryKey: string,
): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(recoveryKey);
  for (const { body } of readableRecords(records, team))
    if (body.kind === 'team') return decrypter.decrypt(Buffer.from(body.teamKey, 'base64'));
  throw new AnnalsError('NOT_FOUND', 'The shared log has no team with this recovery key.', {
    hint: 'Check the address of the server and the key.',
  });
}

function readableRecords(records: readonly Uint8Array[], team: string): SignedRecord[] {
  return records.flatMap((bytes) => {
    try {
      return decodeRecord(bytes, { team, teamKey: null }) ?? [];
    } catch (error) {
      if (error instanceof SealError) return [];
      throw error;
    }
  });
}

function checkedRecoveryKey(text: string): string {
  const key = text.trim().toUpperCase();
  if (RECOVERY_KEY.test(key)) return key;
  throw new AnnalsError('INVITATION_INVALID', 'This is not a recovery key.', {
    hint: 'It begins with AGE-SECRET-KEY-1 and has 74 characters.',
  });
}

/** What an unfinished call left is removed. */
async function refuseSecondTeam(store: TeamStore): Promise<void> {
  if (readIdentity(store) === null) return store.remove();
  throw new AnnalsError('INPUT_INVALID', 'This home is in a team already.', {
    hint: 'Leave it first with `annals share leave`.',
  });
}
