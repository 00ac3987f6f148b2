// The shared log on a real PostgreSQL server.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import { postgresProgram, startPostgres, type TestServer } from './servers.ts';
import { everything, message, sharedLogSuite } from './shared-log-suite.ts';

describe.skipIf(postgresProgram === null)(
  'a shared log on PostgreSQL (skipped where it is not installed)',
  () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server?.end());
    const open = (team: string, create = true) => openSharedLog({ url: server.url, team, create });

    sharedLogSuite({ connect: (team) => open(team) });

    test('what was acknowledged is there after the server was killed', async () => {
      const before = await open('killed');
      await before.append([message('a'), message('b')]);
      await server.kill();
      await before.closed;
      await server.start();
      const after = await open('killed');
      expect((await everything(after)).map(({ id }) => id)).toEqual(['a', 'b']);
      await after.close();
    });

    test('a page of large messages ends early', async () => {
      const log = await open('large');
      const client = new pg.Client(server.url);
      await client.connect();
      await client.query(
        `INSERT INTO annals_messages SELECT 'large', n, 'l' || n, 'event', 'p', 'o', decode(repeat('00', 1000000), 'hex')
         FROM generate_series(1, 6) AS n`,
      );
      await client.end();
      const page = await log.page({ after: 0, limit: 2_048 });
      expect(page).toHaveLength(5);
      expect(await log.page({ after: page.at(-1)!.position, limit: 2_048 })).toHaveLength(1);
      await log.close();
    });

    test('a team without a log is refused, unless it is to be made', async () => {
      await expect(open('missing', false)).rejects.toMatchObject({ code: 'SHARED_LOG_REFUSED' });
    });

    test('a log that is removed meanwhile is refused', async () => {
      const log = await open('removed');
      const client = new pg.Client(server.url);
      await client.connect();
      await client.query("DELETE FROM annals_teams WHERE team = 'removed'");
      await client.end();
      await expect(log.append([message('a')])).rejects.toMatchObject({ code: 'SHARED_LOG_REFUSED' });
      await log.close();
    });

    test('a user without a right is refused', async () => {
      const url = server.url.replace('annals@', 'stranger@');
      await expect(openSharedLog({ url, team: 'x' })).rejects.toMatchObject({ code: 'SHARED_LOG_REFUSED' });
    });
  },
);
