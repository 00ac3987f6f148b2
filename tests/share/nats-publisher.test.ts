// How long a publisher waits for a server of NATS, on a line that is slow.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as nats from '../../src/share/log/nats-client.ts';
import { NatsPublisher } from '../../src/share/log/nats-publisher.ts';
import { TIMEOUT_MS } from '../../src/share/log/server-url.ts';
import { message } from './shared-log-suite.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A line that carries one message at a time. */
function slowLine() {
  const waiting: string[] = [];
  let take: (error: null, message: unknown) => void = () => {};
  const connection = {
    subscribe: (_subject: string, options: { callback: typeof take }) => {
      take = options.callback;
    },
    closed: () => new Promise(() => {}),
    publish: (_subject: string, _bytes: Uint8Array, { reply }: { reply: string }) => waiting.push(reply),
  };
  let seq = 0;
  const carryOne = () => {
    seq += 1;
    take(null, { subject: waiting.shift(), json: () => ({ seq }) });
  };
  return { connection: connection as never, carryOne };
}

test('a server is silent when nothing is acknowledged, however long what waits has been waiting', async () => {
  const { connection, carryOne } = slowLine();
  const publisher = new NatsPublisher(nats, connection, 'stream', ({ id }) => id);
  const batches = [1, 2, 3].map((batch) => publisher.publish([message(`${batch}a`), message(`${batch}b`)]));
  for (let carried = 0; carried < 6; carried++) {
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
    carryOne();
  }
  expect((await Promise.all(batches)).flat().map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a server that falls silent fails everything that waits', async () => {
  const { connection, carryOne } = slowLine();
  const publisher = new NatsPublisher(nats, connection, 'stream', ({ id }) => id);
  const failed: number[] = [];
  for (const batch of [1, 2, 3]) publisher.publish([message(`${batch}`)]).catch(() => failed.push(batch));
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
  carryOne();
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
  expect(failed).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(failed).toEqual([2, 3]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a batch that is published after a silence has its own time', async () => {
  const { connection, carryOne } = slowLine();
  const publisher = new NatsPublisher(nats, connection, 'stream', ({ id }) => id);
  const first = publisher.publish([message('a')]);
  carryOne();
  await first;
  await vi.advanceTimersByTimeAsync(2 * TIMEOUT_MS);
  const second = publisher.publish([message('b')]);
  await vi.advanceTimersByTimeAsync(TIMEOUT_MS - 1);
  carryOne();
  expect(await second).toMatchObject([{ position: 2 }]);
});
