// An error and what made it go away: a failed command, and the next one like it that succeeds. What was edited
// between them is the fix; when nothing was, the other way of calling it is.
import type { ErrorEvidence } from '../observation.ts';
import { type Command, likeness } from './commands.ts';
import { baseName, isWriter, pathOf } from './files.ts';
import { plain } from './markdown.ts';
import { cut } from './sentences.ts';
import type { Use } from './story.ts';
import { endOf } from './test-outcome.ts';

const ERRORS_MAX = 6;
const ERROR_CHARS_MAX = 220;
/** Commands that share half of the shorter one's words do the same again. */
const LIKENESS_MIN = 0.5;
const FILES_NAMED_MAX = 4;

export interface FoundError extends ErrorEvidence {
  readonly events: readonly string[];
}

/** In order; those that nothing cured only for tests and builds: a wrong path or an empty search is no problem. */
export function errorsOf(uses: readonly Use[]): FoundError[] {
  const found: FoundError[] = [];
  const cured = new Set<string>();
  uses.forEach((use, index) => {
    const { command } = use;
    if (command === null || command.purpose === 'look' || endOf(use) !== 'failed') return;
    const { short, purpose } = command;
    const error = gistOf(use);
    if (error === null) return;
    const fix = fixOf(uses, index, command);
    if (fix === null && ((purpose !== 'test' && purpose !== 'check') || SHELL_SPEAKS.test(error))) return;
    if (fix !== null && fix.by === null) return;
    const name = `${short}\n${fix?.by ?? ''}`;
    if (cured.has(name)) return;
    cured.add(name);
    found.push({
      error,
      command: short,
      fixedBy: fix?.by ?? null,
      events: [...use.events, ...(fix?.events ?? [])],
    });
  });
  // The same command failing again and again is one story: its first error, and what ended it.
  return found
    .filter((one, index) => {
      const again = found.findIndex(
        (other) => other.command === one.command && other.fixedBy === one.fixedBy,
      );
      return again === index;
    })
    .slice(0, ERRORS_MAX);
}

interface Fix {
  readonly by: string | null;
  readonly events: readonly string[];
}

/** null: no like command succeeded later. `by` null: it did, and nothing was changed for it. */
function fixOf(uses: readonly Use[], failed: number, command: Command): Fix | null {
  const { purpose, short } = command;
  const edited = new Map<string, readonly string[]>();
  for (let index = failed + 1; index < uses.length; index++) {
    const use = uses[index]!;
    if (isWriter(use) && use.outcome === 'ok') {
      const path = pathOf(use);
      if (path !== null && !edited.has(baseName(path))) edited.set(baseName(path), use.events);
      continue;
    }
    const next = use.command;
    if (next === null || next.purpose === 'look') continue;
    const alike = likeness(command, next) >= LIKENESS_MIN;
    const samePurpose = next.purpose === purpose && (purpose === 'test' || purpose === 'check');
    if (!(alike || (samePurpose && edited.size > 0)) || endOf(use) !== 'passed') continue;
    const events = [...[...edited.values()].flat(), ...use.events];
    if (edited.size > 0) return { by: `edits to ${listed([...edited.keys()])}`, events };
    return { by: next.short === short ? null : `running ${next.short} instead`, events };
  }
  return null;
}

function listed(names: readonly string[]): string {
  const more = names.length - FILES_NAMED_MAX;
  return more > 0 ? `${names.slice(0, FILES_NAMED_MAX).join(', ')} and ${more} more` : names.join(', ');
}

/** The line that says what is wrong; null when the error has no words. */
function gistOf({ error, tail }: Use): string | null {
  const lines = `${error}\n${tail}`
    .slice(0, TEXT_CHARS_READ)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length > 3 && !NOISE.test(line) && /\p{L}{3}/u.test(line));
  const test = lines.findIndex((line) => FAILED_TEST.test(line));
  if (test >= 0) {
    const name = FAILED_TEST.exec(lines[test]!)![1]!;
    const why = lines[test + 1] === undefined ? undefined : plain(lines[test + 1]!);
    return cut(
      why === undefined || FAILED_TEST.test(why) ? `${name} fails` : `${name}: ${why}`,
      ERROR_CHARS_MAX,
    );
  }
  const telling =
    lines.find((line) => TELLING.test(line)) ?? lines.find((line) => WEAK.test(line)) ?? lines[0];
  return telling === undefined ? null : cut(plain(telling), ERROR_CHARS_MAX);
}

/** The call was wrong, not the code. */
const SHELL_SPEAKS = /^(?:\/\S+\/)?(?:ba|z|da)?sh:|command not found|is not recognized/;
const TEXT_CHARS_READ = 5_000;
const FAILED_TEST = /^--- FAIL: (\S+)/;
const NOISE =
  /^(?:Exit code \d+$|\[\w+\] \$ |ok\s|\?\s|PASS|FAIL\s+\S+\s+[\d.(]|=== (?:RUN|PAUSE|CONT)|# |> |FAIL$|Some characters|Error: Exit code|\[\w+\] ERROR task failed|--- PASS|<\/?tool_use_error>)/;
const TELLING =
  /\w*Error\b: |\berror[: [(]|\bundefined\b|cannot |can't |could not|not found|no such|unexpected|expected|panic|denied|refused|missing|invalid|mismatch|declared and not used|imported and not used|import cycle|^\s*--- FAIL/i;
const WEAK = /fail|error|warn|exception/i;
