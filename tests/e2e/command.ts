// Runs the built command in a process of its own. Builds it once if sources changed.
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../helpers/program.ts';

export const COMMAND = join(REPOSITORY, 'dist/cli.cjs');

export function buildCommand(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale', '--no-types'], {
    cwd: REPOSITORY,
    stdio: 'pipe',
  });
}

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
  const { home, env = {}, uid } = options;
  // A command that makes its home finds no worker, and a test may decide itself.
  if (!WITH_WORKER || uid !== undefined || env.ANNALS_WORKER !== undefined || !existsSync(home))
    return run(words, options);
  const release = await served(home, env);
  try {
    return await run(words, { ...options, env: { ...env, ANNALS_WORKER: 'on' } });
  } finally {
    await release();
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

function run(words: readonly string[], options: CallOptions): Promise<Ended> {
  const { home, stdin = '', cwd = '/', env = {}, command = COMMAND, uid } = options;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [command, ...words],
      {
        cwd,
        maxBuffer: 1e9,
        env: { PATH: process.env.PATH, ANNALS_WORKER: 'off', HOME: home, ANNALS_HOME: home, ...env },
        ...(uid === undefined ? {} : { uid, gid: uid }),
      },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(stdin);
  });
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
