// Finds sentences that warn of something easy to miss: silent behaviour, hidden conditions, required steps.
import { sentencesOf, wordCount } from './sentences.ts';

const WARNS =
  /\b(?:gotcha|beware|caveat|pitfall|turns? out|silently|easy to miss|only works? (?:when|if|on|with|after)|does(?:n(?:'|’)t| not) work (?:when|if|with|without|on)|fails? (?:when|if|without|unless)|won(?:'|’)t (?:work|run|start|show|be picked up|regenerate)|must (?:not|be (?:run|set|the same|committed|rebuilt)|run|exist|have|match|come|travel)|needs? to be (?:run|rebuilt|regenerated|set|installed|restarted|committed)|not written by hand|race condition|circular (?:import|dependency)|import cycle not|(?:not|never) (?:thread-?safe|picked up|propagated|persisted)|breaks? (?:when|if|every|the build|bisect)|leaves? (?:stale|old)|no notion of|depends on the order|flak[ey]\w*|count must)\b/i;
const OF_THE_MOMENT =
  /\?\s*$|^(?:options?|approach\w*|recommend\w*|issues?|test\w*)\b[^:]{0,40}:|[:：]\s*$|^(?:still failing|commit\b|done|fixed|all \d* ?tests)|\b(?:would you|want me|shall I|let me|I(?:'|’)ll|you(?:'|’)re right|option \d|diagnostics)\b/i;
const CONTEXT_DEPENDENT =
  /^(?:that|this|it|they|these|those|both|which|so|and|but|if|the (?:document|doc|script|module|test|tests))\b/i;
const WORDS_MIN = 8;
const WARNINGS_MAX = 2;

/** At most two warnings, in order, each understandable alone. */
export function warningsIn(texts: readonly string[]): string[] {
  const found = texts
    .flatMap(sentencesOf)
    .filter(
      (sentence) =>
        WARNS.test(sentence) &&
        !OF_THE_MOMENT.test(sentence) &&
        !CONTEXT_DEPENDENT.test(sentence) &&
        wordCount(sentence) >= WORDS_MIN,
    );
  return [...new Set(found)].slice(0, WARNINGS_MAX);
}
