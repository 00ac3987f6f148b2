// A substantial request that the person stopped before it had a result. It is likely to be asked again, so it becomes an
// observation that says so.

import { fittingSentences, wordCount } from './text/sentences.ts';
import { formatTitle } from './text/title-form.ts';
import type { ObservationRow } from './transcript/observation.ts';
import type { TurnTranscript } from './transcript/turn-transcript.ts';
import type { Request } from './turn-request.ts';

const WORDS_MIN = 20;
const NARRATIVE_CHARS_MAX = 700;
const SAYS = 'Stopped before anything was done:';

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
  return {
    ...row,
    title: formatTitle(`${SAYS} ${words}`),
    subtitle: '',
    narrative: fittingSentences(sentences, NARRATIVE_CHARS_MAX),
    facts: [],
    // A wish that was not carried out is no decision.
    evidence: { ...row.evidence, decisions: [] },
  };
}
