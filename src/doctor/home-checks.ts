// The home's files: whose they are, who may read them, and how much room the disk has.
import { accessSync, chmodSync, constants, lstatSync, readdirSync, type Stats, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { spoolFolders } from '../capture/spool/spool-files.ts';
import { errorCode } from '../platform/disk-files.ts';
import { isHomeEntry } from '../platform/home-paths.ts';
import { shellWords } from '../terminal-text/shell-words.ts';
import type { Check, Finding } from './check.ts';

const OPEN_TO_OTHERS = 0o077;
/** More than any home has; a damaged one must not take forever. */
const FILES_MAX = 50_000;
const FREE_LOW_BYTES = 1024 ** 3;
/** Below it, recording is about to fail. */
export const FREE_NONE_BYTES = 100 * 1024 ** 2;
const SHOWN = 3;

export function homeFiles(home: string, user = process.getuid?.()): Check {
  return {
    name: 'files',
    async look() {
      const there = lstatSync(home, { throwIfNoEntry: false });
      if (there === undefined)
        return [{ state: 'ok', message: `${home} does not exist yet; the first command makes it.` }];
      // Closing it would change somebody's file, or what a link names.
      if (!there.isDirectory()) return [{ state: 'problem', message: `The home ${home} is not a folder.` }];
      if (user === undefined) return [{ state: 'ok', message: 'Rights are those of your account.' }];
      const foreign: string[] = [];
      for (const { path, found } of filesBelow(home)) if (found.uid !== user) foreign.push(path);
      const findings = [...foreignFinding(foreign), ...openFinding(home)];
      return findings.length > 0
        ? findings
        : [{ state: 'ok', message: 'All files in the home are yours, and it is closed to others.' }];
    },
  };
}

function foreignFinding(paths: readonly string[]): Finding[] {
  if (paths.length === 0) return [];
  return [
    {
      state: 'problem',
      message: `${paths.length === 1 ? '1 file in the home belongs' : `${paths.length} files in the home belong`} to another user: ${shown(paths)}.`,
      advice: `sudo chown -R "$(id -un)" ${shellWords([paths[0]!])}, if you made them with sudo.`,
    },
  ];
}

/** A home that is closed protects everything in it. */
function openFinding(home: string): Finding[] {
  const { mode } = lstatSync(home);
  if ((mode & OPEN_TO_OTHERS) === 0) return [];
  const message = `Others can look into the home ${home}.`;
  // Closing a folder that was named as home by mistake could do harm.
  if (!namesIn(home).every(isHomeEntry))
    return [
      {
        state: 'problem',
        message,
        advice: `It holds other files too. Set ANNALS_HOME to a folder of its own, or: chmod go= ${shellWords([home])}`,
      },
    ];
  return [
    {
      state: 'problem',
      message,
      advice: 'annals doctor --fix closes it.',
      fix: async () => {
        chmodSync(home, mode & 0o777 & ~OPEN_TO_OTHERS);
        return `Closed to others: ${home}.`;
      },
    },
  ];
}

function* filesBelow(home: string): Generator<{ readonly path: string; readonly found: Stats }> {
  const waiting = [home];
  for (let count = 0; count < FILES_MAX; count++) {
    const path = waiting.pop();
    if (path === undefined) return;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) continue;
    yield { path, found };
    if (found.isDirectory()) waiting.push(...namesIn(path).map((name) => join(path, name)));
  }
}

/** A folder that cannot be listed is somebody else's, which is reported. */
function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function shown(paths: readonly string[]): string {
  const more = paths.length - SHOWN;
  return `${paths.slice(0, SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

export function diskSpace(home: string, freeBytes: (path: string) => number = freeAt): Check {
  return {
    name: 'disk',
    async look() {
      const free = freeBytes(home);
      const message = `${Math.floor(free / 1024 ** 2).toLocaleString('en')} MiB are free on the disk of ${home}.`;
      if (free >= FREE_LOW_BYTES) return [{ state: 'ok', message }];
      const advice = 'Make room: hooks that cannot write lose nothing only while transcripts are kept.';
      return [{ state: free < FREE_NONE_BYTES ? 'problem' : 'warning', message, advice }];
    },
  };
}

/** Why nothing can be written into the home; null when it can. */
export function unwritableReason(home: string): string | null {
  for (const path of [home, spoolFolders(home).new])
    try {
      accessSync(path, constants.W_OK);
    } catch (error) {
      const code = errorCode(error);
      // The first command makes it.
      if (code !== 'ENOENT') return REASONS[code] ?? code;
    }
  return null;
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
};

/** Bytes on the disk of `path`, which may not exist yet. */
export function freeAt(path: string): number {
  for (let at = path; ; at = join(at, '..')) {
    if (lstatSync(at, { throwIfNoEntry: false }) === undefined) continue;
    const { bavail, bsize } = statfsSync(at);
    return bavail * bsize;
  }
}
