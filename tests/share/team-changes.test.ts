// Changes of a team on a real server, through the library: a reader for CI, a member who is removed, a lost machine.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Annals, openAnnals } from '../../src/index.ts';
import { sharedFolder } from '../e2e/homes.ts';
import { natsProgram, startNats, type TestServer } from './servers.ts';

const folder = sharedFolder('team-changes');

describe.skipIf(natsProgram === null)(
  'a team that changes (skipped where nats-server is not installed)',
  () => {
    const repository = join(folder, 'app');
    const open: Annals[] = [];
    let server: TestServer;
    let laptop: Annals;
    let recoveryKey: string;
    const machine = async (name: string) => {
      const annals = await openAnnals({ home: join(folder, name) });
      open.push(annals);
      return annals;
    };
    const save = (annals: Annals, word: string) =>
      annals.save({ title: `About the ${word}`, text: `The ${word}, in full`, cwd: repository });
    const finds = async (annals: Annals, word: string) =>
      (await annals.search(`"${word}"`)).results.length > 0;
    const syncAll = async (...machines: readonly Annals[]) => {
      for (let round = 0; round < 2; round++) for (const one of machines) await one.shareSync();
    };

    beforeAll(async () => {
      server = await startNats();
      mkdirSync(repository, { recursive: true });
      const git = (...words: string[]) => execFileSync('git', words, { cwd: repository });
      git('init', '-q', '.');
      git('remote', 'add', 'origin', 'git@github.com:acme/app.git');
      laptop = await machine('laptop');
      await save(laptop, 'wombat');
      recoveryKey = (await laptop.shareJoin({ url: server.url, name: 'laptop' })).recoveryKey;
      await laptop.shareProject('app', { withHistory: true });
      await laptop.shareSync();
    });
    afterAll(async () => {
      for (const one of open) await one.close();
      await server?.end();
    });

    test('a credential reads at once, and may share nothing', async () => {
      const { credential, sent } = await laptop.shareCredential({ name: 'ci' });
      expect(sent).toBe(true);
      const ci = await machine('ci');
      await ci.shareAccept(credential);
      expect(await finds(ci, 'wombat')).toBe(true);
      await save(ci, 'ibex');
      await expect(ci.shareProject('app')).rejects.toMatchObject({ code: 'SHARE_DENIED' });
      expect((await ci.shareStatus()).role).toBe('reader');
      await expect(ci.shareInvite({ name: 'x' })).rejects.toMatchObject({ code: 'SHARE_DENIED' });
      await expect(ci.shareRemove('laptop')).rejects.toMatchObject({ code: 'SHARE_DENIED' });
    });

    test('a removed member gets nothing more, and others take nothing more from it', async () => {
      const desktop = await machine('desktop');
      await desktop.shareAccept((await laptop.shareInvite({ name: 'desktop' })).invitation);
      await syncAll(laptop, desktop);
      expect(await finds(desktop, 'wombat')).toBe(true);
      await desktop.shareProject('app');
      const { removed, rotated, sent } = await laptop.shareRemove('desktop');
      expect([removed.map(({ name }) => name), rotated.length, sent]).toEqual([['desktop'], 1, true]);
      await save(laptop, 'giraffe');
      await laptop.shareSync();
      await save(desktop, 'okapi');
      await syncAll(desktop, laptop);
      expect(await finds(desktop, 'giraffe')).toBe(false);
      expect(await finds(laptop, 'okapi')).toBe(false);
      expect((await desktop.shareStatus()).projects[0]!.held).toContain('removed');
      const members = await laptop.shareMembers();
      expect(members.map(({ name, removedAt }) => [name, removedAt !== null])).toEqual([
        ['laptop', false],
        ['ci', false],
        ['desktop', true],
      ]);
      expect((await laptop.shareRotate()).rotated).toHaveLength(1);
    });

    test('a member who was invited to some projects sees and writes only these', async () => {
      const diary = join(folder, 'diary');
      mkdirSync(diary);
      await laptop.shareProject(diary);
      await laptop.save({ title: 'About the tapir', text: 'The tapir, in full', cwd: diary });
      const { invitation } = await laptop.shareInvite({ name: 'guest', projects: ['app'] });
      const guest = await machine('guest');
      await guest.shareAccept(invitation);
      await syncAll(laptop, guest);
      expect([await finds(guest, 'wombat'), await finds(guest, 'tapir')]).toEqual([true, false]);
      expect(await guest.shareStatus()).toMatchObject({ role: 'member', refused: [], unopened: 0 });
      await expect(guest.shareProject(diary)).rejects.toMatchObject({ code: 'SHARE_DENIED' });
      const named = (await laptop.shareMembers()).find(({ name }) => name === 'guest');
      expect(named?.projects).toEqual(['repo:github.com/acme/app']);
      await expect(laptop.shareInvite({ name: 'x', projects: ['nothing'] })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      await laptop.shareRemove('guest');
    });

    test('with the recovery key another machine reads everything, and removes the lost one', async () => {
      const rescue = await machine('rescue');
      const recovery = { url: server.url, name: 'rescue', remove: ['laptop'] };
      await expect(rescue.shareRecover({ ...recovery, recoveryKey: 'AGE' })).rejects.toMatchObject({
        code: 'INVITATION_INVALID',
      });
      await rescue.shareRecover({ ...recovery, recoveryKey });
      await rescue.shareSync();
      expect(await finds(rescue, 'giraffe')).toBe(true);
      await save(laptop, 'quokka');
      await syncAll(laptop, rescue);
      expect(await finds(rescue, 'quokka')).toBe(false);
      expect(await rescue.shareStatus()).toMatchObject({ role: 'admin', unopened: 0 });
      expect((await rescue.shareMembers()).find(({ self }) => self)?.role).toBe('admin');
    });
  },
);
