import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * These neither start processes of ours, replace modules nor change the process, so their files share processes, and the
 * modules that they import are loaded once in each.
 */
const SHARING = [
  ...[
    'agents',
    'brief',
    'capture',
    'config',
    'conformance',
    'forget',
    'log',
    'platform',
    'projections',
    'properties',
  ],
  ...['read', 'remote', 'save', 'search', 'terminal-text', 'transfer'],
].map((folder) => `tests/${folder}/**/*.test.ts`);

/** A process is shared as long as the next file shares too, so these files come first. */
class SharingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => Number(a.project.config.isolate) - Number(b.project.config.isolate));
  }
}

export default defineConfig({
  test: {
    // A busy machine may take ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Tests open LevelDB and kill processes.
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: SharingFirst },
    // No test leaves a worker behind. Those that test the worker switch it on.
    env: { ANNALS_WORKER: 'off' },
    projects: [
      { extends: true, test: { name: 'sharing', include: SHARING, isolate: false } },
      { extends: true, test: { name: 'alone', include: ['tests/**/*.test.ts'], exclude: SHARING } },
    ],
  },
});
