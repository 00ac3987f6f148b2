// What this program tells a worker about itself.
import type { WorkerClient } from '../worker/connect-worker.ts';
import { builtAt, version } from './package.ts';

export function workerClient(): WorkerClient {
  return {
    get version() {
      return version();
    },
    get build() {
      return builtAt();
    },
    environment: process.env,
  };
}
