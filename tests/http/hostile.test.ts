// Hostile requests: none gets in, and none hurts. A seed makes the same request each time.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { eventsOf } from '../e2e/homes.ts';
import { attackOf } from './attacks.ts';
import { CAPTURE_TOKEN, SECRET, served, TOKEN } from './served.ts';

const REQUESTS = Number(process.env.ANNALS_TEST_HOSTILE_REQUESTS ?? 150);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);
const AT_ONCE = 60;
/** Short, so that stalled requests end soon. */
const LIMITS = { idleMs: 400, bodyMs: 400 };

/** Everything that the server sends until it closes the connection. */
function replyTo(bytes: Buffer, port: number, givenUpMs = 200_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const parts: Buffer[] = [];
    const late = setTimeout(() => {
      socket.destroy();
      reject(new Error('The server keeps the connection open.'));
    }, givenUpMs);
    socket.on('data', (part) => parts.push(part));
    // A reset is an answer as well.
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(late);
      resolve(Buffer.concat(parts).toString('latin1'));
    });
    socket.write(bytes);
  });
}

test(`${REQUESTS} hostile requests get no answer but a refusal, and change nothing`, {
  timeout: 600_000,
}, async () => {
  const server = await served({ filled: true, limits: LIMITS });
  const before = await eventsOf(server.annals);
  const config = await server.annals.status();
  const kinds = new Map<string, number>();
  const seeds = Array.from({ length: REQUESTS }, (_, index) => SEED + index);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
        const { kind, bytes } = attackOf(seed, server.port);
        const reply = await replyTo(bytes, server.port);
        const statuses = [...reply.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
        const what = `seed ${seed}, ${kind}: ${bytes.toString('latin1', 0, 300)}\n→ ${reply.slice(0, 500)}`;
        expect(
          statuses.filter((status) => status < 400 && status !== 100),
          what,
        ).toEqual([]);
        expect(
          statuses.filter((status) => status === 500),
          what,
        ).toEqual([]);
        for (const text of [TOKEN, CAPTURE_TOKEN, SECRET, 'root:x:0', server.home])
          expect(reply, what).not.toContain(text);
        expect(reply, what).not.toMatch(/access-control-allow/i);
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      }
    }),
  );
  expect(kinds.size).toBe(9);
  expect(server.errors).toEqual([]);
  expect(server.asked).toEqual([]);
  expect(await eventsOf(server.annals)).toEqual(before);
  expect((await server.annals.status()).spool).toEqual(config.spool);
  expect((await server.call('GET', '/api/search?q=axolotl')).json.results[0].title).toBe('A secret place');
  expect((await server.call('POST', '/api/verify', { body: { rebuilt: true } })).json.ok).toBe(true);
});

test('idle connections beyond the limit are refused, the others are cut in time, and then it answers again', async () => {
  const server = await served({ limits: { ...LIMITS, connections: 50 } });
  const sockets = await Promise.all(
    Array.from({ length: 300 }, () => replyTo(Buffer.alloc(0), server.port, 20_000)),
  );
  expect(new Set(sockets)).toEqual(new Set(['']));
  expect((await server.call('GET', '/api/health', { token: null })).status).toBe(200);
});
