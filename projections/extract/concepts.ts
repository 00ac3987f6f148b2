// Assigns concepts, the kinds of knowledge in an observation, by what the observation contains. At least one.
import type { Concept, ObservationType } from './transcript/observation.ts';

export interface ConceptSources {
  readonly type: ObservationType;
  readonly prompt: string;
  readonly decided: boolean;
  readonly learned: boolean;
  readonly fixedErrors: number;
  readonly changed: boolean;
}

export function conceptsOf({
  type,
  prompt,
  decided,
  learned,
  fixedErrors,
  changed,
}: ConceptSources): Concept[] {
  const concepts: Concept[] = [changed ? 'what-changed' : 'how-it-works'];
  if (type === 'bugfix' || type === 'security' || fixedErrors > 0) concepts.push('problem-solution');
  if (/\bwhy\b/i.test(prompt)) concepts.push('why-it-exists');
  if (learned) concepts.push('gotcha');
  if (decided) concepts.push('trade-off');
  return concepts.sort();
}
