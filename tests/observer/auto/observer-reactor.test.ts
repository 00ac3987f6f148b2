// The worker's reactor on a real home: which turns are asked about, and when.
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { sessionKeys } from '../../../projections/index.ts';
import { eventsOf, sharedFolder } from '../../e2e/homes.ts';
import { FROST } from '../../projections/observer/replies.ts';
import { autoHome, turn } from './reactor-homes.ts';

const folder = sharedFolder('observer-reactor');
const DAY = 24 * 60 * 60_000;
let homes = 0;
const next = () => join(folder, `home-${++homes}`);

test('turns that ended in the last days are asked about at the start, older and running ones are not', async () => {
  const { annals, server, start, until, types } = await autoHome(next());
  server.answer = () => ({ text: FROST });
  await annals.append([
    ...turn(1, { ago: 4 * DAY }),
    ...turn(2, { ago: 2 * DAY }),
    ...turn(3, { hasEnded: false }),
    ...turn(4),
  ]);
  await start();
  await until(async () => (await types()).length === 4);
  expect(server.requests.map(({ text }) => /Why does feeder (\d)/.exec(text)?.[1])).toEqual(['2', '4']);
});

test('a turn is asked about once, when its end is reported, and not while it runs', async () => {
  const { annals, home, server, start, until, types } = await autoHome(next());
  server.answer = () => ({ text: FROST });
  await start();
  const events = turn(1);
  await annals.append(events.slice(0, -1));
  await home.runner.catchUp();
  await annals.append(turn(2));
  await until(async () => (await types()).length === 2);
  expect(server.requests[0]!.text).toContain('feeder 2');
  await annals.append(events);
  await until(async () => (await types()).length === 4);
  expect(server.requests).toHaveLength(2);
  expect(server.requests[1]!.text).toContain('I widened chute 1.');
});

test('a turn that another machine recorded is left to it, and `annals observe` asks about it', async () => {
  const { home, annals, server, start, until } = await autoHome(next());
  const other = await autoHome(next(), {}, server);
  server.answer = () => ({ text: FROST });
  await other.annals.append(turn(1));
  const { events } = await other.home.log.exportPage({ after: 0 });
  await home.log.importEvents(events);
  await start();
  await annals.append(turn(2));
  await until(async () => (await annals.status()).observer.waiting === 0);
  expect(server.requests.map(({ text }) => /Why does feeder (\d)/.exec(text)?.[1])).toEqual(['2']);
  expect(await annals.observe()).toMatchObject({ waiting: 1, read: 1 });
});

test('a pause reaches it at once, and so do resume and retry', async () => {
  const { annals, home, server, start, until, types, switched } = await autoHome(next());
  await switched('pause');
  await start();
  await annals.append(turn(1));
  await home.runner.catchUp();
  server.answers.push({ status: 400, type: 'invalid_request_error', message: 'no' });
  await switched('resume');
  await until(async () => (await types()).at(-1) === 'failed');
  server.answer = () => ({ text: FROST });
  await switched('retry');
  await until(async () => (await types()).at(-1) === 'replied');
  expect(await types()).toEqual(['switched', 'switched', 'asked', 'failed', 'switched', 'asked', 'replied']);
  expect(server.requests).toHaveLength(2);
});

test('after a rate limit it waits as long as the service says, with no further event', async () => {
  const { annals, server, start, until, types } = await autoHome(next());
  server.answers.push({ status: 429, type: 'rate_limit_error', headers: { 'retry-after-ms': '40' } });
  server.answer = () => ({ text: FROST });
  await annals.append(turn(1));
  await start();
  await until(async () => (await types()).at(-1) === 'replied');
  expect(await types()).toEqual(['asked', 'failed', 'asked', 'replied']);
});

test('its end breaks off a request, which counts with its worst case and is made again by the next one', async () => {
  const { annals, server, start, until, types } = await autoHome(next());
  server.answers.push({ hangs: 'before' });
  server.answer = () => ({ text: FROST });
  await annals.append(turn(1));
  const first = await start();
  await until(() => server.requests.length === 1);
  await first.close();
  const { lastDay } = await annals.observerCost();
  expect(lastDay.usd).toBeGreaterThan(0.001);
  await start();
  await until(async () => (await types()).at(-1) === 'replied');
  expect(await types()).toEqual(['asked', 'asked', 'replied']);
  expect((await annals.observerCost()).lastDay).toMatchObject({ calls: 2 });
});

test('a turn whose requests were forgotten does not hold up the others, nor the end', async () => {
  const { annals, server, start, until, types } = await autoHome(next());
  server.answer = () => ({ text: FROST });
  await annals.append(turn(1));
  const first = await start();
  await until(async () => (await types()).at(-1) === 'replied');
  await first.close();
  const events = await eventsOf(annals);
  await annals.forget({
    ids: events.filter(({ type }) => type.startsWith('observer.')).map(({ id }) => id),
  });
  const second = await start();
  await annals.append(turn(2));
  await until(() => server.requests.length === 2);
  await second.close();
  expect(server.requests[1]!.text).toContain('feeder 2');
});

test('it takes any number of changed turns at once', async () => {
  const { home, server, start, until } = await autoHome(next());
  const listened = vi.spyOn(home.runner, 'onProjected');
  const noticed = vi.spyOn(home.notice, 'set');
  await start({ quietMs: 60_000 });
  await until(() => noticed.mock.calls.length > 0);
  const turns = Array.from({ length: 160_000 }, (_, index) => sessionKeys.turn('a', 's', `t-${index}`));
  listened.mock.calls[0]![0](() => turns);
  expect(server.requests).toEqual([]);
});

test('a turn that one request may not pay for does not hold up the others', async () => {
  const { annals, server, start, until, types } = await autoHome(next(), {
    'observer.usdPerSession': 0.0001,
  });
  await annals.append(turn(1));
  await start();
  await annals.append(turn(2));
  await until(async () => (await annals.list('summary')).items.length === 2);
  expect(server.requests).toEqual([]);
  expect(await types()).toEqual([]);
});
