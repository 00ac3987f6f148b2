// Stores for the append benchmark: one with slower syncs, and one that records its writes.
import { setTimeout as later } from 'node:timers/promises';
import type { Store } from '../../log/store.ts';

export type Entry = readonly [key: Buffer, value: Buffer];

/** A store whose writes take some milliseconds longer: the disk of a laptop or a rented server. */
export function slow(store: Store, syncMs: number): Store {
  const putOne = store.put.bind(store) as (...args: unknown[]) => Promise<void>;
  const begin = store.batch.bind(store) as unknown as (...args: unknown[]) => ReturnType<Store['batch']>;
  return Object.assign(store, {
    async put(...args: unknown[]) {
      await putOne(...args);
      await later(syncMs);
    },
    batch(...args: unknown[]) {
      const batch = begin(...args);
      if (args.length > 0) return batch;
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

/** Records every key and value in write order. */
export function recording(store: Store, noted: Entry[]): Store {
  const original = store.batch.bind(store) as unknown as (...args: unknown[]) => ReturnType<Store['batch']>;
  const spy = (...args: unknown[]): unknown => {
    const batch = original(...args);
    if (args.length > 0) return batch;
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
