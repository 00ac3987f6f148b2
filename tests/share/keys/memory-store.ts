// A team's files in memory.
import type { TeamFile, TeamStore } from '../../../src/share/keys/team-store.ts';

export interface MemoryStore extends TeamStore {
  readonly files: Map<TeamFile, string>;
}

export function memoryStore(): MemoryStore {
  const files = new Map<TeamFile, string>();
  return {
    files,
    read: (name) => files.get(name) ?? null,
    async replace(name, text) {
      files.set(name, text);
    },
    async append(name, text) {
      files.set(name, (files.get(name) ?? '') + text);
    },
    async remove() {
      files.clear();
    },
  };
}
