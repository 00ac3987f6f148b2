// Runs a program with a text on its standard input, and measures it.
import { spawn } from 'node:child_process';

export interface TimedRun {
  readonly ms: number;
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
}

/** Rejects when the program cannot be started. What it writes to standard error is dropped. */
export function timedRun(program: string, words: readonly string[], input = ''): Promise<TimedRun> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    // A program that reads nothing closes its input.
    child.stdin.on('error', () => undefined);
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ ms: performance.now() - began, code, stdout: Buffer.concat(output).toString('utf8') }),
    );
    child.stdin.end(input);
  });
}
