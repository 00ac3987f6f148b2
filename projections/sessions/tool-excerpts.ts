// The excerpts of a tool use that a row keeps; the whole is in the log. Of the input: its short fields. Of an error: its
// beginning and end. Of a result: the last lines of tests, builds and commits, because a failing test piped through `tail`
// exits with 0, so the exit code is not enough; the report of a sub-agent, because it is often the only account of its
// work; and the person's answer to a question or a plan.

import type { BodyOf, Json } from '../../log/index.ts';
import { anyOf } from '../extract/text/any-of.ts';
import { changedLines, patchedLines } from '../tools/changed-lines.ts';
import { COMMAND_FIELDS, commandLine, patchedFiles, toolKind } from '../tools/known-tools.ts';

/** Longer input fields are content rather than a command or a path. */
const INPUT_FIELD_CHARS_MAX = 2_000;
const INPUT_FIELDS_MAX = 24;
/** The first and last lines of an error usually name its cause. */
const ERROR_CHARS_MAX = 4_000;
/** Fields of tool inputs that hold file contents. */
const CONTENT_FIELDS = new Set([
  ...['content', 'new_string', 'old_string', 'edits', 'new_source', 'file_text', 'new_str', 'old_str'],
  ...['newString', 'oldString'],
]);
/** A test runner's summary and git's line about a commit are among the last. The tail starts at the start of a line. */
const TAIL_CHARS_MAX = 600;
/** `git status` is used only when it is whole; what is cut begins with “…”. */
const STATUS_CHARS_MAX = 2_000;
/** Lines before the tail that are kept: git's lines about commits and pushes, summary lines of test runners. */
const OUTCOME_LINES_MAX = 12;
const OUTCOME_LINE_CHARS_MAX = 200;
/** A report begins with what was made and ends with commits: the middle is left out. */
const REPORT_CHARS_MAX = 4_000;
/** Some questions with their answers; previews stand between them. */
const ANSWERS_CHARS_MAX = 2_000;
const PRINTS_STATUS = /\bgit\b[^\n]{0,80}\bstatus\b/;
/** Commands that test, build or commit. */
const PRINTS_OUTCOME =
  /\b(?:tests?|nextest|spec|bats|prove|playwright|cypress|karma|jasmine|behave|cucumber|nox|coverage|gradlew?|mvnw?|rake|turbo|nx|pest|ginkgo|gotestsum|check|verify|jest|vitest|mocha|ava|pytest|py\.test|tox|rspec|phpunit|ctest|unittest|build|compile|lint|clippy|vet|tsc|mypy|make|commit|cherry-pick|revert|git am|merge|rebase|push|git log|git show|rev-parse|reflog|gh pr|glab mr)\b|\bgit\b[^\n]{0,80}\b(?:log|status|diff\b[^\n]{0,80}--stat)\b/;
/** The head of a commit in the long form of `git log` and `git show`; it is kept as `--oneline` prints it. */
const LONG_ENTRY = /^commit ([\da-f]{7,40})\b.*\n(?:\w+: .*\n)+\n {4}(\S.*)$/gm;
/** Lines that report a commit, a push or a test result. */
const OUTCOME_LINE = anyOf(
  { flags: '' },
  // A commit, in the words of `git commit` and of `git log --oneline`.
  /^\[[^\]\n]{1,120} [0-9a-f]{7,40}\] /,
  /^[0-9a-f]{7,40} \S/,
  // A push, and the page that it made.
  /^\s*[+*! ]?\s*(?:[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40}|\[[a-z ]{3,20}\])\s+\S+\s+->/,
  /^https:\/\/\S+\/(?:pull|merge_requests)\/\d+/,
  // A test run.
  /^\s*(?:ok|FAIL)\s+\S+/,
  /^(?:FAIL|PASS|OK)\b/,
  /\b\d+ (?:pass|fail|tests?|examples?|runs|failures?|passed|failed|passing|failing)\b/,
  /^test result:|^BUILD |^Test(?:s| Files| Suites):? /,
);

/**
 * The fields that hold no file content, cut to a maximum length. A shell's command is in `command`, whatever its agent
 * calls the field. Of a patch, the files that it changes are in `patched_files`, one a line, and those that it adds and
 * deletes also in `added_files` and `deleted_files`. What an edit does to the lines of
 * its file is in `changed_lines`.
 */
export function inputExcerpt({
  name: tool,
  input,
}: Pick<BodyOf<'tool.used'>, 'name' | 'input'>): Record<string, string | number | boolean> {
  const excerpt: Record<string, string | number | boolean> = {};
  if (typeof input === 'string') return patchExcerpt(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return excerpt;
  const command = toolKind(tool) === 'shell' ? commandLine(input) : null;
  if (command !== null)
    Object.assign(excerpt, { command: cutMiddle(command, INPUT_FIELD_CHARS_MAX) }, patchExcerpt(command));
  const lines = toolKind(tool) === 'edit' ? changedLines(input) : null;
  if (lines !== null) excerpt.changed_lines = lines;
  let fields = 0;
  for (const name in input) {
    const value = (input as Readonly<Record<string, Json>>)[name];
    if (CONTENT_FIELDS.has(name) || fields >= INPUT_FIELDS_MAX) continue;
    if (command !== null && COMMAND_FIELDS.some((field) => field === name)) continue;
    if (typeof value === 'string' && patchedFiles(value).length > 0)
      Object.assign(excerpt, patchExcerpt(value));
    else if (typeof value === 'string') excerpt[name] = cutMiddle(value, INPUT_FIELD_CHARS_MAX);
    else if (name === 'ids') excerpt.ids = cutMiddle(JSON.stringify(value), INPUT_FIELD_CHARS_MAX);
    else if (name === 'questions') excerpt.questions = cutMiddle(questionsIn(value), INPUT_FIELD_CHARS_MAX);
    else if (typeof value === 'number' || typeof value === 'boolean') excerpt[name] = value;
    else continue;
    fields++;
  }
  return excerpt;
}

function patchExcerpt(text: string): Record<string, string | number> {
  const files = patchedFiles(text);
  if (files.length === 0) return {};
  const lines = files.length === 1 ? patchedLines(text) : null;
  const added = patchedFiles(text, 'Add File');
  // One that it also adds stays.
  const deleted = patchedFiles(text, 'Delete File').filter((file) => !added.includes(file));
  return {
    patched_files: files.join('\n'),
    ...(added.length === 0 ? {} : { added_files: added.join('\n') }),
    ...(deleted.length === 0 ? {} : { deleted_files: deleted.join('\n') }),
    ...(lines === null ? {} : { changed_lines: lines }),
  };
}

export function errorExcerpt(error: string | null | undefined): string | undefined {
  return error ? cutMiddle(error, ERROR_CHARS_MAX) : undefined;
}

/** undefined when the tool's result is not kept. */
export function resultTail({ name, input, result }: BodyOf<'tool.used'>): string | undefined {
  if (result === null) return undefined;
  const kind = toolKind(name);
  if (kind === 'launch') return cutMiddle(result, REPORT_CHARS_MAX);
  if (kind === 'question' || name === 'ExitPlanMode') return cutMiddle(result, ANSWERS_CHARS_MAX);
  if (kind !== 'shell') return undefined;
  const command = commandLine(input);
  if (command === null || !PRINTS_OUTCOME.test(command)) return undefined;
  const text = result.trimEnd().replace(LONG_ENTRY, '$1 $2');
  if (text === '') return undefined;
  if (!PRINTS_STATUS.test(command)) return endOfText(text);
  return text.length <= STATUS_CHARS_MAX ? text.toWellFormed() : `…\n${endOfText(text)}`;
}

/** A program may print that it failed and end with status 0; also git in other languages. */
const FAILURE =
  /^(?:(?:error|fatal|Fehler):|(?:erreur|fatal)\s:|(?:致命)?[错錯][误誤][:：])(?! *(?:0|none|null|false)\b)|^(?:[Rr]esult|RESULT|[Ss]tatus|STATUS): (?:[Ff]ail(?:ed|ure)?|FAIL(?:ED|URE)?)\b/m;

/** Whether a shell command that succeeded by its status printed that something failed. */
export function printsFailure({ name, outcome, result }: BodyOf<'tool.used'>): boolean {
  return outcome === 'ok' && result !== null && toolKind(name) === 'shell' && FAILURE.test(result);
}

/** How many lines a result has that is not kept whole. */
export function linesIn(result: string | null, tail: string | undefined): number | undefined {
  if (result === null || tail === undefined || result.length <= TAIL_CHARS_MAX) return undefined;
  return result.trimEnd().split('\n').length;
}

/** The last lines, and those before them that report an outcome. */
function endOfText(text: string): string {
  if (text.length <= TAIL_CHARS_MAX) return text.toWellFormed();
  const from = text.length - TAIL_CHARS_MAX;
  const line = text.indexOf('\n', from - 1);
  const start = line < 0 ? from : line + 1;
  const before = text
    .slice(0, start)
    .split('\n')
    .filter((one) => one.length <= OUTCOME_LINE_CHARS_MAX && OUTCOME_LINE.test(one));
  // `git log` lists the newest commits first; a test run prints its result last.
  const kept =
    before.length <= OUTCOME_LINES_MAX
      ? before
      : [...before.slice(0, OUTCOME_LINES_MAX / 2), ...before.slice(-OUTCOME_LINES_MAX / 2)];
  return [...kept, text.slice(start)].join('\n').toWellFormed();
}

/** The questions that a tool asks the person, without the answers to choose from. */
function questionsIn(list: Json | undefined): string {
  if (!Array.isArray(list)) return '';
  return list
    .flatMap((one: Json) => {
      const { question } = (typeof one === 'object' && one !== null ? one : {}) as {
        readonly question?: Json;
      };
      return typeof question === 'string' ? [question] : [];
    })
    .join('\n');
}

/** Keeps the beginning and the end of a long text: reports, errors and inputs say there what they are about. */
function cutMiddle(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const half = charsMax >> 1;
  return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`;
}
