// What a machine says of itself is told; what it says in the name of another, or of its folders, is refused.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restoreAnnals } from '../../../src/index.ts';
import { syncKeys } from '../../../src/share/rows/sync-rows.ts';
import { sharedFolder } from '../../e2e/homes.ts';
import { linked, machine, PROJECT, REMOTE, reply, seen } from '../machines.ts';
import { MemoryServer } from '../memory-shared-log.ts';
import { type SharingHome, send, sharingHome } from './sharing-home.ts';

const folder = sharedFolder('sharing-homes');
const homeOf = (name: string) => sharingHome(join(folder, name));

test('two homes with one identity are told, one home after a new start is not', async () => {
  const server = new MemoryServer();
  const paths = [join(folder, 'original'), join(folder, 'its copy')] as const;
  const open = async (path: string) => {
    const home = await sharingHome(path, [PROJECT], 'one identity');
    home.team.at = Date.now();
    await home.annals.append([seen('/a/app', REMOTE)]);
    return home;
  };
  const first = await open(paths[0]);
  await first.sync(server.connect());
  await first.annals.close();
  cpSync(paths[0], paths[1], { recursive: true });
  const [original, copy] = [await open(paths[0]), await open(paths[1])];
  const saysSo = async ({ annals }: SharingHome) =>
    (await annals.status()).degraded.filter((sentence) => sentence.startsWith('Another home shares'));
  for (const number of [1, 2]) {
    await original.annals.append([reply('work', number, '/a/app')]);
    await original.sync(server.connect());
    await original.sync(server.connect());
  }
  expect(await saysSo(original)).toEqual([]);
  await copy.annals.append([reply('other work', 3, '/a/app')]);
  for (const home of [copy, original]) await home.sync(server.connect());
  expect(await saysSo(copy)).toHaveLength(1);
  expect(await saysSo(original)).toHaveLength(1);
});

test('what is a matter of each machine is not taken from others, and a clock that is ahead says nothing', async () => {
  const server = new MemoryServer();
  const home = await homeOf('own matters');
  const mallory = await machine('mallory');
  await home.annals.append([seen('/a/app', REMOTE), seen('/a/diary', 'github.com/me/diary')]);
  await mallory.capture(linked('/a/diary', 'app'), reply('work', 1, '/b/app'));
  mallory.team.at = Date.now() + 365 * 86_400_000;
  for (const event of (await mallory.log.exportPage({ after: 0 })).events)
    await send(event, server, mallory.team);
  expect((await home.sync(server.connect())).received).toBe(1);
  expect((await home.annals.sharePreview('/a/diary')).key).toBe('repo:github.com/me/diary');
  expect(home.rows.startingWith(syncKeys.prefixes.refused)).toHaveLength(1);
  expect(home.rows.get<number>(syncKeys.seen('mallory'))).toBeLessThanOrEqual(Date.now());
});

test('nobody can say that another machine wrote an event', async () => {
  const server = new MemoryServer();
  const home = await homeOf('named as origin');
  const forged = await machine('forger');
  await forged.capture(reply('work', 1, '/a/app'));
  const [event] = (await forged.log.exportPage({ after: 0 })).events;
  await send({ ...event!, header: { ...event!.header, origin: home.origin } }, server);
  expect((await home.sync(server.connect())).received).toBe(0);
  expect(home.rows.startingWith(syncKeys.prefixes.refused)).toHaveLength(1);
});

test('nobody can say where a folder of a restored home belongs, what it wrote before comes back', async () => {
  const server = new MemoryServer();
  const before = await homeOf('to be restored');
  const [saved, path] = [join(folder, 'saved'), join(folder, 'restored')];
  await before.annals.export(saved);
  const { origin } = before;
  await before.annals.close();
  await restoreAnnals(saved, { home: path });
  const home = await sharingHome(path);
  await home.annals.append([seen('/a/diary', 'github.com/me/diary'), reply('diary', 1, '/a/diary')]);
  const forged = await machine('forger of a folder');
  await forged.capture(seen('/a/diary', REMOTE), reply('work', 2, '/a/app'));
  for (const event of (await forged.log.exportPage({ after: 0 })).events)
    await send({ ...event, header: { ...event.header, origin } }, server);
  expect((await home.sync(server.connect())).received).toBe(1);
  expect((await home.sync(server.connect())).events).toBe(0);
  expect(home.rows.startingWith(syncKeys.prefixes.refused)).toHaveLength(1);
});
