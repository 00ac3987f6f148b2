// `npm run test:worker`: the tests of the built command, with a worker that serves each home while a command uses it.
// Further arguments as for `npm test`. Other folders open homes in their own process, where this changes nothing.
import { run } from './run.mjs';

const env = { ANNALS_TEST_WORKER: 'on' };
const folders = ['tests/e2e', 'tests/cli', 'tests/worker'];

process.exitCode = run(process.execPath, ['scripts/test.mjs', ...folders, ...process.argv.slice(2)], { env });
