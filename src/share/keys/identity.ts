// What this machine keeps to itself: its keys, the team's key, and the invitations that were made here.
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import * as z from 'zod';
import { AnnalsError, parseJson } from '../../../log/index.ts';
import { type MachineKeys, ROLES } from './record.ts';
import { signerOf, subkey } from './signing.ts';
import type { TeamStore } from './team-store.ts';

const SEED_BYTES = 32;
const secret = z.base64().max(100);

const invitation = z.strictObject({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  projects: z.array(z.string()).nullable(),
  until: z.number().nullable(),
  expiresAt: z.number(),
});

export const identitySchema = z.strictObject({
  team: z.string().regex(/^[0-9a-f]{32}$/),
  teamKey: secret,
  /** Of the signing key. */
  seed: secret,
  /** An age identity. */
  age: z.string().max(200),
  name: z.string(),
  /** How the shared log is reached. Its meaning is the caller's. */
  server: z.string().max(20_000),
  invitations: z.array(invitation),
});

export type Identity = z.infer<typeof identitySchema>;
export type Invitation = z.infer<typeof invitation>;
export type RandomBytes = (size: number) => Uint8Array;

export async function newMachine(randomBytes: RandomBytes): Promise<Pick<Identity, 'seed' | 'age'>> {
  return { seed: base64(randomBytes(SEED_BYTES)), age: await generateX25519Identity() };
}

export async function machineKeys({ seed, age }: Pick<Identity, 'seed' | 'age'>): Promise<MachineKeys> {
  const { publicKey } = signerOf(Buffer.from(seed, 'base64'));
  return { publicKey: base64(publicKey), recipient: await identityToRecipient(age) };
}

/**
 * A recovery key is an age identity, so that any tool for age can open what was given to it. The key that signs for it
 * is derived.
 */
export function recoverySeed(ageIdentity: string): Uint8Array {
  return subkey(Buffer.from(ageIdentity), 'recovery signing');
}

/** Null when this home is in no team. @throws AnnalsError INPUT_INVALID: the file was changed; INPUT_UNREADABLE */
export function readIdentity(store: TeamStore): Identity | null {
  const text = store.read('identity.json');
  if (text === null) return null;
  const parsed = parseJson(text);
  const checked = 'value' in parsed ? identitySchema.safeParse(parsed.value) : null;
  if (checked?.success) return checked.data;
  throw new AnnalsError('INPUT_INVALID', 'The file share/identity.json in the home is damaged.', {
    hint: 'Leave the team with `annals share leave`, and ask for a new invitation.',
  });
}

export function writeIdentity(store: TeamStore, identity: Identity): Promise<void> {
  return store.replace('identity.json', `${JSON.stringify(identity, null, 2)}\n`);
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
