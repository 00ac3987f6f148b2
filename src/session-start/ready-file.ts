// The ready file of a folder: the whole answer to a session that starts there, which the capture script prints with
// `cat`. It counts only while nothing happened since it was made, so it can never be out of date:
//
//   views/session-start/current           newer than everything it depends on: the log's write-ahead file and config.json
//   views/session-start/folders<folder>/ready
//       folder LF                         as the agent names it, so that no other folder is ever answered
//       config LF                         git's config of the repository around it; empty without one
//       id LF                             random; empty if there is nothing to say
//       answer                            empty if there is nothing to say
//   views/session-start/injections/<id>   what the answer shows, as JSON
//
// What prints it adds the id to the name of the payload's file in the spool, so that a drain records what was shown.
//
// A file in the spool may change the answer too, so it is printed only if none waits. The check exists twice, here for
// Windows and in sh (src/capture/spool/capture-script.ts); one table of cases tests both.
import { lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type BodyInput, parseJson } from '../../log/index.ts';

/** Ready files hold the answer in the form of this agent. Node answers the others. */
export const READY_AGENT = 'claude-code';

export interface ReadyFile {
  readonly folder: string;
  /** Path of git's config; empty outside of repositories. */
  readonly gitConfig: string;
  /** 16 hex digits, or empty. */
  readonly id: string;
  readonly answer: string;
}

/** What is recorded of an answer that was printed. */
export type ReadyInjection = Pick<BodyInput<'context.injected'>, 'items' | 'tokens' | 'hash'>;

export function readyFolder(home: string): string {
  return join(home, 'views', 'session-start');
}

/** Its time is when all ready files were last known to be current. */
export function currentMark(home: string): string {
  return join(readyFolder(home), 'current');
}

/** A folder of these names would be where the ready file of the folder above is, or is made. */
const FILE_NAMES = /[\\/]ready(?:\.new)?(?:[\\/]|$)/i;

/**
 * Null for a folder that has no ready file: sh finds a folder in a payload only if JSON writes it as it is. A drive's
 * colon cannot be in a file's name.
 */
export function readyPath(home: string, folder: string): string | null {
  const isWindows = /^[A-Za-z]:[\\/]/.test(folder);
  if (FILE_NAMES.test(folder)) return null;
  if (!isWindows && (!folder.startsWith('/') || JSON.stringify(folder) !== `"${folder}"`)) return null;
  const below = isWindows ? `/${folder.replace(':', '').replaceAll('\\', '/')}` : folder;
  return `${join(readyFolder(home), 'folders')}${below}/ready`;
}

export function readyText({ folder, gitConfig, id, answer }: ReadyFile): string {
  return `${folder}\n${gitConfig}\n${id}\n${answer}`;
}

export function injectionsFolder(home: string): string {
  return join(readyFolder(home), 'injections');
}

/** Null when it is not there any more. */
export function readInjection(home: string, id: string): ReadyInjection | null {
  try {
    const parsed = parseJson(readFileSync(join(injectionsFolder(home), id), 'utf8'));
    return 'value' in parsed ? (parsed.value as ReadyInjection) : null;
  } catch {
    return null;
  }
}

/** The id in the name of a file in the spool. */
export function readyIdIn(name: string): string | null {
  return /\.([0-9a-f]{16})$/.exec(name)?.[1] ?? null;
}

/** Removes them and what is kept of what they show. Throws what the file system throws. */
export function removeReadyFiles(home: string): void {
  removeReadyAnswers(home);
  rmSync(readyFolder(home), { recursive: true, force: true });
}

/** Sessions that got one of them may wait in the spool, so what they show stays. Throws what the file system throws. */
export function removeReadyAnswers(home: string): void {
  rmSync(currentMark(home), { force: true });
  rmSync(join(readyFolder(home), 'folders'), { recursive: true, force: true });
}

/** Whether the log did not change since the files were last known to be current. */
export function isMarkNewer(home: string): boolean {
  const made = modified(currentMark(home));
  const writeAhead = readdirSync(join(home, 'log')).filter((name) => name.endsWith('.log'));
  return writeAhead.length > 0 && writeAhead.every((name) => made > modified(join(home, 'log', name)));
}

/** The ready file for a session that starts in a folder; null when there is none that is known to be current. */
export function readReady(home: string, folder: string): Pick<ReadyFile, 'id' | 'answer'> | null {
  try {
    if (readdirSync(join(home, 'spool', 'new')).length > 0) return null;
    return currentReady(home, folder);
  } catch {
    return null;
  }
}

/** The answer that a session in a folder got if it started since the file was made; empty when there is no such file. */
export function currentBrief(home: string, folder: string): string {
  const path = readyPath(home, folder);
  try {
    const [named, , , ...answer] = path === null ? [] : readFileSync(path, 'utf8').split('\n');
    return named === folder ? answer.join('\n') : '';
  } catch {
    return '';
  }
}

function currentReady(home: string, folder: string): Pick<ReadyFile, 'id' | 'answer'> | null {
  if (!isMarkNewer(home)) return null;
  const made = modified(currentMark(home));
  const isNewer = (path: string): boolean => made > modified(path);
  const config = join(home, 'config.json');
  if (isThere(config) && !isNewer(config)) return null;
  const path = readyPath(home, folder);
  if (path === null) return null;
  const [named, gitConfig = '', id = '', ...answer] = readFileSync(path, 'utf8').split('\n');
  if (named !== folder) return null;
  if (gitConfig === '' ? isThere(join(folder, '.git')) : !isNewer(gitConfig)) return null;
  return { id, answer: answer.join('\n') };
}

/** Nanoseconds since 1970. Throws when there is no such file. */
function modified(path: string): bigint {
  return statSync(path, { bigint: true }).mtimeNs;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
