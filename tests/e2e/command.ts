// Runs the built command in a process of its own, which is built once if sources changed, or the command in this process.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDirectly, processWorker } from '../../src/cli/process-worker.ts';
import { workerClient } from '../../src/cli/worker-client.ts';
import { restoreAnnals } from '../../src/index.ts';
import { openThroughWorker } from '../../src/worker/open-home.ts';
import { call } from '../cli/call.ts';
import { run as runProgram } from '../helpers/child.ts';
import { buildCommand, NO_HURRY, REPOSITORY } from '../helpers/program.ts';

export { buildCommand };

export const COMMAND = join(REPOSITORY, 'dist/cli.cjs');

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly home: string;
  readonly stdin?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another build of the command. */
  readonly command?: string;
  /** Runs as this user. Only root can. */
  readonly uid?: number;
}

/** Whether a worker serves the home of each command while it runs (`npm run test:worker`). The answers are the same. */
export const WITH_WORKER = process.env.ANNALS_TEST_WORKER === 'on';

export async function annals(words: readonly string[], options: CallOptions): Promise<Ended> {
  const { home, env = {} } = options;
  if (!isServed(options)) return run(words, options);
  const release = await served(home, env);
  try {
    return await run(words, { ...options, env: { ...env, ANNALS_WORKER: 'on' } });
  } finally {
    await release();
  }
}

/** A command that makes its home finds no worker, and a test may decide itself. */
function isServed({ home, env = {}, uid }: CallOptions): boolean {
  return WITH_WORKER && uid === undefined && env.ANNALS_WORKER === undefined && existsSync(home);
}

/**
 * The same in this process, with the real library, for tests that need only its answer: a process takes half a second.
 * Settings that the library reads from the environment are those of this process.
 */
export async function annalsHere(
  words: readonly string[],
  options: Omit<CallOptions, 'command' | 'uid'>,
): Promise<Ended> {
  const { home, stdin = '', cwd = '/', env = {} } = options;
  const release = isServed(options) ? await served(home, env) : null;
  try {
    const { code, stdout, stderr } = await call(words, {
      stdin,
      environment: { PATH: process.env.PATH ?? '', ANNALS_HOME: home, ...env },
      userHome: env.HOME ?? home,
      world: {
        folder: cwd,
        now: Date.now,
        worker: processWorker,
        open: (options) => openThroughWorker({ home, ...options }, workerClient(), openDirectly),
        restore: (folder, options) => restoreAnnals(folder, { home, ...options }),
      },
    });
    return { code, stdout, stderr };
  } finally {
    await release?.();
  }
}

/** Workers by home, and how many commands use each. */
const workers = new Map<string, { readonly started: Promise<unknown>; commands: number }>();

/** Starts a worker, unless one runs for another caller. The returned function is called when it is not needed any more. */
export async function served(
  home: string,
  env: Readonly<Record<string, string>> = {},
): Promise<() => Promise<void>> {
  buildCommand();
  // Transcripts are imported by the commands only.
  const options = { home, env: { ...env, ANNALS_WORKER: 'on', CLAUDE_CONFIG_DIR: '/nonexistent' } };
  const worker = workers.get(home) ?? { started: run(['worker', 'start'], options), commands: 0 };
  workers.set(home, worker);
  worker.commands += 1;
  await worker.started;
  return async () => {
    worker.commands -= 1;
    if (worker.commands > 0) return;
    workers.delete(home);
    await run(['worker', 'stop'], options);
  };
}

async function run(words: readonly string[], options: CallOptions): Promise<Ended> {
  const { home, stdin, cwd = '/', env = {}, command = COMMAND, uid } = options;
  const { code, ...output } = await runProgram(process.execPath, [command, ...words], {
    ...{ cwd, stdin, uid },
    env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: home, ANNALS_HOME: home, ...NO_HURRY, ...env },
  });
  return { code: code ?? 1, ...output };
}

/** The error that a failed command prints with --json. */
export interface Complaint {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export function complaintOf({ stdout }: Ended): Complaint {
  return (JSON.parse(stdout) as { error: Complaint }).error;
}
