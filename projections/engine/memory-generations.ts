// Generations in memory, for views of an earlier state of the log: nobody asks for them twice, and nothing of them may
// stay on disk.
import type { GenerationStore } from './generation-folders.ts';
import type { ViewStore } from './store/view-store.ts';

export function memoryGenerations(): GenerationStore {
  const stores = new Map<string, ViewStore>();
  let current: string | null = null;
  return {
    list: async () => [...stores.keys()],
    current: async () => current,
    setCurrent: async (folder) => {
      current = folder;
    },
    open: async (folder) => {
      const { memoryStore } = await import('./store/memory-store.ts');
      const store = stores.get(folder) ?? memoryStore();
      stores.set(folder, store);
      await store.open();
      return store;
    },
    remove: async (folder) => {
      stores.delete(folder);
    },
  };
}
