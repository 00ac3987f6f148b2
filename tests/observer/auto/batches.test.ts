// Cheap mode: many turns in one batch at half price.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { AnnalsError } from '../../../log/index.ts';
import { mergeForgetting } from '../../../src/transfer/merge-forgetting.ts';
import { eventsOf, SOUND, sharedFolder } from '../../e2e/homes.ts';
import { FROST } from '../../projections/observer/replies.ts';
import { modelServer } from '../model-server.ts';
import { type AutoHome, autoHome, turn } from './reactor-homes.ts';

const folder = sharedFolder('batches');
const CHEAP = { together: true, collectMs: 0, checkMs: 20 } as const;
const USAGE = { input: 1_000, output: 200 };
/** Of one such answer. */
const HALF_PRICE = (USAGE.input * 0.1 + USAGE.output * 0.5) / 2 / 1e6;
let homes = 0;

/** A home with so many turns, which left in a batch. */
async function away(turns: number): Promise<AutoHome & { close(): Promise<void> }> {
  const at = await autoHome(join(folder, `home-${++homes}`), { 'observer.auto': 'cheap' });
  at.server.answer = () => ({ text: FROST, usage: USAGE });
  await at.annals.append(Array.from({ length: turns }, (_, index) => turn(index + 1)).flat());
  const reactor = await at.start({ ...CHEAP, checkMs: 1e6 });
  await at.until(async () => (await at.types()).includes('sent'));
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
  const worst = (await at.annals.observerCost()).lastDay.usd;
  at.server.endBatches('finished');
  await at.close();
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'replied')) === 3);
  expect(posts(at)).toHaveLength(1);
  const { usd, calls } = (await at.annals.observerCost()).lastDay;
  expect(calls).toBe(3);
  expect(usd).toBeCloseTo(3 * HALF_PRICE, 9);
  expect(worst).toBeGreaterThan(usd);
  expect((await at.annals.status()).observer.away).toBe(0);
  const titles = (await at.annals.list('observation')).items.map(({ title }) => title);
  expect(titles.filter((title) => title === 'Frost narrowed the chute')).toHaveLength(3);
  expect(await at.annals.verify()).toMatchObject(SOUND);
});

test.each([
  ['before the start', 100 + 200],
  ['after a look', 100 + 200 + 400],
])('a batch that ends %s is looked at ever later while its answers cannot be stored', async (when, ms) => {
  const at = await away(1);
  await at.close();
  const append = vi.spyOn(at.home.log, 'append').mockRejectedValue(new AnnalsError('DISK_FULL', 'Full.'));
  const looks = (part: string) => at.server.requests.filter(({ path }) => path.endsWith(part)).length;
  const looked = (part: string, times: number) =>
    vi.waitFor(() => expect(looks(part)).toBeGreaterThanOrEqual(times), { timeout: 30_000, interval: 5 });
  if (when === 'before the start') at.server.endBatches('finished');
  const began = performance.now();
  await at.start({ ...CHEAP, checkMs: 100 });
  await looked('msgbatch_1', 1);
  at.server.endBatches('finished');
  await looked('/results', 3);
  expect(performance.now() - began).toBeGreaterThanOrEqual(ms);
  append.mockRestore();
  await at.until(async () => (await count(at, 'replied')) === 1);
});

test('requests that the end finds before their batch left cost nothing', async () => {
  const at = await autoHome(join(folder, `home-${++homes}`), { 'observer.auto': 'cheap' });
  await at.annals.append([...turn(1), ...turn(2)]);
  const { log } = at.home;
  const append = log.append.bind(log);
  let closed: Promise<void> | null = null;
  vi.spyOn(log, 'append').mockImplementation(async (events) => {
    const outcomes = await append(events);
    if (events[0]?.type === 'observer.asked') closed = reactor.close();
    return outcomes;
  });
  const reactor = await at.start(CHEAP);
  await at.until(() => closed !== null);
  await closed;
  expect(posts(at)).toEqual([]);
  expect(await at.types()).toEqual(['asked', 'failed']);
  expect((await at.annals.observerCost()).lastDay.usd).toBe(0);
});

test('a batch that is cancelled is a failure of its turns, which counts once against the service', async () => {
  const at = await away(6);
  await at.close();
  await fetch(`${at.server.url}/v1/messages/batches/msgbatch_1/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.server.key}`, 'anthropic-version': '2026-10-21' },
  });
  at.server.endBatches('finished');
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'failed')) === 6);
  const { observer } = await at.annals.status();
  expect(observer).toMatchObject({ waiting: 6, hold: { because: 'transient' } });
  // Nothing was done for it.
  expect(observer.lastDay.usd).toBe(0);
});

test.each([
  ['expired', 0],
  ['archived', null],
  ['gone', null],
] as const)('the turns of a batch that is %s fail, and are asked about again', async (how, usd) => {
  const at = await away(2);
  await at.close();
  const worst = (await at.annals.observerCost()).lastDay.usd;
  at.server.endBatches(how);
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'failed')) === 2);
  const { observer } = await at.annals.status();
  expect(observer).toMatchObject({ waiting: 2, away: 0, hold: { because: 'transient' } });
  // The service did nothing, or nobody knows.
  expect(observer.lastDay.usd).toBeCloseTo(usd ?? worst, 9);
  await at.switched('retry');
  await at.until(async () => (await at.annals.status()).observer.away === 2);
});

test('a batch that the present key does not know waits for the key that sent it', async () => {
  const at = await away(2);
  await at.close();
  at.server.endBatches('finished');
  const other = await modelServer();
  const configured = join(at.home.paths.home, 'config.json');
  const settings = readFileSync(configured, 'utf8');
  writeFileSync(configured, settings.replace(at.server.url, other.url));
  const elsewhere = await at.start(CHEAP);
  await at.until(() => other.requests.length > 1);
  await elsewhere.close();
  expect((await at.annals.status()).observer).toMatchObject({ waiting: 0, away: 2 });
  expect(await at.annals.observe()).toMatchObject({ waiting: 0, asked: 0 });
  writeFileSync(configured, settings);
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'replied')) === 2);
  expect(posts(at)).toHaveLength(1);
  expect(posts({ ...at, server: other })).toEqual([]);
});

test('each request of a batch ends by itself: answered, refused, not come to, or without an answer', async () => {
  const at = await away(4);
  await at.close();
  const { answers } = at.server;
  answers.push({ text: FROST, usage: USAGE }, { status: 400, type: 'invalid_request_error', message: 'no' });
  answers.push({ batch: 'expired' }, { batch: 'missing' });
  at.server.endBatches('finished');
  await at.start({ ...CHEAP, checkMs: 1e6 });
  await at.until(async () => (await count(at, 'replied')) + (await count(at, 'failed')) === 4);
  const failed = await eventsOf(at.annals, { type: 'observer.failed' });
  expect(failed.map(({ body }) => [body.class, body.mayCost]).sort()).toEqual([
    ['transient', false],
    ['transient', true],
    ['unrecoverable', false],
  ]);
  expect((await at.annals.status()).observer).toMatchObject({ waiting: 2, away: 0 });
});

test('a batch that left is known after an export, and its answers are read there with the price of its model', async () => {
  const at = await away(2);
  await at.close();
  const file = join(folder, 'exported');
  await at.annals.export(file);
  const settings = { 'observer.auto': 'cheap', 'observer.model': 'claude-sonnet-5-5' };
  const other = await autoHome(join(folder, 'imported'), settings, at.server);
  await other.annals.import([file]);
  at.server.endBatches('finished');
  await other.start(CHEAP);
  await other.until(async () => (await count(other, 'replied')) === 2);
  expect(posts(at)).toHaveLength(1);
  const replies = await eventsOf(other.annals, { type: 'observer.replied' });
  for (const { body } of replies) expect(body.usd).toBeCloseTo(HALF_PRICE, 9);
  // The other machine asked, and counts it.
  expect((await other.annals.observerCost()).lastDay.calls).toBe(0);
});

test('a batch of another machine is neither lost nor paid here, and forgetting it records no cost', async () => {
  const at = await away(2);
  const other = await autoHome(join(folder, 'shared'), { 'observer.auto': 'cheap' }, at.server);
  // As sharing brings them: the name of the batch belongs to no project.
  const { events } = await at.home.log.exportPage({ after: 0 });
  await other.home.log.importEvents(events.filter(({ header }) => header.type !== 'observer.sent'));
  expect(await other.annals.observe()).toMatchObject({ waiting: 0, asked: 0 });
  expect(await other.types()).toEqual(['asked', 'asked']);
  expect((await other.annals.observerCost()).lastDay).toMatchObject({ usd: 0, calls: 0 });
  expect((await other.annals.status()).observer).toMatchObject({ away: 0, lastDay: { calls: 0 } });
  const asked = events.find(({ header }) => header.type === 'observer.asked')!;
  await other.annals.forget({ session: asked.header.session! });
  expect((await other.annals.observerCost()).lastDay.calls).toBe(0);
  // Where it was asked, it stays counted.
  const { calls } = (await at.annals.observerCost()).lastDay;
  const [forgetting] = (await other.home.log.exportPage({ after: 0, limit: 100_000 })).events.slice(-1);
  const merged = await mergeForgetting([forgetting!], at.home);
  await merged.finish();
  expect((await at.annals.observerCost()).lastDay.calls).toBe(calls);
  await at.close();
});

test('what is forgotten while a batch is away has no answer, the others have', async () => {
  const at = await away(2);
  await at.close();
  const [first] = await eventsOf(at.annals, { type: 'prompt.submitted' });
  await at.annals.forget({ ids: [first!.id] });
  at.server.endBatches('finished');
  await at.start(CHEAP);
  await at.until(async () => (await count(at, 'replied')) === 1);
  await at.until(async () => (await at.annals.status()).observer.away === 0);
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
  expect((await at.annals.observerCost()).lastDay.usd).toBeLessThanOrEqual(0.005);
});
