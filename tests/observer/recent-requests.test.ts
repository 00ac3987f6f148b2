import { expect, test } from 'vitest';
import type { LogEvent } from '../../log/index.ts';
import { putReadings } from '../../projections/observer/reading-rows.ts';
import { RecentRequests } from '../../src/observer/run/recent-requests.ts';
import { outcomesOf, requestsAway, requestsUntil } from '../../src/observer/run/spending.ts';
import { MemoryView } from '../helpers/memory-view.ts';

const START = Date.UTC(2026, 10, 20);
const REQUESTS = 40;
const id = (number: number) => String(number).padStart(32, '0');

function common(number: number, at: number) {
  const about = {
    recipe: 'r',
    turn: `t-${number}`,
    part: 1,
    parts: 1,
    attempt: 1,
    again: false,
    corpus: null,
  };
  return {
    ...{ agent: 'claude-code', session: `s-${number % 7}`, occurredAt: at },
    about: { ...about, covers: [id(1_000 + number)] },
  };
}

function asked(number: number, batch: string | null = null) {
  const { about, ...event } = common(number, START + number);
  const body = { ...about, batch, provider: 'p', model: 'm', settings: 's', worstUsd: 1, worstTokens: 100 };
  return { ...event, id: id(number), type: 'observer.asked', body };
}

function answered(number: number, kind: 'replied' | 'failed', event = id(500 + number)) {
  const { about, ...envelope } = common(number, START + 1_000 + number);
  const link = { ...about, asked: id(number), askedAt: START };
  const usage = { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 };
  const body =
    kind === 'replied'
      ? { ...link, text: '<skip_summary/>', form: 'tags', model: 'm', usage, usd: 0.1 }
      : { ...link, class: 'transient', reason: 'cut', retryAfterMs: null, mayCost: false };
  return { ...envelope, id: event, type: `observer.${kind}`, body };
}

/** Of a machine that wrote everything but the events of `OTHERS`. */
const LOG = {
  ...{ origin: 'this', logId: 'this' },
  getMany: async (ids: readonly string[]) =>
    ids.map((event) => ({ id: event, origin: OTHERS.has(event) ? 'another' : 'this' }) as LogEvent),
};
const OTHERS: ReadonlySet<string> = new Set([id(45), id(46)]);

function put(view: MemoryView, ...events: readonly object[]): Promise<void> {
  return putReadings(events as Parameters<typeof putReadings>[0], view);
}

test('Recent requests are as in the rows at any time, and what was answered is read once', async () => {
  const view = new MemoryView();
  let reads = 0;
  const reader = {
    ...{ get: view.get, getMany: view.getMany },
    range: ((prefix, options) => {
      reads += 1;
      return view.range(prefix, options);
    }) as typeof view.range,
  };
  const recent = new RecentRequests(LOG);
  const expectSame = async (until: number) => {
    const all = await requestsUntil(until, view);
    const found = await recent.since(until, reader);
    expect(found.map(({ at, usd, tokens }) => [at, usd, tokens])).toEqual(
      all.map(({ at, usd, tokens }) => [at, usd, tokens]),
    );
    expect(found.flatMap(({ outcome }) => outcome ?? [])).toEqual(outcomesOf(all, 0));
  };
  for (let number = 0; number < REQUESTS; number++) {
    await put(view, asked(number));
    if (number % 5 === 0) await expectSame(0);
    if (number % 9 !== 0) await put(view, answered(number, number % 4 === 0 ? 'failed' : 'replied'));
  }
  await expectSame(0);
  reads = 0;
  await expectSame(0);
  // One page of names, and two reads for each of the five that have no answer.
  expect(reads).toBeLessThanOrEqual(1 + 2 * Math.ceil(REQUESTS / 9));
  await put(view, answered(9, 'replied'));
  await expectSame(0);
  await expectSame(START + 20);
  await expectSame(0);
});

test('Requests of other machines count for nothing', async () => {
  const view = new MemoryView();
  await put(view, asked(44), asked(45), asked(46), answered(46, 'failed'));
  const recent = new RecentRequests(LOG);
  for (let times = 0; times < 2; times++)
    expect((await recent.since(0, view)).map(({ usd, outcome }) => [usd, outcome])).toEqual([[1, null]]);
});

test('A request of a batch is away until its answer is there, in any order of the events; a reply counts before a failure', async () => {
  const [early, late] = [id(600), id(700)];
  const events = [
    [asked(1, 'b'), answered(1, 'failed', early), answered(1, 'replied', late)],
    [asked(1, 'b'), answered(1, 'failed', late), answered(1, 'replied', early)],
  ];
  for (const all of [...events, ...events.map((some) => [...some].reverse())]) {
    const view = new MemoryView();
    for (const [index, event] of all.entries()) {
      await put(view, event);
      const isAway = index === 0 && event.type === 'observer.asked';
      expect([...(await requestsAway(view)).keys()]).toEqual(isAway ? ['b'] : []);
    }
    expect((await requestsUntil(0, view)).map(({ answer }) => answer?.kind)).toEqual(['replied']);
  }
});
