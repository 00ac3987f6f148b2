// Says whether commits were shared: pushed if git's own output shows it for that branch, a pull request if its address
// was printed. "No push seen" appears only if no text mentions pushing.
import type { ObservationLine, SummaryLine } from '../../../projections/index.ts';
import { joinParts } from '../lines/brief-lines.ts';

type CommitLine = ObservationLine['commits'][number];

const HASH_CHARS = 7;
/** If a text mentions it, it may have happened unseen: by hand, in a script, by a sub-agent. */
const MENTIONS_SHARING =
  /\bpush\w*|\bPRs?\b|\b(?:pull|merge) requests?\b|\borigin\b|\bremote\b|\bupstream\b/i;

/**
 * @param since the work since the newest of these commits
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
  return pushes.length > 0 || mentionsSharing(rows, summaries) ? '' : 'no push seen';
}

/** By its hash; or its branch was pushed at the newest commit, which includes those before it. */
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

function mentionsSharing(rows: readonly ObservationLine[], summaries: readonly SummaryLine[]): boolean {
  const texts = [
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
  return texts.some((text) => MENTIONS_SHARING.test(text));
}
