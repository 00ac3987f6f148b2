// What sub-agents reported to the agent that launched them: what they made. Their
// own files are not always there, and then the report is all that is known of their work.
import { takenApart } from './closing.ts';
import { launchedToMake } from './doing.ts';
import { saidFacts } from './facts.ts';
import { plain } from './markdown.ts';
import { isReport } from './reported-commits.ts';
import { cut, wordCount } from './sentences.ts';
import type { Use } from './story.ts';

const FACTS_OF_ONE_MAX = 3;
/** Of one that was launched to make something. */
const FACTS_OF_MAKER_MAX = 6;
const FACTS_MAX = 18;
const NAME_CHARS_MAX = 60;
/** Says that nothing was special. */
const AS_PLANNED =
  /\b(?:as (?:specified|expected|planned|required)|matches|follows (?:the )?existing|exactly|plan (?:specified|used)|no (?:changes|regressions|issues)|verdict: pass)\b|^(?:actual|plan(?:ned)?\b[^:]{0,12}):|^(?:clear|proper|good|consistent|minimal|well|uses? (?:the )?correct)\b/i;

/** Not what anyone would expect of such a task. */
const NOTABLE =
  /\b(?:because|instead|rather than|since|simpl(?:er|ified)|without|workaround|demonstrat\w*|missing|however|limitation\w*|mismatch\w*|differ\w*|not (?:yet )?(?:\w+ed|available|possible|supported)|conflicts?)\b/i;
const NOTABLE_MAX = 2;
const EXPLORES = /^(?:explore|search|find|look|read|investigate|understand|research|check)\b/i;

export interface Reported {
  readonly facts: readonly string[];
  readonly events: readonly string[];
}

/** The first things that each report lists, with what the sub-agent was launched for. */
export function reported(uses: readonly Use[], place: string, changed: boolean): Reported {
  const facts: string[] = [];
  const events: string[] = [];
  for (const use of uses) {
    const task = use.input.description;
    if (!isReport(use) || typeof task !== 'string') continue;
    // Where something was made of it, what was looked at first tells less.
    if (changed && EXPLORES.test(task)) continue;
    const most = launchedToMake([use]) ? FACTS_OF_MAKER_MAX : FACTS_OF_ONE_MAX;
    const { points, sentences } = takenApart({ ...use, text: use.tail.replaceAll(`${place}/`, '') });
    const worth = points.filter(({ text }) => !AS_PLANNED.test(text));
    const notable = saidFacts(
      worth.filter(({ text }) => NOTABLE.test(text)),
      NOTABLE_MAX,
    );
    const listed = [...new Set([...notable, ...saidFacts(worth, most)])].slice(0, most);
    const told = listed.length > 0 ? listed : sentences.filter((one) => wordCount(one) > 5).slice(0, 1);
    if (told.length === 0) continue;
    const [first, ...others] = told;
    facts.push(`Sub-agent “${cut(plain(task), NAME_CHARS_MAX)}”: ${first}`, ...others);
    events.push(...use.events);
  }
  return { facts: facts.slice(0, FACTS_MAX), events };
}
