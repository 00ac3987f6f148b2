// A budget of five cents is never passed: not by a reactor that is killed in the middle of its calls and started again, and not
// after somebody set the clock. `npm run test:long` kills more often.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventsOf, sharedFolder, withHome } from '../../e2e/homes.ts';
import { makeProgram } from '../../helpers/program.ts';
import { FROST } from '../../projections/observer/replies.ts';
import { modelServer, SERVER_KEY } from '../model-server.ts';
import { autoHome, turn, VARIABLE } from './reactor-homes.ts';

const folder = sharedFolder('auto-budget');
const BUDGET = 0.05;
const DAY = 24 * 60 * 60_000;
/** A request may cost up to a budget divided by this, about. */
const KILLS = Math.min(25, Number(process.env.ANNALS_TEST_KILLS ?? 2));

test('a reactor that is killed in each of its calls stops at the budget', async () => {
  const program = await makeProgram('tests/e2e/programs/observe-by-itself.ts', join(folder, 'program.mjs'));
  const server = await modelServer();
  const home = join(folder, 'killed');
  mkdirSync(home, { mode: 0o700 });
  const price = 4 / KILLS;
  const settings = {
    ...{ 'observer.url': server.url, 'observer.keyVariable': VARIABLE, 'observer.auto': 'on' },
    ...{ 'observer.usdPerDay': BUDGET, 'observer.inputPrice': price / 2, 'observer.outputPrice': price },
  };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  await withHome(home, (annals) => annals.append([...turn(1), ...turn(2)]));
  process.env[VARIABLE] = SERVER_KEY;
  onTestFinished(() => {
    delete process.env[VARIABLE];
  });
  let kills = 0;
  for (;;) {
    const child = spawn(process.execPath, [program, home], { stdio: 'ignore' });
    server.answer = () => {
      child.kill('SIGKILL');
      return { hangs: 'before' };
    };
    const signal = await new Promise((resolve) => child.once('close', (_, one) => resolve(one)));
    if (signal !== 'SIGKILL') break;
    kills += 1;
  }
  expect(kills).toBeGreaterThanOrEqual(2);
  await withHome(home, async (annals) => {
    const asked = (await eventsOf(annals)).filter(({ type }) => type === 'observer.asked');
    expect(asked).toHaveLength(kills);
    expect(server.requests).toHaveLength(kills);
    const { today } = await annals.observerCost();
    expect(today.usd).toBeLessThanOrEqual(BUDGET);
    expect((await annals.observe()).problem).toContain('of $0.05 were spent');
    expect((await annals.observerCost()).today.usd).toBeLessThanOrEqual(BUDGET);
  });
}, 1_200_000);

test.each([
  ['forward by two days', 2 * DAY],
  ['back by two days', -2 * DAY],
])('a clock that is set %s gives no second budget', async (_, ms) => {
  const settings = { 'observer.usdPerDay': BUDGET, 'observer.inputPrice': 1, 'observer.outputPrice': 1 };
  const { annals, server } = await autoHome(join(folder, `clock ${ms}`), settings);
  server.answer = () => ({ text: FROST, usage: { input: 20_000, output: 1_000 } });
  await annals.append([1, 2, 3, 4, 5, 6].flatMap((number) => turn(number)));
  const first = await annals.observe();
  expect(first).toMatchObject({ asked: 2, problem: expect.stringContaining('of $0.05 were spent') });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect(await annals.observe()).toMatchObject({ asked: 0, problem: first.problem });
  expect((await annals.observerCost()).today.usd).toBeLessThanOrEqual(BUDGET);
});
