// Encrypts exports with a passphrase: AES-256-GCM with a key that scrypt derives, both from Node. Each file is encrypted
// by itself, and decrypted and authenticated completely before any of it is used. The manifest, which has logs, counts
// and hashes, is encrypted too. Only the key parameters stay readable, and in file names where a segment begins.
//
//   manifest  = {"format":"annals-export","version":2,"encryption":{…},"encrypted":base64 of an encrypted version 1 manifest}
//   encrypted = nonce (12 bytes, random) ciphertext tag (16); the role, `manifest` or `segment`, is authenticated with it
//   scrypt    = passphrase (NFKC, UTF-8), salt, cost, 8, 1 -> key (32 bytes) check (16); the check distinguishes a wrong
//               passphrase from a damaged file
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto';
import { AnnalsError, EXPORT_FORMAT, parseJson } from '../../log/index.ts';
import type { Passphrase } from '../api.ts';
import { randomBytes } from '../platform/random-bytes.ts';

export const ENCRYPTED_VERSION = 2;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const CHECK_BYTES = 16;
/** 128 MiB and about half a second for each guess. */
const COST = 2 ** 17;
/** The highest cost that a manifest may demand of the reader: the one we write. */
const COST_MAX = COST;
const BLOCK_SIZE = 8;

type Role = 'manifest' | 'segment';

export interface ExportKey {
  readonly key: Buffer;
  /** As in the manifest. */
  readonly encryption: Encryption;
}

interface Encryption {
  readonly cipher: typeof CIPHER;
  readonly kdf: 'scrypt';
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
  /** Hex. */
  readonly salt: string;
  /** Hex. */
  readonly check: string;
}

/** A key for a new export. @throws AnnalsError USAGE: an empty passphrase */
export async function newExportKey(passphrase: Passphrase): Promise<ExportKey> {
  const text = await readPassphrase(passphrase);
  if (text === '')
    throw new AnnalsError('USAGE', 'The passphrase is empty.', { hint: 'Give a non-empty one.' });
  const salt = Buffer.from(randomBytes(16));
  const { key, check } = await derive(text, salt, COST);
  const encryption: Encryption = {
    cipher: CIPHER,
    kdf: 'scrypt',
    cost: COST,
    blockSize: BLOCK_SIZE,
    parallelization: 1,
    salt: salt.toString('hex'),
    check: check.toString('hex'),
  };
  return { key, encryption };
}

export function encryptedManifest(text: string, exportKey: ExportKey): string {
  const encrypted = encryptBytes(Buffer.from(text), 'manifest', exportKey).toString('base64');
  const manifest = {
    format: EXPORT_FORMAT,
    version: ENCRYPTED_VERSION,
    encryption: exportKey.encryption,
    encrypted,
  };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}

/**
 * The decrypted text of a manifest, and its key; null if it is not encrypted.
 * @throws AnnalsError PASSPHRASE_WRONG (also when none was given), EXPORT_DAMAGED
 */
export async function decryptManifest(
  text: string,
  path: string,
  passphrase: Passphrase | undefined,
): Promise<{ readonly text: string; readonly exportKey: ExportKey } | null> {
  const manifest = parse(text);
  if (manifest?.version !== ENCRYPTED_VERSION) return null;
  const { encryption, encrypted } = manifest;
  if (!isEncryption(encryption) || typeof encrypted !== 'string')
    throw damaged(path, 'it does not have valid encryption parameters');
  if (passphrase === undefined)
    throw wrongPassphrase(path, 'The export is encrypted, and no passphrase was given.');
  const { key, check } = await derive(
    await readPassphrase(passphrase),
    Buffer.from(encryption.salt, 'hex'),
    encryption.cost,
  );
  if (check.toString('hex') !== encryption.check)
    throw wrongPassphrase(path, 'The passphrase is not the one that the export was encrypted with.');
  const exportKey = { key, encryption };
  const decrypted = decryptBytes(Buffer.from(encrypted, 'base64'), 'manifest', exportKey);
  if (decrypted === null) throw damaged(path, 'its encrypted content was changed');
  return { text: decrypted.toString('utf8'), exportKey };
}

export function encryptBytes(bytes: Uint8Array, role: Role, { key }: ExportKey): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(role));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** null if the bytes were not encrypted with this key in this role. */
export function decryptBytes(encrypted: Buffer, role: Role, { key }: ExportKey): Buffer | null {
  if (encrypted.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, encrypted.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(role)).setAuthTag(encrypted.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Called only once a passphrase is known to be needed. */
async function readPassphrase(passphrase: Passphrase): Promise<string> {
  return (typeof passphrase === 'string' ? passphrase : await passphrase()).normalize('NFKC');
}

function derive(passphrase: string, salt: Buffer, cost: number): Promise<{ key: Buffer; check: Buffer }> {
  // Node's default allows 32 MiB; scrypt takes 128 bytes times block size times cost, and a little.
  const options = { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 130 * BLOCK_SIZE * cost };
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, KEY_BYTES + CHECK_BYTES, options, (error, derived) => {
      if (error !== null) reject(error);
      else resolve({ key: derived.subarray(0, KEY_BYTES), check: derived.subarray(KEY_BYTES) });
    });
  });
}

function isEncryption(value: unknown): value is Encryption {
  if (typeof value !== 'object' || value === null) return false;
  const { cipher, kdf, cost, blockSize, parallelization, salt, check } = value as Record<string, unknown>;
  return (
    cipher === CIPHER &&
    kdf === 'scrypt' &&
    Number.isInteger(Math.log2(Number(cost))) &&
    Number(cost) >= 2 &&
    Number(cost) <= COST_MAX &&
    blockSize === BLOCK_SIZE &&
    parallelization === 1 &&
    isHex(salt) &&
    isHex(check)
  );
}

function isHex(value: unknown): value is string {
  return typeof value === 'string' && /^([0-9a-f]{2}){16}$/.test(value);
}

function parse(text: string): Readonly<Record<string, unknown>> | null {
  const parsed = parseJson(text);
  if ('problem' in parsed) return null;
  const { value } = parsed;
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
}

function wrongPassphrase(path: string, message: string): AnnalsError {
  return new AnnalsError('PASSPHRASE_WRONG', message, {
    hint: 'Nothing was read or written. Give the passphrase in --passphrase-file or ANNALS_PASSPHRASE, or run this in a terminal.',
    facts: { path },
  });
}

function damaged(path: string, what: string): AnnalsError {
  return new AnnalsError('EXPORT_DAMAGED', `The export is damaged: ${path}: ${what}.`, {
    hint: 'Nothing was imported from it. Use another copy of the export.',
    facts: { path },
  });
}
