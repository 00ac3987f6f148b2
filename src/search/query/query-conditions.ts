// The conditions that narrow a search, from operators in the query and from options, as one list. All of them must hold.
import { AnnalsError } from '../../../log/index.ts';
import type { DocumentKind, ToolOutcome } from '../../../projections/index.ts';
import type { SearchOptions } from '../../api.ts';
import { nearestWord } from './nearest-word.ts';
import { OPERATORS, type Operator } from './query-tokens.ts';

export interface Condition {
  readonly field: Operator;
  /** `since` and `until` are kept as written: a relative time is resolved when the search runs. */
  readonly value: string | number;
  /** Whether matching documents are left out. */
  readonly not: boolean;
}

export const KINDS: readonly DocumentKind[] = [
  'prompt',
  'answer',
  'tool',
  'memory',
  'observation',
  'summary',
  'imported',
];

/** @throws AnnalsError USAGE: an unknown kind, an empty value */
export function conditionsOf(options: SearchOptions): Condition[] {
  return OPERATORS.flatMap((field) => {
    const value = options[field];
    return value === undefined ? [] : [checked(field, value, false)];
  });
}

/** @throws AnnalsError USAGE */
export function checked(field: Operator, value: string | number, not: boolean): Condition {
  if (value === '')
    throw new AnnalsError('USAGE', `“${field}:” is empty.`, {
      hint: `Write ${field}:${EXAMPLES[field]}, or leave it out.`,
    });
  if (not && (field === 'since' || field === 'until'))
    throw new AnnalsError('USAGE', `“-${field}:” has no meaning.`, {
      hint: `Write ${field === 'since' ? 'until' : 'since'}:${value}.`,
    });
  if (field === 'kind') return { field, value: kindOf(String(value)), not };
  return { field, value: field === 'outcome' ? outcomeOf(String(value)) : value, not };
}

const EXAMPLES: Readonly<Record<Operator, string>> = {
  type: 'decision',
  kind: 'prompt',
  project: 'birdfeeder',
  file: 'src/clock.ts',
  concept: 'gotcha',
  outcome: 'failed',
  agent: 'claude-code',
  session: '6f1d2c1e',
  since: '7d',
  until: 'yesterday',
};

/** A kind by its name, singular or plural. @throws AnnalsError USAGE: an unknown kind */
export function kindOf(word: string): DocumentKind {
  const lower = word.toLowerCase();
  const kind = KINDS.find((known) => lower === known || lower === PLURALS[known]);
  if (kind !== undefined) return kind;
  const meant = nearestWord(lower, KINDS) ?? nearestWord(lower, Object.values(PLURALS));
  throw new AnnalsError('USAGE', `There is no kind “${word}”.`, {
    hint: `${meant === null ? '' : `Did you mean ${meant}? `}Kinds are ${KINDS.join(', ')}.`,
  });
}

export const OUTCOMES: readonly ToolOutcome[] = ['ok', 'failed', 'cancelled'];

/** @throws AnnalsError USAGE: an unknown outcome */
export function outcomeOf(word: string): ToolOutcome {
  const lower = word.toLowerCase();
  const outcome = OUTCOMES.find((known) => lower === known);
  if (outcome !== undefined) return outcome;
  throw new AnnalsError('USAGE', `There is no outcome “${word}”.`, {
    hint: `Outcomes are ${OUTCOMES.join(', ')}.`,
  });
}

const PLURALS: Readonly<Record<DocumentKind, string>> = {
  prompt: 'prompts',
  answer: 'answers',
  tool: 'tools',
  memory: 'memories',
  observation: 'observations',
  summary: 'summaries',
  imported: 'imports',
};
