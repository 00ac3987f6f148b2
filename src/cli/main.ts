#!/usr/bin/env node
// The command `annals`.
import { join, resolve } from 'node:path';
import type { ErrorCode } from '../../log/index.ts';
import { loadProgram } from '../platform/load-program.ts';
import type { main, withoutWorker } from './command-line.ts';
import { backgroundWorkerIn, mcpIn, sessionStartIn } from './early-lines.ts';
import { version } from './package.ts';
import type { serveProcessMcp } from './process-mcp.ts';
import { outputTo } from './process-streams.ts';
import type { startServedSession } from './served-session-start.ts';

const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V'))
  void outputTo(process.stdout).write(`${version()}\n`);
else void start();

async function start(): Promise<void> {
  try {
    const home = backgroundWorkerIn(words, process.env);
    if (home !== null) {
      const { runWorkerProgram } = await import('./worker-program.ts');
      const { outcome } = await runWorkerProgram(resolve(home));
      process.exitCode = outcome === 'ended' ? 0 : 1;
      return;
    }
    const served = mcpIn(words);
    if (served !== null) {
      const name = process.env.ANNALS_COMMAND ?? 'annals';
      const withoutWorker: Command['withoutWorker'] = (home) =>
        program<Command>('command').withoutWorker(home);
      await program<Mcp>('process-mcp').serveProcessMcp({ home: resolve(served), name, withoutWorker });
      return;
    }
    const start = sessionStartIn(words);
    const answered = start === null ? null : await program<Served>('session-start').startServedSession(start);
    if (answered?.isDone !== true) await program<Command>('command').main(words, answered?.payload);
  } catch (error) {
    cannotLoad(error);
  }
}

type Served = { startServedSession: typeof startServedSession };
type Command = { main: typeof main; withoutWorker: typeof withoutWorker };
type Mcp = { serveProcessMcp: typeof serveProcessMcp };

function program<Exports extends object>(name: string): Exports {
  return loadProgram(join(import.meta.dirname, `${name}.cjs`));
}

/**
 * Reports that LevelDB's binary, the one module outside the bundle, could not be loaded. A hook stays silent: it must not
 * disturb work. Every other failure was reported by the command, or is a bug.
 */
function cannotLoad(error: unknown): void {
  const found = missingBinary(error);
  if (found === null) throw error;
  if (words[words[0] === '--home' ? 2 : 0] === 'hook') return;
  const code: ErrorCode = 'BINARY_MISSING';
  const message = `LevelDB could not be loaded: ${found}`;
  const hint =
    'Install Annals again with install scripts allowed: they compile LevelDB, which needs Python and a C++ compiler.';
  if (words.includes('--json'))
    process.stdout.write(`${JSON.stringify({ error: { code, message, hint } })}\n`);
  else process.stderr.write(`error: ${message}\n${hint}\n`);
  process.exitCode = 1;
}

/** What the loader of the binary found, in one line. Null for any other error. */
function missingBinary(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const [line = ''] = error.message.split('\n');
  const code = 'code' in error ? error.code : null;
  if (code === 'ERR_DLOPEN_FAILED' || code === 'MODULE_NOT_FOUND' || line.startsWith('No native build'))
    return line;
  return null;
}
