// The observer on a real home, with a scripted model behind real HTTP.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Annals, ObserveOptions } from '../../src/index.ts';
import { digestsOf, eventsOf, SOUND, sharedFolder, withHome } from '../e2e/homes.ts';
import { EVENTS, FROST } from '../projections/observer/replies.ts';
import { type ModelServer, modelServer, SERVER_KEY } from './model-server.ts';

const folder = sharedFolder('observe');
const USAGE = { input: 900, output: 100, cacheRead: 0, cacheWrite: 800 };
let server: ModelServer;
let homes = 0;

beforeEach(async () => {
  server = await modelServer();
  process.env.ANNALS_TEST_KEY = SERVER_KEY;
});
afterEach(() => {
  delete process.env.ANNALS_TEST_KEY;
});

/** A home with one turn, whose provider is the scripted server. */
async function observed<T>(
  work: (annals: Annals, observe: (options?: ObserveOptions) => ReturnType<Annals['observe']>) => Promise<T>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const home = join(folder, `home-${++homes}`);
  mkdirSync(home, { mode: 0o700 });
  const all = { 'observer.url': server.url, 'observer.keyVariable': 'ANNALS_TEST_KEY', ...settings };
  writeFileSync(join(home, 'config.json'), JSON.stringify(all));
  return withHome(home, async (annals) => {
    await annals.append(EVENTS);
    return work(annals, (options) => annals.observe(options));
  });
}

async function titles(annals: Annals): Promise<readonly string[]> {
  const { items } = await annals.list('observation');
  return items.map(({ title }) => title ?? '').sort();
}

async function types(annals: Annals): Promise<readonly string[]> {
  return (await eventsOf(annals)).map(({ type }) => type).filter((type) => type.startsWith('observer.'));
}

describe('a turn', () => {
  test('is asked about once, and its answer is found; a rebuild asks nobody', async () => {
    server.answers.push({ text: FROST, usage: USAGE });
    await observed(async (annals, observe) => {
      const report = await observe();
      expect(report).toMatchObject({ waiting: 1, asked: 1, read: 1, invalid: 0, failed: 0, problem: null });
      expect(report.usd).toBeGreaterThan(0);
      expect(await types(annals)).toEqual(['observer.asked', 'observer.replied']);
      expect(await titles(annals)).toEqual(['Frost narrowed the chute', 'Nights are colder than days']);
      const [first] = (await annals.search('frost narrowed')).results;
      expect((await annals.why(first!.id)).events.map(({ type }) => type)).toContain('observer.replied');
      expect(await observe()).toMatchObject({ waiting: 0, asked: 0 });
      const before = await digestsOf(annals);
      await annals.rebuild();
      expect(await digestsOf(annals)).toEqual(before);
      expect(await annals.verify()).toMatchObject(SOUND);
      expect(server.requests).toHaveLength(1);
      expect((await annals.observerCost()).today).toMatchObject({ calls: 1, usd: report.usd });
    });
  });

  test('is shown as it would be sent, with its price', async () => {
    await observed(async (annals, observe) => {
      const { requests, asked } = await observe({ dryRun: true });
      expect(asked).toBe(0);
      expect(requests).toEqual([expect.objectContaining({ part: 1, parts: 1 })]);
      expect(requests[0]!.worstUsd).toBeGreaterThan(0);
      expect(requests[0]!.content).toContain('Why does the feeder jam at night?');
      expect(requests[0]!.content).toContain('Expected 9, got 5');
      expect(requests[0]!.content).toContain('<answer>\nThe chute was too narrow.');
      expect(await types(annals)).toEqual([]);
      server.answers.push({ text: FROST, usage: USAGE });
      await observe();
      expect(JSON.stringify(server.requests[0]!.body)).toContain(
        JSON.stringify(requests[0]!.content).slice(1, -1),
      );
    });
  });

  test('keeps the words of the rules after an invalid answer, and is given up after a second one', async () => {
    server.answer = () => ({ text: 'I cannot say.', usage: USAGE });
    await observed(async (annals, observe) => {
      const before = await titles(annals);
      expect(await observe()).toMatchObject({ asked: 1, invalid: 1 });
      expect(await observe()).toMatchObject({ asked: 1, invalid: 1 });
      expect(await observe()).toMatchObject({ waiting: 0 });
      expect(await titles(annals)).toEqual(before);
    });
  });
});

describe('failures', () => {
  test('a wrong key stops it, says so, and is not sent again until a person says so', async () => {
    server.key = 'another key of the server';
    await observed(async (annals, observe) => {
      expect(await observe()).toMatchObject({ asked: 1, failed: 1 });
      const { problem } = await observe();
      expect(problem).toContain('refused the key');
      expect(server.requests).toHaveLength(1);
      server.key = SERVER_KEY;
      server.answers.push({ text: FROST, usage: USAGE });
      await annals.append([
        {
          ...{ type: 'observer.switched', agent: 'annals', session: null, channel: 'cli' },
          ...{ occurredAt: Date.now(), dedupeKey: 'retry', body: { on: true, retry: true } },
        },
      ]);
      expect(await observe()).toMatchObject({ asked: 1, read: 1, problem: null });
    });
  });

  test('without a key nothing is asked, and the reason is said', async () => {
    delete process.env.ANNALS_TEST_KEY;
    await observed(async (_, observe) => {
      expect(await observe()).toMatchObject({
        recipe: null,
        asked: 0,
        problem: expect.stringContaining('ANNALS_TEST_KEY'),
      });
    });
  });
});

describe('the budget', () => {
  test('is never passed: a request that was not answered counts with its worst case', async () => {
    await observed(
      async (annals, observe) => {
        const [{ worstUsd }] = (await observe({ dryRun: true })).requests as unknown as [
          { worstUsd: number },
        ];
        expect(worstUsd).toBeGreaterThan(0.001);
        const report = await observe();
        expect(report).toMatchObject({ asked: 0, problem: expect.stringContaining('$0.001') });
        expect(await types(annals)).toEqual([]);
      },
      { 'observer.usdPerDay': 0.001 },
    );
    expect(server.requests).toEqual([]);
  });
});
