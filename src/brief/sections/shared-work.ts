// Says whether commits were shared: pushed if git's own output shows it for that branch, a pull request if its address
// was printed. Nothing is said otherwise: a push may have happened unseen.
import type { ObservationLine } from '../../../projections/index.ts';
import { joinParts } from '../lines/brief-lines.ts';

type CommitLine = ObservationLine['commits'][number];

export interface Committed {
  readonly row: ObservationLine;
  readonly commit: CommitLine;
}

const HASH_CHARS = 7;

/** Without those that were rewritten later, or may have been: what became of them is not known. */
export function remainingIn({ commits }: ObservationLine): readonly CommitLine[] {
  return commits.filter(({ rewritten }) => rewritten === undefined);
}

/**
 * @param group commits of one branch, newest first
 * @param rows the work of the session, newest first
 */
export function sharedText(
  group: readonly [Committed, ...Committed[]],
  rows: readonly ObservationLine[],
): string {
  const [newest] = group;
  const pushes = rows.slice(0, rows.indexOf(newest.row) + 1).flatMap((row) => row.pushes);
  const isPushed = group.every(({ commit }) => pushes.some((push) => holds(push, commit, newest.commit)));
  const opened = openedFor(newest.commit, rows);
  return joinParts(
    [
      isPushed ? 'pushed' : null,
      opened === undefined
        ? null
        : `pull request #${opened.number} ${isMerged(opened, rows) ? 'merged' : 'opened'}`,
    ],
    ', ',
  );
}

/** The newest pull request of a branch: opened where the session committed to no other branch, or by the work that did. */
function openedFor(
  { branch }: CommitLine,
  rows: readonly ObservationLine[],
): ObservationLine['pullRequests'][number] | undefined {
  const branchesOf = (some: readonly ObservationLine[]) =>
    new Set(some.flatMap(({ commits }) => commits.map((one) => one.branch ?? branch)));
  const isOnly = branchesOf(rows).size === 1;
  return rows
    .filter((row) => isOnly || (branchesOf([row]).size === 1 && branchesOf([row]).has(branch)))
    .flatMap(({ pullRequests }) => pullRequests)[0];
}

/** By a command that succeeded and names it, or names none where it is the only one. One with `--auto` merges later, if ever. */
function isMerged(
  { number }: ObservationLine['pullRequests'][number],
  rows: readonly ObservationLine[],
): boolean {
  const isOnly = rows.flatMap(({ pullRequests }) => pullRequests).length === 1;
  return rows.some(({ commands }) =>
    commands.some(({ command, outcome }) => {
      const [call, after = ''] = MERGE.exec(command) ?? [];
      const words = after.split(/\s+/);
      if (outcome !== 'ok' || call === undefined || words.includes('--auto')) return false;
      const which = words.find((word) => word !== '' && !word.startsWith('-'));
      return which === undefined ? isOnly : which === String(number) || which.endsWith(`/${number}`);
    }),
  );
}

/** `gh pr merge 7 --squash`: what follows in the same command. */
const MERGE = /\bgh pr merge\b([^&|;]*)/;

/** By its hash; or its branch was pushed at the newest commit, which includes those before it. */
function holds(
  { branch, hash }: ObservationLine['pushes'][number],
  commit: CommitLine,
  newest: CommitLine,
): boolean {
  if (isSame(hash, commit.hash)) return true;
  if (commit.branch === null || commit.branch !== branch) return false;
  return isSame(hash, newest.hash);
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one.slice(0, HASH_CHARS) === other.slice(0, HASH_CHARS);
}
