// A substantial request that the person stopped before it had a result. It is likely to be asked again, so it becomes an
// observation that says so, wishes first.

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

/** @param row the observation that the rules derive without a final answer */
export function stoppedRequest(row: ObservationRow, { words, sentences }: Request): ObservationRow {
  const wishes = sentences.filter((one) => WISH.test(one));
  const chosen = wishes.length === 0 ? sentences : wishes;
  return {
    ...row,
    title: formatTitle(`${SAYS} ${words}`),
    subtitle: '',
    narrative: fittingSentences(chosen.map(wished), NARRATIVE_CHARS_MAX),
    facts: [],
    // A wish that was not carried out is no decision.
    evidence: { ...row.evidence, decisions: [] },
  };
}

/** "I want to keep it" → "Keep it". */
function wished(sentence: string): string {
  return capital(sentence.replace(/^(?:I|we) (?:want|need|would like)(?: you)? to /i, ''));
}
