// The end of what a command printed, for those commands whose last words say how it went: tests, builds, commits.
// A failing test whose output is piped through `tail` ends with exit code 0, so the outcome alone does not tell.
// Of a sub-agent its report is kept: what it made is often told nowhere else; of a question to the person, what was
// chosen. Everything else that tools give back stays in the log only.
import type { BodyOf } from '../../log/index.ts';
import { cutMiddle } from './cut-middle.ts';

/** A test runner's summary and git's line about a commit are among the last. 600 characters. */
const TAIL_CHARS_MAX = 600;
/** A report begins with what was made and ends with commits: the middle is left out. */
const REPORT_CHARS_MAX = 4_000;
/** Some questions with their answers; previews stand between them. */
const ANSWERS_CHARS_MAX = 2_000;
const ASKERS = new Set(['AskUserQuestion']);
const LAUNCHERS = new Set(['Task', 'Agent']);
const SHELLS = new Set(['Bash', 'PowerShell', 'shell', 'run_shell_command', 'exec']);
const SAYS_HOW_IT_WENT =
  /\b(?:tests?|spec|check|verify|jest|vitest|mocha|ava|pytest|py\.test|tox|rspec|phpunit|ctest|unittest|build|compile|lint|clippy|vet|tsc|mypy|make|commit|cherry-pick|merge|rebase)\b/;

/** undefined where nobody needs it. */
export function resultTail({ name, input, result }: BodyOf<'tool.used'>): string | undefined {
  if (result === null) return undefined;
  if (LAUNCHERS.has(name)) return cutMiddle(result, REPORT_CHARS_MAX);
  if (ASKERS.has(name)) return cutMiddle(result, ANSWERS_CHARS_MAX);
  if (!SHELLS.has(name)) return undefined;
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : null;
  if (typeof command !== 'string' || !SAYS_HOW_IT_WENT.test(command)) return undefined;
  const text = result.trimEnd();
  if (text === '') return undefined;
  return text.slice(-TAIL_CHARS_MAX).toWellFormed();
}
