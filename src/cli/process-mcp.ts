// The MCP server over the streams of this process: a program of its own (dist/process-mcp.cjs), because an agent waits for it at
// the start of each session, and while a worker runs it needs little of the command.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { serveMcp } from '../mcp/serve-stdio.ts';
import { homePath } from '../platform/home-paths.ts';
import { loadProgram } from '../platform/load-program.ts';
import { plainText } from '../terminal-text/plain-text.ts';
import { connectWorker } from '../worker/connect-worker.ts';
import { builtFolder, version } from './package.ts';
import { failureOf, type WithoutWorker } from './without-worker.ts';
import { workerClient } from './worker-client.ts';

/** How long the answers to what a client asked may take once it has closed its input. The first call may start a worker. */
const END_MS = 10_000;

export interface McpRequest {
  /** Absolute. */
  readonly home: string;
  /** How to call this program. */
  readonly name: string;
  /** Asked for once, when no worker runs. */
  withoutWorker(home: string): WithoutWorker;
}

/** Serves until the client closes standard input and has its answers. */
export async function serveProcessMcp({ home, name, withoutWorker }: McpRequest): Promise<void> {
  // No other program loads the library of the protocol.
  const program = loadProgram<{ serveMcp: typeof serveMcp }>(join(builtFolder(), 'mcp.cjs'));
  let without: WithoutWorker | null = null;
  const rest = () => {
    without ??= withoutWorker(home);
    return without;
  };
  /** An error that the command made is of a bundle of its own. */
  const failure = (error: unknown) => failureOf(error) ?? without?.failureOf(error) ?? null;
  process.stdin.once('end', () => setTimeout(() => process.exit(0), END_MS).unref());
  await program.serveMcp({
    stdin: process.stdin,
    stdout: process.stdout,
    version: version(),
    startedIn: process.cwd(),
    command: name,
    // The variables of the server are not those of a person's terminal.
    home: home === homePath({}, homedir()) ? null : home,
    memory: {
      connect() {
        const { version, build, environment } = workerClient();
        return connectWorker(home, { version, build, environment, keep: true });
      },
      start: async () => rest().start(),
      open: async () => rest().open(),
      isWorkerGone: (error) => failure(error)?.code === 'WORKER_GONE',
    },
    failureOf: failure,
    log: (line) => void process.stderr.write(`${plainText(line)}\n`),
  });
}
