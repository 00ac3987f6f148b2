// Changes: what downstream projectors get of a page, and what the change feed keeps for indexes.
import { describe, expect, it } from 'vitest';
import type { EventData } from '../../../log/index.ts';
import { Generation } from '../../../projections/engine/store/generation.ts';
import { upstreamOf } from '../../../projections/engine/upstream.ts';
import {
  type Change,
  type DownstreamProjector,
  defineProjector,
  type FeedPosition,
  type GenerationStore,
  type IndexView,
  type LogProjector,
  type Projector,
  type Runner,
} from '../../../projections/index.ts';
import { asLog, type FakeLog, fakeLog } from '../../helpers/fake-log.ts';
import { counts, prompt, prompts } from '../../helpers/toy-projectors.ts';
import { memoryGenerations, testRunner } from '../../helpers/views.ts';

/** One row for each session with its texts so far; a text `drop` removes the row. */
const texts: LogProjector = defineProjector({
  name: 'texts',
  version: 1,
  changes: 'rows',
  follows: 'log',
  fold: async (events: readonly EventData[], view) => {
    for (const event of events) {
      if (event.type !== 'prompt.submitted') continue;
      const known = (await view.get<string[]>(event.session!)) ?? [];
      if (event.body.text === 'drop') view.del(event.session!);
      else view.put(event.session!, [...known, event.body.text]);
    }
  },
});

/** A projector that records the changes of each page. */
function recorder(seen: Change[][]): DownstreamProjector {
  return defineProjector<DownstreamProjector>({
    name: 'recorder',
    version: 1,
    changes: 'none',
    follows: 'texts',
    fold: async (changes, view) => {
      seen.push([...changes]);
      for (const { key, after } of changes) view.put(key, after ?? 'gone');
    },
  });
}

/** An index that records the keys it gets from the feed, and its position. */
function indexOf(follows: string, changesPerRead = 1_000) {
  const seen: string[] = [];
  let position: FeedPosition | null = null;
  let rebuilds = 0;
  const index: IndexView = {
    name: 'index',
    version: 1,
    follows,
    reads: () => true,
    feedPosition: () => position,
    position: () => 0,
    async catchUp(upstream) {
      while (position !== null && position.seq < upstream.feedPosition.seq) {
        const page = await upstream.changes(position, changesPerRead);
        if (page === null) {
          await this.rebuild(upstream);
          break;
        }
        seen.push(...page.keys);
        position = { ...position, seq: page.seq };
      }
      return true;
    },
    async rebuild(upstream) {
      rebuilds += 1;
      position = upstream.feedPosition;
    },
    digest: async () => '',
    digestRebuilt: async () => '',
    close: async () => undefined,
  };
  return { index, seen, rebuilds: () => rebuilds };
}

async function open(
  log: FakeLog,
  projectors: readonly Projector[],
  options: { index?: IndexView; generations?: GenerationStore; pageSize?: number } = {},
): Promise<Runner> {
  const { index, generations = memoryGenerations(), pageSize = 1_000 } = options;
  const indexes = index === undefined ? [] : [index];
  return testRunner({ log: asLog(log), generations, projectors, indexes, pageSize });
}

describe('a downstream projector', () => {
  it('gets one change for a row written several times in a page, from the first before to the last after', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const runner = await open(log, [texts, recorder(seen)]);
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await log.append([
      prompt('a', '2', 'two'),
      prompt('a', '3', 'three'),
      prompt('b', '4', 'four'),
      prompt('c', '5', 'five'),
      prompt('c', '6', 'drop'),
    ]);
    await runner.catchUp();
    expect(seen).toEqual([
      [{ key: 'a', before: null, after: ['one'] }],
      [
        { key: 'a', before: ['one'], after: ['one', 'two', 'three'] },
        { key: 'b', before: null, after: ['four'] },
      ],
    ]);
  });

  it('gets a deleted row with after null', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const runner = await open(log, [texts, recorder(seen)]);
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await log.append([prompt('a', '2', 'drop')]);
    await runner.catchUp();
    expect(seen.at(-1)).toEqual([{ key: 'a', before: ['one'], after: null }]);
    expect(await runner.view('texts').get('a')).toBeUndefined();
  });

  it('gets no row before the change when the view gives keys only', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const runner = await open(log, [{ ...texts, changes: 'keys' }, recorder(seen)]);
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await log.append([prompt('a', '2', 'two')]);
    await runner.catchUp();
    expect(seen.at(-1)).toEqual([{ key: 'a', before: null, after: ['one', 'two'] }]);
  });

  it('gets changes only of the rows that the view lets it follow', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const runner = await open(log, [{ ...texts, followedRows: ['a', 'c'] }, recorder(seen)]);
    await log.append([prompt('a', '1', 'one'), prompt('b', '2', 'two'), prompt('c', '3', 'three')]);
    await runner.catchUp();
    await log.append([prompt('b', '4', 'four'), prompt('c', '5', 'five')]);
    await runner.catchUp();
    expect(seen).toEqual([
      [
        { key: 'a', before: null, after: ['one'] },
        { key: 'c', before: null, after: ['three'] },
      ],
      [{ key: 'c', before: ['three'], after: ['three', 'five'] }],
    ]);
    expect(await runner.view('texts').get('b')).toEqual(['two', 'four']);
  });

  it('gets no change of a row that was put as it was', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const same = defineProjector<LogProjector>({
      ...texts,
      fold: async (events, view) => {
        for (const event of events) view.put(event.session!, { session: event.session });
      },
    });
    const runner = await open(log, [same, recorder(seen)]);
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await log.append([prompt('a', '2', 'two'), prompt('b', '3', 'three')]);
    await runner.catchUp();
    expect(seen.map((page) => page.map(({ key }) => key))).toEqual([['a'], ['b']]);
  });

  it('reads the rows of its view as they are after the page', async () => {
    const log = fakeLog();
    const read: unknown[] = [];
    const reading = defineProjector<DownstreamProjector>({
      ...recorder([]),
      fold: async (changes, _, upstream) => {
        for (const { key } of changes) read.push(await upstream.get(key));
      },
    });
    const runner = await open(log, [texts, reading], { pageSize: 2 });
    await log.append([prompt('a', '1', 'one'), prompt('a', '2', 'two'), prompt('a', '3', 'three')]);
    await runner.catchUp();
    expect(read).toEqual([
      ['one', 'two'],
      ['one', 'two', 'three'],
    ]);
  });
});

describe('the change feed', () => {
  it('gives an index each changed key once over several pages', async () => {
    const log = fakeLog();
    const { index, seen } = indexOf('texts');
    const runner = await open(log, [texts, recorder([])], { index, pageSize: 1 });
    await log.append([prompt('a', '1', 'one'), prompt('c', '2', 'one')]);
    await runner.catchUp();
    await runner.readers.query((upstream) => index.rebuild(upstream('texts')));
    await log.append([
      prompt('a', '3', 'two'),
      prompt('b', '4', 'four'),
      prompt('b', '5', 'drop'),
      prompt('a', '6', 'three'),
      prompt('c', '7', 'drop'),
    ]);
    await runner.catchUp();
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  it('counts changes but keeps none while no index uses the generation', async () => {
    const log = fakeLog();
    const generations = memoryGenerations();
    const { index, seen, rebuilds } = indexOf('texts');
    const runner = await open(log, [texts], { index, generations });
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    const store = await generations.open((await generations.current())!);
    expect(await store.keys({ gte: 'c/', lt: 'c0' }).all()).toEqual([]);
    await runner.readers.query((upstream) => index.rebuild(upstream('texts')));
    await log.append([prompt('a', '2', 'two')]);
    await runner.catchUp();
    expect(await store.keys({ gte: 'c/', lt: 'c0' }).all()).toEqual(['c/000000000002']);
    expect([seen.length, rebuilds()]).toEqual([1, 1]);
  });

  it('is kept for the snapshots of an earlier process, before an index has loaded one', async () => {
    const log = fakeLog();
    const generations = memoryGenerations();
    const first = indexOf('texts');
    const earlier = await open(log, [texts], { index: first.index, generations });
    await log.append([prompt('a', '1', 'one')]);
    await earlier.catchUp();
    await earlier.readers.query((upstream) => first.index.rebuild(upstream('texts')));
    const stored = first.index.feedPosition()!;
    await earlier.close();
    const runner = await open(log, [texts], { index: indexOf('texts').index, generations });
    await log.append([prompt('a', '2', 'two')]);
    await runner.catchUp();
    const page = await runner.readers.query((upstream) => upstream('texts').changes(stored, 100));
    expect(page?.keys).toEqual(['a']);
  });

  it('that lacks entries is noticed, and the views are built again', async () => {
    const log = fakeLog();
    const generations = memoryGenerations();
    const { index, rebuilds } = indexOf('texts');
    let leftBehind = true;
    const slow: IndexView = {
      ...index,
      rebuild: (upstream) => index.rebuild(upstream),
      catchUp: async (upstream, limit) => leftBehind || index.catchUp(upstream, limit),
    };
    const runner = await open(log, [texts], { index: slow, generations });
    await runner.readers.query((upstream) => slow.rebuild(upstream('texts')));
    await log.append([prompt('a', '1', 'one'), prompt('b', '2', 'two')]);
    await runner.catchUp();
    const store = await generations.open((await generations.current())!);
    await store.clear({ gte: 'c/', lt: 'c0', limit: 1 });
    leftBehind = false;
    await runner.catchUp();
    expect(runner.problems).toMatchObject([{ code: 'VIEW_DAMAGED' }]);
    expect(await runner.view('texts').get('a')).toEqual(['one']);
    expect(runner.states()).toMatchObject([{ lag: 0 }, { name: 'index' }]);
    expect(rebuilds()).toBe(2);
  });

  it('has nothing for an index of another generation, and nothing that it no longer has', async () => {
    const views = { projectors: [counts], isFed: () => true };
    const store = await memoryGenerations().open('rows-1');
    const generation = await Generation.create(views, 'rows-1', store, 'this one');
    const page = generation.page();
    for (let row = 0; row < 50; row++) page.view('counts').put(`row-${row}`, { row });
    page.view('counts').seal();
    const end = { logId: 'log', position: 1, chain: '' };
    await generation.commit(page, { log: end, deadLetters: [], keepsFeed: true });
    await generation.trim(50, 20);
    const changesAfter = (id: string, seq: number) =>
      generation.still((snapshot) => upstreamOf(snapshot, counts).changes({ generation: id, seq }, 100));
    expect((await changesAfter('this one', 30))?.keys).toHaveLength(20);
    expect((await changesAfter('this one', 50))?.keys).toEqual([]);
    expect(await changesAfter('this one', 29)).toBeNull();
    expect(await changesAfter('this one', 51)).toBeNull();
    expect(await changesAfter('another', 30)).toBeNull();
    // An index that is still behind keeps what it needs.
    await generation.trim(40, 1);
    expect((await changesAfter('this one', 40))?.keys).toHaveLength(10);
  });

  it('takes no further page after a trim that failed, until the store is opened again', async () => {
    const views = { projectors: [counts], isFed: () => true };
    const store = await memoryGenerations().open('rows-1');
    const generation = await Generation.create(views, 'rows-1', store, 'this one');
    const commit = async (position: number): Promise<void> => {
      const page = generation.page();
      for (let row = 0; row < 50; row++) page.view('counts').put(`row-${row}`, { position });
      page.view('counts').seal();
      const end = { logId: 'log', position, chain: '' };
      await generation.commit(page, { log: end, deadLetters: [], keepsFeed: true });
    };
    await commit(1);
    const { clear } = store;
    store.clear = () => Promise.reject(new Error('IO error: 000012.log: No space left on device'));
    await expect(generation.trim(50, 20)).rejects.toMatchObject({ code: 'DISK_FULL' });
    store.clear = clear;
    await expect(commit(2)).rejects.toMatchObject({ code: 'VIEW_DAMAGED' });
    await generation.recover();
    await commit(2);
    expect(generation.position).toBe(2);
  });

  it('keeps the newest ten thousand entries', async () => {
    const log = fakeLog();
    const generations = memoryGenerations();
    const { index } = indexOf('counts');
    const runner = await open(log, [counts], { index, generations });
    await runner.readers.query((upstream) => index.rebuild(upstream('counts')));
    await log.append(prompts(11_500, 4_000));
    await runner.catchUp();
    const store = await generations.open((await generations.current())!);
    const kept = (await store.keys({ gte: 'c/', lt: 'c0' }).all()).length;
    expect(kept).toBeGreaterThanOrEqual(10_000);
    expect(kept).toBeLessThanOrEqual(11_000);
  });
});
