// The capture script in Node: for Windows, for `POST /hooks`, and for callers of `annals hook`. The drain checks the owners of
// the folders; here only plain folders are used.
import { closeSync, lstatSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { END_MARK } from './end-mark.ts';
import { spoolFolders } from './spool-files.ts';

export interface Capture {
  readonly home: string;
  readonly agent: string;
  readonly payload: string | Uint8Array;
  /** Hundredths of a second since boot: orders files of the same moment. */
  readonly uptime: number;
  readonly processId: number;
  /** Makes the name unique; Unix ms are not part of it. */
  readonly random: string;
  /** Of the ready file that is printed. */
  readonly readyId?: string;
}

/** Returns the name of the file. Throws what the file system throws, and leaves nothing then. */
export function writeToSpool(capture: Capture): string {
  const { home, agent, payload, uptime, processId, random, readyId = '' } = capture;
  const folder = spoolFolders(home).new;
  for (const path of [home, join(home, 'spool'), folder]) ensureFolder(path);
  const time = String(Math.floor(uptime) % 1e10).padStart(10, '0');
  const id = readyId === '' ? '' : `.${readyId}`;
  const name = `${agent}-${time}-${String(processId).padStart(7, '0')}-${random}-0${id}`;
  const path = join(folder, name);
  const file = openSync(path, 'wx', 0o600);
  try {
    writeAndClose(file, Buffer.concat([Buffer.from(payload), Buffer.from(END_MARK)]));
  } catch (error) {
    removeIfPossible(path);
    throw error;
  }
  return name;
}

function writeAndClose(file: number, bytes: Buffer): void {
  try {
    writeFileSync(file, bytes);
  } finally {
    closeSync(file);
  }
}

/** What is left of a file is no more than unfinished. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {}
}

function ensureFolder(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) mkdirSync(path, { recursive: true, mode: 0o700 });
  else if (!found.isDirectory()) throw new Error(`${path} is a link`);
}
