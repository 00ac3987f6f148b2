// SIGKILL in the middle of calls to the model: a call is repeated at most once for each kill, nothing is lost or read twice, and
// the budget is never passed. `npm run test:long` has more kills.
import { spawn } from 'node:child_process';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Annals } from '../../src/index.ts';
import { costOf, pricesOf } from '../../src/observer/providers/prices.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from '../e2e/homes.ts';
import { type Chance, chance } from '../helpers/chance.ts';
import { makeProgram } from '../helpers/program.ts';
import { madeUpSessions } from './made-up-sessions.ts';
import { type ModelServer, modelServer, SERVER_KEY } from './model-server.ts';
import { plausibleAnswer } from './plausible-reply.ts';

const KILLS = Number(process.env.ANNALS_TEST_KILLS ?? 2);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);
const REPLY_MS_MAX = 60;
const USAGE = { input: 400, output: 300, cacheRead: 0, cacheWrite: 1_550 };
/** What the service charges for each request, whether anybody gets the reply or not. */
const CHARGE_USD = costOf(USAGE, pricesOf('claude-haiku-5-5')!);
const TURNS = 6;
const folder = sharedFolder('kill-observer');
const unread = join(folder, 'unread');
let program = '';

beforeAll(async () => {
  program = await makeProgram('tests/e2e/programs/observe-until-killed.ts', join(folder, 'observe.mjs'));
  await withHome(unread, (annals) => annals.import(madeUpSessions(folder)));
});

/** A home whose turns nobody has read. */
function newHome(name: string, { url }: ModelServer, usdPerDay: number): string {
  const home = join(folder, name);
  cpSync(unread, home, { recursive: true });
  const settings = { 'observer.url': url, 'observer.keyVariable': 'ANNALS_TEST_KEY' };
  writeFileSync(join(home, 'config.json'), JSON.stringify({ ...settings, 'observer.usdPerDay': usdPerDay }));
  return home;
}

/** Runs the observer, and kills it some time after the service got a request. False when it ended before. */
async function runUntilKilled(home: string, server: ModelServer, luck: Chance): Promise<boolean> {
  const child = spawn(process.execPath, [program, home], { stdio: 'ignore' });
  const ended = new Promise<string | null>((resolve) => child.once('close', (_, signal) => resolve(signal)));
  const afterMs = luck.below(2 * REPLY_MS_MAX);
  server.answer = (request) => {
    setTimeout(() => child.kill('SIGKILL'), afterMs);
    return { ...plausibleAnswer(request), usage: USAGE, delayMs: luck.below(REPLY_MS_MAX) };
  };
  return (await ended) === 'SIGKILL';
}

async function expectCounted(annals: Annals, { requests }: ModelServer, kills: number, usdPerDay: number) {
  const events = await eventsOf(annals);
  const asked = events.filter(({ type }) => type === 'observer.asked');
  const read = events.flatMap((event) => (event.type === 'observer.replied' ? [event.body.turn] : []));
  expect(new Set(read).size).toBe(read.length);
  expect(asked.length - read.length).toBeLessThanOrEqual(kills);
  // What is asked is on disk before it leaves.
  expect(requests.length).toBeLessThanOrEqual(asked.length);
  const { lastDay, budget } = await annals.observerCost();
  expect(lastDay.usd).toBeGreaterThanOrEqual(requests.length * CHARGE_USD - 1e-9);
  expect(lastDay.usd).toBeLessThanOrEqual(usdPerDay);
  expect(budget.left).toBeCloseTo(usdPerDay - lastDay.usd, 9);
  return read.length;
}

/** Dollars a day: enough for all, and for two or three lost calls. */
test.each([5, 0.01])(
  'the observer with $%d a day, killed while the model answers, repeats one call for a kill at most',
  async (usdPerDay) => {
    process.env.ANNALS_TEST_KEY = SERVER_KEY;
    onTestFinished(() => {
      delete process.env.ANNALS_TEST_KEY;
    });
    const luck = chance(SEED);
    const server = await modelServer();
    let all = 0;
    for (let round = 0; all < KILLS / 2; round++) {
      server.requests.length = 0;
      const home = newHome(`${usdPerDay}-${round}`, server, usdPerDay);
      let kills = 0;
      while (all + kills < KILLS / 2 && (await runUntilKilled(home, server, luck))) kills += 1;
      all += kills;
      server.answer = (request) => ({ ...plausibleAnswer(request), usage: USAGE });
      await withHome(home, async (annals) => {
        await expectCounted(annals, server, kills, usdPerDay);
        const { problem } = await annals.observe();
        const read = await expectCounted(annals, server, kills, usdPerDay);
        if (problem === null) expect(read).toBe(TURNS);
        else expect(problem).toContain('were spent in the last 24 hours');
        if (usdPerDay > 1) expect(problem).toBeNull();
        expect(await annals.verify()).toMatchObject(SOUND);
        expect((await annals.status()).degraded).toEqual([]);
      });
      rmSync(home, { recursive: true });
    }
  },
  1_200_000,
);
