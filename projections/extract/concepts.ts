// Assigns concepts, the kinds of knowledge in an observation. At least one, possibly several.
import type { Concept, ObservationType } from './transcript/observation.ts';

export interface ConceptSources {
  readonly type: ObservationType;
  readonly prompt: string;
  readonly said: string;
  readonly decided: boolean;
  readonly fixedErrors: number;
  readonly changed: boolean;
}

export function conceptsOf({ type, prompt, said, decided, fixedErrors, changed }: ConceptSources): Concept[] {
  const concepts = new Set<Concept>();
  if (changed) concepts.add('what-changed');
  if (type === 'bugfix' || type === 'security' || fixedErrors > 0 || ROOT_CAUSE.test(said))
    concepts.add('problem-solution');
  if (!changed && (HOW.test(prompt) || HOW_SAID.test(said) || type === 'discovery'))
    concepts.add('how-it-works');
  if (WHY.test(prompt) || WHY_SAID.test(said)) concepts.add('why-it-exists');
  if (GOTCHA.test(said)) concepts.add('gotcha');
  if (PATTERN.test(said)) concepts.add('pattern');
  if (decided || TRADE_OFF.test(said)) concepts.add('trade-off');
  if (concepts.size === 0) concepts.add('what-changed');
  return [...concepts].sort();
}

const ROOT_CAUSE = /\b(?:root cause|the (?:issue|problem|bug) (?:was|is)|caused by)\b/i;
const HOW = /\b(?:how (?:do|does|is|are|would|can)|explain|what (?:is|does|are)|where)\b/i;
const HOW_SAID = /\b(?:works? by|is (?:stored|computed|called|defined|triggered)|under the hood)\b/i;
const WHY = /\bwhy\b/i;
const WHY_SAID = /\b(?:the reason|exists? (?:because|so that|to)|by design|on purpose|historical)\b/i;
const GOTCHA =
  /\b(?:gotcha|careful|beware|caveat|pitfall|turns out|surpris\w+|silently|trap|edge case|easy to miss|only works? (?:when|if|on)|must (?:be|not)|false positive|circular dependency|race condition|misleading)\b/i;
const PATTERN =
  /\b(?:pattern|convention|consistent(?:ly)? with|single source of truth|same approach|idiom)\b/i;
const TRADE_OFF =
  /\b(?:trade-?offs?|pros?(?: and |\/)cons?|downsides?|at the cost of|instead of|rather than|versus)\b/i;
