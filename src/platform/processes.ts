// Starts a program of ours in the background. It outlives this process, its terminal and the agent that started it.
import { spawn } from 'node:child_process';

export interface BackgroundProgram {
  /** Arguments of Node: the program, and its own arguments. */
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** glibc gives each thread a heap of its own and keeps what is free in it: 4 MB of a worker at rest at 100,158 events. */
export const FEWER_ARENAS = { MALLOC_ARENA_MAX: '2' } as const;
/** Set for a worker that a service manager runs. */
export const IN_SERVICE = 'ANNALS_IN_SERVICE';

/** Starts it and forgets it. Errors are left to the program: it has a log. */
export function startInBackground(program: BackgroundProgram): void {
  const child = spawn(process.execPath, [...program.args], { ...optionsOf(program), stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

/** The first message that it sends, with `process.send`; null when it ends without one. */
export function firstMessageOf(program: BackgroundProgram): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...program.args], {
      ...optionsOf(program),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.once('error', reject);
    child.once('exit', () => resolve(null));
    child.once('message', (message) => {
      child.disconnect();
      child.unref();
      resolve(message);
    });
  });
}

function optionsOf({ folder, environment }: BackgroundProgram) {
  return { cwd: folder, env: { ...environment }, detached: true, windowsHide: true } as const;
}
