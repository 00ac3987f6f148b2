// Facts from the reports of sub-agents to the agent that launched them. Their own transcripts are not always available;
// then the report is the only source about their work.
import { parsedAnswer } from './answer/final-answer.ts';
import { launchedToMake } from './evidence/launched-work.ts';
import { isSubagentReport } from './evidence/reported-commits.ts';
import { answerFacts } from './observation-facts.ts';
import { plainMarkdown } from './text/markdown.ts';
import { cutAtWord, wordCount } from './text/sentences.ts';
import type { ToolUse } from './transcript/turn-transcript.ts';

const FACTS_OF_ONE_MAX = 3;
/** The same for a sub-agent that was launched to make something. */
const FACTS_OF_MAKER_MAX = 6;
const FACTS_MAX = 18;
const NAME_CHARS_MAX = 60;
/** States that everything went as planned. */
const AS_PLANNED =
  /\b(?:as (?:specified|expected|planned|required)|matches|follows (?:the )?existing|exactly|plan (?:specified|used)|no (?:changes|regressions|issues)|verdict: pass)\b|^(?:actual|plan(?:ned)?\b[^:]{0,12}):|^(?:clear|proper|good|consistent|minimal|well|uses? (?:the )?correct)\b/i;

/** States something unexpected. */
const NOTABLE =
  /\b(?:because|instead|rather than|since|simpl(?:er|ified)|without|workaround|demonstrat\w*|missing|however|limitation\w*|mismatch\w*|differ\w*|not (?:yet )?(?:\w+ed|available|possible|supported)|conflicts?)\b/i;
const NOTABLE_MAX = 2;
const EXPLORES = /^(?:explore|search|find|look|read|investigate|understand|research|check)\b/i;

export interface SubagentReports {
  readonly facts: readonly string[];
  readonly events: readonly string[];
}

/** The first points of each report, with the task of the sub-agent. */
export function subagentReports(
  toolUses: readonly ToolUse[],
  workdir: string,
  changed: boolean,
): SubagentReports {
  const facts: string[] = [];
  const events: string[] = [];
  for (const toolUse of toolUses) {
    const task = toolUse.input.description;
    if (!isSubagentReport(toolUse) || typeof task !== 'string') continue;
    // When something changed, reports of exploration matter less.
    if (changed && EXPLORES.test(task)) continue;
    const most = launchedToMake([toolUse]) ? FACTS_OF_MAKER_MAX : FACTS_OF_ONE_MAX;
    const { points, sentences } = parsedAnswer({
      ...toolUse,
      text: toolUse.tail.replaceAll(`${workdir}/`, ''),
    });
    const worth = points.filter(({ text }) => !AS_PLANNED.test(text));
    const notable = answerFacts(
      worth.filter(({ text }) => NOTABLE.test(text)),
      NOTABLE_MAX,
    );
    const listed = [...new Set([...notable, ...answerFacts(worth, most)])].slice(0, most);
    const reported = listed.length > 0 ? listed : sentences.filter((one) => wordCount(one) > 5).slice(0, 1);
    if (reported.length === 0) continue;
    const [first, ...others] = reported;
    facts.push(`Sub-agent “${cutAtWord(plainMarkdown(task), NAME_CHARS_MAX)}”: ${first}`, ...others);
    events.push(...toolUse.events);
  }
  return { facts: facts.slice(0, FACTS_MAX), events };
}
