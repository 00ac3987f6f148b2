// Detects claims of the agent that its tools contradict: "all tests pass" after a failed run, "committed" after a refused
// commit or when nothing ran that could have committed. When in doubt, a claim is kept.

import { commitsOf, triesToCommit } from './outcome/commits.ts';
import { isRefusedPush, mergesRequest, triesToPush } from './outcome/pushes.ts';
import type { CommitEvidence, TestEvidence } from './transcript/observation.ts';
import type { ToolUse } from './transcript/turn-transcript.ts';

export interface Proven {
  readonly tests: readonly TestEvidence[];
  readonly commits: readonly CommitEvidence[];
}

const TESTS_PASS =
  /\b(?:tests?|specs?|suites?|everything|checks?)\b[^.;]{0,30}?\b(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|(?:is|are) (?:now )?green)\b|\ball green\b/i;
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
const MERGED = /\bmerged\b/i;
const OPENED =
  /\b(?:opened|created)\b[^.;]{0,40}\b(?:pull|merge) request\b|\b(?:opened|created)\b[^.;]{0,20}\bPR\b/i;
const OF_ANOTHER = /\b(?:already|earlier|previous\w*|before|by hand|you|your|was|were|had|last|yesterday)\b/i;

/** Tools with no effects besides what their row shows. */
const OWN_TOOLS = new Set(
  'Read Edit MultiEdit Write NotebookEdit NotebookRead Grep Glob LS TodoWrite TodoRead TaskCreate TaskUpdate TaskList TaskGet WebFetch WebSearch AskUserQuestion ExitPlanMode EnterPlanMode ToolSearch'.split(
    ' ',
  ),
);
/** Purposes of commands without unknown effects. */
const OWN_PURPOSES = new Set(['test', 'look', 'check']);

/** Returns a predicate: whether the tools contradict a sentence. */
export function contradictedBy(
  toolUses: readonly ToolUse[],
  { tests, commits }: Proven,
): (sentence: string) => boolean {
  const nothingElse = toolUses.every(
    ({ name, command }) =>
      (command === null ? OWN_TOOLS.has(name) : OWN_PURPOSES.has(command.purpose)) &&
      !/\b(?:git|gh|glab)\b/.test(command?.whole ?? ''),
  );
  const ran = toolUses.some(({ name, command }) => command !== null || !OWN_TOOLS.has(name));
  const testsFailed = tests.at(-1)?.after === 'failed' || (!ran && toolUses.length > 0);
  const commit = toolUses.findLast(triesToCommit);
  const notCommitted =
    commits.length === 0 && (nothingElse || (commit?.outcome === 'failed' && commitsOf(commit).length === 0));
  const push = toolUses.findLast(triesToPush);
  const notPushed = push === undefined ? nothingElse : isRefusedPush(push);
  const merge = toolUses.findLast(mergesRequest);
  return (sentence) => {
    if (testsFailed && TESTS_PASS.test(sentence) && !NOT_ALL.test(sentence)) return true;
    if (/\b(?:not|nothing|never|no)\b|n(?:'|’)t\b|\?/i.test(sentence)) return false;
    if (notCommitted && COMMITTED.test(sentence) && (commit !== undefined || !OF_ANOTHER.test(sentence)))
      return true;
    if (notPushed && PUSHED.test(sentence) && (push !== undefined || !OF_ANOTHER.test(sentence))) return true;
    if (merge?.outcome === 'failed' && MERGED.test(sentence)) return true;
    return nothingElse && OPENED.test(sentence) && !OF_ANOTHER.test(sentence);
  };
}
