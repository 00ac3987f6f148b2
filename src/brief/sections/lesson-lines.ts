// Lists lessons: errors with what made the command pass afterwards; causes that the agent found, with what it did about
// them; and memories saved as gotchas.
import {
  ACTED_ON,
  type ContextRow,
  givesReason,
  NAMED_CAUSE,
  type ObservationLine,
} from '../../../projections/index.ts';
import { currentDecisions } from '../../overtaken/current-decisions.ts';
import { lessonOvertaken } from '../../overtaken/overtaken.ts';
import type { Work } from '../../overtaken/work.ts';
import { longWordsOf } from '../../terminal-text/letters-and-words.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, clipSentence, savedText, savedVoice } from '../lines/brief-lines.ts';
import type { BriefMaterial } from '../lines/material.ts';
import {
  foldNearDuplicates,
  isStated,
  type NearDuplicates,
  normalize,
} from '../lines/near-duplicate-lines.ts';
import { essence, typed } from './run-commands.ts';

const LESSONS_MAX = 16;
/** Of findings without a cause or a fix. */
const UNRESOLVED_MAX = 2;
/** One problem must not fill the section, unless there are few. */
const OF_ONE_MAX = 2;
const OF_ONE_SESSION_MAX = 4;
const OF_FEW_MAX = 8;
const FEW = 4;
/** With more observations than this only lessons in words are shown. */
const MANY = 20;
const ERROR_CHARS_MAX = 130;
const COMMAND_CHARS_MAX = 36;
const HELPED_CHARS_MAX = 260;
/** Each lesson of a session makes its next one worth this much less, so that older sessions are heard too. */
const NEXT_OF_SESSION = 0.7;
const ARROW = ' → ';
const FOUND = 'Found';
const LEADS = [NAMED_CAUSE, ACTED_ON];
const CAUSE_CHARS_MIN = 60;
/** Two texts with this many equal letters count as one. */
const SAME_CHARS = 30;
/** A later lesson about the same file shares so many further words with one that it supersedes. */
const BESIDE_NAMES = 3;
/** Two lessons that share so many of their words are one. */
const SAME_SHARE = 0.6;

interface Lesson {
  readonly row: ContextRow;
  /** Two lessons that share a name are one. */
  readonly names: readonly string[];
  readonly label: string;
  readonly text: string;
  /** A fix in words teaches more than the names of edited files. */
  readonly worth: number;
}

/** @param stated normalized text of other lines that may state a lesson */
export function lessonLines(material: BriefMaterial, stated: string): BriefLine[] {
  const { gotchas, observations } = material;
  const rows = new Map<string, ContextRow>([...observations, ...gotchas].map((row) => [row.id, row]));
  const all = [...rows.values()].sort((a, b) => (b.at ?? 0) - (a.at ?? 0));
  const few = gotchas.length <= FEW;
  const lessons = ofAllSessions(
    current(
      all
        .flatMap((row) => lessonsIn(row).slice(0, few ? OF_FEW_MAX : OF_ONE_MAX))
        .filter((lesson) => !isUnresolved(lesson) || !isWorkedOn(lesson.row, observations))
        .filter(({ worth }) => observations.length <= MANY || worth > 0)
        .filter(({ text }) => !text.split(ARROW).every((part) => isStated(part, stated))),
      material,
    ),
    few ? LESSONS_MAX : OF_ONE_SESSION_MAX,
  );
  return withFewUnresolved(foldNearDuplicates(lessons, ({ names }) => names))
    .slice(0, LESSONS_MAX)
    .map(({ one: { row, label, text }, nearDuplicates }) => {
      const voice = row.kind === 'saved' ? savedVoice(row) : label === '' ? 'record' : 'agent';
      return { ...briefLine(row, { label, text, voice, nearDuplicates }), within: withFix(text) };
    });
}

/** Without those that a later one of another piece of work supersedes, or later work overtook. An error is told apart by its own words. */
function current(lessons: readonly Lesson[], work: Work): Lesson[] {
  const inWords = lessons.flatMap(({ row, label, text }) =>
    row.kind === 'observation' && label !== '' ? [{ row, text }] : [],
  );
  const kept = currentDecisions(inWords, (one) => lessonOvertaken(one, work) !== null, BESIDE_NAMES);
  return lessons.filter(
    ({ row, label, text }) =>
      row.kind !== 'observation' || label === '' || kept.some((one) => one.row === row && one.text === text),
  );
}

/** A finding that names no cause and led to nothing. */
function isUnresolved({ label, text }: Lesson): boolean {
  return label === FOUND && !text.includes(ARROW);
}

/** Its session changed one of its files again: the finding may have been dealt with. */
function isWorkedOn(row: ContextRow, observations: readonly ObservationLine[]): boolean {
  return (
    row.kind === 'observation' &&
    observations.some(
      ({ session, turn, at, files }) =>
        session === row.session &&
        turn !== row.turn &&
        (at ?? 0) > (row.at ?? 0) &&
        files.some((file) => row.files.includes(file)),
    )
  );
}

function withFewUnresolved(lessons: readonly NearDuplicates<Lesson>[]): NearDuplicates<Lesson>[] {
  const further = new Set(lessons.filter(({ one }) => isUnresolved(one)).slice(UNRESOLVED_MAX));
  return lessons.filter((lesson) => !further.has(lesson));
}

/** With less room the cause is shortened first: a cause without its fix is half the lesson. */
function withFix(text: string): (charsMax: number) => string {
  const at = text.lastIndexOf(ARROW);
  return (charsMax) => {
    const room = charsMax - (text.length - at);
    return at < 0 || room < CAUSE_CHARS_MIN
      ? clipSentence(text, charsMax)
      : `${clipSentence(text.slice(0, at), room)}${text.slice(at)}`;
  };
}

/** Those worth most first; of equal ones the newest. */
function ofAllSessions(lessons: readonly Lesson[], most: number): Lesson[] {
  const ofSession = new Map<string | null, number>();
  return [...lessons]
    .sort((a, b) => b.worth - a.worth)
    .flatMap((lesson) => {
      const count = ofSession.get(lesson.row.session) ?? 0;
      ofSession.set(lesson.row.session, count + 1);
      return count < most ? [{ lesson, worth: lesson.worth - count * NEXT_OF_SESSION }] : [];
    })
    .sort((a, b) => b.worth - a.worth)
    .map(({ lesson }) => lesson);
}

/** The most useful first. */
function lessonsIn(row: ContextRow): Lesson[] {
  if (row.kind === 'saved')
    return [{ row, names: [normalize(row.title)], label: '', text: savedText(row), worth: 5 }];
  if (row.kind !== 'observation') return [];
  const errors = row.errors.flatMap(({ error, command, fixedBy }): Lesson[] => {
    if (fixedBy === null) return [];
    const names = [`error ${normalize(error)}`, nameOf(fixedBy)];
    return [{ row, names, label: '', text: errorText(error, command, fixedBy), worth: 0 }];
  });
  const found = row.lessons.flatMap((lesson): Lesson[] => {
    const hasFix = lesson.includes(ARROW);
    const lead = LEADS.find((one) => lesson.startsWith(one));
    if (!hasFix && lead === undefined && !givesReason(lesson)) return [];
    const text = lesson.slice(lead?.length ?? 0);
    const worth = (hasFix ? 2 : 1) + (lead === NAMED_CAUSE ? 2 : 0);
    return [{ row, names: [nameOf(text)], label: lead?.slice(0, -2) ?? FOUND, text, worth }];
  });
  return once([...errors, ...found].sort((a, b) => b.worth - a.worth || b.text.length - a.text.length));
}

/** Keeps the first of lessons that share most of their words: an agent repeats a finding until it has acted on it. */
function once(all: readonly Lesson[]): Lesson[] {
  const kept: { readonly lesson: Lesson; readonly words: ReadonlySet<string> }[] = [];
  for (const lesson of all) {
    const words = new Set(longWordsOf(lesson.text));
    const sharedWith = (others: ReadonlySet<string>) => [...words].filter((word) => others.has(word)).length;
    if (words.size === 0 || !kept.some((other) => sharedWith(other.words) >= SAME_SHARE * words.size))
      kept.push({ lesson, words });
  }
  return kept.map(({ lesson }) => lesson);
}

function nameOf(text: string): string {
  return normalize(text).slice(0, SAME_CHARS);
}

function errorText(error: string, command: string, helped: string): string {
  const where = clipSentence(typed(essence(command) || command), COMMAND_CHARS_MAX);
  return `${clipSentence(error, ERROR_CHARS_MAX)} (on \`${where}\`); it passed after this: ${clipSentence(helped, HELPED_CHARS_MAX)}`;
}
