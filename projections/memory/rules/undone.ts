// A request of some weight that the person stopped before anything came of it: it is likely to be asked again, so it
// is told as what it is, wishes first.
import type { ObservationRow } from '../observation.ts';
import type { Request } from './request.ts';
import { capital, fitting, wordCount } from './sentences.ts';
import type { Story } from './story.ts';
import { finish } from './title-form.ts';

const WORDS_MIN = 20;
const NARRATIVE_CHARS_MAX = 700;
const SAYS = 'Stopped before anything was done:';
const WISH =
  /\b(?:I|we)(?:(?:'|’)d| would)? (?:also )?(?:want|need|like|should|can)\b|\bplease\b|^(?:maybe|also|then)\b/i;

export function isUndone({ interrupted, asked }: Story, { vague, words }: Request): boolean {
  return interrupted && !vague && wordCount(words) >= WORDS_MIN && asked.some(({ command }) => !command);
}

/** @param row what the rules make of the turn without any closing words */
export function undone(row: ObservationRow, { words, sentences }: Request): ObservationRow {
  const wishes = sentences.filter((one) => WISH.test(one));
  const told = wishes.length === 0 ? sentences : wishes;
  return {
    ...row,
    title: finish(`${SAYS} ${words}`),
    subtitle: '',
    narrative: fitting(told.map(wished), NARRATIVE_CHARS_MAX),
    facts: [],
    // What was wished for and not done is no decision that stands.
    evidence: { ...row.evidence, decisions: [] },
  };
}

/** "I want to keep it" → "Keep it". */
function wished(sentence: string): string {
  return capital(sentence.replace(/^(?:I|we) (?:want|need|would like)(?: you)? to /i, ''));
}
