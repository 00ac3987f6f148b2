// `npm run simulate -- share --machines 1000 --seed 1 [--runs 1]`: machines that share, over a server with faults.
import { parseArgs } from 'node:util';
import { simulate } from './run.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    machines: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '1' },
    steps: { type: 'string', default: '8' },
  },
});
const first = Number(values.seed);
for (let seed = first; seed < first + Number(values.runs); seed++) {
  const began = performance.now();
  const onProgress = (what: string) =>
    console.error(`${what} after ${Math.round((performance.now() - began) / 1_000)} s`);
  const plan = { seed, machines: Number(values.machines), steps: Number(values.steps) };
  const result = await simulate({ ...plan, ...(plan.machines >= 500 && { onProgress }) });
  const { machines, events, received, exchanges, faults, lost, doubled, foreign } = result;
  const { event, statement } = result.stored;
  const seconds = Math.round((performance.now() - began) / 1_000);
  const bytes = (count: number) => Math.round(count / 1e6).toLocaleString('en');
  console.log(
    `seed ${seed}: ${machines} machines, ${events} shared events, ${received.toLocaleString('en')} taken in, ${exchanges} exchanges; ` +
      `${faults.cuts} cuts, ${faults.twice} messages twice, ${faults.lost} lost, ${faults.wipes} times everything; ` +
      `${event} events and ${statement} statements stored, ${result.subjects} of at most ${result.subjectsMax} subjects; ${bytes(result.bytesIn)} MB to the server, ${bytes(result.bytesOut)} MB from it; ` +
      `${lost} lost, ${doubled} doubled, ${foreign} foreign; ${seconds} s`,
  );
  if (lost + doubled + foreign > 0 || result.subjects > result.subjectsMax) process.exitCode = 1;
}
