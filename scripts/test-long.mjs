// `npm run test:long`: the tests with the number of rounds stated in docs/trust.md; further arguments as for `npm test`.
// Takes about an hour. A variable that is already set is kept; ANNALS_TEST_SEED selects other rounds.
import { run } from './run.mjs';

const ROUNDS = {
  /** Places at which the reading of each real rollout is interrupted. */
  ANNALS_TEST_CUTS: 50,
  /** Random orders of events, one variant each. */
  ANNALS_TEST_SEEDS: 100,
  /** Killed processes in each test that kills at random. */
  ANNALS_TEST_KILLS: 100,
  /** Flipped bytes in the log's files, and below views/. */
  ANNALS_TEST_FLIPS: 500,
  ANNALS_TEST_VIEW_FLIPS: 100,
  /** Tests of real transcripts that read those of one project otherwise read all of them. */
  ANNALS_TEST_ALL_TRANSCRIPTS: 1,
  ANNALS_TEST_SIMULATED_RUNS: 2_000,
  /** Random sessions whose live rows are compared with the rows of one page. */
  ANNALS_TEST_LIVES: 20_000,
  /** The trial of docs/team.md has a network for each machine, and PostgreSQL too. Only root can. */
  ANNALS_TEST_NETWORKS: 1,
  /** Hooks in the burst in which a worker is killed. */
  ANNALS_TEST_HOOKS: 200,
  /** Files in a spool that is drained at once. */
  ANNALS_TEST_WAITING_FILES: 5_000,
  /** Hostile input of `npm run fuzz`. */
  ANNALS_TEST_FUZZ_CASES: 78,
  /** Also the benchmarks that take long on little data. */
  ANNALS_TEST_BENCHES: 'all',
  /** Hostile HTTP requests. */
  ANNALS_TEST_HOSTILE_REQUESTS: 1_000,
};
const env = Object.fromEntries(
  Object.entries(ROUNDS).map(([name, rounds]) => [name, process.env[name] ?? String(rounds)]),
);
const timeout = '--testTimeout=3600000';

process.exitCode = run(process.execPath, ['scripts/test.mjs', timeout, ...process.argv.slice(2)], { env });
