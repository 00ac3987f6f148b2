// A team on a real server, through the library: joining, inviting, sharing, live exchange and forgetting.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Annals, openAnnals } from '../../src/index.ts';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import { sharedFolder } from '../e2e/homes.ts';
import { natsProgram, postgresProgram, startNats, startPostgres, type TestServer } from './servers.ts';
import { everything } from './shared-log-suite.ts';

const folder = sharedFolder('team');

const ENGINES = [
  { engine: 'NATS', start: startNats, lose: loseStore, isInstalled: natsProgram !== null },
  { engine: 'PostgreSQL', start: startPostgres, lose: loseTables, isInstalled: postgresProgram !== null },
];

describe.each(ENGINES)(
  'a team on $engine (skipped where it is not installed)',
  ({ engine, start, lose, isInstalled }) => {
    if (!isInstalled) return void test.skip('is not installed');
    let server: TestServer;
    let repository: string;
    beforeAll(async () => {
      server = await start();
      repository = join(folder, engine, 'app');
      mkdirSync(repository, { recursive: true });
      const git = (...words: string[]) => execFileSync('git', words, { cwd: repository });
      git('init', '-q', '.');
      git('remote', 'add', 'origin', 'git@github.com:acme/app.git');
    });
    afterAll(() => server?.end());
    const open = (name: string, share = false) => openAnnals({ home: join(folder, engine, name), share });
    const save = (annals: Annals, title: string) =>
      annals.save({ title, text: `${title}, in full`, cwd: repository });

    test('two machines have one memory of a project, live, and forget together', async () => {
      const laptop = await open('laptop', true);
      const desktop = await open('desktop', true);
      try {
        await save(laptop, 'The zebrafish port is 8080');
        await laptop.save({ title: 'A secret diary', text: 'quagga', project: 'diary' });
        const { recoveryKey } = await laptop.shareJoin({ url: server.url, name: 'laptop' });
        expect(recoveryKey).toMatch(/^AGE-SECRET-KEY-1/);
        await laptop.shareProject('app', { withHistory: true });
        const { invitation } = await laptop.shareInvite({ name: 'desktop' });
        await desktop.shareAccept(invitation);
        await until(async () => (await found(desktop, 'zebrafish')) === 1);
        expect(await found(desktop, 'quagga')).toBe(0);

        await desktop.shareProject('app');
        await save(desktop, 'The okapi timeout is 30 seconds');
        await until(async () => (await found(laptop, 'okapi')) === 1);
        const status = await desktop.shareStatus();
        expect(status).toMatchObject({ role: 'member', unopened: 0, refused: [] });

        const digests = await laptop.shareDigests();
        // Two memories, and the folder as each of them saw it.
        expect(digests).toMatchObject([{ key: 'repo:github.com/acme/app', events: 4 }]);
        expect(await desktop.shareDigests()).toEqual(digests);

        const [item] = (await laptop.search('zebrafish')).results;
        await laptop.forget({ ids: [item!.id] });
        await until(async () => (await found(desktop, 'zebrafish')) === 0);
        await until(async () => (await laptop.shareStatus()).projects.every(({ waiting }) => waiting === 0));
        // The text leaves the answers first, and then the files.
        for (const name of ['laptop', 'desktop'])
          await until(() => filesWith('zebrafish', join(folder, engine, name)).length === 0);
        for (const word of ['zebrafish', 'okapi', 'quagga', 'acme', 'laptop', 'desktop'])
          expect(filesWith(word, server.folder)).toEqual([]);
      } finally {
        await laptop.close();
        await desktop.close();
      }
    });

    // The engine plays no part in it.
    test.skipIf(engine !== 'NATS')(
      'what the server lost after it had acknowledged it is sent again, live',
      async () => {
        const [giver, taker] = [await open('giver', true), await open('taker', true)];
        try {
          await giver.shareJoin({ url: server.url, name: 'giver' });
          await giver.shareProject(repository, { withHistory: true });
          await taker.shareAccept((await giver.shareInvite({ name: 'taker' })).invitation);
          await save(giver, 'About the numbat');
          await until(async () => (await found(taker, 'numbat')) === 1);
          await taker.close();
          await save(giver, 'About the bandicoot');
          await until(async () => (await giver.shareStatus()).projects.every(({ waiting }) => waiting === 0));
          await loseLast(server.url, (await giver.shareStatus()).team!);
          const again = await open('taker', true);
          try {
            await until(async () => (await found(again, 'bandicoot')) === 1);
            expect(await again.shareDigests()).toEqual(await giver.shareDigests());
          } finally {
            await again.close();
          }
        } finally {
          await giver.close();
        }
      },
    );

    test('a machine that was away and a server that was killed lose nothing', async () => {
      const one = await open('one');
      await one.shareJoin({ url: server.url, name: 'one' });
      await save(one, 'About the wombat');
      await one.shareProject('app', { withHistory: true });
      expect((await one.shareSync()).sent).toBeGreaterThan(0);
      const { invitation } = await one.shareInvite({ name: 'away' });
      await server.kill();
      await save(one, 'About the giraffe');
      await expect(one.shareSync()).rejects.toMatchObject({ code: 'SHARED_LOG_UNREACHABLE' });
      await server.start();
      const away = await open('away');
      await away.shareAccept(invitation);
      await one.shareSync();
      await away.shareSync();
      expect(await found(away, 'wombat')).toBe(1);
      expect(await found(away, 'giraffe')).toBe(1);
      await away.shareLeave();
      expect((await away.shareStatus()).team).toBeNull();
      await one.close();
      await away.close();
    });

    test('a server that lost everything is made again by the machine of an admin, and filled by all', async () => {
      const [admin, member] = [await open('admin'), await open('member')];
      try {
        await admin.shareJoin({ url: server.url, name: 'admin' });
        await save(admin, 'About the wombat');
        await admin.shareProject('app', { withHistory: true });
        await member.shareAccept((await admin.shareInvite({ name: 'member' })).invitation);
        await admin.shareSync();
        await member.shareSync();
        await member.shareProject(repository);
        await save(member, 'About the giraffe');
        await member.shareSync();
        await lose(server);
        await expect(member.shareSync()).rejects.toMatchObject({ code: 'SHARED_LOG_REFUSED' });
        await admin.shareSync();
        await member.shareSync();
        const late = await open('late');
        await late.shareAccept((await admin.shareInvite({ name: 'late' })).invitation);
        await admin.shareSync();
        await late.shareSync();
        for (const word of ['wombat', 'giraffe']) expect(await found(late, word), word).toBe(1);
        await late.close();
      } finally {
        await admin.close();
        await member.close();
      }
    });
  },
);

async function loseStore(server: TestServer): Promise<void> {
  await server.kill();
  rmSync(join(server.folder, 'store'), { recursive: true });
  await server.start();
}

async function loseTables(server: TestServer): Promise<void> {
  const client = new pg.Client(server.url);
  await client.connect();
  await client.query('DROP TABLE annals_teams, annals_messages');
  await client.end();
}

/** The last event of a team, as a server loses it. */
async function loseLast(url: string, team: string): Promise<void> {
  const log = await openSharedLog({ url, team });
  try {
    const last = (await everything(log)).findLast(({ kind }) => kind === 'event')!;
    expect(await log.remove(last.project, [last.id])).toMatchObject({ removed: 1 });
  } finally {
    await log.close();
  }
}

async function found(annals: Annals, word: string): Promise<number> {
  return (await annals.search(`"${word}"`)).results.length;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

function filesWith(word: string, path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => has(file, word));
}

/** A file that was removed since it was listed has nothing. */
function has(file: string, word: string): boolean {
  try {
    return readFileSync(file).includes(word);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
