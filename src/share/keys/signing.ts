// Ed25519 signatures, and the keys and names that are derived from a secret. The form of a private key is its seed of 32
// bytes, that of a public one its 32 bytes; Node wants both in an envelope of DER.
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

export const SIGNATURE_BYTES = 64;
export const PUBLIC_KEY_BYTES = 32;
/** Of the ids of teams, machines, projects, keys and records. As text they are hexadecimal. */
export const ID_BYTES = 16;

const PRIVATE_ENVELOPE = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_ENVELOPE = Buffer.from('302a300506032b6570032100', 'hex');

export interface Signer {
  readonly id: string;
  readonly publicKey: Uint8Array;
  sign(bytes: Uint8Array): Uint8Array;
}

export function signerOf(seed: Uint8Array): Signer {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PRIVATE_ENVELOPE, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const envelope = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = envelope.subarray(PUBLIC_ENVELOPE.length);
  return { id: idOfKey(publicKey), publicKey, sign: (bytes) => sign(null, bytes, privateKey) };
}

/** The id of a machine, an invitation or a team: a hash of its public key. */
export function idOfKey(publicKey: Uint8Array): string {
  return shortHash('annals id', publicKey);
}

export type Verifier = (bytes: Uint8Array, signature: Uint8Array) => boolean;

export function verifierOf(publicKey: Uint8Array): Verifier {
  let key: KeyObject | undefined;
  return (bytes, signature) => {
    try {
      key ??= createPublicKey({
        key: Buffer.concat([PUBLIC_ENVELOPE, publicKey]),
        format: 'der',
        type: 'spki',
      });
      return verify(null, bytes, key, signature);
    } catch {
      // Not a point of the curve.
      return false;
    }
  };
}

/** The purpose keeps hashes of different things apart. */
export function shortHash(purpose: string, ...parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(`${purpose}\0`);
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, ID_BYTES * 2);
}

/** A key of 32 bytes for one purpose. */
export function subkey(secret: Uint8Array, purpose: string, ...context: readonly Uint8Array[]): Buffer {
  const info = Buffer.concat([Buffer.from(`annals ${purpose}\0`), ...context]);
  return Buffer.from(hkdfSync('sha256', secret, '', info, 32));
}

/** The key for names on the shared log, from the team's key. */
export function namesKey(teamKey: Uint8Array): Buffer {
  return subkey(teamKey, 'names');
}

/** What the shared log calls something, a project for example: it cannot be guessed without the key. */
export function opaqueName(key: Uint8Array, name: string): string {
  return createHmac('sha256', key)
    .update(name)
    .digest('hex')
    .slice(0, ID_BYTES * 2);
}
