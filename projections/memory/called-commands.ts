// Names the commands that a shell command calls by program and task, such as `npm run build`, to count how often each passed
// and failed.
import type { RanCommands } from '../documents/document.ts';
import { errorLineOf } from '../extract/evidence/error-line.ts';
import { isStatusOfAll, isUnended } from '../extract/outcome/test-outcome.ts';
import { isTemporary, purposeOfStage, rarelyFails, shortens } from '../extract/shell/known-commands.ts';
import { parseShell } from '../extract/shell/shell.ts';
import type { ToolUse } from '../extract/transcript/turn-transcript.ts';

const TASK_WORDS_MAX = 4;
const CALLS_MAX = 8;
const COMMAND_CHARS_MAX = 120;

export interface Call {
  /** The words before the first flag or path, at most four. */
  readonly task: string;
  /** What its flags name; empty for none. */
  readonly packages: string;
}

/** What follows these words is a package or its folder. */
const NAME_PACKAGE: Readonly<Record<string, readonly string[]>> = {
  npm: ['--prefix', '-C', '--workspace', '-w'],
  pnpm: ['--filter', '-F', '--dir', '-C'],
  yarn: ['--cwd', 'workspace'],
  bun: ['--filter', '--cwd'],
  go: ['-C'],
  make: ['-C'],
  cargo: ['-p', '--package', '--manifest-path'],
  turbo: ['--filter', '-F'],
};

export function callIn(command: string): Call {
  const all = command.replace(ASSIGNMENTS, '').split(' ');
  const naming = NAME_PACKAGE[all[0]!] ?? [];
  const words: string[] = [];
  const packages: string[] = [];
  for (let at = 0; at < all.length; at++) {
    const [word, value] = all[at]!.split('=', 2);
    if (naming.includes(word!)) packages.push(value ?? all[++at] ?? '');
    else words.push(all[at]!);
  }
  const isMix = all[0] === 'mix';
  const end = words.findIndex(
    (word, index) => index > 0 && !TASK.test(word) && !(isMix && index === 1 && MIX_TASK.test(word)),
  );
  return {
    task: words.slice(0, Math.min(TASK_WORDS_MAX, end === -1 ? words.length : end)).join(' '),
    packages: packages.join(' '),
  };
}

const TASK = /^[a-z][a-z0-9:@-]*$/i;
/** `mix ecto.migrate` */
const MIX_TASK = /^[a-z_.]+$/;

const RUNS = new Set(['test', 'check', 'lint', 'other']);
/** Also after a wrapper: `rtk git add`. */
const VERSIONS = /^(?:\w+ )?(?:git|gh|glab) /;
const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=\S*\s+)+/;
const PROGRAM = /^[A-Za-z_./~@][\w./@:+-]*$/;
/** The folder does not exist, or the agent did not call it. */
const NOT_RUN = /^.*\bcd: |<tool_use_error>/m;
const ERROR_FIRST = /^(?:error|fatal)\b/i;
const HEAD_CHARS = 600;

/** null if it ran nothing that is counted, or if it is not known what failed. */
export function ranOf(toolUse: ToolUse): RanCommands | null {
  const { command, outcome, error, tail } = toolUse;
  if (command === null || (outcome !== 'ok' && outcome !== 'failed')) return null;
  const { links, pipefail } = parseShell(command.whole);
  const calls = links.flatMap(({ stages, written }) =>
    stages.flatMap((stage, at) => (saysHowItRuns(stage) ? taskOf(written[at]!) : [])),
  );
  const known = [...new Set(calls)].slice(0, CALLS_MAX);
  if (known.length === 0) return null;
  const printed = `${error}\n${tail}`.slice(0, HEAD_CHARS).trimStart();
  // A pipe may hide that it failed: then it prints an error first.
  const isHidden = outcome === 'ok' && !isStatusOfAll(command.whole) && ERROR_FIRST.test(printed);
  if (outcome === 'ok' && !isHidden) return { calls: known };
  const [only, ...others] = links.filter(({ stages }) => !stages.every(rarelyFails));
  const isKnown =
    only !== undefined &&
    others.length === 0 &&
    (isHidden
      ? only.stages.slice(1).every(shortens)
      : only.bound && !only.optional && (only.stages.length === 1 || pipefail));
  const isSlip = isTemporary(command.whole) || NOT_RUN.test(printed);
  if (!isKnown || calls.length !== 1 || isSlip || isUnended(toolUse)) return null;
  if (command.short.length > COMMAND_CHARS_MAX || command.short.includes('…')) return null;
  return { calls: known, failed: { command: command.short, error: errorLineOf(toolUse) } };
}

/** Whether a stage of a pipe says how the project is run: it does more than look, tidy up or commit. */
export function saysHowItRuns(stage: string): boolean {
  return RUNS.has(purposeOfStage(stage)) && !rarelyFails(stage) && !VERSIONS.test(stage);
}

function taskOf(written: string): string[] {
  const { task } = callIn(written);
  return PROGRAM.test(task.split(' ')[0]!) ? [task] : [];
}
