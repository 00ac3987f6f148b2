// Finds errors and their fixes: a failed command, and the next similar one that succeeds. The files edited between them are
// the fix.

import { runnerSummaryOf } from '../outcome/runner-summaries.ts';
import { commandEnd } from '../outcome/test-outcome.ts';
import type { Command } from '../shell/commands.ts';
import { baseName } from '../shell/file-paths.ts';
import { sentencesOf } from '../text/sentences.ts';
import { isHollow } from '../text/wording.ts';
import { memoized } from '../transcript/memoized.ts';
import type { ErrorEvidence } from '../transcript/observation.ts';
import { isDocument, isWriter, toolUsePaths } from '../transcript/touched-files.ts';
import type { Message, ToolUse } from '../transcript/turn-transcript.ts';
import { errorLineOf, testErrorLineOf } from './error-line.ts';
import { runsTool, toolOf, within, wordsIn } from './same-command.ts';

const ERRORS_MAX = 6;
/** With more edited files the fix is unknown. */
const FILES_NAMED_MAX = 3;

export interface FoundError extends ErrorEvidence {
  readonly events: readonly string[];
}

/** The errors in order. Unfixed ones count only for tests and builds; a wrong path or an empty search is no problem. */
export function errorsOf(toolUses: readonly ToolUse[], messages: readonly Message[]): FoundError[] {
  const found: FoundError[] = [];
  const known = new Set<string>();
  // The agent may have seen a pass that no tool use shows.
  const allGreen = sentencesOf(messages.at(-1)?.text ?? '').some(isHollow);
  toolUses.forEach((toolUse, index) => {
    const { command } = toolUse;
    if (command === null || command.purpose === 'look' || commandEnd(toolUse) !== 'failed') return;
    const { short, purpose } = command;
    const error = errorOf(toolUse);
    if (error === null || purpose === 'lint' || SLIP.test(error)) return;
    const fix = fixOf(toolUses, index, command, error);
    if (fix === null && purpose !== 'test' && purpose !== 'check') return;
    if (fix === null && (allGreen || toolUses.slice(index + 1).some((next) => covers(next, command)))) return;
    if (fix !== null && fix.by === null) return;
    // Several failures of one command with one error, or with one fix, are one.
    const names = [`${short}\n${error}`, `${short}\n${fix?.by ?? error}`];
    if (names.some((name) => known.has(name))) return;
    for (const name of names) known.add(name);
    found.push({
      error,
      command: short,
      fixedBy: fix?.by ?? null,
      events: [...toolUse.events, ...(fix?.events ?? [])],
    });
  });
  return found.slice(0, ERRORS_MAX);
}

/** The error line of a tool use. Output of tested code is no error, also in a commit whose hook ran tests. */
const errorOf = memoized((toolUse: ToolUse): string | null => {
  const ranTests =
    toolUse.command?.purpose === 'test' || runnerSummaryOf(`${toolUse.error}\n${toolUse.tail}`) !== null;
  return ranTests ? testErrorLineOf(toolUse) : errorLineOf(toolUse);
});

interface Fix {
  readonly by: string | null;
  readonly events: readonly string[];
}

/** null when no similar command succeeded later. `by` is null when one did but the fix is unknown. */
function fixOf(toolUses: readonly ToolUse[], failed: number, command: Command, error: string): Fix | null {
  const { purpose, short } = command;
  const edited = new Map<string, readonly string[]>();
  const unknown: Fix = { by: null, events: [] };
  // A command changed files as well, so the fix is ambiguous.
  let changedElse = false;
  for (let index = failed + 1; index < toolUses.length; index++) {
    const toolUse = toolUses[index]!;
    if (isWriter(toolUse) && toolUse.outcome === 'ok') {
      for (const path of toolUsePaths(toolUse)) {
        if (edited.has(baseName(path))) continue;
        // Editing a document fixes nothing, unless the error names it.
        if (!isDocument(path) || error.includes(baseName(path))) edited.set(baseName(path), toolUse.events);
      }
      continue;
    }
    const next = toolUse.command;
    if (next === null || next.purpose === 'look') continue;
    const end = commandEnd(toolUse);
    changedElse ||= toolUse.outcome === 'ok' && (next.purpose === 'mutation' || next.purpose === 'other');
    const similar = isAgain(command, next);
    // It fails again: with the same error all edits since the first failure may be its fix; with another one it is unknown.
    if (end === 'failed' && similar) {
      if (errorOf(toolUse) !== error) return unknown;
    }
    if (!similar || end !== 'passed') continue;
    const isKnown =
      edited.size > 0 &&
      edited.size <= FILES_NAMED_MAX &&
      !changedElse &&
      (purpose === 'test' || purpose === 'check' || next.short === short);
    if (!isKnown) return unknown;
    const events = [...[...edited.values()].flat(), ...toolUse.events];
    return { by: `edits to ${[...edited.keys()].join(', ')}`, events };
  }
  return null;
}

/** Whether a later run of the same tool that did not surely fail makes it unknown if the earlier failure persists. */
function covers(next: ToolUse, { purpose, short }: Command): boolean {
  if (next.command === null || (next.command.purpose !== purpose && next.command.purpose !== 'test'))
    return false;
  return commandEnd(next) !== 'failed' && runsTool(next.command.short, toolOf(short));
}

/** A slip in working, not a problem of the product: a wrong folder, formatting, lint, an unused import. */
const SLIP =
  /\bunused\b|imported and not used|declared and not used|\([a-z]{3,}\)$|formatt|\blint\/|reformat|no such file or directory|directory not found|cannot find (?:package|main module)|not a git repository|did not match any files|pathspec|\benoent\b|command not found|is not recognized|^(?:warning\b|(?:\/\S+\/)?(?:ba|z|da)?sh:|\(eval\):|cd: )/i;

/** Whether it repeats the command with the same or a wider scope. */
function isAgain(command: Command, next: Command): boolean {
  if (next.short === command.short) return true;
  const had = wordsIn(command.short);
  const has = wordsIn(next.short);
  if (command.purpose === 'commit') return next.purpose === 'commit';
  if (next.purpose !== command.purpose || has.length === 0) return false;
  // A test or check with fewer words covers the first one; other commands may get additional flags.
  const wide = command.purpose === 'test' || command.purpose === 'check';
  return toolOf(next.short) === toolOf(command.short) && (wide ? within(has, had) : within(had, has));
}
