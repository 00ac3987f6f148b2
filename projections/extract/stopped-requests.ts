// A request of some weight that the person stopped before anything came of it: it is likely to be asked again, so it
// is told as what it is, wishes first.

import { capital, fittingSentences, wordCount } from './text/sentences.ts';
import { formatTitle } from './text/title-form.ts';
import type { ObservationRow } from './transcript/observation.ts';
import type { TurnTranscript } from './transcript/turn-transcript.ts';
import type { Request } from './turn-request.ts';

const WORDS_MIN = 20;
const NARRATIVE_CHARS_MAX = 700;
const SAYS = 'Stopped before anything was done:';
const WISH =
  /\b(?:I|we)(?:(?:'|’)d| would)? (?:also )?(?:want|need|like|should|can)\b|\bplease\b|^(?:maybe|also|then)\b/i;

export function isStoppedRequest(
  { interrupted, userPrompts }: TurnTranscript,
  { vague, words }: Request,
): boolean {
  return (
    interrupted && !vague && wordCount(words) >= WORDS_MIN && userPrompts.some(({ command }) => !command)
  );
}

/** @param row what the rules make of the turn without any closing words */
export function stoppedRequest(row: ObservationRow, { words, sentences }: Request): ObservationRow {
  const wishes = sentences.filter((one) => WISH.test(one));
  const chosen = wishes.length === 0 ? sentences : wishes;
  return {
    ...row,
    title: formatTitle(`${SAYS} ${words}`),
    subtitle: '',
    narrative: fittingSentences(chosen.map(wished), NARRATIVE_CHARS_MAX),
    facts: [],
    // What was wished for and not done is no decision that stands.
    evidence: { ...row.evidence, decisions: [] },
  };
}

/** "I want to keep it" → "Keep it". */
function wished(sentence: string): string {
  return capital(sentence.replace(/^(?:I|we) (?:want|need|would like)(?: you)? to /i, ''));
}
