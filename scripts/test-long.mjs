// `npm run test:long`: the tests with as many rounds as docs/trust.md speaks of; further arguments as for `npm test`.
// About an hour. A variable that is set already stays as it is; ANNALS_TEST_SEED chooses other rounds.
import { run } from './run.mjs';

const ROUNDS = {
  /** Orders of telling, a variant each. */
  ANNALS_TEST_SEEDS: 100,
  /** Processes killed, in each test that kills at random. */
  ANNALS_TEST_KILLS: 100,
  /** Bytes flipped in the log's files, and below views/. */
  ANNALS_TEST_FLIPS: 500,
  ANNALS_TEST_VIEW_FLIPS: 100,
  ANNALS_TEST_SIMULATED_RUNS: 2_000,
  /** Lives of sessions whose live rows are held against those of one page. */
  ANNALS_TEST_LIVES: 20_000,
};
const env = Object.fromEntries(
  Object.entries(ROUNDS).map(([name, rounds]) => [name, process.env[name] ?? String(rounds)]),
);
const timeout = '--testTimeout=3600000';

process.exitCode = run(process.execPath, ['scripts/test.mjs', timeout, ...process.argv.slice(2)], { env });
