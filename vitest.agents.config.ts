// `npm run test:agents`: the suite of real agents, apart from `npm test` because it takes minutes.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/real-agents/**/*.suite.ts'],
    testTimeout: 600_000,
    hookTimeout: 1_800_000,
    pool: 'forks',
  },
});
