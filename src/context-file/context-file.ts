// Keeps the block with a project's context in a Markdown file that a person names, such as AGENTS.md. Everything around the
// block stays byte for byte. A file that could be the wrong one is refused.
import { existsSync, type Stats } from 'node:fs';
import { lstat, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import { notWritten, writeAtomically } from '../platform/atomic-file.ts';
import { errorCode } from '../platform/disk-files.ts';
import { givenPath, isInside } from '../platform/path-inside.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import { type Block, findBlock, withBlock, withoutBlock } from './block.ts';

/** Far above any file of instructions. */
const BYTES_MAX = 4 * 1024 * 1024;
const NEW_FILE_MODE = 0o644;

export interface ContextFileChange {
  /** The file that was meant, behind a link. */
  readonly path: string;
  readonly changed: boolean;
}

interface TextFile {
  readonly path: string;
  /** Null for a missing file. */
  readonly text: string | null;
  readonly block: Block | null;
  readonly mode: number;
  readonly owner: { readonly user: number; readonly group: number } | null;
}

/**
 * @param path relative to `folder`, in which the command runs
 * @param context as an agent gets it; empty when there is nothing to tell, then the file stays as it is
 * @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE, HOME_UNWRITABLE, DISK_FULL
 */
export async function writeContext(
  path: string,
  folder: string,
  context: string,
): Promise<ContextFileChange> {
  const file = await readFile(path, folder);
  if (context === '') return { path: file.path, changed: false };
  return replace(file, withBlock(file.text, context, file.block));
}

/** @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE, HOME_UNWRITABLE, DISK_FULL */
export async function removeContext(path: string, folder: string): Promise<ContextFileChange> {
  const file = await readFile(path, folder);
  if (file.text === null || file.block === null) return { path: file.path, changed: false };
  return replace(file, withoutBlock(file.text, file.block));
}

async function replace(file: TextFile, text: string | null): Promise<ContextFileChange> {
  const { path, mode, owner } = file;
  if (text === file.text) return { path, changed: false };
  // To replace or remove a file, only its folder must be writable. A read-only file is meant to stay.
  if ((mode & 0o200) === 0)
    throw refused(path, 'it is read-only', 'Make it writable (chmod u+w), then try again.');
  try {
    if (text === null) await rm(path);
    else await writeAtomically(path, text, { mode, owner });
  } catch (error) {
    throw notWritten(path, path, error);
  }
  return { path, changed: true };
}

async function readFile(given: string, folder: string): Promise<TextFile> {
  const path = await realPath(givenPath(given, folder), folder);
  if (path.split(sep).some((part) => part.toLowerCase() === '.git'))
    throw refused(path, 'it is inside .git', 'Name a file of the repository, such as AGENTS.md.');
  const found: Stats | null = await stat(path).catch(() => null);
  if (found === null) return { path, text: null, block: null, mode: NEW_FILE_MODE, owner: null };
  const file = readRegularFile(path, { bytesMax: BYTES_MAX });
  if ('why' in file) throw refused(path, `it ${file.why}`, 'Name a Markdown file.');
  const text = file.bytes.toString('utf8');
  if (text.includes('\0') || !Buffer.from(text).equals(file.bytes))
    throw refused(path, 'it is no text in UTF-8', 'Name a Markdown file.');
  if (/\r(?!\n)/.test(text))
    throw refused(path, 'one of its lines ends with a lone carriage return', 'Convert its line ends.');
  const block = findBlock(text);
  if (block === 'broken')
    throw refused(
      path,
      'its block of Annals is incomplete, was changed, or is there more than once',
      'Delete everything from <annals-context> to </annals-context> around the lines annals:start and annals:end, then try again.',
    );
  const owner = { user: found.uid, group: found.gid };
  return { path, text, block, mode: found.mode & 0o777, owner };
}

/** Links are followed as long as they stay in the folder of the command, or for a path outside of it, in that of the file. */
async function realPath(path: string, folder: string): Promise<string> {
  const real = async (one: string) => {
    try {
      return await realpath(one);
    } catch (error) {
      const why = existsSync(one) ? errorCode(error) : 'it does not exist';
      throw new AnnalsError('INPUT_UNREADABLE', `${one} cannot be used: ${why}.`, { facts: { path: one } });
    }
  };
  const parent = await real(dirname(path));
  const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink() === true;
  const target = isLink ? await real(path) : join(parent, basename(path));
  const top = isInside(path, folder) ? await real(folder) : parent;
  if (isInside(target, top)) return target;
  throw refused(path, `it leads to ${target}, outside of ${top}`, 'Name that file itself.');
}

function refused(path: string, why: string, hint: string): AnnalsError {
  return new AnnalsError('INPUT_INVALID', `${path} was not changed: ${why}.`, { hint, facts: { path } });
}
