// The shared log that other tests use behaves like the real ones.
import { describe } from 'vitest';
import { MemoryServer } from './memory-shared-log.ts';
import { sharedLogSuite } from './shared-log-suite.ts';

describe('a shared log in memory', () => {
  const servers = new Map<string, MemoryServer>();
  sharedLogSuite({
    async connect(team) {
      const server = servers.get(team) ?? new MemoryServer();
      servers.set(team, server);
      return server.connect();
    },
  });
});
