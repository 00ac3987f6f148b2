// The reactor in a worker: a request that hangs delays neither its end nor the answer to others.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openAnnals } from '../../../src/index.ts';
import { stopWorker } from '../../../src/worker/connect-worker.ts';
import { eventsOf } from '../../e2e/homes.ts';
import { FROST } from '../../projections/observer/replies.ts';
import { CLIENT, connected, testHome, workerHere } from '../../worker/homes.ts';
import { modelServer, SERVER_KEY } from '../model-server.ts';
import { turn, VARIABLE } from './reactor-homes.ts';

test('a worker asks by itself, answers others meanwhile, stops at once, and the next one goes on', async () => {
  const at = testHome();
  const server = await modelServer([{ hangs: 'before' }]);
  server.answer = () => ({ text: FROST });
  process.env[VARIABLE] = SERVER_KEY;
  onTestFinished(() => {
    delete process.env[VARIABLE];
  });
  mkdirSync(at.home, { mode: 0o700 });
  const write = (settings: object) => writeFileSync(join(at.home, 'config.json'), JSON.stringify(settings));
  const service = { 'observer.url': server.url, 'observer.keyVariable': VARIABLE };
  write(service);
  const before = await openAnnals({ home: at.home });
  await before.append(turn(1));
  await before.close();
  const off = await workerHere(at);
  const first = await connected(at.home);
  await first.search('feeder');
  await stopWorker(at.home, CLIENT);
  await off.ended;
  expect(server.requests).toEqual([]);

  write({ ...service, 'observer.auto': 'on' });
  const asking = await workerHere(at);
  await expect.poll(() => server.requests).toHaveLength(1);
  const second = await connected(at.home);
  expect((await second.search('feeder')).results).not.toEqual([]);
  await stopWorker(at.home, CLIENT);
  expect(await asking.ended).toMatchObject({ outcome: 'ended' });
  expect(at.log().at(-1)).toBe('Stopped');

  await workerHere(at);
  const third = await connected(at.home);
  const types = async () =>
    (await eventsOf(third)).map(({ type }) => type).filter((type) => type.startsWith('observer'));
  await expect.poll(types).toEqual(['observer.asked', 'observer.asked', 'observer.replied']);
});
