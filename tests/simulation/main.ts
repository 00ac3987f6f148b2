// `npm run simulate -- --runs 100000 --seed 1`: makes many runs in several processes and prints a table of the results
// by kind. A run does not depend on the process that makes it.
//   --runs N      default 1,000          --seed N    the first seed, default 1
//   --jobs N      processes, default as many as there are cores
//   --disk leveldb  real LevelDB folders instead of memory
//   --rewriting   every run forgets, compacts, exports and restores; default every third
//   --kind TEXT   only the kinds whose name contains the text
//   --trace       print the trace of each run (for one seed)
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { KINDS } from './faults.ts';
import { Tally } from './tally.ts';
import { type Done, type Seeds, serve } from './worker.ts';

const SEEDS_AT_ONCE = 50;
const SAY_EVERY_MS = 10_000;
/** Most data of a run is garbage at its end; garbage collection in extra threads would only compete with the runs. */
const NODE_OPTIONS = ['--max-semi-space-size=32', '--single-threaded-gc'];

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    disk: { type: 'string', default: 'memory' },
    kind: { type: 'string', default: '' },
    trace: { type: 'boolean', default: false },
    rewriting: { type: 'boolean', default: false },
  },
});

if (process.send !== undefined)
  serve({ onLevelDb: values.disk === 'leveldb', trace: values.trace, rewriting: values.rewriting });
else await share();

async function share(): Promise<void> {
  const first = Number(values.seed);
  const last = first + Number(values.runs) - 1;
  const tally = new Tally();
  const began = performance.now();
  let reportedAt = began - SAY_EVERY_MS + 1_000;
  let next = first;
  let seeds = 0;
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopped = true;
    });
  const take = (): Seeds | null => {
    const some: number[] = [];
    for (; !stopped && next <= last && some.length < SEEDS_AT_ONCE; next++)
      if (KINDS[next % KINDS.length]!.includes(values.kind)) some.push(next);
    return some.length === 0 ? null : some;
  };
  const jobs = Math.max(1, Math.min(Number(values.jobs), Math.ceil(Number(values.runs) / SEEDS_AT_ONCE)));
  const workers = Array.from({ length: jobs }, () =>
    work(take, ({ rows, lines, runs }) => {
      tally.addAll(rows);
      seeds += runs;
      for (const line of lines) console.log(line);
      const now = performance.now();
      if (now - reportedAt < SAY_EVERY_MS) return;
      reportedAt = now;
      const { wrongRuns } = tally.all;
      console.error(`${seeds} runs after ${Math.round((now - began) / 1_000)} s, ${wrongRuns} gone wrong`);
    }),
  );
  await Promise.all(workers);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`seeds ${first} to ${next - 1}, ${values.disk}, ${jobs} at once, ${seconds} s`);
  console.log(tally.table());
  process.exitCode = tally.all.wrongRuns > 0 ? 1 : 0;
}

/** Gives one process seeds until there are no more. */
function work(take: () => Seeds | null, onDone: (done: Done) => void): Promise<void> {
  const worker: ChildProcess = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
    execArgv: NODE_OPTIONS,
  });
  const give = (): void => {
    const seeds = take();
    if (seeds === null) worker.disconnect();
    else worker.send(seeds);
  };
  return new Promise((resolve, reject) => {
    worker.on('message', (message) => {
      onDone(message as Done);
      give();
    });
    worker.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`A process of the simulation ended with ${code ?? signal}.`));
    });
    give();
  });
}
