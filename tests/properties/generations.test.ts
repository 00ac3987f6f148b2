// Generations: any sequence of appending, catching up, rebuilding, stopping and failing leaves one generation,
// the one that CURRENT names, with the rows of a fresh replay.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ViewStore } from '../../projections/engine/store/view-store.ts';
import type { GenerationStore } from '../../projections/index.ts';
import { asLog, fakeLog } from '../helpers/fake-log.ts';
import { counts, prompt, titles } from '../helpers/toy-projectors.ts';
import { memoryGenerations, testRunner } from '../helpers/views.ts';

const projectors = [counts, titles];

const command = fc.oneof(
  fc.record({ do: fc.constant('tell' as const), count: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ do: fc.constant('catch up' as const) }),
  fc.record({
    do: fc.constant('rebuild' as const),
    names: fc.subarray(['counts', 'titles'], { minLength: 1 }),
  }),
  fc.record({ do: fc.constant('restart' as const) }),
  fc.record({ do: fc.constant('fail' as const), batch: fc.integer({ min: 1, max: 6 }) }),
);

/** A generation store that fails one batch: the n-th after it is armed. */
function refusing(generations: GenerationStore): GenerationStore & { refuse(batch: number): void } {
  let left = 0;
  return {
    ...generations,
    refuse: (batch) => {
      left = batch;
    },
    open: async (folder) => {
      const store = await generations.open(folder);
      const chained = store.batch.bind(store) as () => { write(options?: object): Promise<void> };
      return Object.assign(store, {
        batch: () => {
          const batch = chained();
          const write = batch.write.bind(batch);
          return Object.assign(batch, {
            write: async (options?: object) => {
              if (left > 0 && --left === 0) throw Object.assign(new Error('refused'), { code: 'ENOSPC' });
              return write(options);
            },
          });
        },
      }) as ViewStore;
    },
  };
}

test('after any sequence of operations each view equals a fresh replay, and no other generation is left', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(command, { maxLength: 14 }),
      fc.integer({ min: 1, max: 7 }),
      async (commands, pageSize) => {
        const log = asLog(fakeLog());
        const generations = refusing(memoryGenerations());
        const open = () => testRunner({ log, generations, projectors, pageSize });
        let runner = await open();
        let appended = 0;
        const full = { code: 'DISK_FULL' };
        const orFull = (work: Promise<unknown>) => work.catch((error) => expect(error).toMatchObject(full));
        for (const one of commands) {
          if (one.do === 'tell') {
            const fresh = Array.from({ length: one.count }, (_, index) => appended + index);
            await log.append(
              fresh.map((dedupeKey) =>
                prompt(`session-${dedupeKey % 3}`, `fact-${dedupeKey}`, `do thing ${dedupeKey % 5}`),
              ),
            );
            appended += one.count;
          } else if (one.do === 'catch up') await orFull(runner.catchUp());
          else if (one.do === 'rebuild') await orFull(runner.rebuild(one.names));
          else if (one.do === 'fail') generations.refuse(one.batch);
          else {
            generations.refuse(0);
            await runner.close();
            runner = await open();
          }
        }
        generations.refuse(0);
        await runner.catchUp();
        const fresh = await testRunner({ log, generations: memoryGenerations(), projectors });
        await fresh.catchUp();
        for (const { name } of projectors)
          expect(await runner.digest(name), name).toBe(await fresh.digest(name));
        expect(await generations.list()).toEqual([await generations.current()]);
      },
    ),
    { numRuns: 60, seed: 20260105 },
  ));
