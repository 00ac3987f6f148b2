// The capture script in Node: for Windows, and for callers of `annals hook`. Writes one file to spool/tmp and renames
// it into spool/new. The drain checks the owners of the folders; here only plain folders are used.
import { lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Returns the name of the file. Throws what the file system throws. */
export function writeToSpool(capture: Capture): string {
  const { home, agent, payload, uptime, processId, random, readyId = '' } = capture;
  const folders = spoolFolders(home);
  for (const folder of [home, join(home, 'spool'), folders.tmp, folders.new]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!lstatSync(folder).isDirectory()) throw new Error(`${folder} is a link`);
  }
  const time = String(Math.floor(uptime) % 1e10).padStart(10, '0');
  const id = readyId === '' ? '' : `.${readyId}`;
  const name = `${agent}-${time}-${String(processId).padStart(7, '0')}-${random}-0${id}`;
  writeFileSync(join(folders.tmp, name), payload, { flag: 'wx', mode: 0o600 });
  renameSync(join(folders.tmp, name), join(folders.new, name));
  return name;
}
