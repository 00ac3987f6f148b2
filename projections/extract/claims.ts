// Detects claims of the agent that its tools contradict: "all tests pass" after a failed run, "deployed" after a deployment
// that failed, "committed" after a refused commit or when nothing ran that could have committed. When in doubt, a claim is kept. Statements about files that were not
// written are removed as well.

import type { FinalAnswer } from './answer/final-answer.ts';
import { commitsOf, printedHashes, triesToCommit } from './outcome/commits.ts';
import { claimsFailedJob, type JobEnds, jobEndsOf, joinedJobs, NO_JOBS } from './outcome/jobs.ts';
import {
  isFailedOpening,
  isRefusedPush,
  mergesRequest,
  opensRequest,
  triesToPush,
} from './outcome/pushes.ts';
import { mayDropCommits } from './outcome/rewrites.ts';
import { LEFT_OUT } from './text/markdown.ts';
import { sentencesOf } from './text/sentences.ts';
import { keptSentences } from './text/wording.ts';
import type { CommitEvidence, TestEvidence } from './transcript/observation.ts';
import type { ToolUse } from './transcript/turn-transcript.ts';

/** What tool uses prove about claims. */
export interface ClaimEvidence {
  /** How the last test ended; null when none ran. */
  readonly test: TestEvidence['after'] | null;
  readonly committed: boolean;
  /** No tool ran that could have done something unseen. */
  readonly nothingElse: boolean;
  /** A tool ran at all; one ran that may have run tests. */
  readonly used: boolean;
  readonly ran: boolean;
  /** How the last try of each ended; null when there was none. */
  readonly commit: 'failed' | 'other' | null;
  readonly push: 'refused' | 'other' | null;
  readonly opening: 'failed' | 'other' | null;
  readonly merge: ToolUse['outcome'] | 'none';
  readonly jobs: JobEnds;
  /** Hashes of commits that the turn itself replaced, those that may still be there, and whether it dropped earlier ones. */
  readonly replaced: readonly string[];
  readonly committedAs: readonly string[];
  readonly dropsCommits: boolean;
}

export const NO_CLAIM_EVIDENCE: ClaimEvidence = {
  test: null,
  committed: false,
  nothingElse: true,
  used: false,
  ran: false,
  commit: null,
  push: null,
  opening: null,
  merge: 'none',
  jobs: NO_JOBS,
  replaced: [],
  committedAs: [],
  dropsCommits: false,
};

/** Claims are known in English only: the guards below would not see the negation of another language. */
const TESTS_PASS =
  /\b(?:tests?|specs?|suites?|everything|checks?)\b[^.;]{0,30}?\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:is|are) (?:now )?green)\b|\ball green\b/i;
/** "It is fully working", "everything works now"; not "the cache works by name". */
const WORKS =
  /\b(?:(?:is|are) (?:now |all )?(?:working|functional)|(?:ready (?:for|to)|production[- ]ready|complete functionality\b)(?! (?:be|review|commit|merge|push|test)\b)|(?:now|all|everything) works?|works? (?:now|again|correctly|perfectly|fine|as expected)|fully (?:working|functional))\b/i;
const NOT_ALL =
  /\b(?:not?|none|fails?|failed|failing|failures?|only|except|but|until|before|after|once|when|if|will|would|should|could|must|can|to pass|did|had|used to|locally|flak\w*|skip\w*)\b|n(?:'|’)t\b|\?/i;
/** "I committed it", "is pushed", "Committed as 1a2b3c4"; not "committed checkpoints", `committed.go`, "force-pushed". */
const saysDone = (verb: string) =>
  new RegExp(
    `\\b(?:I|we|and|is|are|was|were|been|now|also|all|everything|it|them|have|has|successfully)(?:['’]ve)?\\s${verb}\\b(?![-/\\w]|\\.\\w)|^${verb}(?=\\s+(?:as|the|it|all|everything|to|in|and|with|on|this|that|these|main|master)\\b|[\\s.:!]*$|:?\\s*[\`"(])`,
    'i',
  );
const COMMITTED = saysDone('committed');
const PUSHED = saysDone('pushed');
/** "Commit landed as 1a2b3c4": after an amendment the commit may have another name. */
const LANDED = /\b(?:landed|committed|created)\b(?: (?:as|in))? `?([0-9a-f]{7,40})\b/i;
const MERGED = /\bmerged\b/i;
const OPENED =
  /\b(?:opened|created)\b[^.;]{0,40}\b(?:pull|merge) request\b|\b(?:opened|created)\b[^.;]{0,20}\bPR\b/i;
const OF_ANOTHER = /\b(?:already|earlier|previous\w*|before|by hand|you|your|was|were|had|last|yesterday)\b/i;

/** Tools with no effects besides what their row shows. */
const OWN_TOOLS = new Set(
  'BashOutput KillBash KillShell TaskOutput Read Edit MultiEdit Write NotebookEdit NotebookRead Grep Glob LS TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet WebFetch WebSearch AskUserQuestion ExitPlanMode EnterPlanMode ToolSearch'.split(
    ' ',
  ),
);
/** Purposes of commands without unknown effects. */
const OWN_PURPOSES = new Set(['test', 'look', 'check', 'lint']);

export function claimEvidenceOf(
  toolUses: readonly ToolUse[],
  {
    tests,
    commits,
  }: { readonly tests: readonly TestEvidence[]; readonly commits: readonly CommitEvidence[] },
): ClaimEvidence {
  const commit = toolUses.findLast(triesToCommit);
  const push = toolUses.findLast(triesToPush);
  const opening = toolUses.findLast(opensRequest);
  const merge = toolUses.findLast(mergesRequest);
  return {
    test: tests.at(-1)?.after ?? null,
    committed: commits.length > 0,
    nothingElse: toolUses.every(
      (one) => hasOwnEffects(one) && !/\b(?:git|gh|glab)\b/.test(one.command?.whole ?? ''),
    ),
    used: toolUses.length > 0,
    ran: toolUses.some(({ name, command }) => command !== null || !OWN_TOOLS.has(name)),
    commit:
      commit === undefined
        ? null
        : commit.outcome === 'failed' && commitsOf(commit).length === 0
          ? 'failed'
          : 'other',
    push: push === undefined ? null : isRefusedPush(push) ? 'refused' : 'other',
    opening: opening === undefined ? null : isFailedOpening(opening) ? 'failed' : 'other',
    merge: merge === undefined ? 'none' : merge.outcome,
    jobs: jobEndsOf(toolUses, hasOwnEffects),
    ...hashesOf(toolUses, commits),
  };
}

function hashesOf(
  toolUses: readonly ToolUse[],
  commits: readonly CommitEvidence[],
): Pick<ClaimEvidence, 'replaced' | 'committedAs' | 'dropsCommits'> {
  const last = toolUses.findLastIndex(({ command }) => command !== null && mayDropCommits(command.whole));
  const kept = commits.flatMap(({ hash }) => hash ?? []);
  const before = toolUses.slice(0, Math.max(0, last)).flatMap(printedHashes);
  const after = toolUses.slice(Math.max(0, last)).flatMap(printedHashes);
  return {
    replaced: before.filter((hash) => !kept.includes(hash)).slice(-HASHES_MAX),
    committedAs: [...new Set([...kept, ...after])].slice(-HASHES_MAX),
    dropsCommits: last >= 0,
  };
}

const HASHES_MAX = 20;

function hasOwnEffects({ name, command }: ToolUse): boolean {
  return command === null ? OWN_TOOLS.has(name) : OWN_PURPOSES.has(command.purpose);
}

/** Of an earlier and a later part of a turn together. */
export function joinedEvidence(one: ClaimEvidence, later: ClaimEvidence): ClaimEvidence {
  return {
    test: later.test ?? one.test,
    committed: one.committed || later.committed,
    nothingElse: one.nothingElse && later.nothingElse,
    used: one.used || later.used,
    ran: one.ran || later.ran,
    commit: later.commit ?? one.commit,
    push: later.push ?? one.push,
    opening: later.opening ?? one.opening,
    merge: later.merge === 'none' ? one.merge : later.merge,
    jobs: joinedJobs(one.jobs, later.jobs),
    replaced: [...one.replaced, ...(later.dropsCommits ? one.committedAs : []), ...later.replaced].slice(
      -HASHES_MAX,
    ),
    committedAs: [...(later.dropsCommits ? [] : one.committedAs), ...later.committedAs].slice(-HASHES_MAX),
    dropsCommits: one.dropsCommits || later.dropsCommits,
  };
}

/** Returns a predicate: whether the tools contradict a sentence. */
export function contradictedBy({
  test,
  committed,
  nothingElse,
  used,
  ran,
  commit,
  push,
  opening,
  merge,
  jobs,
  replaced,
  committedAs,
  dropsCommits,
}: ClaimEvidence): (sentence: string) => boolean {
  const testsFailed = test === 'failed' || (!ran && used);
  const notCommitted = !committed && (nothingElse || commit === 'failed');
  const notPushed = push === null ? nothingElse : push === 'refused';
  return (sentence) => {
    if (replaced.some((hash) => sentence.includes(hash.slice(0, 7)))) return true;
    const landed = dropsCommits ? LANDED.exec(sentence)?.[1] : undefined;
    if (landed !== undefined && !committedAs.some((hash) => hash.startsWith(landed.slice(0, 7)))) return true;
    if (!NOT_ALL.test(sentence)) {
      if (testsFailed && TESTS_PASS.test(sentence)) return true;
      if ((test === 'failed' || jobs.build === 'failed') && WORKS.test(sentence)) return true;
      if (claimsFailedJob(sentence, jobs)) return true;
    }
    if (/\b(?:not|nothing|never|no)\b|n(?:'|’)t\b|\?/i.test(sentence)) return false;
    if (notCommitted && COMMITTED.test(sentence) && (commit !== null || !OF_ANOTHER.test(sentence)))
      return true;
    if (notPushed && PUSHED.test(sentence) && (push !== null || !OF_ANOTHER.test(sentence))) return true;
    if (merge === 'failed' && MERGED.test(sentence)) return true;
    if (!OPENED.test(sentence)) return false;
    return opening === 'failed' || (nothingElse && !OF_ANOTHER.test(sentence));
  };
}

/** Removes statements about files that were not written, and statements that tools contradict. */
export function withoutClaims(
  finalAnswer: FinalAnswer | null,
  refused: readonly string[],
  isContradicted: (text: string) => boolean,
): FinalAnswer | null {
  if (finalAnswer === null) return finalAnswer;
  const isKept = (text: string) =>
    !isContradicted(text) &&
    (refused.length === 0 || !(refused.some((file) => text.includes(file)) || /\bthe file\b/i.test(text)));
  return {
    ...finalAnswer,
    blocks: finalAnswer.blocks.map((block) => {
      if (block.kind !== 'text') return isKept(block.text) ? block : { ...block, text: LEFT_OUT };
      const sentences = sentencesOf(block.text);
      return sentences.every(isKept)
        ? block
        : { ...block, text: sentences.map((one) => (isKept(one) ? one : LEFT_OUT)).join(' ') };
    }),
    sentences: keptSentences(finalAnswer.sentences, isKept),
    items: finalAnswer.items.filter(isKept),
    points: finalAnswer.points.filter(({ text }) => isKept(text)),
    notes: finalAnswer.notes.filter(isKept),
  };
}
