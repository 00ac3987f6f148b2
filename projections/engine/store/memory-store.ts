// A store in memory. A module of its own, so that only commands that look at the past load it.
import { MemoryLevel } from 'memory-level';
import type { ViewStore } from './view-store.ts';

export function memoryStore(): ViewStore {
  return new MemoryLevel<string, string>();
}
