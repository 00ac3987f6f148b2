// Encrypts exports in the age format (https://age-encryption.org/v1), which the `age` command opens too. The passphrase
// encrypts only `key.age`, a file with an age identity, so its slow key derivation runs once. The manifest and the
// segments are encrypted to that identity, each file by itself:
//
//   age -d -i key.age manifest.json.age
//
// Nobody who does not know the identity knows its recipient, so nobody else can make such a file. Each file is decrypted
// and authenticated completely before any of it is used.
import { join } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import type { Passphrase } from '../api.ts';
import { readRegularFile } from '../platform/regular-file.ts';

export const KEY_FILE = 'key.age';
/** At the end of the name of an encrypted file. */
export const ENCRYPTED = '.age';
/** Far above the size of a file with one identity. */
const KEY_FILE_BYTES_MAX = 16 * 1024;
/** The `age` command writes comments before it. */
const IDENTITY = /^AGE-SECRET-KEY-1\w+/m;
/** What the library says when the passphrase does not decrypt the header. */
const NO_MATCH = 'no identity matched';

export interface ExportKey {
  readonly identity: string;
  /** Encrypts to the identity. Never stored readable. */
  readonly recipient: string;
  /** The content of `key.age`. */
  readonly file: Uint8Array;
}

/** A key for a new export. @throws AnnalsError USAGE: an empty passphrase */
export async function newExportKey(passphrase: Passphrase): Promise<ExportKey> {
  const text = await readPassphrase(passphrase);
  if (text === '')
    throw new AnnalsError('USAGE', 'The passphrase is empty.', { hint: 'Give a non-empty one.' });
  const { Encrypter, generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(text);
  const file = await encrypter.encrypt(`${identity}\n`);
  return { identity, recipient: await identityToRecipient(identity), file };
}

/**
 * The key of the encrypted export in a folder.
 * @throws AnnalsError PASSPHRASE_WRONG (also when none was given), EXPORT_DAMAGED
 */
export async function openExportKey(folder: string, passphrase: Passphrase | undefined): Promise<ExportKey> {
  const path = join(folder, KEY_FILE);
  const read = readRegularFile(path, { bytesMax: KEY_FILE_BYTES_MAX });
  if ('why' in read) throw damaged(path, `it ${read.why}`);
  if (passphrase === undefined)
    throw wrongPassphrase(path, 'The export is encrypted, and no passphrase was given.');
  const { Decrypter, identityToRecipient } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addPassphrase(await readPassphrase(passphrase));
  try {
    const [identity = ''] = (await decrypter.decrypt(read.bytes, 'text')).match(IDENTITY) ?? [];
    return { identity, recipient: await identityToRecipient(identity), file: read.bytes };
  } catch (error) {
    if (error instanceof Error && error.message.startsWith(NO_MATCH))
      throw wrongPassphrase(path, 'The passphrase is not the one that the export was encrypted with.');
    throw damaged(path, 'its encrypted content was changed');
  }
}

export async function encryptBytes(bytes: Uint8Array, { recipient }: ExportKey): Promise<Uint8Array> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(bytes);
}

/** null if the bytes were not encrypted with this key, or not all of them are there. */
export async function decryptBytes(encrypted: Uint8Array, { identity }: ExportKey): Promise<Buffer | null> {
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  try {
    const bytes = await decrypter.decrypt(encrypted);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  } catch {
    return null;
  }
}

/** Called only once a passphrase is known to be needed. NFKC: the same passphrase from every keyboard. */
async function readPassphrase(passphrase: Passphrase): Promise<string> {
  return (typeof passphrase === 'string' ? passphrase : await passphrase()).normalize('NFKC');
}

function wrongPassphrase(path: string, message: string): AnnalsError {
  return new AnnalsError('PASSPHRASE_WRONG', message, {
    hint: 'Nothing was read or written. Give the passphrase in --passphrase-file or ANNALS_PASSPHRASE, or run this in a terminal.',
    facts: { path },
  });
}

export function damaged(path: string, what: string): AnnalsError {
  return new AnnalsError('EXPORT_DAMAGED', `The export is damaged: ${path}: ${what}.`, {
    hint: 'Nothing was imported from it. Use another copy of the export.',
    facts: { path },
  });
}
