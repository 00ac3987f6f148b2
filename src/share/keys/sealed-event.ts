// The bytes of a sealed event:
//
//   start     'ANE', version
//   place     depth of the batch's hash tree (1), index in the batch (2), signature of the root by the author (64),
//             path to the root (32 each)
//   leaf      head: 0; team, project, key, author (16 bytes each); time (8, Unix ms); nonce (12)
//             sealed: AES-256-GCM of: length of the project's name (2), the name, the event; with the head as additional data
//
// The hash of the leaf is that of the hash tree, so neither head nor sealed can be changed, cut off, or combined with another.
// The messages of a batch are made in one buffer, and nothing of them is copied again.
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { DEPTH_MAX, HASH_BYTES, type Hashes, LEAF } from './hash-tree.ts';
import { SealError } from './sealer.ts';
import { ID_BYTES, SIGNATURE_BYTES } from './signing.ts';

/** Below the usual limit of a message, 1 MiB, with room for what an engine adds. */
export const SEALED_BYTES_MAX = 1_000_000;
export const NONCE_BYTES = 12;

/** Of a date. Later ones cannot be shown. Unix ms. */
export const TIME_MAX = 8.64e15;

const MAGIC = Buffer.from('ANE');
const VERSION = 1;
const INDEX_AT = MAGIC.length + 2;
const SIGNATURE_AT = INDEX_AT + 2;
const PATH_AT = SIGNATURE_AT + SIGNATURE_BYTES;
const IDS_BYTES = 4 * ID_BYTES + 8;
const NONCE_AT = 1 + IDS_BYTES;
const HEAD_BYTES = NONCE_AT + NONCE_BYTES;
const TAG_BYTES = 16;
const LENGTH_BYTES = 2;
const CIPHER = 'aes-256-gcm';

/** Ids as hexadecimal text. */
export interface Head {
  readonly team: string;
  readonly project: string;
  readonly key: string;
  readonly author: string;
  readonly at: number;
}

export interface Place {
  readonly index: number;
  readonly path: Hashes;
  readonly signature: Uint8Array;
}

export interface SealedEvent extends Place {
  readonly head: Head;
  readonly signature: Buffer;
  readonly leaf: Buffer;
}

/** What is encrypted: a name and an event. */
export interface Content {
  /** See `projectPrefix`. */
  readonly prefix: Uint8Array;
  readonly plain: Uint8Array;
}

/** All of a head but the nonce: the same for the events of a batch that one key seals. */
export function headStart({ team, project, key, author, at }: Head): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(at));
  const ids = [team, project, key, author].map((id) => Buffer.from(id, 'hex'));
  return Buffer.concat([Buffer.of(LEAF), ...ids, time]);
}

/** What comes before the event in the encrypted part. @throws SealError size */
export function projectPrefix(project: string): Buffer {
  const name = Buffer.from(project);
  if (name.length > 0xffff) throw new SealError('size');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(name.length);
  return Buffer.concat([length, name]);
}

/** Of a message, whose leaf is at `leafAt`. @param depth of the hash tree @throws SealError size */
export function sealedSize({ prefix, plain }: Content, depth: number): number {
  const size = leafAt(depth) + HEAD_BYTES + prefix.length + plain.length + TAG_BYTES;
  if (size > SEALED_BYTES_MAX) throw new SealError('size');
  return size;
}

export function leafAt(depth: number): number {
  return PATH_AT + depth * HASH_BYTES;
}

export interface Encryption extends Content {
  readonly start: Buffer;
  readonly nonce: Uint8Array;
  readonly key: KeyObject;
}

export function writeLeaf(leaf: Buffer, { start, nonce, key, prefix, plain }: Encryption): void {
  leaf.set(start);
  leaf.set(nonce, NONCE_AT);
  const cipher = createCipheriv(CIPHER, key, nonce);
  cipher.setAAD(leaf.subarray(0, HEAD_BYTES));
  leaf.set(cipher.update(prefix), HEAD_BYTES);
  leaf.set(cipher.update(plain), HEAD_BYTES + prefix.length);
  cipher.final();
  leaf.set(cipher.getAuthTag(), leaf.length - TAG_BYTES);
}

/** Everything before the leaf. */
export function writePlace(message: Buffer, { index, path, signature }: Place): void {
  message.set(MAGIC);
  message[MAGIC.length] = VERSION;
  message[MAGIC.length + 1] = path.length / HASH_BYTES;
  message.writeUInt16BE(index, INDEX_AT);
  message.set(signature, SIGNATURE_AT);
  message.write(path, PATH_AT, 'latin1');
}

/** @throws SealError key */
export function decrypt(
  { leaf }: Pick<SealedEvent, 'leaf'>,
  key: KeyObject,
): { readonly project: string; readonly plain: Buffer } {
  const opened = openSealed(leaf, key);
  const start = LENGTH_BYTES + (opened.length < LENGTH_BYTES ? 0 : opened.readUInt16BE());
  if (opened.length < start) throw new SealError('damaged');
  return { project: opened.toString('utf8', LENGTH_BYTES, start), plain: opened.subarray(start) };
}

function openSealed(leaf: Buffer, key: KeyObject): Buffer {
  const decipher = createDecipheriv(CIPHER, key, leaf.subarray(NONCE_AT, HEAD_BYTES));
  decipher.setAAD(leaf.subarray(0, HEAD_BYTES));
  decipher.setAuthTag(leaf.subarray(-TAG_BYTES));
  try {
    const opened = decipher.update(leaf.subarray(HEAD_BYTES, -TAG_BYTES));
    // Checks the tag. This cipher has no rest.
    decipher.final();
    return opened;
  } catch {
    throw new SealError('key');
  }
}

/** Who sealed what, by its own words: nothing is checked. @throws SealError damaged, version, size */
export function headIn(given: Uint8Array): Head {
  const bytes = bufferOf(given);
  const at = leafIn(bytes);
  return headOf(bytes.toString('latin1', at + 1, at + NONCE_AT));
}

/** The parts of a sealed event. Nothing of it is checked yet. @throws SealError damaged, version, size */
export function splitSealed(given: Uint8Array): SealedEvent {
  const bytes = bufferOf(given);
  const at = leafIn(bytes);
  const index = bytes.readUInt16BE(INDEX_AT);
  if (index >= 2 ** ((at - PATH_AT) / HASH_BYTES)) throw new SealError('damaged');
  return {
    head: headOf(bytes.toString('latin1', at + 1, at + NONCE_AT)),
    index,
    path: bytes.toString('latin1', PATH_AT, at),
    signature: bytes.subarray(SIGNATURE_AT, PATH_AT),
    leaf: bytes.subarray(at),
  };
}

/** Where the leaf begins. @throws SealError damaged, version, size */
function leafIn(bytes: Buffer): number {
  if (bytes.length > SEALED_BYTES_MAX) throw new SealError('size');
  if (bytes.length < PATH_AT || !MAGIC.every((byte, place) => bytes[place] === byte))
    throw new SealError('damaged');
  if (bytes[MAGIC.length] !== VERSION) throw new SealError('version');
  const depth = bytes[MAGIC.length + 1]!;
  const at = leafAt(depth);
  // Without its first byte a leaf could pass for a node of the hash tree.
  if (depth > DEPTH_MAX || bytes.length < at + HEAD_BYTES + TAG_BYTES || bytes[at] !== LEAF)
    throw new SealError('damaged');
  return at;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** The messages of a batch have it in common. */
let lastHead: { readonly text: string; readonly head: Head } | null = null;

/** @param text the ids and the time, one character a byte @throws SealError damaged */
function headOf(text: string): Head {
  if (lastHead?.text === text) return lastHead.head;
  const bytes = Buffer.from(text, 'latin1');
  const at = bytes.readBigUInt64BE(4 * ID_BYTES);
  if (at > BigInt(TIME_MAX)) throw new SealError('damaged');
  const id = (place: number) => bytes.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES);
  const head = { team: id(0), project: id(1), key: id(2), author: id(3), at: Number(at) };
  lastHead = { text, head };
  return head;
}
