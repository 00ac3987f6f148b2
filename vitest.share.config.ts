// `npm run test:share`: the shared log on real servers and whole homes that share, apart from `npm test` because it takes half a minute.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/share/**/*.suite.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    env: { ANNALS_WORKER: 'off' },
  },
});
