// SIGKILL of a process that asks by itself. At each moment of a batch: its requests are asked again at most once, no turn is read twice,
// nothing is lost, and what the service may charge is counted. In each of its calls: the budget is never passed. `npm run test:long`
// has all moments.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Annals } from '../../../src/index.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from '../../e2e/homes.ts';
import type { BatchMoment } from '../../e2e/programs/observe-by-itself.ts';
import { makeProgram } from '../../helpers/program.ts';
import { FROST } from '../../projections/observer/replies.ts';
import { type ModelServer, modelServer, SERVER_KEY } from '../model-server.ts';
import { type AutoHome, autoHome, turn, VARIABLE } from './reactor-homes.ts';

const TURNS = 2;
const KILLS = Math.min(30, Number(process.env.ANNALS_TEST_KILLS ?? 2));
/** A budget is enough for so many calls, about. */
const CALLS = Math.min(25, KILLS);
const BUDGET = 0.05;
const HOUR = 60 * 60_000;
const CHEAP = { together: true, collectMs: 0, checkMs: 20 } as const;
const SETTINGS = { 'observer.auto': 'cheap', 'observer.usdPerDay': 5, 'observer.usdPerCall': 5 };
const USAGE = { input: 1_000, output: 200 };
const CHARGE_USD = (USAGE.input * 0.1 + USAGE.output * 0.5) / 2 / 1e6;
const folder = sharedFolder('killed-reactor');
let program = '';

beforeAll(async () => {
  program = await makeProgram('tests/e2e/programs/observe-by-itself.ts', join(folder, 'program.mjs'));
});

/** The moment, after how many ms, and how often its requests leave then. */
type Kill = readonly [BatchMoment, number, number];

const MOMENTS: readonly Kill[] = [
  ['taken', 0, 2],
  ['read', 3, 1],
  ['unsent', 0, 1],
  ['away', 0, 2],
  ['looking', 0, 1],
  ['ended', 0, 1],
];

/** After the six moments, others while the answers are stored. */
const ALL = Array.from({ length: KILLS }, (_, index): Kill => MOMENTS[index] ?? ['read', index % 25, 1]);

test(`a process that is killed at ${KILLS} moments of its batches asks about no turn twice without need`, async () => {
  const server = await modelServer();
  server.answer = () => ({ text: FROST, usage: USAGE });
  const home = join(folder, 'home');
  let [asked, read, sent] = [0, 0, 0];
  for (const [round, [moment, ms, times]] of ALL.entries()) {
    const before = await autoHome(home, SETTINGS, server);
    const isSent = ['looking', 'ended', 'read'].includes(moment);
    for (let index = 0; index < TURNS; index++)
      await before.annals.append(turn(round * TURNS + index + 1, { ago: HOUR }));
    if (isSent) await sendBatch(before);
    // Turns that change while it runs wait for others.
    else await before.home.runner.catchUp();
    await before.annals.close();
    if (isSent) server.endBatches('finished');
    await killed(home, server, moment, ms);
    await finished(await autoHome(home, SETTINGS, server), server, async ({ annals, types }) => {
      read += TURNS;
      asked += isSent ? TURNS : 2 * TURNS;
      sent += times * TURNS;
      const kinds = await types();
      expect([moment, kinds.filter((type) => type === 'asked').length]).toEqual([moment, asked]);
      expect(kinds.filter((type) => type === 'replied')).toHaveLength(read);
      expect(kinds.filter((type) => type === 'failed')).toHaveLength(asked - read);
      expect(requestsIn(server)).toBe(sent);
      const { lastDay } = await annals.observerCost();
      expect(lastDay.usd).toBeGreaterThanOrEqual(sent * CHARGE_USD - 1e-9);
      expect((await annals.status()).observer).toMatchObject({ waiting: 0, away: 0 });
    });
  }
  const { annals } = await autoHome(home, SETTINGS, server);
  const { items } = await annals.list('observation', { limit: 1_000 });
  expect(items.filter(({ title }) => title === 'Frost narrowed the chute')).toHaveLength(read);
  expect(await annals.verify()).toMatchObject(SOUND);
}, 1_200_000);

async function sendBatch({ start, until, annals }: AutoHome): Promise<void> {
  const reactor = await start({ ...CHEAP, checkMs: HOUR });
  await until(async () => (await annals.status()).observer.away === TURNS);
  await until(async () => (await annals.status()).observer.waiting === 0);
  await reactor.close();
}

/** Resolves when it is dead. */
async function killed(home: string, server: ModelServer, moment: BatchMoment, ms: number): Promise<void> {
  const child = spawn(process.execPath, [program, home, moment, String(ms)], { stdio: 'ignore' });
  server.onRequest = ({ method }) => {
    if (moment === 'away' && method === 'POST') setImmediate(() => child.kill('SIGKILL'));
  };
  expect(await new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)))).toBe('SIGKILL');
  server.onRequest = () => {};
}

/** The next process: it has everything answered. */
async function finished(
  at: AutoHome,
  server: ModelServer,
  look: (at: AutoHome) => Promise<void>,
): Promise<void> {
  const { annals, start, switched, until } = at;
  const reactor = await start(CHEAP);
  // A lost batch is a failure, after which it waits.
  if ((await annals.status()).observer.hold !== null) await switched('retry');
  await until(async () => {
    server.endBatches('finished');
    const { waiting, away } = (await annals.status()).observer;
    return waiting + away === 0;
  });
  await look(at);
  await reactor.close();
  await annals.close();
}

function requestsIn({ requests }: ModelServer): number {
  return requests.reduce((sum, { method, body }) => sum + (method === 'POST' ? body.requests.length : 0), 0);
}

/** Of a batch, when the service has taken it: then nobody knows its name. */
const AUTO = [['on', null], ...(KILLS > 2 ? [['cheap', 'taken'] as const] : [])] as const;

test.each(AUTO)(
  'a reactor that is %s and killed in each of its calls stops at the budget',
  async (auto, moment) => {
    const server = await modelServer();
    const home = join(folder, auto);
    mkdirSync(home, { mode: 0o700 });
    const price = (auto === 'on' ? 4 : 3) / CALLS;
    const settings = {
      ...{ 'observer.url': server.url, 'observer.keyVariable': VARIABLE, 'observer.auto': auto },
      ...{ 'observer.usdPerDay': BUDGET, 'observer.inputPrice': price / 2, 'observer.outputPrice': price },
    };
    writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
    await withHome(home, async (annals) => {
      await annals.append([1, 2].flatMap((number) => turn(number, { ago: HOUR })));
      // Turns that change while the reactor runs wait for others.
      await annals.list('summary');
    });
    process.env[VARIABLE] = SERVER_KEY;
    onTestFinished(() => {
      delete process.env[VARIABLE];
    });
    let kills = 0;
    for (;;) {
      const args = [program, home, ...(moment === null ? [] : [moment])];
      const child = spawn(process.execPath, args, { stdio: 'ignore' });
      server.answer = () => {
        child.kill('SIGKILL');
        return { hangs: 'before' };
      };
      const signal = await new Promise((resolve) => child.once('close', (_, one) => resolve(one)));
      if (signal !== 'SIGKILL') break;
      kills += 1;
      if (auto === 'cheap') await withHome(home, (annals) => afterLoss(annals, kills));
    }
    expect(kills).toBeGreaterThanOrEqual(2);
    await withHome(home, async (annals) => {
      const asked = (await eventsOf(annals)).filter(({ type }) => type === 'observer.asked');
      const sent = server.requests.flatMap(({ method, body }) =>
        method === 'POST' ? (body.requests ?? [body]) : [],
      );
      // What is asked is on disk before it leaves.
      expect(sent.length).toBeLessThanOrEqual(asked.length);
      expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(kills);
      const { lastDay } = await annals.observerCost();
      expect(lastDay.usd).toBeLessThanOrEqual(BUDGET);
      expect((await annals.observe()).problem).toContain('of $0.05 were spent');
      expect((await annals.observerCost()).lastDay.usd).toBeLessThanOrEqual(BUDGET);
    });
  },
  1_200_000,
);

/** The lost batch is noted as a failure, and the wait after it is ended. */
async function afterLoss(annals: Annals, kills: number): Promise<void> {
  await annals.observe({ limit: 0 });
  await annals.append([
    {
      ...{ type: 'observer.switched', agent: 'annals', session: null, channel: 'cli' },
      ...{ occurredAt: Date.now(), dedupeKey: `retry ${kills}`, body: { on: true, retry: true } },
    },
  ]);
  expect((await annals.observerCost()).lastDay.usd).toBeLessThanOrEqual(BUDGET);
  await annals.list('summary');
}
