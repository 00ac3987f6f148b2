import { readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These start fifty processes or more, which takes longer the more memory their own process has. */
const STARTING_MANY = [
  ...['capture/spool/script', 'doctor/doctor', 'e2e/hooks', 'http/openapi', 'install/every-agent'],
  ...['session-start/ready-file', 'viewer/health', 'viewer/narrow', 'viewer/recording', 'viewer/screens'],
  ...['worker/faults', 'worker/worker-process'],
];

class StartingManyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const startsMany = ({ moduleId }: TestSpecification) =>
      STARTING_MANY.some((name) => moduleId.endsWith(`tests/${name}.test.ts`));
    const sorted = await super.sort(files);
    return [...sorted.filter(startsMany), ...sorted.filter((file) => !startsMany(file))];
  }
}

/** Linux's file system in memory. */
const MEMORY = '/dev/shm';
/** Several times what the tests hold at once. */
const MEMORY_BYTES = 4 * 2 ** 30;

/** Whether it is there and large, and files in it can be run: that of a container is neither. */
function isMemoryUsable(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < MEMORY_BYTES) return false;
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const [, , , options = 'noexec'] = mounts.find((line) => line.split(' ')[1] === MEMORY)?.split(' ') ?? [];
    return !options.split(',').includes('noexec');
  } catch {
    return false;
  }
}

// Tests open and sync many small logs: tests/e2e/transfer took 44 s on a disk and takes 24 s in memory. A killed process
// leaves the same files there, and no test cuts the power.
if (isMemoryUsable()) process.env.TMPDIR ??= MEMORY;

export default defineConfig({
  test: {
    // A busy machine may take ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 200_000, interval: 20 } },
    // Tests open LevelDB and kill processes.
    pool: 'forks',
    // They often wait for the disk or another process: three keep two processors busy.
    maxWorkers: 3,
    sequence: { sequencer: StartingManyFirst },
    // No test leaves a worker behind. Those that test the worker switch it on.
    env: { ANNALS_WORKER: 'off' },
    include: ['tests/**/*.test.ts'],
    // The files share processes: each module is loaded once in each of them.
    isolate: false,
  },
});
