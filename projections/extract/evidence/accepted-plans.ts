// What was decided in the plans that a person accepted: the items of a plan's sections on decisions, or else its goal. The
// wording is the agent's, the consent is the person's. A plan is accepted if it came back as a prompt, or if the host wrote
// so as the result of the plan; no other outcome of that tool says who agreed.
import { type MarkdownBlock, markdownBlocks } from '../text/markdown.ts';
import { planName } from '../text/plans.ts';
import { cutAtWord } from '../text/sentences.ts';
import type { Prompt, ToolUse } from '../transcript/turn-transcript.ts';

/** How the decisions of an accepted plan begin. */
export const ACCEPTED_PLAN = 'The person: Accepted plan ';

const DECISIONS_CHARS_MAX = 400;
const ITEM_CHARS_MAX = 180;
const DECISIONS = /\b(?:decisions?|décisions?)\b/i;
const GOAL = /^(?:goal|objecti(?:f|ve)|but)\s*:\s*/i;
/** How Claude Code begins the result of a plan that the person approved. */
const APPROVED = /^User has approved your plan\b/;
/** Before the plan in that result, if the person changed it. */
const EDITED = '\n## Approved Plan (edited by user):\n';
/** Where a long result was shortened. */
const SHORTENED = ' … ';

/** Decisions such as "The person: Accepted plan “Cursor support”. Chosen: one type for both files; …", and their events. */
export function planDecisions(
  prompts: readonly Prompt[],
  toolUses: readonly ToolUse[],
): { readonly decisions: string[]; readonly events: readonly string[] } {
  const plans = [
    ...prompts.filter(({ plan }) => plan).map(({ text, events }) => ({ text, events })),
    ...toolUses
      .filter(({ name, outcome, tail }) => name === 'ExitPlanMode' && outcome === 'ok' && APPROVED.test(tail))
      .map(({ input, tail, events }) => ({ text: editedPlan(tail) ?? String(input.plan ?? ''), events })),
  ];
  const decided = plans.flatMap(({ text, events }) => {
    const items = decisionsIn(markdownBlocks(text));
    if (items.length === 0) return [];
    const chosen = cutAtWord(items.join('; '), DECISIONS_CHARS_MAX);
    return [{ decision: `${ACCEPTED_PLAN}“${planName(text)}”. Chosen: ${chosen}`, events }];
  });
  return {
    decisions: decided.map(({ decision }) => decision),
    events: decided.flatMap(({ events }) => events),
  };
}

/** The plan as the person edited it: '' if the result was shortened, null if the person approved it unchanged. */
function editedPlan(result: string): string | null {
  const at = result.indexOf(EDITED);
  if (at < 0) return null;
  return result.includes(SHORTENED) ? '' : result.slice(at + EDITED.length);
}

function decisionsIn(blocks: readonly MarkdownBlock[]): string[] {
  const items: string[] = [];
  let isOpen = false;
  for (const { kind, text } of blocks) {
    if (kind === 'heading' || kind === 'label') isOpen = DECISIONS.test(text);
    else if (kind === 'text') isOpen = false;
    else if (kind === 'item' && isOpen) items.push(shortened(text));
  }
  if (items.length > 0) return items;
  const goal = blocks.find(({ kind, text }) => kind === 'text' && GOAL.test(text));
  return goal === undefined ? [] : [cutAtWord(goal.text.replace(GOAL, ''), DECISIONS_CHARS_MAX)];
}

function shortened(item: string): string {
  return cutAtWord(item, ITEM_CHARS_MAX).replace(/[.;]$/, '');
}
