// Checks the home before anything in it is opened: it must be a real folder that belongs to the user and is closed to
// others. Anything else is refused, because the home holds everything an agent ever saw. A missing home is made.
// Folders above it may be links (/tmp and /home are on some systems), because they belong to the machine's owner.
import { lstatSync, mkdirSync, readdirSync, type Stats, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';
import { AnnalsError, type ErrorCode } from '../../log/index.ts';
import { errorCode } from './disk-files.ts';
import { isHomeEntry } from './home-paths.ts';
import { givenPath } from './path-inside.ts';
import { randomBytes } from './random-bytes.ts';

const OPEN_TO_OTHERS = 0o077;
const OWN_FOLDER = 'Set ANNALS_HOME to a folder of its own, such as ~/.annals.';

/**
 * Makes sure that the home exists and is ours. Returns its path.
 * @throws AnnalsError USAGE (an empty path), HOME_INVALID, HOME_UNWRITABLE, DISK_FULL
 */
export async function openHome(path: string, userId: number | null = currentUser()): Promise<string> {
  givenPath(path);
  if (path === parse(path).root) throw invalid(path, 'is the root of a file system', OWN_FOLDER);
  create(path);
  check(path, userId);
  tryWrite(path);
  return path;
}

function create(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw failure(path, 'could not be created', error);
  }
}

function check(path: string, userId: number | null): void {
  const found = statsOf(path);
  if (found.isSymbolicLink())
    throw invalid(path, 'is a link', 'Set ANNALS_HOME to the folder itself, or remove the link.');
  if (!found.isDirectory())
    throw invalid(path, 'is not a folder', 'Move the file away, or set ANNALS_HOME to another folder.');
  if (userId === null) return;
  if (found.uid !== userId)
    throw invalid(path, 'belongs to another user', 'Set ANNALS_HOME to a folder of your own.');
  if ((found.mode & OPEN_TO_OTHERS) === 0) return;
  // Closing /tmp, or the folder of a user's other files, would do harm.
  const close = `chmod 700 ${JSON.stringify(path)}`;
  if (holdsOtherFiles(path))
    throw invalid(path, 'is open to others and holds other files', `${OWN_FOLDER} If this is one: ${close}`);
  throw invalid(path, 'is open to others', `Close it: ${close}`);
}

function holdsOtherFiles(path: string): boolean {
  try {
    return !readdirSync(path).every(isHomeEntry);
  } catch (error) {
    throw failure(path, 'could not be read', error);
  }
}

function statsOf(path: string): Stats {
  try {
    return lstatSync(path);
  } catch (error) {
    throw failure(path, 'could not be examined', error);
  }
}

/** A full or read-only disk is better reported now than in the middle of an import. */
function tryWrite(path: string): void {
  const probe = join(path, `.probe-${Buffer.from(randomBytes(6)).toString('hex')}`);
  try {
    writeFileSync(probe, 'annals', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    throw failure(path, 'cannot be written', error);
  } finally {
    removeIfThere(probe);
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not made, or the disk no longer accepts changes, which was already reported.
  }
}

function currentUser(): number | null {
  return process.getuid?.() ?? null;
}

function invalid(path: string, what: string, hint: string): AnnalsError {
  return new AnnalsError('HOME_INVALID', `The home ${path} ${what}.`, { hint, facts: { home: path } });
}

function failure(path: string, what: string, error: unknown): AnnalsError {
  const found = errorCode(error);
  const [code, why, hint] = reasons[found] ?? [
    'HOME_UNWRITABLE',
    found,
    'Set ANNALS_HOME to another folder.',
  ];
  return new AnnalsError(code, `The home ${path} ${what}: ${why}.`, {
    hint,
    facts: { home: path, system: found },
    cause: error,
  });
}

const reasons: Readonly<Record<string, readonly [ErrorCode, string, string]>> = {
  ENOSPC: [
    'DISK_FULL',
    'the disk is full',
    'Free some space, or set ANNALS_HOME to a folder on another disk.',
  ],
  EDQUOT: ['DISK_FULL', 'the quota is used up', 'Free some space, or set ANNALS_HOME to another disk.'],
  EACCES: ['HOME_UNWRITABLE', 'permission denied', 'Set ANNALS_HOME to a folder that you may write.'],
  EPERM: ['HOME_UNWRITABLE', 'not permitted', 'Set ANNALS_HOME to a folder that you may write.'],
  EROFS: ['HOME_UNWRITABLE', 'the disk is read-only', 'Set ANNALS_HOME to a folder on another disk.'],
  ENOTDIR: ['HOME_INVALID', 'something above it is not a folder', 'Set ANNALS_HOME to another folder.'],
};
