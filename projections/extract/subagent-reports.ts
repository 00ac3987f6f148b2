// Facts from the reports of sub-agents to the agent that launched them. Their own transcripts are not always available;
// then the report is the only source about their work.
import { parsedAnswer } from './answer/final-answer.ts';
import { isLauncher, launchedToMake } from './evidence/launched-work.ts';
import { answerFacts } from './observation-facts.ts';
import { isUnended } from './outcome/test-outcome.ts';
import { plainMarkdown } from './text/markdown.ts';
import { cutAtWord, wordCount } from './text/sentences.ts';
import { isOfThen } from './text/wording.ts';
import { isWriter } from './transcript/touched-files.ts';
import type { ToolUse } from './transcript/turn-transcript.ts';

const FACTS_OF_ONE_MAX = 3;
/** The same for a sub-agent that was launched to make something. */
const FACTS_OF_MAKER_MAX = 6;
const FACTS_MAX = 18;
const NAME_CHARS_MAX = 60;
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
    const makes = launchedToMake([toolUse]);
    // When something changed, reports of exploration matter less.
    if (changed && !makes) continue;
    const { points, sentences, loose } = parsedAnswer({
      ...toolUse,
      text: toolUse.tail.replaceAll(`${workdir}/`, ''),
    });
    const listed = answerFacts(points, makes ? FACTS_OF_MAKER_MAX : FACTS_OF_ONE_MAX);
    const reported =
      listed.length > 0
        ? listed
        : sentences.filter((one) => wordCount(one) > 5 && !loose.includes(one)).slice(0, 1);
    const left = isPast(toolUse, toolUses) ? reported.filter((one) => !isOfThen(one)) : reported;
    if (left.length === 0) continue;
    const label = `Sub-agent “${cutAtWord(plainMarkdown(task), NAME_CHARS_MAX)}”: `;
    facts.push(...left.map((one) => `${label}${one}`));
    events.push(...toolUse.events);
  }
  return { facts: facts.slice(0, FACTS_MAX), events };
}

/** Whether it is the report of a finished sub-agent; a message that it started is none. */
function isSubagentReport(toolUse: ToolUse): boolean {
  return (
    isLauncher(toolUse) &&
    toolUse.outcome === 'ok' &&
    toolUse.tail !== '' &&
    !isUnended(toolUse) &&
    !BEGAN.test(toolUse.tail)
  );
}

/** Whether something was changed after the report. */
function isPast(report: ToolUse, toolUses: readonly ToolUse[]): boolean {
  const next = toolUses.find(({ order, ofSubagent }) => !ofSubagent && order > report.order);
  return (
    next !== undefined &&
    toolUses.some(
      (one) => one.order >= next.order && one.outcome === 'ok' && (isWriter(one) || launchedToMake([one])),
    )
  );
}

const BEGAN = /^(?:async )?agent (?:was )?(?:launched|started)/i;
