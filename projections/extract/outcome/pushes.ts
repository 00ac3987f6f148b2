// Finds pushes by git's own line (`1a2b3c4..5d6e7f8  main -> main`), and pull requests by the address printed when they
// were opened. Other text is no proof.

import { type GitCall, gitCalls } from '../shell/known-commands.ts';
import type { PullRequestEvidence, PushEvidence } from '../transcript/observation.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';

const LINE_CHARS_MAX = 300;
/** On the right is the remote's branch: `   3f602d1..9a8b7c6  main -> main`, ` + a...b x -> x (forced update)`, ` * [new branch]  x -> x`. */
const PUSHED =
  /^\s{0,3}[+*]?\s{0,3}(?:[0-9a-f]{7,40}\.{2,3}([0-9a-f]{7,40})|\[new (?:branch|reference)\])\s{1,60}(\S{1,160}) -> (\S{1,160})/;
const OPENS = /\bgh pr create\b|\bglab mr create\b/;
const OPENING_TOOL = /create_(?:pull_request|merge_request)$/;
const ADDRESS = /https:\/\/[^\s"'<>]{3,160}\/(?:pull|merge_requests|pulls)\/(\d{1,9})\b/;

export interface FoundPush extends PushEvidence {
  /** The name on this machine: a branch, or HEAD. */
  readonly local: string;
}

export function pushesOf(toolUse: ToolUse): FoundPush[] {
  const { command } = toolUse;
  if (command === null || isTrial(command.whole)) return [];
  if (pushCalls(command.whole).length === 0 && !OPENS.test(command.whole)) return [];
  // `git fetch` and `git pull` print the same form, but with a remote's branch on the right.
  // A trial prints the line as well, so a push prints it once more. What failed may have it in both texts.
  const trials = pushCalls(command.whole).filter(isTrialCall).length;
  const shown = new Set([toolUse.error, toolUse.tail].flatMap((text) => pushLines(text, trials)));
  return [...shown].flatMap((line) => {
    const found = PUSHED.exec(line);
    if (found === null || /^(?:origin|upstream)\//.test(found[3]!)) return [];
    return [{ branch: found[3]!, hash: found[1] ?? null, local: found[2]! }];
  });
}

/** Whether it runs a push, including dry runs. */
export function triesToPush({ command, outcome }: ToolUse): boolean {
  return (
    command !== null &&
    outcome !== 'cancelled' &&
    pushCalls(command.whole).some(({ words }) => !words.includes('-d') && !words.includes('--delete'))
  );
}

/** Those that are there more than so many times. */
function pushLines(text: string, times: number): string[] {
  const counts = new Map<string, number>();
  for (const line of text.split('\n'))
    if (line.length <= LINE_CHARS_MAX && PUSHED.test(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].flatMap(([line, count]) => (count > times ? [line] : []));
}

function pushCalls(command: string) {
  return gitCalls(command).filter(({ name }) => name === 'push');
}

function isTrial(command: string): boolean {
  const calls = pushCalls(command);
  return calls.length > 0 && calls.every(isTrialCall);
}

function isTrialCall({ words }: GitCall): boolean {
  return words.some((word) => /^(?:--dry-run|-[dfquv46]*n[dfquv46]*)$/.test(word));
}

/** Whether the push did not happen: it was a dry run, git refused it, or its command failed and shows no push. */
export function isRefusedPush(toolUse: ToolUse): boolean {
  if (toolUse.command === null || pushesOf(toolUse).length > 0) return false;
  const printed = `${toolUse.error}\n${toolUse.tail}`;
  return (
    isTrial(toolUse.command.whole) ||
    REFUSED.test(printed) ||
    (toolUse.outcome === 'failed' && !NOTHING_LEFT.test(printed))
  );
}

/** The remote has everything; something after the push failed. */
const NOTHING_LEFT = /^Everything up-to-date|^ [*+=] \[(?:new tag|up to date)\]/m;

const REFUSED =
  /^ ! \[(?:remote )?rejected\]|^error: failed to push some refs|^hint: (?:Updates were rejected|See the 'Note about fast-forwards')|^fatal: /m;

/** `gh pr merge 12`. */
export function mergesRequest({ command }: ToolUse): boolean {
  return command !== null && /\bgh pr merge\b|\bglab mr merge\b/.test(command.whole);
}

/** Whether it tries to open a pull request. */
export function opensRequest({ name, command }: ToolUse): boolean {
  return command === null ? OPENING_TOOL.test(name) : OPENS.test(command.whole);
}

/** Whether opening a pull request failed: a command that fails later has printed its address. */
export function isFailedOpening({ outcome, error, tail }: ToolUse): boolean {
  return outcome === 'failed' && !ADDRESS.test(`${error}\n${tail}`);
}

export function pullRequestsOf(toolUse: ToolUse): PullRequestEvidence[] {
  if (!opensRequest(toolUse) || toolUse.outcome !== 'ok' || /already exists/i.test(toolUse.tail)) return [];
  const found = ADDRESS.exec(toolUse.tail);
  return found === null ? [] : [{ number: Number(found[1]), address: found[0] }];
}
