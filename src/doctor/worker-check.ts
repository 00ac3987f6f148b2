// Whether the worker runs, and if not, whether something keeps it from starting.
import { settingsAt } from '../config/read-settings.ts';
import { whyNotStarted } from '../home/worker-starts.ts';
import { homePaths } from '../platform/home-paths.ts';
import { isServed } from '../worker/connect-worker.ts';
import { readWorkerFile, workerLog } from '../worker/worker-files.ts';
import type { Check } from './check.ts';

export function workerCheck(home: string, environment: Readonly<Record<string, string | undefined>>): Check {
  return {
    name: 'worker',
    async look() {
      if (await isServed(home)) {
        const pid = readWorkerFile(home)?.pid;
        return [{ state: 'ok', message: `The worker runs${pid === undefined ? '' : `: process ${pid}`}.` }];
      }
      const why = whyNotStarted(home);
      if (why !== null) return [{ state: 'problem', message: why, advice: `${workerLog(home)} says more.` }];
      const { settings } = await settingsAt(homePaths(home).config, environment);
      if (settings.worker === 'off')
        return [
          { state: 'ok', message: 'No worker runs: it is switched off. Commands record what hooks left.' },
        ];
      return [{ state: 'ok', message: 'No worker runs; the next start of a session starts one.' }];
    },
  };
}
