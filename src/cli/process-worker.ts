// The worker, as this program starts and asks it.
import { join } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import type { Annals, OpenOptions } from '../api.ts';
import { whyNotStarted } from '../home/worker-starts.ts';
import type { StartRequest } from '../worker/start-worker.ts';
import type { WorkerState } from '../worker/worker.ts';
import { socketOf } from '../worker/worker-files.ts';
import type { WorkerControl } from './command/world.ts';
import { builtFolder } from './package.ts';
import { workerClient } from './worker-client.ts';
import { runWorkerProgram } from './worker-program.ts';

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
      const end = await runWorkerProgram(home, onReady);
      if (end.outcome !== 'failed') return end;
      // Its errors are of its own bundle.
      const { code, message, hint } = end.error;
      return { outcome: 'failed', error: new AnnalsError(code, message, hint === null ? {} : { hint }) };
    },
  };
}
