// Runs the built command in a process of its own. Builds it once if sources changed.
import { execFile, execFileSync } from 'node:child_process';
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

export function annals(words: readonly string[], options: CallOptions): Promise<Ended> {
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
