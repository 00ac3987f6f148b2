// Commits that a sub-agent names in its report with hash and message: where it has no file of its own, nothing else
// shows them.
import type { CommitEvidence } from '../observation.ts';
import { isLauncher } from './doing.ts';
import type { Use } from './story.ts';
import { isUnended } from './test-outcome.ts';

const HASH_CHARS = 7;
/** So near a hash stands its message. */
const NEAR_CHARS = 260;

/** `663dc22e14ccf…` after a word that says it is a commit. */
const HASH =
  /\b(?:commit(?:ted)?|hash|HEAD)\b[^\n]{0,40}?\b((?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40})\b/gi;
const MESSAGE =
  /["“`]((?:feat|fix|test|chore|docs|refactor|perf|style|ci|build)(?:\([^)\n]*\))?!?: [^"”`\n]{5,110})["”`]/;

/** Commits that reports name with their message, each once. */
export function commitsToldOf(
  uses: readonly Use[],
): (CommitEvidence & { readonly events: readonly string[] })[] {
  const found = new Map<string, CommitEvidence & { readonly events: readonly string[] }>();
  for (const use of uses) {
    if (!isReport(use)) continue;
    for (const match of use.tail.matchAll(HASH)) {
      const around = use.tail.slice(Math.max(0, match.index - NEAR_CHARS), match.index + NEAR_CHARS);
      const message = MESSAGE.exec(around)?.[1];
      const hash = match[1]!.slice(0, HASH_CHARS);
      if (message !== undefined && !found.has(hash))
        found.set(hash, { hash, message, branch: null, events: use.events });
    }
  }
  return [...found.values()];
}

/** What only says that it began is no report. */
export function isReport(use: Use): boolean {
  return (
    isLauncher(use) && use.outcome === 'ok' && use.tail !== '' && !isUnended(use) && !BEGAN.test(use.tail)
  );
}

const BEGAN = /^(?:async )?agent (?:was )?(?:launched|started)/i;
