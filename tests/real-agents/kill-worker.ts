// Kills a background process with SIGKILL after every few hooks of the agent, and starts it again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readdirSync, watch } from 'node:fs';
import type { Kills, Run } from './plan.ts';
import { otherProcesses } from './processes.ts';

/** Returns a function that ends it; it resolves when the last restart has ended. */
export function killAgainAndAgain(
  { processes, everyHooks, restart, record }: Kills,
  { payloads, home }: Pick<Run, 'payloads' | 'home'>,
): () => Promise<void> {
  const hooks = () => readdirSync(payloads).filter((name) => !name.startsWith('.')).length;
  let next = hooks() + everyHooks;
  let restarting = Promise.resolve();
  let isBusy = false;
  const onHook = () => {
    if (isBusy || hooks() < next) return;
    const victims = otherProcesses().filter(({ command }) => command.includes(processes));
    for (const { id } of victims) process.kill(id, 'SIGKILL');
    if (victims.length > 0) appendFileSync(record, 'x');
    isBusy = true;
    restarting = start(restart, home).finally(() => {
      next = hooks() + everyHooks;
      isBusy = false;
    });
  };
  const watcher = watch(payloads, onHook);
  return async () => {
    watcher.close();
    await restarting;
  };
}

async function start([program = '', ...words]: readonly string[], home: string): Promise<void> {
  const env = { HOME: home, PATH: process.env.PATH };
  await once(spawn(program, words, { env, stdio: 'ignore' }), 'exit');
}
