// Starts the worker of a home in the background, unless one runs.
import { AnnalsError, ERROR_CODES, type ErrorCode } from '../../log/index.ts';
import { settingsAt } from '../config/read-settings.ts';
import { forgetFailedStarts, whyNotStarted } from '../home/worker-starts.ts';
import { openHome } from '../platform/home-folder.ts';
import { homePaths } from '../platform/home-paths.ts';
import {
  type BackgroundProgram,
  FEWER_ARENAS,
  firstMessageOf,
  startInBackground,
} from '../platform/processes.ts';
import { isServed } from './connect-worker.ts';
import { workerLog } from './worker-files.ts';

export interface StartRequest {
  readonly home: string;
  /** Path of the command: dist/cli.cjs. */
  readonly command: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Set for a worker that runs in the background. */
export const IN_BACKGROUND = 'ANNALS_IN_BACKGROUND';

/** The message of `annals worker run` to the process that started it. */
export type StartMessage =
  | { readonly worker: 'ready' | 'already'; readonly pid: number | null }
  | {
      readonly worker: 'failed';
      readonly code: string;
      readonly message: string;
      readonly hint: string | null;
    };

export type Running = { readonly outcome: 'started' | 'already'; readonly pid: number | null };
export type Started =
  | Running
  /** The settings or the environment switch it off, or its last starts failed. */
  | { readonly outcome: 'off'; readonly why: string };

/** Because somebody asked for it: also when it is switched off or its last starts failed. @throws AnnalsError */
export async function startWorkerByHand(request: StartRequest): Promise<Running> {
  await forgetFailedStarts(await openHome(request.home));
  return started(request);
}

/** Unless it is switched off or its last starts failed. Resolves when it answers. @throws AnnalsError */
export async function startWorker(request: StartRequest): Promise<Started> {
  await openHome(request.home);
  const why = await whyOff(request);
  return why === null ? started(request) : { outcome: 'off', why };
}

/** As `startWorker`, without waiting. Never rejects. */
export async function startWorkerSoon(request: StartRequest): Promise<void> {
  try {
    if ((await whyOff(request)) === null && !(await isServed(request.home)))
      startInBackground(programOf(request));
  } catch {
    // The worker is never needed. Its own log and `annals status` say what is wrong.
  }
}

/** Called by a worker that has stopped listening. The next one waits until it has released the log. */
export function startAgain(request: StartRequest): void {
  startInBackground(programOf(request));
}

async function started(request: StartRequest): Promise<Running> {
  const message = (await firstMessageOf(programOf(request))) as StartMessage | null;
  if (message === null)
    throw new AnnalsError('WORKER_FAILED', 'The worker ended while it started.', {
      hint: `See ${workerLog(request.home)}.`,
    });
  if (message.worker !== 'failed')
    return { outcome: message.worker === 'ready' ? 'started' : 'already', pid: message.pid };
  const code = Object.hasOwn(ERROR_CODES, message.code) ? (message.code as ErrorCode) : 'WORKER_FAILED';
  throw new AnnalsError(code, message.message, message.hint === null ? {} : { hint: message.hint });
}

/** Whether the settings and the environment leave it on. */
export async function isWanted({ home, environment }: StartRequest): Promise<boolean> {
  const { settings } = await settingsAt(homePaths(home).config, environment);
  return settings.worker === 'on';
}

async function whyOff(request: StartRequest): Promise<string | null> {
  return (await isWanted(request)) ? whyNotStarted(request.home) : 'The setting worker is off.';
}

export function programOf({ home, command, environment }: StartRequest): BackgroundProgram {
  const args = [command, '--home', home, 'worker', 'run'];
  return { args, folder: home, environment: { ...environment, ...FEWER_ARENAS, [IN_BACKGROUND]: '1' } };
}
