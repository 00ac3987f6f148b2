// Processes to be killed: a TypeScript file of the tests, bundled once and run by Node, that says lines and
// then dies when it is told to.
import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Bundles a program below `tests/`. Returns the path of what Node can run; remove it with `rm`. */
export async function bundled(program: string): Promise<string> {
  // Inside the checkout, so that packages are found from there.
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
  /** Resolves when the child has said this line; throws when it ends first, with what it said on stderr. */
  said(line: string): Promise<void>;
  /** SIGKILL. Resolves when the process is gone, also when it had ended by itself. */
  kill(): Promise<void>;
}

export function startChild(path: string, parameters: readonly string[]): Child {
  const child: ChildProcess = spawn(process.execPath, [path, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
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
    await gone;
  };
  onTestFinished(kill);
  return {
    kill,
    said: async (line) => {
      const utterance = new Promise<void>((resolve) => {
        const listener = (): void => {
          if (lines.has(line)) resolve();
        };
        listeners.add(listener);
        listener();
      });
      await Promise.race([utterance, gone]);
      if (!lines.has(line)) throw new Error(`The child ended before it said "${line}": ${errors}`);
    },
  };
}

export function removeBundle(path: string): Promise<void> {
  return rm(path, { force: true });
}
