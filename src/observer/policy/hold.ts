// Why nothing is sent to the model at the moment, for how long, and what a person can do about it.
import type { Provider } from '../providers/provider.ts';
import type { OverBudget } from './budget.ts';
import type { NextStep } from './next-step.ts';

export type HoldReason = 'paused' | 'auth' | 'quota' | 'rate-limit' | 'transient' | 'failures' | 'budget';

export interface Hold {
  readonly because: HoldReason;
  /** Unix ms; null: until a person changes something. */
  readonly until: number | null;
  /** Sentences for people. */
  readonly sentence: string;
}

/** Whether it stays so until somebody does something, or for long. A pause was somebody's wish. */
export function needsPerson({ because }: Pick<Hold, 'because'>): boolean {
  return because === 'auth' || because === 'quota' || because === 'failures' || because === 'budget';
}

export const PAUSED: Hold = {
  because: 'paused',
  until: null,
  sentence: 'The observer is paused: `annals observer resume` lets it go on.',
};

export function budgetHold({ sentence, until }: OverBudget): Hold {
  return { because: 'budget', until, sentence };
}

/** Null when the next request may be sent now. */
export function failureHold(
  step: NextStep,
  { name, place }: Pick<Provider, 'name' | 'place'>,
  now: number,
): Hold | null {
  if (step.do === 'ask') return null;
  const { because } = step;
  const until = step.do === 'wait' ? step.until : null;
  if (until !== null && until <= now) return null;
  return { because, until, sentence: sentenceOf(because, `${name} at ${place}`, until) };
}

function sentenceOf(because: HoldReason, service: string, until: number | null): string {
  const when = until === null ? '' : new Date(until).toISOString();
  switch (because) {
    case 'auth':
      return `${service} refused the key, the model or the address. After you changed it: \`annals observer retry\`; a running worker gets a new key with \`annals worker stop\`.`;
    case 'quota':
      return `${service} says that no credit or quota is left. After you added some: \`annals observer retry\`.`;
    case 'failures':
      return `${service} failed five times in a row. The next request is sent at ${when}, or after \`annals observer retry\`.`;
    case 'rate-limit':
      return `${service} gets too many requests. The next one is sent at ${when}.`;
    default:
      return `${service} could not answer. The next request is sent at ${when}.`;
  }
}
