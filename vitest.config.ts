import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // A busy machine may take ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests open LevelDB and kill processes: each file in a process of its own.
    pool: 'forks',
    maxWorkers: 2,
    // No test leaves a worker behind. Those that test the worker switch it on.
    env: { ANNALS_WORKER: 'off' },
  },
});
