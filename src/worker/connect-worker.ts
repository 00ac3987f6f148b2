// Connects to the worker of a home, if one runs.
import { AnnalsError } from '../../log/index.ts';
import { connectLocal, listens } from '../platform/local-socket.ts';
import { lineChannel } from '../remote/line-channel.ts';
import { type RemoteAnnals, remoteAnnals } from '../remote/remote-annals.ts';
import { socketOf } from './worker-files.ts';

export interface WorkerClient {
  /** Of the product. */
  readonly version: string;
  /** When this program was built, Unix ms; null when it runs from the sources. */
  readonly build: number | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the worker must not end for idleness while this client is connected. */
  readonly keep?: boolean;
}

/** What a client tells the worker in its hello. */
export type ClientFacts = { readonly keep: boolean; readonly stop: boolean };
/** What the worker tells its clients. */
export interface WorkerFacts {
  readonly pid: number;
  readonly build: number | null;
  readonly environment: Readonly<Record<string, string>>;
}

/** Variables that change what is recorded. A worker and its clients must agree on them. */
const DECISIVE = ['ANNALS_EXCLUDE'] as const;
const HELLO_MS = 5_000;
/** A worker ends itself before that. */
const STOP_MS = 10_000;

export function decisiveEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(DECISIVE.map((name) => [name, environment[name] ?? '']));
}

/**
 * The library as the worker of this home serves it. Null when no worker runs, and when one ran that this program has
 * asked to leave: an older one, or one whose environment would record other things than this program's.
 * @throws AnnalsError WORKER_FAILED when it does not answer or is a newer one that this program does not understand
 */
export async function connectWorker(home: string, client: WorkerClient): Promise<RemoteAnnals | null> {
  const annals = await greeted(home, client, { keep: client.keep === true, stop: false });
  if (annals === null) return null;
  if (!mustLeave(annals, client)) return annals;
  await annals.close();
  await stopWorker(home, client);
  return null;
}

/** Asks the worker of this home to end, and waits until it has. False when none runs. @throws AnnalsError WORKER_FAILED when it does not end */
export async function stopWorker(home: string, client: WorkerClient): Promise<boolean> {
  const path = socketOf(home);
  const socket = path === null ? null : await connectLocal(path);
  if (socket === null) return false;
  const channel = lineChannel(socket);
  const ended = new Promise<void>((resolve) => channel.onClose(resolve));
  // Any version understands this.
  channel.onMessage(() => {});
  const facts: ClientFacts = { keep: false, stop: true };
  channel.send({ type: 'hello', protocol: 0, version: client.version, home: '', facts });
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, STOP_MS);
  await ended;
  clearTimeout(limit);
  if (isLate) throw silent('The worker does not end.');
  return true;
}

/** The process that serves this home; null when none does. A worker that must leave, as in `connectWorker`, has left. */
export async function servingProcess(home: string, client: WorkerClient): Promise<number | null> {
  const annals = await connectWorker(home, client);
  if (annals === null) return null;
  const { pid } = annals.server.facts as unknown as WorkerFacts;
  await annals.close();
  return pid;
}

/** Whether a worker of this home answers. */
export async function isServed(home: string): Promise<boolean> {
  const path = socketOf(home);
  return path !== null && (await listens(path));
}

async function greeted(home: string, client: WorkerClient, facts: ClientFacts): Promise<RemoteAnnals | null> {
  const path = socketOf(home);
  const socket = path === null ? null : await connectLocal(path);
  if (socket === null) return null;
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    socket.destroy();
  }, HELLO_MS);
  try {
    return await remoteAnnals(lineChannel(socket), { version: client.version, facts: { ...facts } });
  } catch (error) {
    if (isLate) throw silent('The worker does not answer.');
    // It left between the connection and its hello.
    if (error instanceof AnnalsError && error.code === 'WORKER_GONE') return null;
    const version = error instanceof AnnalsError ? error.facts.version : undefined;
    if (typeof version !== 'string' || compareVersions(version, client.version) > 0) throw error;
    await stopWorker(home, client);
    return null;
  } finally {
    clearTimeout(limit);
  }
}

function silent(message: string): AnnalsError {
  return new AnnalsError('WORKER_FAILED', message, {
    hint: 'End its process and try again; what it acknowledged is safe.',
  });
}

function mustLeave({ server }: RemoteAnnals, { version, build, environment }: WorkerClient): boolean {
  const order = compareVersions(server.version, version);
  if (order !== 0) return order < 0;
  const { build: theirs, environment: theirEnvironment } = server.facts as unknown as WorkerFacts;
  if (build !== null && theirs !== null && theirs < build) return true;
  const ours = decisiveEnvironment(environment);
  return Object.entries(ours).some(([name, value]) => theirEnvironment[name] !== value);
}

/** Negative when `one` is older. Anything behind a hyphen does not count. */
export function compareVersions(one: string, other: string): number {
  const [mine, theirs] = [one, other].map((version) => version.split('-')[0]!.split('.').map(Number));
  for (let part = 0; part < 3; part++) {
    const difference = (mine![part] || 0) - (theirs![part] || 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
