// Child processes. For kill tests: a TypeScript file of the tests, bundled once and run by Node, that prints lines until it
// is killed. For others: a program that runs to its end.
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Bundles a program below `tests/`. Returns the path of the file for Node; remove it with `rm`. */
export async function bundled(program: string): Promise<string> {
  // Inside the repository, so that packages resolve.
  const outfile = join(root, 'dist', 'tests', `${basename(program, '.ts')}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(root, 'tests', program)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}

export interface Child {
  /** Resolves when the child has printed this line; rejects with its stderr when it ends before. */
  printed(line: string): Promise<void>;
  /** Sends SIGKILL. Resolves when the process has ended, also when it ended by itself. */
  kill(): Promise<void>;
}

export function startChild(path: string, parameters: readonly string[]): Child {
  const child: ChildProcess = spawn(process.execPath, [path, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const lines = new Set<string>();
  const listeners = new Set<() => void>();
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += String(chunk);
  });
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.add(line);
    for (const listener of listeners) listener();
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(kill);
  return {
    kill,
    printed: async (line) => {
      const utterance = new Promise<void>((resolve) => {
        const listener = (): void => {
          if (lines.has(line)) resolve();
        };
        listeners.add(listener);
        listener();
      });
      await Promise.race([utterance, closed]);
      if (!lines.has(line)) throw new Error(`The child ended before it printed "${line}": ${errors}`);
    },
  };
}

export function removeBundle(path: string): Promise<void> {
  return rm(path, { force: true });
}

export interface Ran {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin?: string | undefined;
  /** Runs as this user. Only root can. */
  readonly uid?: number | undefined;
}

interface Running {
  resolve(ran: Ran): void;
  reject(error: Error): void;
}

/** Answers each message with what a program left. */
const STARTER = `
  const { spawn } = require('node:child_process');
  process.on('message', ({ id, program, words, stdin, ...options }) => {
    let isOver = false;
    // A program that cannot be started is closed too.
    const ended = (answer) => {
      if (!isOver && process.connected) process.send({ id, ...answer });
      isOver = true;
    };
    const child = spawn(program, words, options);
    const [stdout, stderr] = [[], []];
    child.stdout.on('data', (bytes) => stdout.push(bytes));
    child.stderr.on('data', (bytes) => stderr.push(bytes));
    child.on('error', ({ message }) => ended({ failure: message }));
    child.on('close', (code) => ended({ code, stdout: String(Buffer.concat(stdout)), stderr: String(Buffer.concat(stderr)) }));
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });`;

const running = new Map<number, Running>();
let runs = 0;
/** Ends with this process. */
let starter: ChildProcess | undefined;

function startStarter(): ChildProcess {
  const started = spawn(process.execPath, ['-e', STARTER], {
    env: {},
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  started.on('message', ({ id, failure, ...ran }: Ran & { id: number; failure?: string }) => {
    const { resolve, reject } = running.get(id)!;
    running.delete(id);
    if (failure === undefined) resolve(ran);
    else reject(new Error(failure));
  });
  started.unref();
  started.channel!.unref();
  return started;
}

/**
 * Runs a program to its end. A small process starts it: a process that starts another one copies the tables of its own
 * memory first, which takes 100 ms of processor time for the 800 MB of one with many tests.
 */
export function run(
  program: string,
  words: readonly string[],
  { stdin = '', uid, ...options }: RunOptions,
): Promise<Ran> {
  starter ??= startStarter();
  const id = runs++;
  const user = uid === undefined ? {} : { uid, gid: uid };
  return new Promise((resolve, reject) => {
    running.set(id, { resolve, reject });
    starter!.send({ id, program, words, stdin, ...options, ...user });
  });
}
