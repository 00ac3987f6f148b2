// Three machines on a real server forget together: nothing is left on any of them or in the files of the server, and the
// machine that forgot names those that have confirmed it. The third one is away for a week.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Annals, openAnnals } from '../../src/index.ts';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import { sharedFolder } from '../e2e/homes.ts';
import { natsProgram, postgresProgram, startNats, startPostgres, type TestServer } from './servers.ts';
import { everything } from './shared-log-suite.ts';

const folder = sharedFolder('forgetting');
const WEEK_MS = 7 * 86_400_000;
const WORD = 'zebrafish';

const ENGINES = [
  { engine: 'NATS', start: startNats, isInstalled: natsProgram !== null },
  { engine: 'PostgreSQL', start: startPostgres, isInstalled: postgresProgram !== null },
];

describe.each(ENGINES)(
  'forgetting on $engine (skipped where it is not installed)',
  ({ engine, start, isInstalled }) => {
    if (!isInstalled) return void test.skip('is not installed');
    let server: TestServer;
    const open: Annals[] = [];
    beforeAll(async () => {
      server = await start();
    });
    afterAll(async () => {
      for (const one of open) await one.close();
      await server?.end();
    });

    test('nothing is left on three machines and on the server, and those that confirmed are named', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => {
        vi.useRealTimers();
      });
      const repository = join(folder, engine, 'app');
      mkdirSync(repository, { recursive: true });
      const git = (...words: string[]) => execFileSync('git', words, { cwd: repository });
      git('init', '-q', '.');
      git('remote', 'add', 'origin', 'git@github.com:acme/app.git');
      const machine = async (name: string) => {
        const annals = await openAnnals({ home: join(folder, engine, name) });
        open.push(annals);
        return annals;
      };
      const save = (annals: Annals, word: string) =>
        annals.save({ title: `About the ${word}`, text: `The ${word}, in full`, cwd: repository });
      const [laptop, desktop, tower] = [
        await machine('laptop'),
        await machine('desktop'),
        await machine('tower'),
      ];
      const names = ['laptop', 'desktop', 'tower'];
      const left = (name: string) => filesWith(WORD, join(folder, engine, name));
      await save(laptop, 'okapi');
      await laptop.shareJoin({ url: server.url, name: 'laptop' });
      await laptop.shareProject('app', { withHistory: true });
      for (const [annals, name] of [
        [desktop, 'desktop'],
        [tower, 'tower'],
      ] as const)
        await annals.shareAccept((await laptop.shareInvite({ name })).invitation);
      for (const annals of [laptop, desktop, tower, laptop]) await annals.shareSync();
      // It is of the machine that will be away.
      await tower.shareProject('app');
      await save(tower, WORD);
      for (const annals of [tower, laptop, desktop]) await annals.shareSync();
      for (const name of names) expect(left(name), name).not.toEqual([]);
      const sealed = await sealedOf(server, laptop);

      const [found] = (await laptop.search(WORD)).results;
      const { id } = await laptop.forget({ ids: [found!.id] });
      const proof = async () =>
        (await laptop.shareForgettings())
          .find((one) => one.id === id)!
          .machines.map(({ name, confirmed, seen }) => [name, confirmed !== null, seen !== null]);
      expect(await proof()).toEqual([
        // It has not sent anything.
        ['desktop', false, false],
        ['tower', false, true],
      ]);
      const { remains } = await laptop.shareSync();
      for (const annals of [desktop, laptop]) await annals.shareSync();
      expect((await proof()).map(([name, confirmed]) => [name, confirmed])).toEqual([
        ['desktop', true],
        ['tower', false],
      ]);
      expect([left('laptop'), left('desktop')]).toEqual([[], []]);
      expect(left('tower')).not.toEqual([]);
      // It forgot nothing itself.
      expect(await desktop.shareForgettings()).toEqual([]);

      vi.setSystemTime(Date.now() + WEEK_MS);
      const report = await tower.shareSync();
      expect(report.sent).toBe(0);
      expect(left('tower')).toEqual([]);
      expect((await tower.search(WORD)).results).toEqual([]);
      await laptop.shareSync();
      expect((await proof()).map(([name, confirmed]) => [name, confirmed])).toEqual([
        ['desktop', true],
        ['tower', true],
      ]);
      for (const annals of [desktop, tower, laptop]) await annals.shareSync();
      const digests = await Promise.all([laptop, desktop, tower].map((annals) => annals.shareDigests()));
      expect(digests[1]).toEqual(digests[0]);
      expect(digests[2]).toEqual(digests[0]);

      // The message is gone, and where the engine overwrites it also its bytes.
      const after = await sealedOf(server, laptop);
      const gone = sealed.filter((bytes) => !after.some((other) => other.equals(bytes)));
      expect(gone).toHaveLength(1);
      if (engine === 'NATS') expect(filesWith(gone[0]!.subarray(-64), server.folder)).toEqual([]);
      else expect(remains.join()).toContain('VACUUM');
    });
  },
);

/** The sealed events that the server has. */
async function sealedOf(server: TestServer, annals: Annals): Promise<readonly Buffer[]> {
  const log = await openSharedLog({ url: server.url, team: (await annals.shareStatus()).team! });
  try {
    return (await everything(log))
      .filter(({ kind }) => kind === 'event')
      .map(({ bytes }) => Buffer.from(bytes));
  } finally {
    await log.close();
  }
}

function filesWith(bytes: string | Buffer, path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(bytes));
}
