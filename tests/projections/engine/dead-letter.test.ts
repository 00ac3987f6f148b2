import { describe, expect, it } from 'vitest';
import { AnnalsError } from '../../../log/index.ts';
import { type DownstreamProjector, defineProjector, type LogProjector } from '../../../projections/index.ts';
import { asLog, fakeLog } from '../../helpers/fake-log.ts';
import { counts, type PromptRow, prompt, prompts } from '../../helpers/toy-projectors.ts';
import { memoryGenerations, testRunner } from '../../helpers/views.ts';

/** Counts like `counts` but cannot take a text with "poison" in it, and notices only after it has written. */
function fragile(cure: { taken: boolean }): LogProjector {
  return defineProjector({
    ...counts,
    fold: async (events, view) => {
      for (const event of events) {
        await counts.fold([event], view);
        const known = await view.get<{ seen: string[] }>('seen');
        known?.seen.push(event.id);
        view.put('seen', known ?? { seen: [event.id] });
        if (event.type === 'prompt.submitted' && event.body.text?.includes('poison') && !cure.taken)
          throw new AnnalsError('INTERNAL', `cannot take ${event.body.text}`);
      }
    },
  });
}

const poisoned = prompt('session-1', 'bad', 'a poison with a secret');

describe('an event that a projector cannot fold', () => {
  it('becomes a dead letter without its text, and costs nothing else', async () => {
    const healthy = fakeLog();
    await healthy.append(prompts(30));
    const plain = await testRunner({
      log: asLog(healthy),
      generations: memoryGenerations(),
      projectors: [fragile({ taken: false })],
    });
    await plain.catchUp();

    const log = fakeLog();
    const [first, ...rest] = prompts(30);
    await log.append([first!]);
    const [bad] = await log.append([poisoned]);
    await log.append(rest);
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors: [fragile({ taken: false })],
    });
    await runner.catchUp();
    expect(await runner.deadLetters()).toEqual([
      { view: 'counts', subject: bad!.id, error: 'AnnalsError', code: 'INTERNAL' },
    ]);
    expect(runner.states()).toMatchObject([{ position: 41, lag: 0, deadLetters: 1 }]);
    expect(await runner.digest('counts')).toBe(await plain.digest('counts'));
  });

  it('is found in a large page without folding every event alone', async () => {
    let folds = 0;
    const counting = defineProjector<LogProjector>({
      ...counts,
      fold: async (events, view) => {
        folds += 1;
        await fragile({ taken: false }).fold(events, view);
      },
    });
    const log = fakeLog();
    await log.append([...prompts(384), poisoned, ...prompts(700).slice(512)]);
    const generations = memoryGenerations();
    const runner = await testRunner({ log: asLog(log), generations, projectors: [counting] });
    await runner.catchUp();
    expect(await runner.deadLetters()).toHaveLength(1);
    expect(runner.states()).toMatchObject([{ lag: 0 }]);
    // The page, and two halves at each of at most ten levels.
    expect(folds).toBeLessThanOrEqual(21);
  });

  it('is tried again by a rebuild', async () => {
    const log = fakeLog();
    await log.append([...prompts(6), poisoned]);
    const cure = { taken: false };
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors: [fragile(cure)],
    });
    await runner.catchUp();
    expect(runner.states()).toMatchObject([{ deadLetters: 1 }]);
    cure.taken = true;
    await runner.rebuild();
    expect(await runner.deadLetters()).toEqual([]);
    expect(runner.states()).toMatchObject([{ deadLetters: 0 }]);
    expect(await runner.view('counts').get('prompt/session-1/bad')).toBeDefined();
  });

  it('is one too when the row it makes is no JSON', async () => {
    const odd = defineProjector<LogProjector>({
      ...counts,
      fold: async (events, view) => {
        for (const event of events) {
          if (event.dedupeKey === 'fact-2') view.put('big', { big: 1n });
          if (event.dedupeKey === 'fact-4') view.put('none', undefined);
          view.put(event.id, { dedupeKey: event.dedupeKey });
        }
      },
    });
    const log = fakeLog();
    await log.append(prompts(6));
    const runner = await testRunner({ log: asLog(log), generations: memoryGenerations(), projectors: [odd] });
    await runner.catchUp();
    expect((await runner.deadLetters()).map(({ error }) => error)).toEqual(['TypeError', 'TypeError']);
    expect(await runner.view('counts').range('')).toHaveLength(6);
  });

  it('is named by a hash of the row where a downstream projector cannot fold a change', async () => {
    const picky = defineProjector<DownstreamProjector>({
      name: 'picky',
      version: 1,
      changes: 'none',
      follows: 'counts',
      fold: async (changes, view) => {
        for (const { key, after } of changes) {
          if ((after as PromptRow | null)?.title?.includes('poison')) throw new RangeError('no');
          view.put(key, {});
        }
      },
    });
    const log = fakeLog();
    await log.append([...prompts(6), poisoned]);
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors: [counts, picky],
    });
    await runner.catchUp();
    await log.append([prompt('session-1', 'bad', 'a poison with a secret and more', 'hook')]);
    await runner.catchUp();
    const letters = await runner.deadLetters();
    expect(letters).toEqual([
      {
        view: 'picky',
        subject: expect.stringMatching(/^row:[0-9a-f]{16}$/),
        error: 'RangeError',
        code: null,
      },
    ]);
    expect(runner.states()[1]).toMatchObject({ lag: 0, deadLetters: 1 });
    expect(await runner.view('picky').get('prompt/session-1/bad')).toBeUndefined();
    expect(await runner.view('picky').get('session/session-1')).toBeDefined();
  });
});

describe('a store that cannot be read', () => {
  it('makes no dead letter when a downstream projector reads the rows it follows', async () => {
    const generations = memoryGenerations();
    let isBroken = false;
    const log = fakeLog();
    const follower = defineProjector<DownstreamProjector>({
      name: 'follower',
      version: 1,
      changes: 'none',
      follows: 'counts',
      fold: async (changes, view, upstream) => {
        for (const { key } of changes) view.put(key, (await upstream.range('session/')).length);
      },
    });
    const runner = await testRunner({
      log: asLog(log),
      generations: {
        ...generations,
        open: async (folder) => {
          const store = await generations.open(folder);
          const iterator = store.iterator.bind(store) as (
            options: object,
          ) => ReturnType<typeof store.iterator>;
          store.iterator = ((options: { gte?: string }) => {
            if (isBroken && options.gte === 'r/counts/session/') throw new Error('Corruption: bad block');
            return iterator(options);
          }) as typeof store.iterator;
          return store;
        },
      },
      projectors: [counts, follower],
    });
    await log.append(prompts(3));
    await runner.catchUp();
    isBroken = true;
    await log.append(prompts(6).slice(3));
    await expect(runner.catchUp()).rejects.toMatchObject({ code: 'VIEW_DAMAGED' });
    isBroken = false;
    await runner.catchUp();
    expect(await runner.deadLetters()).toEqual([]);
    expect((await runner.verifyRebuilt()).map(({ equal }) => equal)).toEqual([true, true]);
  });
});
