// Finds the branch that git names in what it printed: the one the work is on after the command.
import { insideWorkdir, nativePath } from './file-paths.ts';
import { gitCalls } from './known-commands.ts';
import { parseShell } from './shell.ts';

/** A switch, the head of a status (also in the short form, and of rtk), a commit, the end of a rebase. */
const PRINTED = new RegExp(
  [
    /^Switched to (?:a new |and reset )?branch '([^'\n]+)'$/,
    /^Already on '([^'\n]+)'$/,
    /^On branch (\S+)$/,
    /^(?:##|📌) (?:No commits yet on )?([^\s.]\S*?)(?:\.\.\.\S+)?(?: \[[^\]\n]*\])?$/,
    /^\[(?!detached HEAD )(\S+) (?:\([^)\n]*\) )?[0-9a-f]{7,40}\] /,
    /^Successfully rebased and updated refs\/heads\/(\S+)\.$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gmu',
);
const CALLS = new Set('checkout switch status commit rebase merge cherry-pick revert am pull'.split(' '));
const SHOWS_BRANCH = /^(?:-[a-z]*b|--branch)/;

/**
 * The last branch that git printed; undefined when it printed none, or may have worked in another folder.
 * @param cwd where the command ran
 */
export function printedBranch(command: string, printed: string, cwd: string | null): string | undefined {
  const calls = gitCalls(command).filter(({ name }) => CALLS.has(name));
  if (calls.length === 0 || changesTree(command, cwd)) return undefined;
  // Without the flag it is a heading of some text.
  const isShort = calls.some(({ words }) => words.some((word) => SHOWS_BRANCH.test(word)));
  const found = [...printed.matchAll(PRINTED)].findLast(([line]) => isShort || !line.startsWith('##'));
  return found?.slice(1).find((name) => name !== undefined);
}

/** Whether it changes to a folder that is not below `cwd`. */
export function changesTree(command: string, cwd: string | null): boolean {
  return parseShell(command).links.some(({ written: [link = ''] }) => {
    const folder = /^(?:cd|pushd|(?:rtk )?git -C)\s+["']?([^"'\s]+)/.exec(link)?.[1];
    if (folder === undefined) return false;
    const path = `${nativePath(folder, cwd ?? '').replace(/\/+$/, '')}/`;
    return folder.includes('..') || /^(?:[/~$-]|[a-z]:)/i.test(insideWorkdir(path, cwd ?? ''));
  });
}
