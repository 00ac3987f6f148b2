import { describe, expect, it } from 'vitest';
import type { ViewStore } from '../../../projections/engine/store/view-store.ts';
import type { GenerationStore } from '../../../projections/index.ts';
import { asLog, fakeLog } from '../../helpers/fake-log.ts';
import { counts, prompts, titles } from '../../helpers/toy-projectors.ts';
import { memoryGenerations, testRunner } from '../../helpers/views.ts';

/** A generation store whose stores fail at the n-th batch from now on, once. */
function failingGenerations(
  text = 'No space left on device',
): GenerationStore & { failAt(batch: number): void } {
  const generations = memoryGenerations();
  let left = Number.POSITIVE_INFINITY;
  return {
    ...generations,
    failAt: (batch) => {
      left = batch;
    },
    open: async (folder) => {
      const store = await generations.open(folder);
      const begin = store.batch.bind(store) as () => ReturnType<ViewStore['batch']>;
      store.batch = (() => {
        const batch = begin();
        const write = batch.write.bind(batch);
        batch.write = async (options?: object) => {
          if (--left > 0) return write(options ?? {});
          await batch.close();
          left = Number.POSITIVE_INFINITY;
          throw new Error(`IO error: 000012.log: ${text}`, {
            cause: Object.assign(new Error('IO error'), { code: 'LEVEL_IO_ERROR' }),
          });
        };
        return batch;
      }) as typeof store.batch;
      return store;
    },
  };
}

describe('a full disk', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'stops catching up at write %i and costs nothing once there is space',
    async (n) => {
      const log = fakeLog();
      const generations = failingGenerations();
      const options = { log: asLog(log), generations, projectors: [counts, titles], pageSize: 6 };
      await log.append(prompts(20));
      const runner = await testRunner(options);
      await runner.catchUp();
      await log.append(prompts(60));
      generations.failAt(n);
      await expect(runner.catchUp()).rejects.toMatchObject({ code: 'DISK_FULL' });
      await runner.catchUp();
      expect(runner.problems).toEqual([]);
      expect(runner.states().map(({ lag }) => lag)).toEqual([0, 0]);
      expect((await runner.verifyRebuilt()).map(({ equal }) => equal)).toEqual([true, true]);
    },
  );

  it.each([
    ['Disk quota exceeded', 'DISK_FULL'],
    ['There is not enough space on the disk.', 'DISK_FULL'],
    ['Too many open files', 'HOME_UNWRITABLE'],
  ])('keeps the views when the system says: %s', async (text, code) => {
    const log = fakeLog();
    const generations = failingGenerations(text);
    await log.append(prompts(20));
    const runner = await testRunner({ log: asLog(log), generations, projectors: [counts, titles] });
    await runner.catchUp();
    const before = await generations.current();
    await log.append(prompts(30));
    generations.failAt(1);
    await expect(runner.catchUp()).rejects.toMatchObject({ code });
    await runner.catchUp();
    expect([await generations.current(), runner.problems]).toEqual([before, []]);
  });

  it('leaves the old views serving when it stops a rebuild', async () => {
    const log = fakeLog();
    const generations = failingGenerations();
    await log.append(prompts(60));
    const runner = await testRunner({
      log: asLog(log),
      generations,
      projectors: [counts, titles],
      pageSize: 12,
    });
    await runner.catchUp();
    const before = await runner.digest('titles');
    generations.failAt(6);
    await expect(runner.rebuild()).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(await runner.digest('titles')).toBe(before);
    expect(await generations.list()).toEqual([await generations.current()]);
    await runner.rebuild();
    expect(await runner.digest('titles')).toBe(before);
  });

  it('leaves no build behind when it stops the catch-up before a comparison', async () => {
    const log = fakeLog();
    const generations = failingGenerations();
    await log.append(prompts(30));
    const runner = await testRunner({ log: asLog(log), generations, projectors: [counts, titles] });
    await runner.catchUp();
    await log.append(prompts(60));
    const failed = runner.verifyRebuilt({
      onProgress: (done, total) => {
        if (done === total) generations.failAt(1);
      },
    });
    await expect(failed).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(await generations.list()).toEqual([await generations.current()]);
    expect((await runner.verifyRebuilt()).map(({ equal }) => equal)).toEqual([true, true]);
  });
});
