import { type Sanitizer, sanitizeTranscriptText } from './sanitizer.ts';

/** A plan that a person accepted and that came back as a prompt: the agent wrote it. */
export interface AcceptedPlan {
  /** Without the text that the program adds around it. */
  readonly plan: string;
  /** What the person wrote when accepting it. */
  readonly feedback: string | null;
}

/** The text of a prompt that is not private, and its author. The same for every channel. */
export function promptWords(sanitizer: Sanitizer, text: string, plan: AcceptedPlan | null) {
  if (plan === null) return { text: sanitizeTranscriptText(sanitizer, text, 'person') };
  // Sanitized as a person's text, which hides more, because it is not always certain that the agent wrote the plan.
  const feedback = plan.feedback === null ? '' : sanitizeTranscriptText(sanitizer, plan.feedback, 'person');
  return {
    text: sanitizeTranscriptText(sanitizer, plan.plan, 'person'),
    author: 'agent' as const,
    feedback: feedback === '' ? null : feedback,
  };
}
