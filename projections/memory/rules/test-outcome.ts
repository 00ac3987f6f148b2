// How a test or a build ended: by its outcome, and where that says nothing (a pipe hides the exit code) by the
// end of what it printed.
import type { TestOutcome } from '../observation.ts';
import { plain } from './markdown.ts';
import type { Use } from './story.ts';

const FAILED =
  /^\s*(?:---\s*)?FAIL(?:ED|URE)?\b|\bFAIL\s|\b[1-9]\d*\s+(?:tests?\s+)?(?:failed|failures?|failing)\b|\bTests?:\s.*\b[1-9]\d*\s+failed|npm ERR!|panicked at|could not compile|\bBUILD FAILED\b|ERROR task failed|^Exit code [1-9]|\berror TS\d+|^error(?:\[E\d+\])?:/m;
const PASSED =
  /\b\d+\s+(?:tests?|examples?|specs?)\b[^\n]{0,40}\b0 failures\b|\b\d+ (?:tests? )?pass(?:ed|ing)\b|^\s*(?:ok\s|PASS\b)|\ball (?:tests )?pass|test result: ok|^OK\b|\b0 issues\b|found no issues/im;
const RUNNERS_LAST_WORDS =
  /^.*(?:\b\d+\s+(?:tests?|examples?|specs?|doctests?)\b.*\bfailures?\b|\bTests?:?\s+.*\b\d+ (?:passed|failed)\b|\b\d+ (?:passed|passing|failed|failing)\b|test result: .*|\b0 issues\b).*$/gim;

/** null: cancelled, still running, or nothing says how it ended. */
export function endOf(use: Use): TestOutcome | null {
  if (use.outcome === 'failed') return 'failed';
  if (use.outcome !== 'ok' || isUnended(use)) return null;
  if (FAILED.test(use.tail)) return 'failed';
  const hidden = /\|(?!\|)|;|\|\|/.test(use.command?.whole ?? '');
  return !hidden || PASSED.test(use.tail) ? 'passed' : null;
}

/** It went to the background, or was interrupted: its end was not seen. */
export function isUnended({ input, tail }: Use): boolean {
  return input.run_in_background === true || UNENDED.test(tail);
}

const UNENDED =
  /^Command (?:is )?(?:running|was (?:manually )?(?:moved|backgrounded))[^\n]* background|\bmoved to the background\b|\[Request interrupted by user/im;

/** The runner's summary line; null when there is none. */
export function lastWordsOf({ tail, error }: Use): string | null {
  const lines = `${error}\n${tail}`.match(RUNNERS_LAST_WORDS);
  const last = lines?.at(-1);
  return last === undefined ? null : plain(last).slice(0, 120);
}
