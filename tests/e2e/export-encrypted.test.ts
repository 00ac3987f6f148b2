// Encrypted exports: unreadable without the passphrase, complete with it, and a wrong one changes nothing.
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isAnnalsError, restoreAnnals } from '../../src/index.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from './homes.ts';

const folder = sharedFolder('export-encrypted');
const named = (name: string) => join(folder, name);
const PASSPHRASE = 'orange ladder of the seventh moon';
const WORD = 'qzvxkjwpmbtrnl';
const sealed = named('sealed');
let events: unknown;

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (isAnnalsError(error) ? error.code : error),
  );

beforeAll(async () => {
  await withHome(named('home'), async (annals) => {
    await annals.save({ title: 'First', text: `about ${WORD}`, cwd: '/srv/work' });
    await annals.export(sealed, { passphrase: PASSPHRASE });
    await annals.save({ title: 'Second', text: `more about ${WORD}`, cwd: '/srv/work' });
    // Continuing the export needs the same passphrase and writes a second segment.
    expect(await codeOf(annals.export(sealed))).toBe('PASSPHRASE_WRONG');
    expect(await codeOf(annals.export(sealed, { passphrase: 'another' }))).toBe('PASSPHRASE_WRONG');
    expect((await annals.export(sealed, { passphrase: PASSPHRASE })).segments).toBe(2);
    events = await eventsOf(annals);
  });
});

test('an encrypted export contains no readable word, name or log id, and is marked as encrypted', async () => {
  const { logId } = await withHome(named('home'), (annals) => annals.export(named('plain')));
  for (const name of readdirSync(sealed)) {
    const bytes = readFileSync(join(sealed, name)).toString('latin1');
    for (const secret of [WORD, '/srv/work', 'memory.saved', logId]) expect(bytes).not.toContain(secret);
  }
  const manifest = JSON.parse(readFileSync(join(sealed, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ format: 'annals-export', version: 2, encryption: { kdf: 'scrypt' } });
  // Positive control: the same export without a passphrase contains the word.
  const plain = readdirSync(named('plain')).map((name) => readFileSync(join(named('plain'), name), 'utf8'));
  expect(plain.join('')).toContain(WORD);
});

test('an encrypted export is restored with its passphrase and no other', async () => {
  const home = named('restored');
  expect(await codeOf(restoreAnnals(sealed, { home }))).toBe('PASSPHRASE_WRONG');
  expect(await codeOf(restoreAnnals(sealed, { home, passphrase: `${PASSPHRASE} ` }))).toBe(
    'PASSPHRASE_WRONG',
  );
  expect(existsSync(join(home, 'log'))).toBe(false);
  await restoreAnnals(sealed, { home, passphrase: async () => PASSPHRASE });
  await withHome(home, async (annals) => {
    expect(await eventsOf(annals)).toEqual(events);
    expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND);
  });
});

test('an encrypted export is merged into another log only with its passphrase', async () => {
  await withHome(named('other'), async (annals) => {
    expect(await codeOf(annals.import([sealed]))).toBe('PASSPHRASE_WRONG');
    expect((await annals.status()).log.events).toBe(0);
    await annals.import([sealed], { passphrase: PASSPHRASE });
    expect((await annals.search(WORD)).results.length).toBeGreaterThan(0);
  });
});

test('a flipped bit is reported as damage, not as a wrong passphrase', async () => {
  for (const name of readdirSync(sealed).filter((one) => one.endsWith('.sealed'))) {
    const damaged = named(`damaged-${name}`);
    cpSync(sealed, damaged, { recursive: true });
    const bytes = readFileSync(join(damaged, name));
    bytes[Math.floor(bytes.length / 2)]! ^= 4;
    writeFileSync(join(damaged, name), bytes);
    const home = named(`from-${name}`);
    expect(await codeOf(restoreAnnals(damaged, { home, passphrase: PASSPHRASE }))).toBe('EXPORT_DAMAGED');
  }
});

test('an export is encrypted completely or not at all', async () => {
  await withHome(named('home'), async (annals) => {
    await annals.export(named('readable'));
    expect(await codeOf(annals.export(named('readable'), { passphrase: PASSPHRASE }))).toBe('USAGE');
    expect(await codeOf(annals.export(named('empty'), { passphrase: '' }))).toBe('USAGE');
  });
});
