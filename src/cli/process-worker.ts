// The worker, as this program starts and asks it.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import type { Annals, OpenOptions } from '../api.ts';
import { whyNotStarted } from '../home/worker-starts.ts';
import type { McpProgram } from '../http/serve-http.ts';
import { loadProgram } from '../platform/load-program.ts';
import type { StartMessage, StartRequest } from '../worker/start-worker.ts';
import type { runWorker, WorkerState } from '../worker/worker.ts';
import { socketOf } from '../worker/worker-files.ts';
import type { WorkerControl } from './command/world.ts';
import { builtAt, builtFolder, version } from './package.ts';
import { workerClient } from './worker-client.ts';

export async function openDirectly(options: OpenOptions): Promise<Annals> {
  return (await import('../index.ts')).openAnnals(options);
}

export function processWorker(home: string): WorkerControl {
  const request = (): StartRequest => ({
    home,
    command: join(builtFolder(), 'cli.cjs'),
    environment: process.env,
  });
  const starting = () => import('../worker/start-worker.ts');
  return {
    start: async () => (await starting()).startWorker(request()),
    startSoon: async () => (await starting()).startWorkerSoon(request()),
    isWanted: async () => (await starting()).isWanted(request()),
    startByHand: async () => (await starting()).startWorkerByHand(request()),
    async stop() {
      if (socketOf(home) === null) return false;
      const { stopWorker } = await import('../worker/connect-worker.ts');
      return stopWorker(home, workerClient());
    },
    async status() {
      const why = whyNotStarted(home);
      if (socketOf(home) === null) return { state: null, why };
      const { connectWorker } = await import('../worker/connect-worker.ts');
      const worker = await connectWorker(home, workerClient());
      if (worker === null) return { state: null, why };
      try {
        return { state: (await worker.control('worker.status')) as WorkerState, why };
      } finally {
        await worker.close();
      }
    },
    async connect() {
      if (socketOf(home) === null) return null;
      const { connectWorker } = await import('../worker/connect-worker.ts');
      const { version, build, environment } = workerClient();
      return connectWorker(home, { version, build, environment, keep: true });
    },
    async run(onReady) {
      // A program of its own: no other command loads what only the worker needs.
      const program = loadProgram<{ runWorker: typeof runWorker }>(join(builtFolder(), 'worker.cjs'));
      const end = await program.runWorker({
        home,
        userHome: homedir(),
        environment: process.env,
        program: { node: process.execPath, cli: join(builtFolder(), 'cli.cjs') },
        version: version(),
        build: builtAt(),
        endsProcess: true,
        mcp: async () => loadProgram<McpProgram>(join(builtFolder(), 'mcp.cjs')),
        viewer: join(builtFolder(), 'viewer'),
        restart:
          process.env.ANNALS_IN_BACKGROUND === undefined
            ? null
            : async () => (await starting()).startAgain(request()),
        onReady(state) {
          tell({ worker: 'ready', pid: state.pid });
          void onReady(state);
        },
      });
      if (end.outcome === 'already') tell({ worker: 'already', pid: end.pid });
      if (end.outcome !== 'failed') return end;
      // Its errors are of its own bundle.
      const { code, message, hint } = end.error;
      tell({ worker: 'failed', code, message, hint });
      return { outcome: 'failed', error: new AnnalsError(code, message, hint === null ? {} : { hint }) };
    },
  };
}

/** To the process that started this one and waits for the worker. */
function tell(message: StartMessage): void {
  // It may have ended meanwhile.
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}
