// A budget of five cents is not passed after somebody set the clock. killed-reactor.test.ts: nor after crashes.
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sharedFolder } from '../../e2e/homes.ts';
import { FROST } from '../../projections/observer/replies.ts';
import { autoHome, turn } from './reactor-homes.ts';

const folder = sharedFolder('auto-budget');
const BUDGET = 0.05;
const DAY = 24 * 60 * 60_000;

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
  expect((await annals.observerCost()).lastDay.usd).toBeLessThanOrEqual(BUDGET);
});
