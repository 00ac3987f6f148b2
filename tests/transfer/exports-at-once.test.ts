// Several exports into one folder at once: in one process they run one after the other; another process is refused. What
// the folder holds can be restored.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { restoreAnnals } from '../../src/index.ts';
import { sharedFolder, withHome } from '../e2e/homes.ts';
import { toolEvents } from '../helpers/new-events.ts';
import { makeProgram } from '../helpers/program.ts';
import { useQuickPassphrases } from './quick-passphrases.ts';

useQuickPassphrases();
const folder = sharedFolder('exports-at-once');
const named = (name: string) => join(folder, name);
const PASSPHRASE = 'orange ladder of the seventh moon';
/** Of two homes. */
const [EVENTS, EVENTS_OF_OTHER] = [2, 3];
let program = '';

beforeAll(async () => {
  // The program replaces a function of the library, so the library is bundled with it.
  program = await makeProgram('tests/transfer/programs/export-when-told.ts', named('export.mjs'), []);
  await withHome(named('home'), (annals) => annals.append(toolEvents(EVENTS)));
  await withHome(named('other'), (annals) => annals.append(toolEvents(EVENTS_OF_OTHER)));
});

/** Another process that exports the other home, and has asked for the passphrase. */
async function otherProcess(into: string): Promise<ChildProcess> {
  // In a folder that is there the passphrase is asked for while the lock is held.
  mkdirSync(into, { recursive: true });
  const child = fork(program, [named('other'), into]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}

/** A lock that another process made. */
function writeLock(into: string, owner: string): string {
  mkdirSync(join(into, 'export.lock'));
  const file = join(into, 'export.lock', '0123456789ab');
  writeFileSync(file, owner);
  return file;
}

const restored = (from: string) =>
  restoreAnnals(from, { home: `${from}-restored`, passphrase: PASSPHRASE }).then(({ events }) => events);

test('two encrypted exports of one home make one that can be restored', async () => {
  const into = named('twice');
  await withHome(named('home'), async (annals) => {
    const both = await Promise.all([1, 2].map(() => annals.export(into, { passphrase: PASSPHRASE })));
    expect(both.map(({ events, written }) => ({ events, written }))).toEqual([
      { events: EVENTS, written: EVENTS },
      { events: EVENTS, written: 0 },
    ]);
  });
  expect(await restored(into)).toBe(EVENTS);
});

test('an export is refused while another process writes one into the folder', async () => {
  const into = named('shared');
  const other = await otherProcess(into);
  await withHome(named('home'), async (annals) => {
    await expect(annals.export(into, { passphrase: PASSPHRASE })).rejects.toMatchObject({
      code: 'EXPORT_LOCKED',
      hint: expect.stringContaining(join(into, 'export.lock')),
    });
  });
  other.send(PASSPHRASE);
  expect(await once(other, 'exit')).toEqual([0, null]);
  expect(await restored(into)).toBe(EVENTS_OF_OTHER);
  expect(existsSync(join(into, 'export.lock'))).toBe(false);
});

test('the lock of a process that was killed is void', async () => {
  const into = named('killed');
  const other = await otherProcess(into);
  other.kill('SIGKILL');
  await once(other, 'exit');
  await withHome(named('home'), (annals) => annals.export(into, { passphrase: PASSPHRASE }));
  expect(await restored(into)).toBe(EVENTS);
});

test('so is one with the process id of this one from before it began, as in a container that was started again', async () => {
  const into = named('same-id');
  mkdirSync(into);
  const lock = writeLock(into, JSON.stringify({ host: hostname(), process: process.pid }));
  await withHome(named('home'), async (annals) => {
    await expect(annals.export(into)).rejects.toMatchObject({ code: 'EXPORT_LOCKED' });
    utimesSync(lock, new Date(0), new Date(0));
    expect(await annals.export(into)).toMatchObject({ events: EVENTS });
  });
});

test.each([
  ['of another machine', JSON.stringify({ host: 'elsewhere.example', process: 1 })],
  ['that nobody can read', ''],
])('a lock %s holds until a person removes it', async (_, text) => {
  const into = named(`lock-${text.length}`);
  mkdirSync(into);
  const lock = writeLock(into, text);
  utimesSync(lock, new Date(0), new Date(0));
  await withHome(named('home'), async (annals) => {
    await expect(annals.export(into)).rejects.toMatchObject({ code: 'EXPORT_LOCKED' });
  });
  expect(readdirSync(into)).toEqual(['export.lock']);
});

test('an export that lost its lock replaces nothing', async () => {
  const into = named('lost');
  const key = join(into, 'key.age');
  let lock = '';
  await withHome(named('home'), async (annals) => {
    const onProgress = () => {
      rmSync(join(into, 'export.lock'), { recursive: true });
      lock = writeLock(into, '');
      writeFileSync(key, 'their key');
    };
    await expect(annals.export(into, { passphrase: PASSPHRASE, onProgress })).rejects.toMatchObject({
      code: 'EXPORT_LOCKED',
    });
  });
  expect(existsSync(join(into, 'manifest.json.age'))).toBe(false);
  expect(readFileSync(key, 'utf8')).toBe('their key');
  expect(existsSync(lock)).toBe(true);
});

test('an export removes what was in the folder when it began, and nothing that came meanwhile', async () => {
  const into = named('strays');
  const [before, meanwhile] = ['events-000000000007-00000000.jsonl', 'events-000000000008-00000000.jsonl'];
  mkdirSync(into);
  writeFileSync(join(into, before), 'interrupted');
  mkdirSync(join(into, 'export.lock.0123456789ab.tmp'));
  await withHome(named('home'), (annals) =>
    annals.export(into, { onProgress: () => writeFileSync(join(into, meanwhile), 'of somebody else') }),
  );
  expect(existsSync(join(into, before))).toBe(false);
  expect(existsSync(join(into, 'export.lock.0123456789ab.tmp'))).toBe(false);
  expect(existsSync(join(into, meanwhile))).toBe(true);
});

test('an export whose manifest could not be read again is refused, and the folder stays as it was', async () => {
  const into = named('large');
  const manifest = join(into, 'manifest.json');
  await withHome(named('home'), async (annals) => {
    await annals.export(into, { since: 1 });
    const written = readFileSync(manifest, 'utf8');
    const room = 32 * 1024 * 1024 - Buffer.byteLength(written) - 100;
    writeFileSync(manifest, JSON.stringify({ ...JSON.parse(written), earlier: ['x'.repeat(room)] }));
    const whole = { names: readdirSync(into), manifest: readFileSync(manifest, 'utf8') };
    await annals.append(toolEvents(EVENTS + 1));
    await expect(annals.export(into)).rejects.toMatchObject({ code: 'USAGE', hint: 'Name a new folder.' });
    expect({ names: readdirSync(into), manifest: readFileSync(manifest, 'utf8') }).toEqual(whole);
  });
});
