// The bytes of a sealed event:
//
//   head      'ANE', version; team, project, key, author (16 bytes each); time (8, Unix ms); nonce (12)
//   signature of the root of its batch by the author (64)
//   place     depth of the batch's hash tree (1), index in the batch (2), path (32 each)
//   sealed    AES-256-GCM of: length of the project's name (2), the name, the event; with the head as additional data
//
// The leaf of the hash tree is the hash of head and sealed, so neither can be changed, cut off, or combined with another.
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { DEPTH_MAX, HASH_BYTES, type Hashes } from './hash-tree.ts';
import { SealError } from './sealer.ts';
import { ID_BYTES, SIGNATURE_BYTES } from './signing.ts';

/** Below the usual limit of a message, 1 MiB, with room for what an engine adds. */
export const SEALED_BYTES_MAX = 1_000_000;
export const NONCE_BYTES = 12;

const MAGIC = Buffer.from('ANE');
const VERSION = 1;
const PREFIX_BYTES = MAGIC.length + 1;
const HEAD_BYTES = PREFIX_BYTES + 4 * ID_BYTES + 8 + NONCE_BYTES;
const PLACE_BYTES = 3;
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

export interface SealedEvent extends Head, Place {
  readonly signature: Buffer;
  readonly head: Buffer;
  readonly sealed: Buffer;
}

/** All of a head but the nonce: the same for the events of a batch that one key seals. */
export function headStart({ team, project, key, author, at }: Head): Buffer {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(at));
  const ids = [team, project, key, author].map((id) => Buffer.from(id, 'hex'));
  return Buffer.concat([MAGIC, Buffer.of(VERSION), ...ids, time]);
}

/** What comes before the event in the encrypted part. @throws SealError size */
export function projectPrefix(project: string): Buffer {
  const name = Buffer.from(project);
  if (name.length > 0xffff) throw new SealError('size');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16BE(name.length);
  return Buffer.concat([length, name]);
}

/**
 * What the leaf of the hash tree is a hash of: the head, and all that is encrypted.
 * @param prefix see `projectPrefix` @throws SealError size
 */
export function encrypt(head: Buffer, key: Uint8Array, prefix: Uint8Array, plain: Uint8Array): Buffer {
  if (plain.length + prefix.length > SEALED_BYTES_MAX) throw new SealError('size');
  const cipher = createCipheriv(CIPHER, key, nonceOf(head));
  cipher.setAAD(head);
  const sealed = cipher.update(Buffer.concat([prefix, plain]));
  cipher.final();
  return Buffer.concat([head, sealed, cipher.getAuthTag()]);
}

/** @throws SealError key */
export function decrypt(
  { head, sealed }: Pick<SealedEvent, 'head' | 'sealed'>,
  key: Uint8Array,
): { readonly project: string; readonly plain: Buffer } {
  const opened = openSealed(head, sealed, key);
  const start = LENGTH_BYTES + (opened.length < LENGTH_BYTES ? 0 : opened.readUInt16BE());
  if (opened.length < start) throw new SealError('damaged');
  return { project: opened.toString('utf8', LENGTH_BYTES, start), plain: opened.subarray(start) };
}

function openSealed(head: Buffer, sealed: Buffer, key: Uint8Array): Buffer {
  const decipher = createDecipheriv(CIPHER, key, nonceOf(head));
  decipher.setAAD(head);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const opened = decipher.update(sealed.subarray(0, -TAG_BYTES));
    // Checks the tag. This cipher has no rest.
    decipher.final();
    return opened;
  } catch {
    throw new SealError('key');
  }
}

/** @param encrypted from `encrypt` @throws SealError size */
export function joinSealed({ index, path, signature }: Place, encrypted: Buffer): Buffer {
  const place = Buffer.alloc(PLACE_BYTES);
  place.writeUInt8(path.length / HASH_BYTES);
  place.writeUInt16BE(index, 1);
  const bytes = Buffer.concat([
    encrypted.subarray(0, HEAD_BYTES),
    signature,
    place,
    Buffer.from(path, 'latin1'),
    encrypted.subarray(HEAD_BYTES),
  ]);
  if (bytes.length > SEALED_BYTES_MAX) throw new SealError('size');
  return bytes;
}

/** Who sealed what, by its own words: nothing is checked. @throws SealError damaged, version, size */
export function headIn(given: Uint8Array): Head {
  if (given.length > SEALED_BYTES_MAX) throw new SealError('size');
  const bytes = bufferOf(given);
  if (bytes.length < HEAD_BYTES || !MAGIC.every((byte, place) => bytes[place] === byte))
    throw new SealError('damaged');
  if (bytes[MAGIC.length] !== VERSION) throw new SealError('version');
  return headOf(bytes.toString('latin1', PREFIX_BYTES, HEAD_BYTES - NONCE_BYTES));
}

/** The parts of a sealed event. Nothing of it is checked yet. @throws SealError damaged, version, size */
export function splitSealed(given: Uint8Array): SealedEvent {
  const head = headIn(given);
  const bytes = bufferOf(given);
  const placeAt = HEAD_BYTES + SIGNATURE_BYTES;
  const pathAt = placeAt + PLACE_BYTES;
  const depth = bytes[placeAt] ?? DEPTH_MAX + 1;
  const sealedAt = pathAt + depth * HASH_BYTES;
  if (depth > DEPTH_MAX || bytes.length < sealedAt + TAG_BYTES) throw new SealError('damaged');
  const index = bytes.readUInt16BE(placeAt + 1);
  if (index >= 2 ** depth) throw new SealError('damaged');
  return {
    ...head,
    index,
    path: bytes.toString('latin1', pathAt, sealedAt),
    head: bytes.subarray(0, HEAD_BYTES),
    signature: bytes.subarray(HEAD_BYTES, placeAt),
    sealed: bytes.subarray(sealedAt),
  };
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
  if (at > BigInt(Number.MAX_SAFE_INTEGER)) throw new SealError('damaged');
  const id = (place: number) => bytes.toString('hex', place * ID_BYTES, (place + 1) * ID_BYTES);
  const head = { team: id(0), project: id(1), key: id(2), author: id(3), at: Number(at) };
  lastHead = { text, head };
  return head;
}

function nonceOf(head: Buffer): Buffer {
  return head.subarray(HEAD_BYTES - NONCE_BYTES);
}
