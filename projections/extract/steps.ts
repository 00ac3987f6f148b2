// What a turn left open: the kinds of steps, and how a step is shown.
import { cutAtWord } from './text/sentences.ts';
import type { Step } from './transcript/observation.ts';

const STEP_CHARS_MAX = 220;
const LABELS: Readonly<Record<Step['kind'], string>> = {
  offered: 'Offered: ',
  asked: 'Open question: ',
  'for-person': '',
  announced: 'Announced last: ',
  task: '',
};
const OFFERS =
  /^(?:so,? )?(?:would you like me to|do you want me to|want me to|shall I|should I|let me know if you(?:'|’)?d like me to)\s+(.+?)\??$/i;
const GIVES_CHOICE = /^(?:so,? )?should I\b.*\bor\b/i;
/** "If you want, I oil it.", "Would you like to: Oil it", "Should it be oiled?"; not "What is left: Oil it". */
const ASKS_PERSON =
  /^if you(?: want|['’]d like)\b|^(?:(?:(?:what|how) )?(?:would|do|shall|should|could) (?:you|I|we)|which)\b[^.]{0,40}:|\?$/i;

/** As it is shown: "Offered: move it to paths". */
export function stepText({ kind, text }: Step): string {
  return `${LABELS[kind]}${text}`;
}

/** An offer or a question: what the person says next settles it. */
export function isForPerson({ kind }: Step): boolean {
  return kind === 'offered' || kind === 'asked' || kind === 'for-person';
}

/** "Would you like me to move it to paths?" → offered: move it to paths. A choice is a question. */
export function offerOrStep(sentence: string): Step {
  const offer = OFFERS.exec(sentence);
  if (offer === null) return stepOf(sentence);
  return GIVES_CHOICE.test(sentence)
    ? { kind: 'asked', text: sentence }
    : { kind: 'offered', text: offer[1]! };
}

/** In the agent's own words, which may have the label themselves. */
export function stepOf(text: string): Step {
  const labelled = (['offered', 'asked'] as const).find((kind) => text.startsWith(LABELS[kind]));
  if (labelled !== undefined) return { kind: labelled, text: text.slice(LABELS[labelled].length) };
  return { kind: ASKS_PERSON.test(text) ? 'for-person' : 'task', text };
}

export function shortStep({ kind, text }: Step): Step {
  return { kind, text: cutAtWord(text, STEP_CHARS_MAX - LABELS[kind].length) };
}
