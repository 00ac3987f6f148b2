// Encrypted exports: unreadable without the passphrase, complete with it, and a wrong one changes nothing.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { isAnnalsError, restoreAnnals } from '../../src/index.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from '../e2e/homes.ts';
import { useQuickPassphrases } from './quick-passphrases.ts';

useQuickPassphrases();
const folder = sharedFolder('export-encrypted');
const named = (name: string) => join(folder, name);
const PASSPHRASE = 'orange ladder of the seventh moon';
const WORD = 'qzvxkjwpmbtrnl';
const encrypted = named('encrypted');
let events: unknown;

const codeOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => (isAnnalsError(error) ? error.code : error),
  );

beforeAll(async () => {
  await withHome(named('home'), async (annals) => {
    await annals.save({ title: 'First', text: `about ${WORD}`, cwd: '/srv/work' });
    await annals.export(encrypted, { passphrase: PASSPHRASE });
    await annals.save({ title: 'Second', text: `more about ${WORD}`, cwd: '/srv/work' });
    // Continuing the export needs the same passphrase and writes a second segment.
    expect(await codeOf(annals.export(encrypted))).toBe('PASSPHRASE_WRONG');
    expect(await codeOf(annals.export(encrypted, { passphrase: 'another' }))).toBe('PASSPHRASE_WRONG');
    expect((await annals.export(encrypted, { passphrase: PASSPHRASE })).segments).toBe(2);
    events = await eventsOf(annals);
  });
});

test('an encrypted export contains no readable word, name or log id, and consists of age files', async () => {
  const { logId } = await withHome(named('home'), (annals) => annals.export(named('plain')));
  for (const name of readdirSync(encrypted)) {
    const bytes = readFileSync(join(encrypted, name)).toString('latin1');
    for (const secret of [WORD, '/srv/work', 'memory.saved', logId]) expect(bytes).not.toContain(secret);
  }
  const names = readdirSync(encrypted).map((name) => name.replace(/-[0-9a-f]{8}\./, '.'));
  expect(names.sort()).toEqual([
    'events-000000000001.jsonl.age',
    'events-000000000002.jsonl.age',
    'key.age',
    'manifest.json.age',
  ]);
  // Positive control: the same export without a passphrase contains the word.
  const plain = readdirSync(named('plain')).map((name) => readFileSync(join(named('plain'), name), 'utf8'));
  expect(plain.join('')).toContain(WORD);
});

test('an encrypted export is restored with its passphrase and no other', async () => {
  const home = named('restored');
  expect(await codeOf(restoreAnnals(encrypted, { home }))).toBe('PASSPHRASE_WRONG');
  expect(await codeOf(restoreAnnals(encrypted, { home, passphrase: `${PASSPHRASE} ` }))).toBe(
    'PASSPHRASE_WRONG',
  );
  expect(existsSync(join(home, 'log'))).toBe(false);
  await restoreAnnals(encrypted, { home, passphrase: async () => PASSPHRASE });
  await withHome(home, async (annals) => {
    expect(await eventsOf(annals)).toEqual(events);
    expect(await annals.verify({ rebuilt: true })).toMatchObject(SOUND);
  });
});

test('an encrypted export is merged into another log only with its passphrase', async () => {
  await withHome(named('other'), async (annals) => {
    expect(await codeOf(annals.import([encrypted]))).toBe('PASSPHRASE_WRONG');
    expect((await annals.status()).log.events).toBe(0);
    await annals.import([encrypted], { passphrase: PASSPHRASE });
    expect((await annals.search(WORD)).results.length).toBeGreaterThan(0);
  });
});

test('a changed, cut or missing file is reported as damage, and nothing is restored', async () => {
  const change: Readonly<Record<string, (path: string) => void>> = {
    changed: (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length - 20]! ^= 4;
      writeFileSync(path, bytes);
    },
    cut: (path) => truncateSync(path, 200),
    missing: (path) => rmSync(path),
  };
  const [segment = '', , key = '', manifest = ''] = readdirSync(encrypted).sort();
  for (const [name, how] of [
    [segment, 'cut'],
    [segment, 'missing'],
    [manifest, 'changed'],
    [key, 'changed'],
  ] as const) {
    const damaged = named(`${how}-${name}`);
    cpSync(encrypted, damaged, { recursive: true });
    change[how]!(join(damaged, name));
    const home = named('from-damaged');
    const code = await codeOf(restoreAnnals(damaged, { home, passphrase: PASSPHRASE }));
    expect({ name, how, code }).toEqual({ name, how, code: 'EXPORT_DAMAGED' });
    expect(existsSync(join(home, 'log'))).toBe(false);
  }
});

test('a readable manifest beside an encrypted one is not used', async () => {
  const mixed = named('mixed');
  cpSync(encrypted, mixed, { recursive: true });
  cpSync(join(named('plain'), 'manifest.json'), join(mixed, 'manifest.json'));
  expect(await codeOf(restoreAnnals(mixed, { home: named('from-mixed') }))).toBe('PASSPHRASE_WRONG');
});

test('an interrupted encrypted export leaves nothing behind in a later readable one', async () => {
  const begun = named('begun');
  cpSync(encrypted, begun, { recursive: true });
  rmSync(join(begun, 'manifest.json.age'));
  await withHome(named('home'), (annals) => annals.export(begun));
  expect(readdirSync(begun).filter((name) => name.endsWith('.age'))).toEqual([]);
});

test('an export is encrypted completely or not at all', async () => {
  await withHome(named('home'), async (annals) => {
    await annals.export(named('readable'));
    expect(await codeOf(annals.export(named('readable'), { passphrase: PASSPHRASE }))).toBe('USAGE');
    expect(await codeOf(annals.export(named('empty'), { passphrase: '' }))).toBe('USAGE');
  });
});
