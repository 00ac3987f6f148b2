// A plan that a person accepted comes back as a prompt: "Implement the following plan:", the plan, where to find the
// earlier conversation, and any feedback the person added. The agent wrote the plan; the person wrote only the
// feedback. A transcript line with the plan in `planContent` proves it. Hooks and the queue have only the text, and a
// person may paste a plan of their own below the same words. There, the program's closing sentence or a heading at the
// start decides.
import { type JsonObject, stringOf } from '../common/json-fields.ts';
import type { AcceptedPlan } from '../common/prompt-words.ts';

const OPENING = 'Implement the following plan:';
const CLOSING = '\n\nIf you need specific details from before exiting plan mode';
const FEEDBACK = '\n\nUser feedback on this plan: ';
const HEADING = /^#{1,3}[ \t]+\S/;

/** Null when the text is not an accepted plan. */
export function acceptedPlan(text: string, line: JsonObject | null = null): AcceptedPlan | null {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith(OPENING)) return null;
  const body = trimmed.slice(OPENING.length).trimStart();
  const proven = stringOf(line?.planContent)?.trim() ?? '';
  if (proven !== '' && body.startsWith(proven))
    return { plan: proven, feedback: feedbackIn(body.slice(proven.length)) };
  // Use the last match, because a plan may quote the program's sentence.
  const closing = body.lastIndexOf(CLOSING);
  if (closing >= 0) return { plan: body.slice(0, closing).trim(), feedback: feedbackIn(body.slice(closing)) };
  if (!HEADING.test(body)) return null;
  const feedback = body.lastIndexOf(FEEDBACK);
  return {
    plan: (feedback < 0 ? body : body.slice(0, feedback)).trim(),
    feedback: feedback < 0 ? null : feedbackIn(body.slice(feedback)),
  };
}

function feedbackIn(rest: string): string | null {
  const at = rest.indexOf(FEEDBACK);
  const comment = at < 0 ? '' : rest.slice(at + FEEDBACK.length).trim();
  return comment === '' ? null : comment;
}
