// Starts a run: bundles the runner, passes it the plan, waits for its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProgram } from '../helpers/program.ts';
import { SHUT_OFF } from './machine.ts';
import type { Outcome, Run } from './plan.ts';

/** Throws when a session did not follow its plan. */
export async function carryOut(run: Run): Promise<readonly Outcome[]> {
  mkdirSync(run.folder, { recursive: true });
  const runner = await makeProgram('tests/real-agents/runner.ts', join(run.folder, 'runner.mjs'));
  const plan = join(run.folder, 'run.json');
  writeFileSync(plan, JSON.stringify(run));
  const [program, ...words] = [...SHUT_OFF, 'sh', '-c', 'ip link set lo up && "$@"; exit $?', 'run'];
  const child = spawn(program!, [...words, process.execPath, runner, plan], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off' },
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The run in ${run.folder} ended with ${code}: ${errors}`);
  const outcomes = JSON.parse(readFileSync(join(run.folder, 'outcomes.json'), 'utf8')) as readonly Outcome[];
  const problems = outcomes.flatMap(({ name, problems }) => problems.map((problem) => `${name}: ${problem}`));
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\n(work files: ${run.folder})`);
  return outcomes;
}
