// Commits that a sub-agent's report names with hash and message. Without a transcript of the sub-agent, nothing else shows
// them.

import { isUnended } from '../outcome/test-outcome.ts';
import type { CommitEvidence } from '../transcript/observation.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';
import { isLauncher } from './launched-work.ts';

const HASH_CHARS = 7;
/** Maximum distance between a hash and its message. */
const NEAR_CHARS = 260;

/** `663dc22e14ccf…` after a word that marks it as a commit. */
const HASH =
  /\b(?:commit(?:ted)?|hash|HEAD)\b[^\n]{0,40}?\b((?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40})\b/gi;
const MESSAGE =
  /["“`]((?:feat|fix|test|chore|docs|refactor|perf|style|ci|build)(?:\([^)\n]*\))?!?: [^"”`\n]{5,110})["”`]/;

/** The commits that reports name with their message, without duplicates. */
export function reportedCommits(
  toolUses: readonly ToolUse[],
): (CommitEvidence & { readonly events: readonly string[] })[] {
  const found = new Map<string, CommitEvidence & { readonly events: readonly string[] }>();
  for (const toolUse of toolUses) {
    if (!isSubagentReport(toolUse)) continue;
    for (const match of toolUse.tail.matchAll(HASH)) {
      const around = toolUse.tail.slice(Math.max(0, match.index - NEAR_CHARS), match.index + NEAR_CHARS);
      const message = MESSAGE.exec(around)?.[1];
      const hash = match[1]!.slice(0, HASH_CHARS);
      if (message !== undefined && !found.has(hash))
        found.set(hash, { hash, message, branch: null, events: toolUse.events });
    }
  }
  return [...found.values()];
}

/** Whether it is the report of a finished sub-agent; a message that it started is none. */
export function isSubagentReport(toolUse: ToolUse): boolean {
  return (
    isLauncher(toolUse) &&
    toolUse.outcome === 'ok' &&
    toolUse.tail !== '' &&
    !isUnended(toolUse) &&
    !BEGAN.test(toolUse.tail)
  );
}

const BEGAN = /^(?:async )?agent (?:was )?(?:launched|started)/i;
