// The shared log on a real NATS server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSharedLog } from '../../src/share/log/open-shared-log.ts';
import { syncKeys } from '../../src/share/rows/sync-rows.ts';
import { machine, reply, seen } from './machines.ts';
import { natsProgram, startNats, type TestServer } from './servers.ts';
import { everything, message, sharedLogSuite } from './shared-log-suite.ts';

describe.skipIf(natsProgram === null)(
  'a shared log on NATS (skipped where nats-server is not installed)',
  () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startNats(PERMISSIONS);
    });
    afterAll(() => server?.end());
    const open = (team: string, user = 'admin', create = true) =>
      openSharedLog({ url: server.url.replace('://', `://${user}:${user}@`), team, create });

    sharedLogSuite({ connect: (team) => open(team) });

    test('what was acknowledged is there after the server was killed', async () => {
      const before = await open('killed');
      await before.append([message('a'), message('b')]);
      await server.kill();
      await server.start();
      await before.close();
      const after = await open('killed');
      expect((await everything(after)).map(({ id }) => id)).toEqual(['a', 'b']);
      await after.close();
    });

    test('a connection ends when the server comes back, which may have lost what was read', async () => {
      const log = await open('back');
      await server.kill();
      await server.start();
      await log.closed;
    });

    test('a log that was made again has another incarnation', async () => {
      const log = await open('again');
      const { incarnation } = await log.state();
      const { jetstreamManager } = await import('@nats-io/jetstream');
      const { connect } = await import('@nats-io/transport-node');
      const connection = await connect({ servers: server.url.slice(7), user: 'admin', pass: 'admin' });
      await (await jetstreamManager(connection)).streams.delete('ANNALS_again');
      await connection.close();
      await log.close();
      const again = await open('again');
      expect((await again.state()).incarnation).not.toBe(incarnation);
      expect((await again.state()).head).toBe(0);
      await again.close();
    });

    test('a team without a log is refused, unless it is to be made', async () => {
      await expect(open('missing', 'admin', false)).rejects.toMatchObject({ code: 'SHARED_LOG_REFUSED' });
    });

    test('a wrong password is refused', async () => {
      await expect(
        openSharedLog({ url: server.url.replace('://', '://admin:wrong@'), team: 'x' }),
      ).rejects.toMatchObject({
        code: 'SHARED_LOG_REFUSED',
      });
    });

    test('a user that may only read reads, and may neither write nor remove', async () => {
      const log = await open('readers');
      await log.append([message('a')]);
      const reader = await open('readers', 'reader', false);
      expect((await everything(reader)).map(({ id }) => id)).toEqual(['a']);
      await expect(reader.append([message('b')])).rejects.toMatchObject({ code: 'SHARED_LOG_REFUSED' });
      await expect(reader.remove('project', ['a'])).rejects.toMatchObject({ code: 'SHARED_LOG_REFUSED' });
      expect((await everything(log)).map(({ id }) => id)).toEqual(['a']);
      await log.close();
      await reader.close();
    });

    test('a login that may send no statements still exchanges events', async () => {
      const [one, other] = [await machine('allowed'), await machine('mute')];
      await other.capture(seen('/b/app', 'github.com/acme/app'), reply('work', 1, '/b/app'));
      const [log, mute] = [await open('statements'), await open('statements', 'mute', false)];
      expect((await other.sync(mute)).events).toBe(2);
      expect((await one.sync(log)).received).toBe(2);
      expect(other.rows().get(syncKeys.silent)).toContain('refused');
      const kinds = (await everything(log)).map(({ kind }) => kind);
      expect(kinds).toEqual(['event', 'event', 'statement']);
      await log.close();
      await mute.close();
    });

    test('a server elsewhere must encrypt the connection', async () => {
      // A name of this machine that is not a loopback address to us.
      const { port } = new URL(server.url);
      const failing = openSharedLog({ url: `nats://0.0.0.0:${port}`, team: 'x' });
      await expect(failing).rejects.toMatchObject({ code: 'SHARED_LOG_UNREACHABLE' });
    });

    test('a server that is not there cannot be reached, and no error has the password', async () => {
      const error = await openSharedLog({ url: 'nats://u:planted-password@127.0.0.1:1', team: 'x' }).catch(
        (e) => e,
      );
      expect(error).toMatchObject({ code: 'SHARED_LOG_UNREACHABLE' });
      expect(`${error.message}${error.hint}${JSON.stringify(error.facts)}`).not.toContain('planted-password');
    });
  },
);

const READ = [
  '$JS.API.INFO',
  '$JS.API.STREAM.INFO.>',
  '$JS.API.CONSUMER.CREATE.>',
  '$JS.API.CONSUMER.INFO.>',
  '$JS.API.CONSUMER.MSG.NEXT.>',
  '$JS.API.CONSUMER.DELETE.>',
  '$JS.API.STREAM.NAMES',
  '$JS.API.STREAM.MSG.GET.>',
];
const PERMISSIONS = `authorization { users: [
  { user: "admin", password: "admin" },
  { user: "reader", password: "reader", permissions: { publish: [${READ.map((one) => `"${one}"`).join(', ')}], subscribe: "_INBOX.>" } },
  { user: "mute", password: "mute", permissions: { publish: { deny: "annals.v1.*.statement.>" } } } ] }`;
