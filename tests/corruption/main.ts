// `npm run corrupt -- --flips 3000 --truncations 300 --seed 1`: damages a home of 5,000 events repeatedly and
// prints the results by region. Exits with 1 when any damage was silent or showed a stack.
//   --every-byte N   every n-th byte of the small files and checkpoints, default 1: all of them
//   --events N       default 5,000        --jobs N   parallel processes, default 2
//   --folder PATH    keeps the home and the results there: the same call continues a stopped run
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { scratchFolder } from '../simulation/scratch.ts';
import { corrupt, type Judged } from './run.ts';
import { tableOf, wrongOf } from './table.ts';

const SAY_EVERY = 100;

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    flips: { type: 'string', default: '300' },
    truncations: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    'every-byte': { type: 'string', default: '1' },
    events: { type: 'string', default: '5000' },
    jobs: { type: 'string', default: '2' },
    folder: { type: 'string' },
  },
});

const folder = values.folder ?? scratchFolder();
mkdirSync(folder, { recursive: true });
const findings = join(folder, 'findings.jsonl');
const before = existsSync(findings) ? readFileSync(findings, 'utf8').trim().split('\n').map(parsed) : [];
let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stopped = true;
  });
const { events, judged } = await corrupt(folder, {
  seed: Number(values.seed),
  flips: Number(values.flips),
  truncations: Number(values.truncations),
  everyByte: Number(values['every-byte']),
  everyFile: 1,
  events: Number(values.events),
  lanes: Number(values.jobs),
  before,
  stopped: () => stopped,
  onJudged: (one, done, total) => {
    appendFileSync(findings, `${JSON.stringify(one)}\n`);
    for (const line of wrongOf([one])) console.error(line);
    if (done % SAY_EVERY === 0) console.error(`${done} of ${total}`);
  },
});
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
console.log(`${judged.length} damages to a home of ${events} events, seed ${values.seed}`);
console.log(tableOf(judged));
process.exitCode = wrongOf(judged).length > 0 ? 1 : 0;

function parsed(line: string): Judged {
  return JSON.parse(line) as Judged;
}
