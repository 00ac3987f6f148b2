// A store in memory. A module of its own, so that only commands that look at the past load it. It keeps the strings as they
// are: as bytes, each would be encoded once and decoded at every reading.
import { MemoryLevel } from 'memory-level';
import type { ViewStore } from './view-store.ts';

export function memoryStore(): ViewStore {
  return new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
}
