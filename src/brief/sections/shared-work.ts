// Whether others have what was committed: pushed where git's own line says so of that branch, a pull request where its
// address was printed. That nothing was pushed is said only where nobody speaks of it.
import type { ObservationLine, SummaryLine } from '../../../projections/index.ts';
import { joinParts } from '../lines/brief-lines.ts';

type CommitLine = ObservationLine['commits'][number];

const HASH_CHARS = 7;
/** Whoever speaks of it may have done it unseen: by hand, by a script, by a sub-agent. */
const SPEAKS_OF_IT = /\bpush\w*|\bPRs?\b|\b(?:pull|merge) requests?\b|\borigin\b|\bremote\b|\bupstream\b/i;

/**
 * @param since the work from the newest of these commits on
 * @param rows the work of the session
 */
export function sharedText(
  commits: readonly CommitLine[],
  since: readonly ObservationLine[],
  rows: readonly ObservationLine[],
  summaries: readonly SummaryLine[],
): string {
  const pushes = since.flatMap((row) => row.pushes);
  const opened = rows.flatMap(({ pullRequests }) => pullRequests).at(0);
  const request = opened === undefined ? null : `pull request #${opened.number} opened`;
  if (commits.every((commit) => pushes.some((push) => holds(push, commit, commits))))
    return joinParts(['pushed', request], ', ');
  if (request !== null) return request;
  return pushes.length > 0 || speaksOfIt(rows, summaries) ? '' : 'no push seen';
}

/** By its hash; else the branch was pushed at the newest commit, or as a new one, which holds those before it. */
function holds(
  { branch, hash }: ObservationLine['pushes'][number],
  commit: CommitLine,
  [newest]: readonly CommitLine[],
): boolean {
  if (isSame(hash, commit.hash)) return true;
  if (commit.branch === null || commit.branch !== branch) return false;
  return isSame(hash, newest?.hash ?? null);
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one.slice(0, HASH_CHARS) === other.slice(0, HASH_CHARS);
}

function speaksOfIt(rows: readonly ObservationLine[], summaries: readonly SummaryLine[]): boolean {
  const said = [
    ...rows.flatMap(({ title, subtitle, narrative, facts, decisions, commands }) => [
      title,
      subtitle,
      narrative,
      ...facts,
      ...decisions,
      ...commands.map(({ command }) => command),
    ]),
    ...summaries.flatMap(({ request, completed, learned, notes, nextSteps }) => [
      request,
      completed ?? '',
      learned ?? '',
      notes ?? '',
      ...nextSteps,
    ]),
  ];
  return said.some((text) => SPEAKS_OF_IT.test(text));
}
