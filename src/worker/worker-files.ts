// The files of the worker in the home: its socket, and worker.json, which says where it listens. They decide nothing: a
// worker runs if its socket answers.

import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { writeInFolder } from '../platform/atomic-file.ts';
import { randomBytes } from '../platform/random-bytes.ts';
import { readRegularFile } from '../platform/regular-file.ts';

export interface WorkerFile {
  /** The home that it serves; the file of a copied home names the other one. */
  readonly home: string;
  readonly pid: number;
  /** Of the HTTP API; null when it is not served. */
  readonly port: number | null;
  /** Of the HTTP API. */
  readonly token: string | null;
  readonly socket: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly version: string;
}

/** macOS takes 104 bytes, Linux 108, with the zero at the end. */
export const SOCKET_PATH_BYTES_MAX = 103;
const FOLDER_PREFIX = 'annals-worker-';
const FILE_BYTES_MAX = 64 * 1024;

export const workerLog = (home: string) => join(home, 'logs', 'worker.log');
/** The token with which hooks may append over HTTP. It is the same for every worker of a home: settings of agents hold it. */
export async function captureToken(home: string): Promise<string> {
  const path = join(home, 'capture-token');
  const file = readRegularFile(path, { bytesMax: FILE_BYTES_MAX });
  const known = 'bytes' in file ? file.bytes.toString('latin1').trim() : '';
  if (/^[0-9a-f]{64}$/.test(known)) return known;
  const token = newToken();
  await writeInFolder(path, `${token}\n`);
  return token;
}

export function newToken(): string {
  return Buffer.from(randomBytes(32)).toString('hex');
}

/** Of the worker whose file is there. Null if there is none, or its token is not one of ours. */
export function knownToken(home: string): string | null {
  const token = readWorkerFile(home)?.token ?? null;
  return token !== null && /^[0-9a-f]{64}$/.test(token) ? token : null;
}

const workerFilePath = (home: string) => join(home, 'worker.json');
const socketInHome = (home: string) => join(home, 'worker.sock');

/** Null when there is none, or it is not of a worker of this home. */
export function readWorkerFile(home: string): WorkerFile | null {
  const found = jsonAt(workerFilePath(home));
  const { pid, port, token, socket, startedAt, version } = found ?? {};
  if (typeof pid !== 'number' || typeof socket !== 'string' || socket === '') return null;
  if (typeof found?.home !== 'string' || !isSameFolder(found.home, home)) return null;
  return {
    home,
    pid,
    port: typeof port === 'number' ? port : null,
    token: typeof token === 'string' ? token : null,
    socket,
    startedAt: typeof startedAt === 'string' ? startedAt : '',
    version: typeof version === 'string' ? version : '',
  };
}

export async function writeWorkerFile(home: string, file: WorkerFile): Promise<void> {
  await writeInFolder(workerFilePath(home), workerFileText(file));
}

/** The capture script reads the process id, which must be alone in the second line. */
export function workerFileText({ pid, ...others }: Pick<WorkerFile, 'pid'> & Partial<WorkerFile>): string {
  return `${JSON.stringify({ pid, ...others }, null, 2)}\n`;
}

/**
 * Where a worker of this home would listen, as far as clients can know. Null when there is nothing to connect to. A
 * socket in a folder of somebody else is none of ours.
 */
export function socketOf(home: string): string | null {
  const path = readWorkerFile(home)?.socket ?? socketInHome(home);
  if (process.platform === 'win32') return path;
  try {
    const socket = lstatSync(path);
    const folder = lstatSync(dirname(path));
    const isOurs = [socket, folder].every(({ uid }) => uid === process.getuid?.());
    return isOurs && socket.isSocket() && (folder.mode & 0o077) === 0 ? path : null;
  } catch {
    return null;
  }
}

/** A path for a new socket: in the home, or in a new private folder where the path of the home is too long. */
export async function newSocketPath(home: string): Promise<string> {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\annals-${createHash('sha256').update(home).digest('hex').slice(0, 32)}`;
  const path = socketInHome(home);
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES_MAX) return path;
  return join(await mkdtemp(join(tmpdir(), FOLDER_PREFIX)), 'worker.sock');
}

/** Removes what a worker of this home leaves on disk, also one that was killed. Never anything but a socket and its empty folder. */
export function removeWorkerFiles(home: string, socket = readWorkerFile(home)?.socket): void {
  rmSync(workerFilePath(home), { recursive: true, force: true });
  if (process.platform === 'win32') return;
  removeIfSocket(socketInHome(home));
  if (socket === undefined || dirname(dirname(socket)) !== tmpdir()) return;
  if (!basename(dirname(socket)).startsWith(FOLDER_PREFIX)) return;
  removeIfSocket(socket);
  try {
    rmdirSync(dirname(socket));
  } catch {
    // It is gone, or holds something that is not ours.
  }
}

function isSameFolder(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

function removeIfSocket(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) unlinkSync(path);
}

function jsonAt(path: string): Readonly<Record<string, unknown>> | null {
  const file = readRegularFile(path, { bytesMax: FILE_BYTES_MAX });
  if ('why' in file) return null;
  try {
    const value: unknown = JSON.parse(file.bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
