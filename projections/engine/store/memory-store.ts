// The store in memory, apart from the shelf, so that it is loaded when the first view of the past is opened:
// most commands never need it.
import { MemoryLevel } from 'memory-level';
import type { ViewStore } from './view-store.ts';

export function memoryStore(): ViewStore {
  return new MemoryLevel<string, string>();
}
