// Child processes for kill tests: a TypeScript file of the tests, bundled once and run by Node, that prints lines until
// it is killed.
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
