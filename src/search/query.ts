// What a person typed, as a query. For now only words; operators come when something needs them.
import { AnnalsError } from '../../log/index.ts';

export interface Query {
  readonly text: string;
  /** What was not taken as typed, one sentence each. */
  readonly degraded: readonly string[];
}

/** A pasted log is a fair query, a pasted book is not. */
const LENGTH_MAX = 4_000;

/** @throws AnnalsError USAGE when nothing is left to search for */
export function parseQuery(input: string): Query {
  const text = input.normalize('NFC').trim();
  if (text === '')
    throw new AnnalsError('USAGE', 'There is nothing to search for.', {
      hint: 'Give some words: annals search "import cycle".',
    });
  if (text.length <= LENGTH_MAX) return { text, degraded: [] };
  return {
    text: text.slice(0, LENGTH_MAX),
    degraded: [`The query was cut to its first ${LENGTH_MAX.toLocaleString('en')} characters.`],
  };
}
