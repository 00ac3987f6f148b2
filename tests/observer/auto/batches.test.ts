// Cheap mode: many turns in one batch at half price.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf, SOUND, sharedFolder } from '../../e2e/homes.ts';
import { FROST } from '../../projections/observer/replies.ts';
import { type AutoHome, autoHome, turn } from './reactor-homes.ts';

const folder = sharedFolder('batches');
const CHEAP = { together: true, collectMs: 0, checkMs: 20 } as const;
const USAGE = { input: 1_000, output: 200 };
let homes = 0;

/** A home with so many turns, which left in a batch. */
async function away(turns: number): Promise<AutoHome & { close(): Promise<void> }> {
  const at = await autoHome(join(folder, `home-${++homes}`), { 'observer.auto': 'cheap' });
  at.server.answer = () => ({ text: FROST, usage: USAGE });
  await at.annals.append(Array.from({ length: turns }, (_, index) => turn(index + 1)).flat());
  const reactor = await at.start({ ...CHEAP, checkMs: 1e6 });
  await at.until(async () => (await at.home.log.cursors('observer-batch/')).length === 1);
  return { ...at, close: () => reactor.close() };
}

const posts = ({ server }: AutoHome) => server.requests.filter(({ method }) => method === 'POST');
const count = async ({ types }: AutoHome, kind: string) =>
  (await types()).filter((type) => type === kind).length;

test('turns leave in one batch, are not asked about meanwhile, and cost half', async () => {
  const at = await away(3);
  expect(posts(at).map(({ path, body }) => [path, body.requests.length])).toEqual([
    ['/v1/messages/batches', 3],
  ]);
  expect(await at.annals.observe()).toMatchObject({ waiting: 0, asked: 0 });
  expect((await at.annals.status()).observer).toMatchObject({ waiting: 0, away: 3 });
  const worst = (await at.annals.observerCost()).today.usd;
  at.server.finishBatches();
  await at.close();
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'replied')) === 3);
  expect(posts(at)).toHaveLength(1);
  const { usd, calls } = (await at.annals.observerCost()).today;
  expect(calls).toBe(3);
  expect(usd).toBeCloseTo((3 * (USAGE.input * 0.1 + USAGE.output * 0.5)) / 2 / 1e6, 9);
  expect(worst).toBeGreaterThan(usd);
  expect(await at.home.log.cursors('observer-batch/')).toEqual([]);
  const titles = (await at.annals.list('observation')).items.map(({ title }) => title);
  expect(titles.filter((title) => title === 'Frost narrowed the chute')).toHaveLength(3);
  expect(await at.annals.verify()).toMatchObject(SOUND);
});

test('a batch that is cancelled is a failure of its turns, which counts once against the service', async () => {
  const at = await away(6);
  await at.close();
  await fetch(`${at.server.url}/v1/messages/batches/msgbatch_1/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.server.key}`, 'anthropic-version': '2026-10-21' },
  });
  at.server.finishBatches();
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'failed')) === 6);
  const { observer } = await at.annals.status();
  expect(observer).toMatchObject({ waiting: 6, hold: { because: 'transient' } });
  // Nothing was done for it.
  expect(observer.today.usd).toBe(0);
});

test('of a batch that left unrecorded every request counts with its worst case, and is made again', async () => {
  const at = await away(2);
  await at.close();
  const [found] = await at.home.log.cursors('observer-batch/');
  await at.home.log.append([], { cursors: [{ key: found!.key, value: null }] });
  const { usd } = (await at.annals.observerCost()).today;
  expect(await at.annals.observe({ dryRun: true })).toMatchObject({ waiting: 0 });
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'failed')) === 2);
  const { observer } = await at.annals.status();
  expect(observer.today.usd).toBeCloseTo(usd, 9);
  expect(observer).toMatchObject({ waiting: 2, hold: { because: 'transient' } });
});

test('what is forgotten while a batch is away has no answer, the others have', async () => {
  const at = await away(2);
  await at.close();
  const [first] = await eventsOf(at.annals, { type: 'prompt.submitted' });
  await at.annals.forget({ ids: [first!.id] });
  at.server.finishBatches();
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'replied')) === 1);
  await at.until(async () => (await at.home.log.cursors('observer-batch/')).length === 0);
  expect(await count(at, 'replied')).toBe(1);
  expect(await at.annals.verify()).toMatchObject(SOUND);
});

test('the worst cases of all requests of a batch fit into the budget', async () => {
  const at = await autoHome(join(folder, 'budget'), {
    'observer.auto': 'cheap',
    'observer.usdPerDay': 0.005,
  });
  await at.annals.append([1, 2, 3, 4, 5, 6].flatMap((number) => turn(number)));
  await at.start(CHEAP);
  await at.until(async () => at.home.notice.text !== null && posts(at).length === 1);
  expect(posts(at)[0]!.body.requests.length).toBeLessThan(6);
  expect(posts(at)[0]!.body.requests.length).toBeGreaterThan(1);
  expect((await at.annals.observerCost()).today.usd).toBeLessThanOrEqual(0.005);
});
