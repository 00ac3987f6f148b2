// Choices with their reasons, where a text states them. A sentence counts when it both chooses and gives a reason
// or names what it chose against; the person's own "I'd go with …" counts without one, because they decide.
import type { Block } from './markdown.ts';
import { cut, sentencesOf, wordCount } from './sentences.ts';

const CHOOSES =
  /\b(?:decided|chose|chosen|choosing|opted|went with|going with|prefer(?:red)?|instead of|rather than|on purpose|deliberately|intentionally|kept|keeps? (?:it|them|the)|recommend(?:ed|ation)?|selected|trade-?off|not worth|by design)\b/i;
const REASON =
  /\b(?:because|since|so that|so (?:it|we|the|that|they)\b|the reason|to avoid|to keep|instead of|rather than|over (?:the|a)\b|otherwise|which (?:means|avoids|keeps|lets)|due to|in order to|as (?:it|this|that|the)\b)|—|: /i;
const PERSON_DECIDES =
  /\b(?:I(?:'|’)?d (?:go with|rather|prefer|say we)|I (?:would (?:call|prefer|go)|prefer|want to keep|only want|decided|think (?:we should|it'?s? (?:better|correct)|I'?d prefer))|we (?:removed|decided|want|should not|shouldn(?:'|’)t|don(?:'|’)t want|agreed)|let(?:'|’)?s (?:keep|use|go with|not|stick)|should (?:be|not)|instead of|rather than|on purpose)\b/i;
const DECISION_CHARS_MAX = 260;
const DECISIONS_MAX = 4;

export function decisionsOf(asked: readonly string[], closing: readonly Block[]): string[] {
  const found: string[] = [];
  for (const sentence of asked)
    if (
      PERSON_DECIDES.test(sentence) &&
      !/\?\s*$/.test(sentence) &&
      wordCount(sentence) >= 5 &&
      sentence.length <= 400
    )
      found.push(`The person: ${cut(sentence, DECISION_CHARS_MAX)}`);
  const own = found.slice(0, 2);
  const agents: string[] = [];
  for (const block of closing) {
    if (block.kind === 'heading' || block.kind === 'label') continue;
    for (const sentence of sentencesOf(block.text))
      if (
        CHOOSES.test(sentence) &&
        REASON.test(sentence) &&
        wordCount(sentence) >= 7 &&
        !/\?\s*$|:\s*$|^\s*(?:would|do|should|want|if) /i.test(sentence)
      )
        agents.push(cut(sentence, DECISION_CHARS_MAX));
  }
  return [...new Set([...own, ...agents])].slice(0, DECISIONS_MAX);
}
