// An error and what made it go away: a failed command, and the next one like it that succeeds. What was edited
// between them is the fix; when nothing was, the other way of calling it is.
import type { ErrorEvidence } from '../observation.ts';
import { type Command, likeness } from './commands.ts';
import { isWriter, pathOf } from './files.ts';
import { gistOf } from './gist.ts';
import { plain } from './markdown.ts';
import { baseName } from './paths.ts';
import { capital, cut, sentencesOf, wordCount } from './sentences.ts';
import type { Said, Use } from './story.ts';
import { endOf } from './test-outcome.ts';
import { announced, impersonal, isHollow, isPleasantry } from './wording.ts';

const ERRORS_MAX = 6;
/** Commands that share half of the shorter one's words do the same again. */
const LIKENESS_MIN = 0.5;
const FILES_NAMED_MAX = 4;
/** A longer way of calling is a script. */
const CALL_CHARS_MAX = 110;
const WHY_CHARS_MAX = 200;
const WHY_WORDS_MIN = 5;

export interface FoundError extends ErrorEvidence {
  readonly events: readonly string[];
}

/** In order; those that nothing cured only for tests and builds: a wrong path or an empty search is no problem. */
export function errorsOf(uses: readonly Use[], said: readonly Said[]): FoundError[] {
  const found: FoundError[] = [];
  const cured = new Set<string>();
  uses.forEach((use, index) => {
    const { command } = use;
    if (command === null || command.purpose === 'look' || endOf(use) !== 'failed') return;
    const { short, purpose } = command;
    const error = gistOf(use);
    if (error === null) return;
    const wrongCall = SHELL_SPEAKS.test(error);
    const fix = fixOf(uses, index, command, wrongCall);
    if (fix === null && ((purpose !== 'test' && purpose !== 'check') || wrongCall)) return;
    if (fix !== null && fix.by === null) return;
    const again =
      fix === null ? undefined : uses.slice(index + 1).find((next) => failsAgain(next, fix, command));
    const why = fix === null || !fix.edited ? null : explanation(said, use.order, again?.order ?? fix.order);
    const name = fix === null ? `${error}` : `${short}\n${fix.by}`;
    if (cured.has(name)) return;
    cured.add(name);
    found.push({
      error,
      command: short,
      fixedBy: why === null || fix === null ? (fix?.by ?? null) : `${why.text} (${fix.by})`,
      events: [...use.events, ...(fix?.events ?? []), ...(why?.events ?? [])],
    });
  });
  return stories(found).slice(0, ERRORS_MAX);
}

/** The same command failing with the same error again and again is one story: what ended it is told last. */
function stories(found: readonly FoundError[]): FoundError[] {
  const told = new Map<string, FoundError>();
  for (const one of found) {
    const name = `${one.command}\n${one.error}`;
    const before = told.get(name);
    if (before === undefined) told.set(name, one);
    else if (one.fixedBy !== null) told.set(name, { ...one, events: [...before.events, ...one.events] });
  }
  const fixes = new Set<string>();
  return [...told.values()].filter(({ command, fixedBy }) => {
    const name = `${command}\n${fixedBy}`;
    return fixedBy === null || (!fixes.has(name) && fixes.add(name));
  });
}

/** Between two failures the agent speaks about the first. */
function failsAgain(next: Use, fix: Fix, { short, purpose }: Command): boolean {
  if (next.order >= fix.order || next.command === null || next.command.purpose === 'look') return false;
  return (next.command.short === short || next.command.purpose === purpose) && endOf(next) === 'failed';
}

interface Fix {
  readonly by: string | null;
  readonly edited: boolean;
  /** Where the command passed. */
  readonly order: string;
  readonly events: readonly string[];
}

/** null: no like command succeeded later. `by` null: it did, and nothing was changed for it. */
function fixOf(uses: readonly Use[], failed: number, command: Command, wrongCall: boolean): Fix | null {
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
    if (edited.size > 0 && !wrongCall) {
      const events = [...[...edited.values()].flat(), ...use.events];
      return { by: `edits to ${listed([...edited.keys()])}`, edited: true, order: use.order, events };
    }
    const other =
      next.short.length > CALL_CHARS_MAX || next.short.includes(';')
        ? 'calling it another way'
        : `running ${next.short} instead`;
    const by = next.short === short ? null : other;
    return { by, edited: false, order: use.order, events: use.events };
  }
  return null;
}

function listed(names: readonly string[]): string {
  const more = names.length - FILES_NAMED_MAX;
  return more > 0 ? `${names.slice(0, FILES_NAMED_MAX).join(', ')} and ${more} more` : names.join(', ');
}

/** What the agent said about it between the failure and the pass; null when nothing tells a cause or a cure. */
function explanation(
  said: readonly Said[],
  failed: string,
  passed: string,
): { readonly text: string; readonly events: readonly string[] } | null {
  let cure: { text: string; events: readonly string[] } | null = null;
  for (const { text, order, events } of said) {
    if (order <= failed || order >= passed) continue;
    for (const sentence of sentencesOf(plain(text.slice(0, SAID_CHARS_READ)))) {
      const doing = announced(sentence);
      if (doing !== null && cure === null && wordCount(doing) >= 4 && !ABOUT_LOOKING.test(doing))
        cure = { text: cut(capital(doing), WHY_CHARS_MAX), events };
      if (doing !== null || isPleasantry(sentence) || isHollow(sentence) || /[?]$/.test(sentence)) continue;
      const cause = impersonal(sentence).replace(/[\s:：.]+$/, '');
      if (CAUSE.test(sentence) && wordCount(cause) >= WHY_WORDS_MIN && !ANNOUNCES.test(cause))
        return { text: cut(cause, WHY_CHARS_MAX), events };
    }
  }
  return cure;
}

/** The call was wrong, not the code. */
const SHELL_SPEAKS =
  /^(?:\/\S+\/)?(?:ba|z|da)?sh:|^\(eval\):|command not found|is not recognized|^(?:stat|cd|ls|cat|open) .*(?:directory not found|no such file)|^cd: |directory not found$/i;
const SAID_CHARS_READ = 1_200;
const CAUSE =
  /\b(?:because|since|missing|lacks?|needs?|must|should(?:n(?:'|’)t)?|isn(?:'|’)t|aren(?:'|’)t|doesn(?:'|’)t|don(?:'|’)t|wasn(?:'|’)t|can(?:'|’)t|cannot|not|never|no longer|wrong(?:ly)?|unused|still|already|only|instead|actually|requires?|expects?|issue|problem|bug|fails? (?:because|when|if)|conflicts?|duplicate\w*|circular|hard-?coded|stale|shadow(?:s|ed|ing)|leaks?)\b/i;
const ANNOUNCES =
  /^(?:the (?:\w+ )?(?:tests?|build|lint\w*) (?:is|are|still)\b.{0,16}fail\w*$|looks like|seems|maybe|perhaps|wait\b|hmm|let me|let(?:'|’)?s|now\b|I(?:'|’)ll|I will|I need|next)\b/i;
const ABOUT_LOOKING = /^(?:use|make) (?:sure|a different)|\b(?:check|look|see|verify|debug|print|log)\b/i;
