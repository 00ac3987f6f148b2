import { expect, test } from 'vitest';
import { RecentRequests } from '../../../src/observer/run/recent-requests.ts';
import { allRequests, outcomesOf, requestsAway, requestsUntil } from '../../../src/observer/run/spending.ts';
import { MemoryView } from '../../helpers/memory-view.ts';
import { answered, asked, id, LOG, put, START } from './request-events.ts';

const REQUESTS = 40;

function counting(view: MemoryView) {
  let reads = 0;
  const range: typeof view.range = (prefix, options) => {
    reads += 1;
    return view.range(prefix, options);
  };
  return { reader: { get: view.get, getMany: view.getMany, range }, reads: () => reads };
}

test('Recent requests are as in the rows at any time, and what was answered is read once', async () => {
  const view = new MemoryView();
  const { reader, reads } = counting(view);
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
  const before = reads();
  await expectSame(0);
  // One page of names, and two reads for each of the five that have no answer.
  expect(reads() - before).toBeLessThanOrEqual(1 + 2 * Math.ceil(REQUESTS / 9));
  await put(view, answered(9, 'replied'));
  await expectSame(0);
  await expectSame(START + 20);
  await expectSame(0);
});

test('All requests are the same as one by one, and take two reads', async () => {
  const view = new MemoryView();
  const { reader, reads } = counting(view);
  for (let number = 0; number < REQUESTS; number++) {
    await put(view, asked(number));
    if (number % 3 !== 0) await put(view, answered(number, number % 4 === 0 ? 'failed' : 'replied'));
  }
  const all = await allRequests(reader);
  expect(reads()).toBe(2);
  expect(all).toHaveLength(REQUESTS);
  expect(all).toEqual(await requestsUntil(0, view));
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
    [asked(1, 'b'), answered(1, 'failed', { event: early }), answered(1, 'replied', { event: late })],
    [asked(1, 'b'), answered(1, 'failed', { event: late }), answered(1, 'replied', { event: early })],
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
