import { describe, expect, it } from 'vitest';
import type { EventData, NewEvent } from '../../../log/index.ts';
import { canFollow, fillFromLog } from '../../../projections/engine/fill.ts';
import { KvView } from '../../../projections/engine/store/kv-view.ts';
import {
  type Change,
  type DownstreamProjector,
  defineProjector,
  type GenerationStore,
  type LogProjector,
} from '../../../projections/index.ts';
import { asLog, fakeLog } from '../../helpers/fake-log.ts';
import { counts, prompt, prompts, titles } from '../../helpers/toy-projectors.ts';
import { diskGenerations, memoryGenerations, testFolder, testRunner } from '../../helpers/views.ts';

/** One row per session with the texts so far; a text `drop` removes the row. */
const texts: LogProjector = defineProjector({
  name: 'texts',
  version: 1,
  feed: 'rows',
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

function follower(seen: Change[][], feed: 'rows' | 'keys' = 'rows'): [LogProjector, DownstreamProjector] {
  const utterance = defineProjector<DownstreamProjector>({
    name: 'heard',
    version: 1,
    feed: 'none',
    follows: 'texts',
    fold: async (changes, view) => {
      seen.push([...changes]);
      for (const { key, after } of changes) view.put(key, after ?? 'gone');
    },
  });
  return [{ ...texts, feed }, utterance];
}

/** Moves `texts` on as if the process had died before its follower took the change over. */
async function lagBehind(
  generations: GenerationStore,
  log: ReturnType<typeof fakeLog>,
  feed: 'rows' | 'keys',
  told: readonly NewEvent[],
): Promise<void> {
  await log.append(told);
  let revive = (): unknown => undefined;
  const dying: GenerationStore = {
    ...generations,
    open: async (view, folder) => {
      const store = await generations.open(view, folder);
      const died = (): never => {
        throw new Error('No space left on device');
      };
      if (view !== 'heard') return store;
      const { batch } = store;
      revive = () => Object.assign(store, { batch });
      return Object.assign(store, { batch: died });
    },
  };
  const runner = await testRunner({ log: asLog(log), generations: dying, projectors: follower([], feed) });
  await expect(runner.catchUp()).rejects.toMatchObject({ code: 'DISK_FULL' });
  await runner.close();
  revive();
}

describe('the change feed', () => {
  it('tells one change for a row written several times in a page, from its first before to its last after', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors: follower(seen),
    });
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

  it('tells a deleted row with after null', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors: follower(seen),
    });
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await log.append([prompt('a', '2', 'drop')]);
    await runner.catchUp();
    expect(seen.at(-1)).toEqual([{ key: 'a', before: ['one'], after: null }]);
    expect(await runner.view('texts').get('a')).toBeUndefined();
  });

  it('carries keys only where the view says so: a follower that lags reads the rows, one that does not is shown them', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const generations = memoryGenerations();
    const projectors = follower(seen, 'keys');
    const runner = await testRunner({ log: asLog(log), generations, projectors });
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await log.append([prompt('a', '2', 'two')]);
    await runner.catchUp();
    await runner.close();
    await lagBehind(generations, log, 'keys', [prompt('a', '3', 'three')]);
    const again = await testRunner({ log: asLog(log), generations, projectors });
    await again.catchUp();
    expect(seen.flat()).toEqual([
      { key: 'a', before: null, after: ['one'] },
      { key: 'a', before: null, after: ['one', 'two'] },
      { key: 'a', before: null, after: null },
    ]);
  });

  it('tells a follower what it missed when the process died between the two commits', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const generations = memoryGenerations();
    const runner = await testRunner({ log: asLog(log), generations, projectors: follower(seen) });
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await runner.close();
    await lagBehind(generations, log, 'rows', [prompt('a', '2', 'two')]);
    await log.append([prompt('a', '3', 'three')]);
    const again = await testRunner({ log: asLog(log), generations, projectors: follower(seen) });
    await again.catchUp();
    expect(seen.flat()).toEqual([
      { key: 'a', before: null, after: ['one'] },
      { key: 'a', before: ['one'], after: ['one', 'two'] },
      { key: 'a', before: ['one', 'two'], after: ['one', 'two', 'three'] },
    ]);
    expect(await again.view('heard').get('a')).toEqual(['one', 'two', 'three']);
    expect(again.states().map(({ position }) => position)).toEqual([3, 3]);
  });

  it('that lacks what the view says it wrote is noticed, and the view is made again', async () => {
    const log = fakeLog();
    const generations = memoryGenerations();
    const seen: Change[][] = [];
    const runner = await testRunner({ log: asLog(log), generations, projectors: follower(seen) });
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await runner.close();
    await lagBehind(generations, log, 'rows', [prompt('a', '2', 'two')]);
    const store = await generations.open('texts', (await generations.current('texts'))!);
    await store.clear({ gte: 'c/', lt: 'c0' });
    await store.close();
    const again = await testRunner({ log: asLog(log), generations, projectors: follower(seen) });
    await again.catchUp();
    expect(await again.view('heard').get('a')).toEqual(['one', 'two']);
    expect(again.problems.map(({ message }) => message).join()).toContain('texts was damaged');
  });

  it('holds no change for a row that was put as it was', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const same = defineProjector<LogProjector>({
      ...texts,
      fold: async (events, view) => {
        for (const event of events) view.put(event.session!, { session: event.session });
      },
    });
    const projectors = [same, follower(seen)[1]];
    const runner = await testRunner({ log: asLog(log), generations: memoryGenerations(), projectors });
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await log.append([prompt('a', '2', 'two'), prompt('b', '3', 'three')]);
    await runner.catchUp();
    expect(seen.map((page) => page.map(({ key }) => key))).toEqual([['a'], ['b']]);
    expect(runner.states().map(({ position }) => position)).toEqual([3, 3]);
  });

  it('is one change a key over several pages of the upstream', async () => {
    const log = fakeLog();
    const seen: Change[][] = [];
    const generations = memoryGenerations();
    const runner = await testRunner({
      log: asLog(log),
      generations,
      projectors: follower(seen),
      pageSize: 1_000,
    });
    await log.append([prompt('a', '1', 'one')]);
    await runner.catchUp();
    await runner.close();
    // The upstream takes three pages, its follower's page covers them all.
    await log.append([prompt('a', '2', 'two'), prompt('a', '3', 'three'), prompt('b', '4', 'drop')]);
    const slow = await testRunner({
      log: asLog(log),
      generations,
      projectors: follower([]).slice(0, 1),
      pageSize: 1,
    });
    await slow.catchUp();
    await slow.close();
    const again = await testRunner({ log: asLog(log), generations, projectors: follower(seen) });
    await again.catchUp();
    expect(await again.view('heard').get('a')).toEqual(['one', 'two', 'three']);
  });

  it('is trimmed to the newest entries once its followers have passed them', async () => {
    const log = fakeLog();
    const generations = diskGenerations(await testFolder());
    await log.append(prompts(50));
    const runner = await testRunner({ log: asLog(log), generations, projectors: [counts, titles] });
    await runner.catchUp();
    await log.append(prompts(900));
    await runner.catchUp();
    await runner.close();
    const folder = (await generations.current('counts'))!;
    const view = await KvView.open(counts, folder, await generations.open('counts', folder));
    const { seq } = view.checkpoint;
    expect(view.feedReaches(0)).toBe(false);
    expect((await view.changes(0, 10_000)).seq).toBe(seq);
    await view.trim(seq, 100);
    expect(view.feedReaches(seq - 100)).toBe(true);
    expect(view.feedReaches(seq - 101)).toBe(false);
    const kept = await view.changes(0, 10_000);
    expect(kept.seq).toBe(seq);
    expect(kept.changes.length).toBeLessThanOrEqual(100);
    // A follower that is still behind keeps what it needs.
    await view.trim(seq - 500, 10);
    expect(view.feedReaches(seq - 100)).toBe(true);
    await view.close();
  });

  it('is trimmed by the runner, which keeps the newest ten thousand entries', async () => {
    const log = fakeLog();
    const generations = memoryGenerations();
    await log.append(prompts(50));
    const runner = await testRunner({ log: asLog(log), generations, projectors: [counts, titles] });
    await runner.catchUp();
    await log.append(prompts(11_500, 50));
    await runner.catchUp();
    await runner.close();
    const folder = (await generations.current('counts'))!;
    const view = await KvView.open(counts, folder, await generations.open('counts', folder));
    const { seq } = view.checkpoint;
    expect(seq).toBeGreaterThan(11_000);
    expect(view.feedReaches(seq - 10_000)).toBe(true);
    expect(view.feedReaches(seq - 11_000)).toBe(false);
    await view.close();
  });

  it('tells a follower in pieces, and only with the last one that it has the page', async () => {
    const log = fakeLog();
    const generations = memoryGenerations();
    const [first, second] = follower([]);
    await log.append([prompt('session-0', 'fact-0', 'begin')]);
    const before = await testRunner({ log: asLog(log), generations, projectors: [first, second] });
    await before.catchUp();
    await before.close();
    await log.append(prompts(120, 60));
    const open = async (projector: LogProjector | DownstreamProjector) => {
      const folder = (await generations.current(projector.name))!;
      const store = await generations.open(projector.name, folder);
      return { store, view: await KvView.open(projector, folder, store) };
    };
    const upstream = await open(first);
    const following = await open(second);
    const batch = following.store.batch.bind(following.store);
    let batches = 0;
    Object.assign(following.store, {
      batch: () => {
        batches += 1;
        if (batches === 3) throw new Error('No space left on device');
        return batch();
      },
    });
    const fill = fillFromLog(
      asLog(log),
      [
        {
          projector: first,
          view: upstream.view,
          followed: true,
          followers: [{ projector: second, view: following.view, followed: false, followers: [] }],
        },
      ],
      {
        pageSize: 1_000,
        givingWay: { pause: async () => {}, isWanted: () => true, moving: (_, move) => move() },
      },
    );
    await expect(fill).rejects.toThrow();
    expect(batches).toBe(3);
    await upstream.view.close();
    await following.view.close();
    Object.assign(following.store, { batch });
    const after = await testRunner({ log: asLog(log), generations, projectors: [first, second] });
    await after.catchUp();
    expect((await after.verifyRebuilt()).map(({ equal }) => equal)).toEqual([true, true]);
    await after.close();
  });

  it.each([
    { follows: 'b', reaches: true, may: true },
    { follows: 'a', reaches: true, may: false },
    { follows: 'b', reaches: false, may: false },
  ])(
    'of generation b serves who stands in $follows, as far as it reaches: $may',
    ({ follows, reaches, may }) => {
      const view = { checkpoint: { upstream: { generation: follows, seq: 5 } } } as KvView;
      const upstream = { generation: 'b', feedReaches: () => reaches } as unknown as KvView;
      expect(canFollow(view, upstream)).toBe(may);
    },
  );

  it('fills a follower from the rows when the feed was not written for it', async () => {
    const log = fakeLog();
    const generations = memoryGenerations();
    await log.append(prompts(60));
    const both = await testRunner({ log: asLog(log), generations, projectors: [counts, titles] });
    await both.catchUp();
    await both.close();
    await log.append(prompts(200));
    const alone = await testRunner({ log: asLog(log), generations, projectors: [counts] });
    await alone.catchUp();
    await alone.close();
    const again = await testRunner({ log: asLog(log), generations, projectors: [counts, titles] });
    await again.catchUp();
    expect((await again.verifyRebuilt()).map(({ equal }) => equal)).toEqual([true, true]);
  });
});
