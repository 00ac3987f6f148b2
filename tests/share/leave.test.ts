// Leaving a team whose server cannot be reached: the others would never learn of it, so it has to be asked for twice.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Annals, openAnnals } from '../../src/index.ts';
import { sharedFolder } from '../e2e/homes.ts';
import { natsProgram, startNats, type TestServer } from './servers.ts';

const folder = sharedFolder('leave');

describe.skipIf(natsProgram === null)('leaving a team (skipped where nats-server is not installed)', () => {
  let server: TestServer;
  let laptop: Annals;
  let desktop: Annals;
  beforeAll(async () => {
    server = await startNats();
    laptop = await openAnnals({ home: join(folder, 'laptop') });
    desktop = await openAnnals({ home: join(folder, 'desktop') });
    await laptop.shareJoin({ url: server.url, name: 'laptop' });
    await desktop.shareAccept((await laptop.shareInvite({ name: 'desktop' })).invitation);
    await laptop.shareSync();
    await desktop.shareSync();
  });
  afterAll(async () => {
    await laptop?.close();
    await desktop?.close();
    await server?.end();
  });

  test('is refused while the server cannot be reached, and changes nothing', async () => {
    await server.kill();
    await expect(desktop.shareLeave()).rejects.toMatchObject({
      code: 'SHARED_LOG_UNREACHABLE',
      hint: expect.stringContaining('--force'),
    });
    await server.start();
    await desktop.shareSync();
    await laptop.shareSync();
    expect((await laptop.shareMembers()).find(({ name }) => name === 'desktop')?.removedAt).toBe(null);
  });

  test('tells the others when it can', async () => {
    expect(await desktop.shareLeave()).toMatchObject({ sent: true });
    await laptop.shareSync();
    expect((await laptop.shareMembers()).find(({ name }) => name === 'desktop')?.removedAt).not.toBe(null);
  });

  test('tells nobody of an admin: another one must remove it', async () => {
    const admin = await openAnnals({ home: join(folder, 'admin') });
    await admin.shareAccept((await laptop.shareInvite({ name: 'admin', role: 'admin' })).invitation);
    await laptop.shareSync();
    await admin.shareSync();
    expect(await admin.shareLeave()).toMatchObject({ sent: false });
    await admin.close();
  });

  test('leaves nothing that counts for the next team, also when it was cut off', async () => {
    const home = join(folder, 'cut off');
    const open = () => openAnnals({ home });
    const accept = async (annals: Annals) => {
      await annals.shareAccept((await laptop.shareInvite({ name: 'cut off' })).invitation);
      for (const one of [laptop, annals]) await one.shareSync();
    };
    const before = await open();
    await accept(before);
    await before.shareProject(folder);
    await expect(before.shareProject(join(folder, 'laptop'), { stop: true })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await before.close();
    for (const file of ['identity.json', 'records.jsonl']) rmSync(join(home, 'share', file));
    const after = await open();
    await accept(after);
    expect(await after.shareStatus()).toMatchObject({ role: 'member', projects: [] });
    await after.close();
  });

  test.each([
    ['identity.json', 'is damaged', 'INPUT_INVALID'],
    ['shared.json', 'is damaged', 'INPUT_INVALID'],
    ['identity.json', 'cannot be read', 'INPUT_UNREADABLE'],
    ['shared.json', 'cannot be read', 'INPUT_UNREADABLE'],
  ])('a home whose %s %s opens and says so; leaving ends it', async (file, how, code) => {
    const home = join(folder, `${file} ${how}`);
    await (await openAnnals({ home })).close();
    mkdirSync(join(home, 'share'), { mode: 0o700 });
    if (code === 'INPUT_INVALID') writeFileSync(join(home, 'share', file), '{"projects":');
    // Root reads everything else.
    else symlinkSync(file, join(home, 'share', file));
    const annals = await openAnnals({ home, share: true });
    expect((await annals.shareStatus()).warnings[0]).toContain(file);
    await expect(annals.shareSync()).rejects.toMatchObject({ code });
    expect(await annals.shareForgettings()).toEqual([]);
    expect(await annals.shareLeave()).toEqual({ team: null, sent: false });
    expect((await annals.shareStatus()).warnings).toEqual([]);
    await annals.close();
  });

  test('is refused by a server that lost the log of the team, and that is said', async () => {
    await desktop.shareAccept((await laptop.shareInvite({ name: 'desktop' })).invitation);
    await server.kill();
    rmSync(join(server.folder, 'store'), { recursive: true });
    await server.start();
    await expect(desktop.shareLeave()).rejects.toMatchObject({
      code: 'SHARED_LOG_REFUSED',
      message: 'The others cannot be told. This server has no shared log of this team.',
    });
    expect((await desktop.shareStatus()).team).not.toBe(null);
  });

  test('is done all the same when it is forced', async () => {
    await server.kill();
    expect(await laptop.shareLeave({ force: true })).toMatchObject({ sent: false });
    expect((await laptop.shareStatus()).team).toBe(null);
  });
});
