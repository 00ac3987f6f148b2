// Generations that live in memory and go with the process: for views of the log as it was, which nobody asks
// for twice and which must leave nothing on disk.
import type { MemoryLevel } from 'memory-level';
import type { Shelf } from './generation.ts';

/** The store is loaded with the first view, because most commands never need it. */
export function memoryShelf(): Shelf {
  const stores = new Map<string, MemoryLevel<string, string>>();
  const currents = new Map<string, string>();
  return {
    list: async (view) =>
      [...stores.keys()].filter((name) => name.startsWith(`${view}/`)).map((name) => name.split('/')[1]!),
    current: async (view) => currents.get(view) ?? null,
    setCurrent: async (view, folder) => {
      currents.set(view, folder);
    },
    open: async (view, folder) => {
      const { MemoryLevel } = await import('memory-level');
      const store = stores.get(`${view}/${folder}`) ?? new MemoryLevel<string, string>();
      stores.set(`${view}/${folder}`, store);
      await store.open();
      return store;
    },
    remove: async (view, folder) => {
      stores.delete(`${view}/${folder}`);
    },
  };
}
