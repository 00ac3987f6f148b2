// Runs a program of the user in a process group of its own, with limits of time and output. Whatever the program does,
// nothing of its group is left running; on Linux neither what left the group, unless it cleared its environment.
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { errorCode } from './disk-files.ts';
import { randomBytes } from './random-bytes.ts';

export interface ContainedProgram {
  /** A path, or a name that the PATH finds. */
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  readonly timeoutMs: number;
  /** From the request to end until the group is killed, ms. */
  readonly graceMs: number;
  /** Of standard output and standard error, each. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

export type ContainedRun =
  /** `code` is null when a signal ended it. */
  | {
      readonly outcome: 'ended';
      readonly code: number | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly outcome: 'late' }
  | { readonly outcome: 'too long' }
  /** `code` is the system's: ENOENT, … */
  | { readonly outcome: 'not started'; readonly code: string };

/** Resolves when the group has ended. Rejects only with the signal's reason, then too. */
export async function runContained(run: ContainedProgram): Promise<ContainedRun> {
  run.signal.throwIfAborted();
  const mark = Buffer.from(randomBytes(16)).toString('hex');
  let child: ChildProcess;
  try {
    child = start(run, mark);
  } catch (error) {
    return { outcome: 'not started', code: errorCode(error) };
  }
  const killAll = () => {
    signalGroup(child, 'SIGKILL');
    killMarked(mark);
  };
  process.once('exit', killAll);
  try {
    return await outcomeOf(child, run, killAll);
  } finally {
    process.off('exit', killAll);
  }
}

/** Holds the mark of a run. Children inherit it. */
const MARK = 'ANNALS_CONTAINED';

function start({ program, args, folder, environment }: ContainedProgram, mark: string): ChildProcess {
  return spawn(program, [...args], {
    cwd: folder,
    env: { ...environment, [MARK]: mark },
    detached: true,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function outcomeOf(
  child: ChildProcess,
  run: ContainedProgram,
  killAll: () => void,
): Promise<ContainedRun> {
  const { timeoutMs, graceMs, signal, input } = run;
  let stopped: 'late' | 'too long' | 'aborted' | null = null;
  let killing: NodeJS.Timeout | undefined;
  const stop = (why: NonNullable<typeof stopped>) => {
    if (stopped !== null) return;
    stopped = why;
    signalGroup(child, 'SIGTERM');
    killing = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  };
  const [stdout, stderr] = [child.stdout!, child.stderr!].map((stream) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    stream.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > run.bytesMax) stop('too long');
      else parts.push(part);
    });
    return () => Buffer.concat(parts).toString('utf8');
  });
  const late = setTimeout(() => stop('late'), timeoutMs);
  const abort = () => stop('aborted');
  signal.addEventListener('abort', abort, { once: true });
  const closed = new Promise<void>((resolve) => child.once('close', resolve));
  try {
    const ended = await new Promise<{ code: number | null } | { failed: string }>((resolve) => {
      child.once('error', (error) => resolve({ failed: errorCode(error) }));
      child.once('exit', (code) => resolve({ code }));
      // A program that reads nothing closes its input.
      child.stdin!.on('error', () => undefined).end(input);
    });
    if ('failed' in ended) return { outcome: 'not started', code: ended.failed };
    // What it started may still hold its output.
    killAll();
    const unread = setTimeout(() => [child.stdout!, child.stderr!].map((one) => one.destroy()), graceMs);
    await closed;
    clearTimeout(unread);
    if (stopped === 'aborted') signal.throwIfAborted();
    if (stopped === 'late' || stopped === 'too long') return { outcome: stopped };
    return { outcome: 'ended', code: ended.code, stdout: stdout!(), stderr: stderr!() };
  } finally {
    clearTimeout(late);
    clearTimeout(killing);
    signal.removeEventListener('abort', abort);
  }
}

/** Windows has no process groups: only the program itself ends there. */
function signalGroup(child: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // The group has ended.
  }
}

/** Of what keeps starting others, so many rounds are killed. */
const ROUNDS = 10;

/** Kills the processes with the mark, wherever they are. Elsewhere than on Linux it finds none. */
function killMarked(mark: string): void {
  for (let round = 0; round < ROUNDS; round++) {
    const marked = processIds().filter((id) => environmentOf(id).includes(`${MARK}=${mark}`));
    if (marked.length === 0) return;
    for (const id of marked) {
      try {
        process.kill(id, 'SIGKILL');
      } catch {
        // It has ended.
      }
    }
  }
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Empty for an ended process, and for one of another user. */
function environmentOf(id: number): string {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1');
  } catch {
    return '';
  }
}
