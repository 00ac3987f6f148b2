// Facts: the list of the closing words, then what tools prove. Each stands by itself in one line.
import type { Closing } from './closing.ts';
import type { Gathered } from './evidence.ts';
import { cut, isDense, wordCount } from './sentences.ts';

const FACT_CHARS_MAX = 220;
const SAID_MAX = 8;

export function factsOf(closing: Closing | null, gathered: Gathered, decisions: readonly string[]): string[] {
  const said = (closing?.items ?? [])
    .filter((item) => wordCount(item) >= 3 || isDense(item))
    .map((item) => cut(item.replace(/[:：]$/, ''), FACT_CHARS_MAX))
    .slice(0, SAID_MAX);
  const errors = gathered.errors.map(({ error, command, fixedBy }) =>
    fixedBy === null
      ? `Still failing: ${command}: ${error}`
      : `${command} failed with “${error}”; what helped: ${fixedBy}`,
  );
  const tests = gathered.tests.map(
    ({ command, before, after, said: words }) =>
      `${command}: ${before === null || before === after ? after : `${before}, then ${after}`}${words === null ? '' : ` (${words})`}`,
  );
  const commits = gathered.commits.map(
    ({ hash, message }) => `Commit${hash === null ? '' : ` ${hash}`}: ${message.split('\n')[0]}`,
  );
  const chosen = decisions.filter((decision) => !said.some((fact) => fact.includes(decision.slice(0, 60))));
  return [...new Set([...said, ...chosen, ...errors, ...tests, ...commits])];
}
