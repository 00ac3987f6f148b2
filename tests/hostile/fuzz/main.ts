// `npm run fuzz -- --cases 100000 --seed 1`: many cases in several processes, and a table of the results.
//   --cases N     default 1,000          --seed N    the first seed, default 1
//   --jobs N      processes, default as many as there are cores
//   --kind TEXT   only the kinds whose name contains the text
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fuzz, kindOf } from './case.ts';
import { problemsOf, type Rows, Tally } from './tally.ts';

const SEEDS_AT_ONCE = 50;
/** A process without output for this long hangs in one of its cases. */
const SILENT_MS_MAX = 120_000;
const REPORT_EVERY_MS = 20_000;

interface Done {
  readonly rows: Rows;
  readonly lines: readonly string[];
}

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    kind: { type: 'string', default: '' },
  },
});

if (process.send !== undefined) serve();
else await share();

function serve(): void {
  process.on('message', async (message) => {
    const tally = new Tally();
    const lines: string[] = [];
    for (const seed of message as readonly number[]) {
      const outcome = await fuzz(seed);
      tally.add(outcome);
      for (const problem of problemsOf(outcome)) lines.push(`seed ${seed} (${outcome.kind}): ${problem}`);
    }
    process.send!({ rows: tally.rows, lines } satisfies Done);
  });
  // Modules loaded by a first case are not its own cost.
  process.once('disconnect', () => process.exit(0));
}

async function share(): Promise<void> {
  const first = Number(values.seed);
  const last = first + Number(values.cases) - 1;
  const tally = new Tally();
  const began = performance.now();
  let lastReportAt = began;
  let next = first;
  const take = (): number[] => {
    const some: number[] = [];
    for (; next <= last && some.length < SEEDS_AT_ONCE; next++)
      if (kindOf(next).includes(values.kind)) some.push(next);
    return some;
  };
  const jobs = Math.max(1, Math.min(Number(values.jobs), Math.ceil(Number(values.cases) / SEEDS_AT_ONCE)));
  const work = () =>
    run(take, ({ rows, lines }) => {
      tally.addAll(rows);
      for (const line of lines) console.log(line);
      if (performance.now() - lastReportAt < REPORT_EVERY_MS) return;
      lastReportAt = performance.now();
      const seconds = Math.round((lastReportAt - began) / 1_000);
      console.error(`${tally.all.cases} cases after ${seconds} s, ${tally.all.wrong} failed`);
    });
  await Promise.all(Array.from({ length: jobs }, work));
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`seeds ${first} to ${last}, ${jobs} at once, ${seconds} s`);
  console.log(tally.table());
  process.exitCode = tally.all.wrong > 0 ? 1 : 0;
}

/** Gives one process seeds until there are no more. */
function run(take: () => number[], onDone: (done: Done) => void): Promise<void> {
  const worker: ChildProcess = fork(fileURLToPath(import.meta.url), process.argv.slice(2));
  return new Promise((resolve, reject) => {
    let seeds: number[] = [];
    let watch: NodeJS.Timeout;
    const hangs = () => {
      worker.kill('SIGKILL');
      reject(new Error(`One of the seeds ${seeds[0]} to ${seeds.at(-1)} does not end.`));
    };
    const give = (): void => {
      clearTimeout(watch);
      seeds = take();
      if (seeds.length === 0) return void worker.disconnect();
      watch = setTimeout(hangs, SILENT_MS_MAX);
      worker.send(seeds);
    };
    worker.on('message', (message) => {
      onDone(message as Done);
      give();
    });
    worker.on('exit', (code, signal) => {
      clearTimeout(watch);
      if (code === 0) resolve();
      else
        reject(
          new Error(
            `A process ended with ${code ?? signal} in one of the seeds ${seeds[0]} to ${seeds.at(-1)}.`,
          ),
        );
    });
    give();
  });
}
