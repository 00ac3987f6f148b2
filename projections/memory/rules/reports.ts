// What sub-agents reported to the agent that launched them: what they made, and the commits that they name. Their
// own files are not always there, and then the report is all that is known of their work.
import type { CommitEvidence } from '../observation.ts';
import { takenApart } from './closing.ts';
import { isLauncher, launchedToMake } from './doing.ts';
import { saidFacts } from './facts.ts';
import { plain } from './markdown.ts';
import { cut, wordCount } from './sentences.ts';
import type { Use } from './story.ts';
import { isUnended } from './test-outcome.ts';

const FACTS_OF_ONE_MAX = 3;
/** Of one that was launched to make something. */
const FACTS_OF_MAKER_MAX = 6;
const FACTS_MAX = 18;
const NAME_CHARS_MAX = 60;
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
      if (message !== undefined && !found.has(hash)) found.set(hash, { hash, message, events: use.events });
    }
  }
  return [...found.values()];
}

/** What only says that it began is no report. */
function isReport(use: Use): boolean {
  return (
    isLauncher(use) && use.outcome === 'ok' && use.tail !== '' && !isUnended(use) && !BEGAN.test(use.tail)
  );
}

const BEGAN = /^(?:async )?agent (?:was )?(?:launched|started)/i;

/** Says that nothing was special. */
const AS_PLANNED =
  /\b(?:as (?:specified|expected|planned|required)|matches|follows (?:the )?existing|exactly|plan (?:specified|used)|no (?:changes|regressions|issues)|verdict: pass)\b|^(?:actual|plan(?:ned)?\b[^:]{0,12}):|^(?:clear|proper|good|consistent|minimal|well|uses? (?:the )?correct)\b/i;

export interface Reported {
  readonly facts: readonly string[];
  readonly events: readonly string[];
}

/** The first things that each report lists, with what the sub-agent was launched for. */
export function reported(uses: readonly Use[], place: string): Reported {
  const facts: string[] = [];
  const events: string[] = [];
  for (const use of uses) {
    const task = use.input.description;
    if (!isReport(use) || typeof task !== 'string') continue;
    const most = launchedToMake([use]) ? FACTS_OF_MAKER_MAX : FACTS_OF_ONE_MAX;
    const { points, sentences } = takenApart({ ...use, text: use.tail.replaceAll(`${place}/`, '') });
    const listed = saidFacts(
      points.filter(({ text }) => !AS_PLANNED.test(text)),
      most,
    );
    const told = listed.length > 0 ? listed : sentences.filter((one) => wordCount(one) > 5).slice(0, 1);
    if (told.length === 0) continue;
    const [first, ...others] = told;
    facts.push(`Sub-agent “${cut(plain(task), NAME_CHARS_MAX)}”: ${first}`, ...others);
    events.push(...use.events);
  }
  return { facts: facts.slice(0, FACTS_MAX), events };
}
