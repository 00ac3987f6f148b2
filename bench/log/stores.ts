// Stores for the append bench: one whose syncs take longer, and one that notes what is written into it.
import { setTimeout as later } from 'node:timers/promises';
import type { Store } from '../../log/store.ts';

export type Entry = readonly [key: Buffer, value: Buffer];

/** A store whose writes end some milliseconds later than they do: a laptop's or a rented disk. */
export function slow(store: Store, syncMs: number): Store {
  const putOne = store.put.bind(store) as (...given: unknown[]) => Promise<void>;
  const begin = store.batch.bind(store) as unknown as (...given: unknown[]) => ReturnType<Store['batch']>;
  return Object.assign(store, {
    async put(...given: unknown[]) {
      await putOne(...given);
      await later(syncMs);
    },
    batch(...given: unknown[]) {
      const batch = begin(...given);
      if (given.length > 0) return batch;
      const write = batch.write.bind(batch) as (options: object) => Promise<void>;
      return Object.assign(batch, {
        async write(options: object) {
          await write(options);
          await later(syncMs);
        },
      });
    },
  }) as Store;
}

/** Notes every key and value in the order in which they are written. */
export function recording(store: Store, noted: Entry[]): Store {
  const original = store.batch.bind(store) as unknown as (...given: unknown[]) => ReturnType<Store['batch']>;
  const spy = (...given: unknown[]): unknown => {
    const batch = original(...given);
    if (given.length > 0) return batch;
    const put = batch.put.bind(batch) as (key: Buffer, value: Buffer) => typeof batch;
    return Object.assign(batch, {
      put(key: Buffer, value: Buffer) {
        noted.push([key, value]);
        return put(key, value);
      },
    });
  };
  return Object.assign(store, { batch: spy }) as Store;
}
