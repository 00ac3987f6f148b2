// Lists lessons: errors with what made the command pass afterwards; causes that the agent found, with what it did about
// them; sentences that warn; and memories saved as gotchas.
import type { ContextRow } from '../../../projections/index.ts';
import { longWordsOf } from '../../terminal-text/letters-and-words.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence, savedText } from '../lines/brief-lines.ts';
import type { BriefMaterial } from '../lines/material.ts';
import { foldNearDuplicates, normalize } from '../lines/near-duplicate-lines.ts';
import { isSlip, isVague } from './open-problems.ts';
import { essence } from './run-commands.ts';

const LESSONS_MAX = 16;
const WARNINGS_MAX = 4;
const WARNINGS_OF_MANY_MAX = 2;
/** One problem must not fill the section, unless there are few. */
const OF_ONE_MAX = 2;
const OF_ONE_SESSION_MAX = 4;
const OF_FEW_MAX = 8;
const FEW = 4;
/** With more observations than this only lessons with a fix or an explanation are shown. */
const MANY = 20;
const FIXED_WORTH = 1.5;
const ERROR_CHARS_MAX = 130;
const COMMAND_CHARS_MAX = 36;
const HELPED_CHARS_MAX = 260;
/** Two texts with this many equal letters count as one. */
const SAME_CHARS = 30;

const EXPLAINS =
  /\b(?:because|root cause|caused by|turns out|known (?:\w+ ){0,3}(?:bug|issue|limitation))\b/i;

interface Lesson {
  readonly row: ContextRow;
  /** Two lessons that share a name are one. */
  readonly names: readonly string[];
  readonly label: string;
  readonly text: string;
  /** A fix in words teaches more than the names of edited files. */
  readonly worth: number;
}

export function lessonLines({ gotchas, observations }: BriefMaterial): BriefLine[] {
  const rows = new Map<string, ContextRow>([...observations, ...gotchas].map((row) => [row.id, row]));
  const all = [...rows.values()].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  const few = gotchas.length <= FEW;
  const ofSession = new Map<string | null, number>();
  const lessons = all
    .flatMap((row) => lessonsIn(row).slice(0, few ? OF_FEW_MAX : OF_ONE_MAX))
    .sort((a, b) => b.worth - a.worth)
    .filter(({ worth }) => observations.length <= MANY || worth >= FIXED_WORTH)
    .filter(({ row }) => {
      const count = ofSession.get(row.session) ?? 0;
      ofSession.set(row.session, count + 1);
      return few || count < OF_ONE_SESSION_MAX;
    });
  const lines = foldNearDuplicates(lessons, ({ names }) => names).map(
    ({ one: { row, label, text }, nearDuplicates }) =>
      briefLine(row, {
        label,
        text,
        voice: row.kind === 'saved' ? 'mixed' : label === '' ? 'record' : 'agent',
        nearDuplicates,
      }),
  );
  const warned = observations.flatMap((row) =>
    row.warnings.slice(0, 1).map((text) => briefLine(row, { label: 'To mind', text, voice: 'agent' })),
  );
  const warnings = foldNearDuplicates(warned, ({ text }) => [normalize(text)]).map(({ one }) => one);
  return [
    ...lines.slice(0, LESSONS_MAX),
    ...warnings.slice(0, observations.length > MANY ? WARNINGS_OF_MANY_MAX : WARNINGS_MAX),
  ];
}

/** The most useful first. */
function lessonsIn(row: ContextRow): Lesson[] {
  if (row.kind === 'saved')
    return [{ row, names: [normalize(row.title)], label: '', text: savedText(row), worth: 3 }];
  if (row.kind !== 'observation') return [];
  const errors = row.errors.flatMap((error): Lesson[] => {
    if (isSlip(error.error) || isVague(error.error)) return [];
    const helped = error.fixedBy;
    if (helped === null) return [];
    const worth = /^edits to /.test(helped) ? 0 : helped.includes(' → ') ? 2.5 : 2;
    const names = [`error ${normalize(error.error)}`, nameOf(helped)];
    return [{ row, names, label: '', text: errorText(error.error, error.command, helped), worth }];
  });
  const lessons = row.lessons.flatMap((lesson): Lesson[] => {
    const text = lesson.replace(VAGUE_FIX, '').replace(/^root cause(?: found| is| was)?: (?=\S)/i, '');
    if (!text.includes(' → ') && (!TEACHES.test(text) || OF_THE_MOMENT.test(text))) return [];
    const worth = text.includes(' → ') ? 3 : EXPLAINS.test(lesson) ? FIXED_WORTH : 1;
    return [{ row, names: [nameOf(text)], label: 'Found', text, worth }];
  });
  return once([...errors, ...lessons].sort((a, b) => b.worth - a.worth || b.text.length - a.text.length));
}

/** Keeps the first of lessons that share most of their words: an agent repeats a finding until it has acted on it. */
function once(all: readonly Lesson[]): Lesson[] {
  const kept: { readonly lesson: Lesson; readonly words: ReadonlySet<string> }[] = [];
  for (const lesson of all) {
    const words = new Set(longWordsOf(lesson.text));
    const isShown = kept.some((other) => sharedOf(words, other.words) >= SAME_SHARE * words.size);
    if (words.size === 0 || !isShown) kept.push({ lesson, words });
  }
  return kept.map(({ lesson }) => lesson);
}

function sharedOf(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...words].filter((word) => others.has(word)).length;
}

const SAME_SHARE = 0.6;
/** "→ Implement all the changes": nothing that another session could use. */
const VAGUE_FIX =
  / → (?:implement|make|apply|do|fix|update|add|write|use)\b(?: (?:all|of|the|these|this|that|it|them|changes?|fix(?:es)?|issues?|code|files?|tests?|edits?|now))*\.?$/i;
/** Says what is missing or impossible; without a fix that is what another session would have to find out again. */
const TEACHES =
  /\b(?:because|root cause|caused by|turns out|known|but|only|missing|stale|gitignored|ignored|instead|rather than|(?:is|does|are|do|ca|was)n(?:'|’)t|(?:is|does|are) not|cannot|never|no longer|needs?|must|requires?|expects?|hard-?coded|conflicts?|lost|wrong)\b/i;
const OF_THE_MOMENT =
  /\b(?:previous|earlier|first|second|last) (?:commit|attempt|run|edit|pass|try)\b|^note\b|\b(?:I can|so I|diagnostics)\b/i;

function nameOf(text: string): string {
  return normalize(text).slice(0, SAME_CHARS);
}

function errorText(error: string, command: string, helped: string): string {
  const what =
    essence(command) ||
    (/\bgit (?:commit|push)\b|\bgit add\b(?!.*\bgit commit\b)/.exec(command)?.[0] ?? command);
  const where = clipSentence(what, COMMAND_CHARS_MAX);
  return `${clipSentence(error, ERROR_CHARS_MAX)} (on \`${where}\`); it passed after this: ${clipSentence(helped, HELPED_CHARS_MAX)}`;
}
