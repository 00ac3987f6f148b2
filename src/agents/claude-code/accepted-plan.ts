// A plan that a person accepted comes back as a prompt: "Implement the following plan:", the plan, where to read what
// came before, and what the person added when accepting it. The plan's words are the agent's; only the feedback is the
// person's. A transcript line that holds the plan beside the message (`planContent`) proves it. Hooks and the queue have
// the text alone, and a person may paste a plan of their own below the same words: there the program's closing sentence
// or a heading at the start decides.
import { type JsonObject, stringOf } from './transcript-line.ts';

export interface AcceptedPlan {
  /** Without what the program wrote around it. */
  readonly plan: string;
  /** What the person said when accepting it. */
  readonly feedback: string | null;
}

const OPENING = 'Implement the following plan:';
const CLOSING = '\n\nIf you need specific details from before exiting plan mode';
const FEEDBACK = '\n\nUser feedback on this plan: ';
const HEADING = /^#{1,3}[ \t]+\S/;

/** Null when the text is no accepted plan. */
export function acceptedPlan(text: string, line: JsonObject | null = null): AcceptedPlan | null {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith(OPENING)) return null;
  const body = trimmed.slice(OPENING.length).trimStart();
  const proven = stringOf(line?.planContent)?.trim() ?? '';
  if (proven !== '' && body.startsWith(proven))
    return { plan: proven, feedback: feedbackIn(body.slice(proven.length)) };
  // The last one: a plan may quote the program's sentence.
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
  const words = at < 0 ? '' : rest.slice(at + FEEDBACK.length).trim();
  return words === '' ? null : words;
}
