// A server that accepts connections and then says nothing: nobody waits for it for ever. It is a proxy before a real server,
// so that each engine's client gets as far as it can. The tests wait for the same ten seconds together, also the one of a
// PostgreSQL that cannot do yet what it is asked.
import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import {
  freePort,
  natsProgram,
  postgresProgram,
  startNats,
  startPostgres,
  type TestServer,
} from './servers.ts';
import { message } from './shared-log-suite.ts';

interface Proxy {
  readonly url: string;
  /** Passes nothing on from now on, and keeps all connections open. */
  silence(): void;
  end(): Promise<void>;
}

async function proxyFor(url: string): Promise<Proxy> {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let isSilent = false;
  const proxy = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => isSilent || to.write(bytes));
      from.on('end', () => isSilent || to.end());
      from.on('error', () => {});
      from.on('close', () => isSilent || to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  return {
    url: url.replace(/:\d+(?=\/|$)/, `:${port}`),
    silence: () => {
      isSilent = true;
    },
    end: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

const engines = [
  ['PostgreSQL', postgresProgram, startPostgres],
  ['NATS', natsProgram, startNats],
] as const;

for (const [engine, program, start] of engines)
  describe.skipIf(program === null)(
    `a silent server of ${engine} (skipped where it is not installed)`,
    { concurrent: true },
    () => {
      let server: TestServer;
      beforeAll(async () => {
        server = await start();
        await (await openSharedLog({ url: server.url, team: 'quiet', create: true })).close();
      });
      afterAll(() => server?.end());

      test('is unreachable for all who ask, and wakes all who wait', async () => {
        const proxy = await proxyFor(server.url);
        const log = await openSharedLog({ url: proxy.url, team: 'quiet' });
        await log.append([message('first')]);
        const waiting = log
          .page({ after: 1_000, waitUntil: new AbortController().signal })
          .catch((error) => error);
        proxy.silence();
        const asked = [log.state(), log.append([message('second')]), log.page({ after: 0 })];
        for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'SHARED_LOG_UNREACHABLE' });
        await log.close();
        await log.closed;
        await waiting;
        await proxy.end();
      });

      test('is left without an answer', async () => {
        const proxy = await proxyFor(server.url);
        const log = await openSharedLog({ url: proxy.url, team: 'quiet' });
        proxy.silence();
        await log.close();
        await log.closed;
        await proxy.end();
      });

      test.skipIf(engine !== 'PostgreSQL')(
        'a writer that keeps its turn holds up the others for a while, and leaves no queue on the server',
        async ({ expect }) => {
          const log = await openSharedLog({ url: server.url, team: 'held', create: true });
          const client = new pg.Client(server.url);
          await client.connect();
          await client.query("BEGIN; SELECT FROM annals_teams WHERE team = 'held' FOR UPDATE");
          await expect(log.append([message('a')])).rejects.toMatchObject({ code: 'SHARED_LOG_UNREACHABLE' });
          await log.close();
          const waiting = "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
          await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(0);
          await client.end();
        },
      );
    },
  );

/** Of PostgreSQL: no password is needed; ready for a query. */
const WELCOME = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

test.concurrent('a server of PostgreSQL that says nothing after the login is unreachable', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.write(WELCOME));
    socket.on('error', () => {});
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await expect(
    openSharedLog({ url: `postgres://annals@127.0.0.1:${port}/postgres`, team: 'quiet' }),
  ).rejects.toMatchObject({ code: 'SHARED_LOG_UNREACHABLE' });
  await new Promise((resolve) => server.close(resolve));
});
