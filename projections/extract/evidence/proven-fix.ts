// What fixed an error, where the log proves it: a command failed, something changed, and the same command passed. Stricter
// than the errors of an observation, which are shown beside others: this is shown when the error occurs again.
import { runnerSummaryOf } from '../outcome/runner-summaries.ts';
import { commandEnd } from '../outcome/test-outcome.ts';
import type { Command } from '../shell/commands.ts';
import { commandIn } from '../shell/commands.ts';
import { isWriter, toolUsePaths } from '../transcript/touched-files.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';
import { errorLineOf, testErrorLineOf } from './error-line.ts';
import { wordsIn } from './same-command.ts';

/** With more, what helped is unknown. */
const FILES_MAX = 3;
const COMMANDS_MAX = 2;
const SAME_CHARS_MIN = 8;

/** A command that failed, reduced to what is the same when it fails again. */
export interface Failure {
  /** The decisive line of the error. */
  readonly error: string;
  /** Of each link of the command: `npm test`, `bun run lint`. */
  readonly kinds: readonly string[];
  /** The error line without what differs between runs. */
  readonly same: string;
}

export interface ProvenFix {
  readonly failed: ToolUse;
  /** The same command, which passed. */
  readonly passed: ToolUse;
  /** What was changed between: files as written, and commands. */
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

/** Null if the error has no text, or too little to recognise it by. */
export function failureOf(name: string, command: string, error: string): Failure | null {
  const run = commandIn(name, { command }, '');
  return run === null ? null : failureIn(run, error, '');
}

function failureIn(command: Command, error: string, tail: string): Failure | null {
  if (command.purpose === 'look') return null;
  // Output of tested code is no error, also in a commit whose hook ran tests.
  const ranTests = command.purpose === 'test' || runnerSummaryOf(`${error}\n${tail}`) !== null;
  const line = ranTests ? testErrorLineOf({ error, tail }) : errorLineOf({ error, tail });
  const same = line === null ? '' : withoutDetails(line);
  return line === null || same.length < SAME_CHARS_MIN
    ? null
    : { error: line, kinds: kindsOf(command), same };
}

/** Whether a tool use failed with the same error, in the same kind of command. */
export function failedAlike(toolUse: ToolUse, failure: Failure): boolean {
  const { command, error, tail } = toolUse;
  if (command === null || commandEnd(toolUse) !== 'failed') return false;
  const other = failureIn(command, error, tail);
  return (
    other !== null && other.same === failure.same && other.kinds.some((kind) => failure.kinds.includes(kind))
  );
}

/** What fixed the failure at an index; null where that is not proven. */
export function provenFix(toolUses: readonly ToolUse[], index: number, failure: Failure): ProvenFix | null {
  const failed = toolUses[index]!;
  const files = new Set<string>();
  const commands = new Set<string>();
  for (const next of toolUses.slice(index + 1)) {
    if (isWriter(next)) {
      if (next.outcome === 'ok') for (const path of toolUsePaths(next)) files.add(path);
      continue;
    }
    const { command } = next;
    if (command === null || command.purpose === 'look') continue;
    const end = commandEnd(next);
    if (isAgain(failed.command!, command)) {
      if (end === 'passed') {
        const isKnown =
          files.size + commands.size > 0 && files.size <= FILES_MAX && commands.size <= COMMANDS_MAX;
        return isKnown ? { failed, passed: next, files: [...files], commands: [...commands] } : null;
      }
      // The same error: what was changed did not help. Another one: what helped is unknown.
      if (!failedAlike(next, failure)) return null;
      files.clear();
      commands.clear();
    } else if (changes(next)) commands.add(command.short);
  }
  return null;
}

/** Whether a command may have changed what the failed one depends on. One that repairs may fail on what it cannot repair. */
function changes(toolUse: ToolUse): boolean {
  const { purpose, short } = toolUse.command!;
  if (REPAIRS.test(short)) return true;
  return commandEnd(toolUse) === 'passed' && (purpose === 'mutation' || purpose === 'other');
}

const REPAIRS = /(?:^|[\s:-])(?:fix|fmt|format|gofmt)(?:\s|$|:)|--(?:fix|write)\b/;

/** Whether it runs the failed command again: the same, or some of its links. */
function isAgain(failed: Command, next: Command): boolean {
  if (next.short === failed.short) return true;
  if (REPAIRS.test(next.short)) return false;
  const words = new Set(wordsIn(failed.short));
  return next.purpose === failed.purpose && wordsIn(next.short).every((word) => words.has(word));
}

/** Numbers, addresses, quoted values' paths and white space differ between runs of the same failing command. */
function withoutDetails(line: string): string {
  return line
    .toLowerCase()
    .replace(/(?:[a-z]:)?(?:[\w.@~-]*[\\/])+(?=[\w.@-])/g, '')
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{7,}\b|\d+/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}

/** `go test ./... && bun run lint:fix` → `go test`, `bun run lint:fix` */
function kindsOf({ short }: Command): string[] {
  return short.split(/\s*(?:&&|;|\|\|)\s*/).map((link) => {
    const [program = '', verb = '', script = ''] = link.split(' ');
    return (verb === 'run' ? [program, verb, script] : [program, verb]).join(' ');
  });
}
