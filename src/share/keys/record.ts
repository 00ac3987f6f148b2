// Records of the team: signed JSON. Who is in the team and which keys exist follows from the set of them, whatever the
// order they arrive in (membership.ts, project-keys.ts). The bytes of a record:
//
//   'ANR', version, form; team (16); then, readable (form 0) or encrypted under the team's key (form 1):
//   public key of the signer (32), signature (64), JSON
//
// Only the first record of a team is readable, because a recovery key must open it without knowing the team's key.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../../../log/index.ts';
import { TIME_MAX } from './sealed-event.ts';
import { SealError } from './sealer.ts';
import {
  ID_BYTES,
  idOfKey,
  PUBLIC_KEY_BYTES,
  SIGNATURE_BYTES,
  type Signer,
  shortHash,
  subkey,
  verifierOf,
} from './signing.ts';

const RECORD_BYTES_MAX = 1_000_000;
const MAGIC = Buffer.from('ANR');
const VERSION = 1;
const READABLE = 0;
const ENCRYPTED = 1;
const FORM_AT = MAGIC.length + 1;
const TEAM_AT = FORM_AT + 1;
const PREFIX_BYTES = TEAM_AT + ID_BYTES;
export const RECORD_NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';
const SIGNED_AS = Buffer.from('annals team record\0');

const id = z.string().regex(/^[0-9a-f]{32}$/);
const time = z.int().nonnegative().max(TIME_MAX);
const bytes = z.base64().max(4_096);
const recipient = z.string().regex(/^age1[0-9a-z]{20,100}$/);
const machine = z.strictObject({ publicKey: bytes, recipient });
/** The holder's id, or `recovery`; an age file with the key, as base64. */
const wraps = z.record(z.string().max(40), bytes);

export const ROLES = ['admin', 'member', 'reader'] as const;
export const NAME_CHARS_MAX = 60;

const recordSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('team'), at: time, recipient, teamKey: bytes }),
  z.strictObject({
    ...{ kind: z.literal('joining'), at: time, machine },
    ...{ invitation: id, invitationKey: bytes, proof: bytes },
  }),
  z.strictObject({
    ...{ kind: z.literal('member'), at: time, machine, name: z.string().min(1).max(NAME_CHARS_MAX) },
    role: z.enum(ROLES),
    /** Null: every project, and no end. */
    ...{ projects: z.array(id).max(1_000).nullable(), until: time.nullable() },
  }),
  z.strictObject({
    ...{ kind: z.literal('removal'), at: time, machine: id },
    /** If the machine was an admin: its records that stay valid. */
    keeps: z.array(id).max(20_000),
  }),
  z.strictObject({
    ...{ kind: z.literal('key'), at: time, project: id, key: id, generation: z.int().min(1).max(1e9), wraps },
    /** Machines that had left when the key was made. It was not given to them. */
    without: z.array(id).max(20_000),
  }),
  z.strictObject({ kind: z.literal('wraps'), at: time, project: id, key: id, wraps }),
]);

export type Role = (typeof ROLES)[number];
export type RecordBody = z.infer<typeof recordSchema>;
export type BodyOf<Kind extends RecordBody['kind']> = Extract<RecordBody, { kind: Kind }>;
export type MachineKeys = z.infer<typeof machine>;

/** A record whose signature is that of its signer. Whether the signer may do this is another question. */
export interface SignedRecord<Body extends RecordBody = RecordBody> {
  readonly id: string;
  /** Id of the machine that signed it, or of the team for its recovery key. */
  readonly by: string;
  readonly body: Body;
}

export interface EncodedRecord {
  readonly record: SignedRecord;
  readonly bytes: Uint8Array;
}

/** @param nonce 12 random bytes @throws SealError size */
export function encodeRecord(
  body: RecordBody,
  { team, teamKey, signer, nonce }: { team: string; teamKey: Uint8Array; signer: Signer; nonce: Uint8Array },
): EncodedRecord {
  const json = Buffer.from(JSON.stringify(body));
  const teamBytes = Buffer.from(team, 'hex');
  const signature = signer.sign(Buffer.concat([SIGNED_AS, teamBytes, json]));
  const content = Buffer.concat([signer.publicKey, signature, json]);
  const isReadable = body.kind === 'team';
  const prefix = Buffer.concat([
    MAGIC,
    Buffer.of(VERSION, isReadable ? READABLE : ENCRYPTED),
    Buffer.from(team, 'hex'),
  ]);
  const bytes = Buffer.concat([prefix, isReadable ? content : encrypt(prefix, content, teamKey, nonce)]);
  if (bytes.length > RECORD_BYTES_MAX) throw new SealError('size');
  return { record: { id: recordId(content), by: signer.id, body }, bytes };
}

/**
 * @param teamKey null before it is known: then only the first record of the team can be read
 * @returns null for a record that needs the team's key
 * @throws SealError damaged, version, size, team, key, forged
 */
export function decodeRecord(
  given: Uint8Array,
  { team, teamKey }: { readonly team: string; readonly teamKey: Uint8Array | null },
): SignedRecord | null {
  if (given.length > RECORD_BYTES_MAX) throw new SealError('size');
  const all = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  if (all.length < PREFIX_BYTES || !all.subarray(0, MAGIC.length).equals(MAGIC))
    throw new SealError('damaged');
  if (all[MAGIC.length] !== VERSION) throw new SealError('version');
  const form = all[FORM_AT];
  if (form !== READABLE && form !== ENCRYPTED) throw new SealError('damaged');
  if (all.toString('hex', TEAM_AT, PREFIX_BYTES) !== team) throw new SealError('team');
  if (form === ENCRYPTED && teamKey === null) return null;
  const rest = all.subarray(PREFIX_BYTES);
  const content = form === READABLE ? rest : decrypt(all.subarray(0, PREFIX_BYTES), rest, teamKey!);
  const record = readContent(content, team);
  if ((record.body.kind === 'team') !== (form === READABLE)) throw new SealError('damaged');
  if (record.body.kind === 'team' && record.by !== team) throw new SealError('forged');
  return record;
}

function readContent(content: Buffer, team: string): SignedRecord {
  const jsonAt = PUBLIC_KEY_BYTES + SIGNATURE_BYTES;
  if (content.length <= jsonAt) throw new SealError('damaged');
  const publicKey = content.subarray(0, PUBLIC_KEY_BYTES);
  const json = content.subarray(jsonAt);
  const signed = Buffer.concat([SIGNED_AS, Buffer.from(team, 'hex'), json]);
  if (!verifierOf(publicKey)(signed, content.subarray(PUBLIC_KEY_BYTES, jsonAt)))
    throw new SealError('forged');
  const parsed = parseJson(json.toString());
  const checked = 'value' in parsed ? recordSchema.safeParse(parsed.value) : null;
  if (!checked?.success) throw new SealError('damaged');
  return { id: recordId(content), by: idOfKey(publicKey), body: checked.data };
}

/** Signatures of Ed25519 are deterministic, so one signer makes the same record of the same content. */
function recordId(content: Uint8Array): string {
  return shortHash('annals record', content);
}

function encrypt(prefix: Buffer, content: Buffer, teamKey: Uint8Array, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, subkey(teamKey, 'records'), nonce);
  cipher.setAAD(prefix);
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(prefix: Buffer, encrypted: Buffer, teamKey: Uint8Array): Buffer {
  if (encrypted.length < RECORD_NONCE_BYTES + TAG_BYTES) throw new SealError('damaged');
  const decipher = createDecipheriv(
    CIPHER,
    subkey(teamKey, 'records'),
    encrypted.subarray(0, RECORD_NONCE_BYTES),
  );
  decipher.setAAD(prefix);
  decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([
      decipher.update(encrypted.subarray(RECORD_NONCE_BYTES, -TAG_BYTES)),
      decipher.final(),
    ]);
  } catch {
    throw new SealError('key');
  }
}
