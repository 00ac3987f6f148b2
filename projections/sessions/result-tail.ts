// The end of what a command printed, for those commands whose last words say how it went: tests, builds, commits.
// A failing test whose output is piped through `tail` ends with exit code 0, so the outcome alone does not tell.
// Of a sub-agent its report is kept: what it made is often told nowhere else; of a question to the person, what was
// chosen. Everything else that tools give back stays in the log only.
import type { BodyOf } from '../../log/index.ts';
import { cutMiddle } from './cut-middle.ts';

/** A test runner's summary and git's line about a commit are among the last. 600 characters, from the start of a line. */
const TAIL_CHARS_MAX = 600;
/** Lines before those that say how a command ended: of git about commits and pushes, closing lines of test runners. */
const CLOSING_LINES_MAX = 12;
const CLOSING_LINE_CHARS_MAX = 200;
/** A report begins with what was made and ends with commits: the middle is left out. */
const REPORT_CHARS_MAX = 4_000;
/** Some questions with their answers; previews stand between them. */
const ANSWERS_CHARS_MAX = 2_000;
const ASKERS = new Set(['AskUserQuestion']);
const LAUNCHERS = new Set(['Task', 'Agent']);
const SHELLS = new Set(['Bash', 'PowerShell', 'shell', 'run_shell_command', 'exec']);
const SAYS_HOW_IT_WENT =
  /\b(?:tests?|nextest|spec|bats|prove|playwright|cypress|karma|jasmine|behave|cucumber|nox|coverage|gradlew?|mvnw?|rake|turbo|nx|pest|ginkgo|gotestsum|check|verify|jest|vitest|mocha|ava|pytest|py\.test|tox|rspec|phpunit|ctest|unittest|build|compile|lint|clippy|vet|tsc|mypy|make|commit|cherry-pick|revert|git am|merge|rebase|push|git log|git show|rev-parse|reflog|gh pr|glab mr)\b|\bgit\b[^\n]{0,80}\blog\b/;
const CLOSING_LINE =
  /^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] |^[0-9a-f]{7,40} \S|^\s*[+*! ]?\s*(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|\[[a-z ]{3,20}\])\s+\S+\s+->|^https:\/\/\S+\/(?:pull|merge_requests)\/\d+|^\s*(?:ok|FAIL)\s+\S+|^(?:FAIL|PASS|OK)\b|\b\d+ (?:pass|fail|tests?|examples?|runs|failures?|passed|failed|passing|failing)\b|^test result:|^BUILD |^Test(?:s| Files| Suites):? /;

/** undefined where nobody needs it. */
export function resultTail({ name, input, result }: BodyOf<'tool.used'>): string | undefined {
  if (result === null) return undefined;
  if (LAUNCHERS.has(name)) return cutMiddle(result, REPORT_CHARS_MAX);
  if (ASKERS.has(name)) return cutMiddle(result, ANSWERS_CHARS_MAX);
  if (!SHELLS.has(name)) return undefined;
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : null;
  if (typeof command !== 'string' || !SAYS_HOW_IT_WENT.test(command)) return undefined;
  const text = result.trimEnd();
  return text === '' ? undefined : endOfText(text);
}

/** The last lines, and of those before them what says how something ended. */
function endOfText(text: string): string {
  if (text.length <= TAIL_CHARS_MAX) return text.toWellFormed();
  const from = text.length - TAIL_CHARS_MAX;
  const line = text.indexOf('\n', from - 1);
  const start = line < 0 ? from : line + 1;
  const before = text
    .slice(0, start)
    .split('\n')
    .filter((one) => one.length <= CLOSING_LINE_CHARS_MAX && CLOSING_LINE.test(one));
  // The first lines of a log are its newest commits, the last ones of a test run say how it ended.
  const kept =
    before.length <= CLOSING_LINES_MAX
      ? before
      : [...before.slice(0, CLOSING_LINES_MAX / 2), ...before.slice(-CLOSING_LINES_MAX / 2)];
  return [...kept, text.slice(start)].join('\n').toWellFormed();
}
