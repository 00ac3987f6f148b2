// Generations that live in memory and go with the process: for views of the log as it was, which nobody asks
// for twice and which must leave nothing on disk.
import type { GenerationStore } from './generation.ts';
import type { ViewStore } from './store/view-store.ts';

export function memoryGenerations(): GenerationStore {
  const stores = new Map<string, ViewStore>();
  const currents = new Map<string, string>();
  return {
    list: async (view) =>
      [...stores.keys()].filter((name) => name.startsWith(`${view}/`)).map((name) => name.split('/')[1]!),
    current: async (view) => currents.get(view) ?? null,
    setCurrent: async (view, folder) => {
      currents.set(view, folder);
    },
    open: async (view, folder) => {
      const { memoryStore } = await import('./store/memory-store.ts');
      const store = stores.get(`${view}/${folder}`) ?? memoryStore();
      stores.set(`${view}/${folder}`, store);
      await store.open();
      return store;
    },
    remove: async (view, folder) => {
      stores.delete(`${view}/${folder}`);
    },
  };
}
