// Encryption of single files: any change or cut is noticed, and the format is that of the `age` command.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import {
  decryptBytes,
  type ExportKey,
  encryptBytes,
  newExportKey,
  openExportKey,
} from '../../src/transfer/export-encryption.ts';
import { sharedFolder } from '../e2e/homes.ts';

const TEXT = Buffer.from('Herons fish alone.');
const folder = sharedFolder('age');
let key: ExportKey;

beforeAll(async () => {
  key = await newExportKey('orange ladder');
});

test('a file that is cut anywhere, or has any byte changed, is not decrypted', async () => {
  const encrypted = Buffer.from(await encryptBytes(TEXT, key));
  for (let at = 0; at < encrypted.length; at++) {
    expect({ at, cut: await decryptBytes(encrypted.subarray(0, at), key) }).toEqual({ at, cut: null });
    const changed = Buffer.from(encrypted);
    changed[at]! ^= 1;
    expect({ at, changed: await decryptBytes(changed, key) }).toEqual({ at, changed: null });
  }
  expect(await decryptBytes(Buffer.concat([encrypted, TEXT]), key)).toBe(null);
  expect(await decryptBytes(encrypted, key)).toEqual(TEXT);
});

test('a file that is cut between two chunks of 64 KiB is not decrypted', async () => {
  const large = Buffer.alloc(3 * 64 * 1024, 'seeds ');
  const encrypted = Buffer.from(await encryptBytes(large, key));
  const chunk = 64 * 1024 + 16;
  for (const chunks of [1, 2])
    expect(await decryptBytes(encrypted.subarray(0, encrypted.length - chunks * chunk), key)).toBe(null);
  expect((await decryptBytes(encrypted, key))?.equals(large)).toBe(true);
});

test('files of the age command (1.1.1) are opened with the passphrase', async () => {
  writeFileSync(join(folder, 'key.age'), KEY_BY_AGE);
  const opened = await openExportKey(folder, 'orange ladder');
  expect((await decryptBytes(NOTE_BY_AGE, opened))?.toString()).toBe('written by age 1.1.1\n');
});

/** `age -p` of the output of `age-keygen`. */
const KEY_BY_AGE = Buffer.from(
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCBFNHpBc3FIT2Y5bzhBZTI2RDBkb1pRIDE4CjVBL3dKWFM5ZVo3R29i' +
    'MlVRMEZxaFJnb09pYlV3N1ZPSWNVS0RrZDV4U1EKLS0tIHBhWGF5R0V4NUcyL2VvTE5HWkhHckpTTDdVZEViaVo1RUQxbXZz' +
    'aWdTUHcKk/Ku6KMSrsCYRRxZdRHwxJ2LyqZs97ZFe1179EaKE4S0zY7rrKyB7AEQ308IdWTn+J35WfVJ+mD7SBNTn63KiB53' +
    'i9GD++oapdibzJ4jwPtUOKl5QwlhhFrSDoD1fw/M2RhhNVoQ+KzL+nPTM8RHV8qMuhUbC/ibpMLvJP0QOo59PwRG2yM4Y/2m' +
    'Zf8m3WqUwXK/8DynZToBcIhBKoRtXXvPVoiD6s8q+IX+dcyu2qt9OFd84woKUVdL/lGKqw9LGWNMvvwKY+7SVqydgTlywBA7' +
    'brDn+A4K',
  'base64',
);

/** `age -r` with the recipient of that key. */
const NOTE_BY_AGE = Buffer.from(
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBUUkpiSUV3eGQzWGpwdVp0L3FnRHE5T0R3VHJnUGI1MmJzcXR6MC9M' +
    'ZkVvCmtMNllsRXlyMURkczFuVllNcU1BTWVmcXlxeEVrQktPRmxlbnBXb2hockkKLS0tIGxsMjJ3NnJwMElxWkxJNmRUVHJ5' +
    'a1FOUjFXbUorM1gzQ01FNzJlQnBQOFkKvRDFkmIuYGiVcodn0G/QbyaQ7cwmXNY6SzA+x3zr0omwGqo0kT21E/Np45SDXI8Z' +
    'Tv+VPFU=',
  'base64',
);
