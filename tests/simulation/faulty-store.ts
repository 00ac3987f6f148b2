// A store as one process sees it: reads go directly to the disk's store, writes are acts of the process.
import type { Backing } from './backing.ts';
import { type Life, never } from './life.ts';
import type { MemoryStore } from './memory-store.ts';

interface ChainedBatch {
  write(options?: object): Promise<void>;
  close(): Promise<void>;
}

/** `find` is called at each opening and returns the current store; `point` names a write: `log.batch`, `views.build` … */
export function faultyStore<S extends object>(
  find: (options?: { createIfMissing?: boolean }) => Backing,
  life: Life,
  name: string,
  point: () => string,
): S {
  let status = 'closed';
  let backing: Backing;
  const write = (options: { sync?: boolean } | undefined, land: () => Promise<void>): Promise<void> =>
    life.act(point(), {
      land: async () => {
        await land();
        backing.landed(options?.sync === true);
      },
      failed: () => backing.failed(),
    });
  const own: Record<string | symbol, unknown> = {
    __proto__: null,
    open: async (options?: { createIfMissing?: boolean }) => {
      if (status === 'open') return;
      await life.act(`${name}.open`, {
        land: async () => {
          backing = find(options);
          await backing.open();
          status = 'open';
        },
      });
    },
    close: async () => {
      if (!life.alive) return never();
      if (status === 'open') await backing.close();
      status = 'closed';
    },
    batch: (operations?: unknown, options?: { sync?: boolean }) => {
      if (operations !== undefined)
        return write(options, () => backing.store.batch(operations as never, options as never));
      const chained = backing.store.batch() as unknown as ChainedBatch;
      const real = chained.write.bind(chained);
      return Object.assign(chained, {
        write: (options?: { sync?: boolean }) => write(options, () => real(options)),
      });
    },
    clear: (range: object) => write(undefined, () => backing.store.clear(range)),
    // What LevelDB compacted is synced.
    compactRange: (from: string | Buffer, to: string | Buffer) =>
      write({ sync: true }, () => (backing.store as unknown as MemoryStore).compactRange(from, to)),
    put: (key: unknown, value: unknown) => write(undefined, () => backing.store.put(key, value)),
    del: (key: unknown) => write(undefined, () => backing.store.del(key)),
  };
  const reading = new Map<string | symbol, unknown>();
  let read: object | null = null;
  return new Proxy(own as S, {
    get: (_, property) => {
      if (property === 'status') return status;
      const act = own[property];
      if (act !== undefined) return act;
      // An `await` reads `then` before anything is opened.
      if (backing === undefined && property === 'then') return undefined;
      if (backing === undefined) throw notOpen(name);
      const { store } = backing;
      if (read !== store) reading.clear();
      read = store;
      let value = reading.get(property);
      if (value === undefined) {
        value = Reflect.get(store, property, store);
        if (typeof value === 'function') value = value.bind(store);
        reading.set(property, value);
      }
      if (typeof value === 'function' && status !== 'open') throw notOpen(name);
      return value;
    },
  });
}

function notOpen(name: string): Error {
  return Object.assign(new Error(`${name} is not open`), { code: 'LEVEL_DATABASE_NOT_OPEN' });
}
