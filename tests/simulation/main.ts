// `npm run simulate -- --runs 100000 --seed 1`: many runs, and a table of what happened in them by kind.
//   --runs N      default 1,000          --seed N    the first seed, default 1
//   --disk leveldb  real LevelDB folders instead of memory
//   --kind TEXT   only the kinds whose name holds the text
//   --trace       print the trace of each run (for one seed)
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DirectoryBacking } from './directory-backing.ts';
import { KINDS } from './faults.ts';
import { simulate } from './run.ts';
import { scratchFolder } from './scratch.ts';
import { SimulatedDisk } from './simulated-disk.ts';
import { Tally } from './tally.ts';

const SAY_EVERY_MS = 30_000;

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    disk: { type: 'string', default: 'memory' },
    kind: { type: 'string', default: '' },
    trace: { type: 'boolean', default: false },
  },
});

const folder = scratchFolder();
const tally = new Tally();
const first = Number(values.seed);
let places = 0;
const onLevelDb = () =>
  new SimulatedDisk((encoding) => new DirectoryBacking(join(folder, `store-${places++}`), encoding));
let said = performance.now();
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopped = true;
  });
for (let seed = first; seed < first + Number(values.runs) && !stopped; seed++) {
  if (!KINDS[seed % KINDS.length]!.includes(values.kind)) continue;
  const began = performance.now();
  const outcome = await simulate(seed, values.disk === 'leveldb' ? { disk: onLevelDb } : {});
  tally.add(outcome, performance.now() - began);
  if (values.trace) console.log(outcome.trace.join('\n'));
  if (outcome.wrong.length > 0) console.log(`seed ${seed} (${outcome.kind}): ${outcome.wrong.join('; ')}`);
  if (performance.now() - said > SAY_EVERY_MS) {
    said = performance.now();
    console.error(`${seed - first + 1} seeds, ${tally.wrong} gone wrong`);
  }
}
rmSync(folder, { recursive: true, force: true });
console.log(tally.table());
process.exitCode = tally.wrong > 0 ? 1 : 0;
