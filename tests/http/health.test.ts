// What the API says of the state of the installation, and how long work is followed.
import { expect, test } from 'vitest';
import type { Log } from '../../log/index.ts';
import { growthOf } from '../../src/read/log-growth.ts';
import { served, TOKEN } from './served.ts';

test('the log by day adds up to the whole log', async () => {
  const { call } = await served({ filled: true });
  const { days, events, sampled } = (await call('GET', '/api/growth')).json;
  expect(days.map(({ day }: { day: string }) => day).slice(0, 2)).toEqual(['2026-05-01', '2026-05-02']);
  expect(sampled).toBe(events);
  expect(days.reduce((sum: number, one: { events: number }) => sum + one.events, 0)).toBe(events);
  const { bytes } = (await call('GET', '/api/status')).json.log;
  const shared = days.reduce((sum: number, one: { bytes: number }) => sum + one.bytes, 0);
  expect(Math.abs(shared - bytes)).toBeLessThan(days.length);
});

test('the log by day is estimated from a sample of a long log', async () => {
  const day = Date.UTC(2026, 4, 1);
  const sample = async (most: number) =>
    Array.from({ length: most }, (_, at) => ({ at: day, bytes: 9 + at }));
  const log = { sample, head: () => ({ position: 1_000 }), bytes: async () => 70_000 } as unknown as Log;
  expect(await growthOf({ log }, 10)).toEqual({
    days: [{ day: '2026-05-01', events: 1_000, bytes: 70_000 }],
    ...{ events: 1_000, sampled: 10 },
  });
});

test('a day with a year of five digits or more is a day, and comes last', async () => {
  const days = [8.64e15, Date.UTC(2026, 4, 1), Date.UTC(10_000, 0, 1)];
  const sample = async () => days.map((at) => ({ at, bytes: 9 }));
  const log = { sample, head: () => ({ position: 3 }), bytes: async () => 27 } as unknown as Log;
  const growth = await growthOf({ log }, 10);
  expect(growth.days.map(({ day }) => day)).toEqual(['2026-05-01', '+010000-01-01', '+275760-09-13']);
});

test('verifying and rebuilding report each percent to the stream, and answer at the end', async () => {
  const { base, call } = await served({ filled: true });
  const abort = new AbortController();
  const { body } = await fetch(`${base}/api/stream`, {
    headers: { authorization: `Bearer ${TOKEN}` },
    signal: abort.signal,
  });
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  for (const work of ['verify', 'rebuild']) {
    expect((await call('POST', `/api/${work}`, { body: {} })).status).toBe(200);
    let text = '';
    while (!text.includes(`"work":"${work}"`)) text += (await reader.read()).value;
    expect(text).toContain('event: progress');
    expect(text).toMatch(/"done":\d+,"total":\d+/);
  }
  abort.abort();
});
