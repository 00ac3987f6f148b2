import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests open LevelDB and kill processes: each file in a process of its own.
    pool: 'forks',
    maxWorkers: 2,
  },
});
