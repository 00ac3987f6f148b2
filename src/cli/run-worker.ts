// The worker of this process, as its program (dist/worker.cjs) exports it.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { McpProgram } from '../http/requests.ts';
import { loadProgram } from '../platform/load-program.ts';
import { IN_SERVICE } from '../platform/processes.ts';
import type { Thread } from '../platform/threads.ts';
import { type StartMessage, startAgain } from '../worker/start-worker.ts';
import { runWorker, type WorkerEnd, type WorkerState } from '../worker/worker.ts';
import { builtAt, builtFolder, version } from './package.ts';

export { runWorker };

export interface WorkerRun {
  readonly home: string;
  /** For the home; null: the worker starts one. */
  readonly thread: Thread | null;
  onReady(state: WorkerState): Promise<void>;
}

/** Never rejects. */
export async function runProcessWorker({ home, thread, onReady }: WorkerRun): Promise<WorkerEnd> {
  const cli = join(builtFolder(), 'cli.cjs');
  const { env } = process;
  const end = await runWorker({
    home,
    thread,
    userHome: homedir(),
    environment: env,
    program: { node: process.execPath, cli },
    version: version(),
    build: builtAt(),
    endsProcess: true,
    mcp: async () => loadProgram<McpProgram>(join(builtFolder(), 'mcp.cjs')),
    viewer: join(builtFolder(), 'viewer'),
    restart:
      env[IN_SERVICE] === undefined ? () => startAgain({ home, command: cli, environment: env }) : null,
    onReady(state) {
      tell({ worker: 'ready', pid: state.pid });
      void onReady(state);
    },
  });
  if (end.outcome === 'already') tell({ worker: 'already', pid: end.pid });
  if (end.outcome === 'failed') {
    const { code, message, hint } = end.error;
    tell({ worker: 'failed', code, message, hint });
  }
  return end;
}

/** To the process that started this one and waits for the worker. */
function tell(message: StartMessage): void {
  // It may have ended meanwhile.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
