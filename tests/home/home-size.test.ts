// The sizes that `status` reports: the parts add up, growth uses the time of the events, and the reclaimable size is known
// after the first compact.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import { sizeOf } from '../../src/home/home-size.ts';
import { openAnnals } from '../../src/index.ts';
import { homePaths } from '../../src/platform/home-paths.ts';
import { openMemoryLog } from '../helpers/logs.ts';
import { testFolder } from '../helpers/views.ts';

const DAY_MS = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 5, 1);

function prompt(number: number, occurredAt: number | null): NewEvent<'prompt.submitted'> {
  return {
    type: 'prompt.submitted',
    agent: 'own',
    session: 'one',
    dedupeKey: `p${String(number).padStart(6, '0')}`,
    channel: 'api',
    occurredAt,
    body: { text: `Sort shelf ${String(number).padStart(6, '0')}, please`, via: 'hook' },
  };
}

it('The size of a home is listed by part, and the parts add up to the total', async () => {
  const home = join(await testFolder(), 'home');
  const annals = await openAnnals({ home });
  await annals.append([prompt(1, NOW)]);
  await annals.search('shelf');
  mkdirSync(join(home, 'spool', 'bad'), { recursive: true });
  writeFileSync(join(home, 'spool', 'bad', 'left'), Buffer.alloc(5_000));
  const { size, log } = await annals.status();
  expect(size.log).toBe(log.bytes);
  expect(size.spool).toBeGreaterThanOrEqual(5_000);
  expect(size.views.map(({ name }) => name)).toEqual(['rows']);
  const parts = size.log + size.spool + size.views.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(size.bytes).toBeGreaterThanOrEqual(parts);
  expect(size.bytes - parts).toBeLessThan(5_000);
  await annals.close();
});

it('The reclaimable size is known after the first compact, and is zero right after it', async () => {
  const annals = await openAnnals({ home: join(await testFolder(), 'home') });
  await annals.append(Array.from({ length: 300 }, (_, index) => prompt(index, NOW + index)));
  expect((await annals.status()).size.reclaimable).toBeNull();
  await annals.compact();
  const { size } = await annals.status();
  expect(size.reclaimable).toBeLessThan(0.05 * size.bytes);
  const cursors = (number: number) => [{ key: 'place', value: `${number}`.padStart(60_000, 'x') }];
  for (let round = 0; round < 20; round++) await annals.append([], { cursors: cursors(round) });
  expect((await annals.status()).size.reclaimable).toBeGreaterThan(19 * 60_000);
  await annals.close();
});

it('Growth uses the time of the events, and is estimated from a sample', async () => {
  const folder = await testFolder();
  mkdirSync(join(folder, 'log'));
  writeFileSync(join(folder, 'log', 'table'), Buffer.alloc(1_000_000));
  const grown = async (times: readonly (number | null)[]) => {
    const log = await openMemoryLog();
    await log.append(times.map((at, index) => prompt(index, at)));
    return (await sizeOf({ paths: homePaths(folder), log, now: () => NOW })).perDay;
  };
  expect(await grown([])).toBeNull();
  // A hundred days, each the same.
  const steady = await grown(
    Array.from({ length: 2_000 }, (_, index) => NOW - ((index % 1000) * DAY_MS) / 10),
  );
  expect(steady!.overall).toBeCloseTo(10_000, -2);
  expect(steady!.last30Days).toBeGreaterThan(9_000);
  expect(steady!.last30Days).toBeLessThan(11_000);
  // All of it long ago.
  expect(await grown([NOW - 200 * DAY_MS, NOW - 100 * DAY_MS])).toEqual({ last30Days: 0, overall: 5_000 });
  // What has no time did not happen today.
  expect((await grown([NOW - 100 * DAY_MS, null, null, null]))!.last30Days).toBe(0);
  // All of it today: growth is computed over at least one day.
  expect(await grown([NOW - 60_000])).toEqual({ last30Days: 1_000_000, overall: 1_000_000 });
});
