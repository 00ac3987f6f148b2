// Lists work by session: a line that names the session, and below it its pieces of work, newest first. The pieces with the
// most weight are dropped last, so that an old session is still represented by its outcome, and a long one by more than
// its end.
import type { ObservationLine, SummaryLine } from '../../../projections/index.ts';
import { longWordsOf, splitSentences } from '../../terminal-text/letters-and-words.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, joinParts, shortSession } from '../lines/brief-lines.ts';
import type { BriefMaterial, SessionFacts } from '../lines/material.ts';
import {
  foldNearDuplicates,
  type NearDuplicates,
  normalize,
  rowNames,
} from '../lines/near-duplicate-lines.ts';
import { FIXED } from './fixed-lines.ts';
import { stop, summariesOfRows, TOUCHED, type WorkText, workText } from './work-text.ts';

const SESSIONS_MAX = 40;
const NEWEST_MAX = 14;
const OTHERS_MAX = 9;
/** The newest session gets this much more than another of its size. */
const NEWEST_SHARE = 2;
const SIZE_POWER = 0.65;
/** And each older one this much less than the one after it. */
const OLDER_SHARE = 0.94;
/** The pieces of a session with the most weight get more room than the others. */
const WIDE = 1.45;
const NARROW = 0.86;
const WIDE_SHARE = 0.3;
const WIDE_ROWS_MIN = 3;
const WORK_CHARS_MAX = 2_400;
const END_WEIGHT = 1.5;
const RECENT_WEIGHT = 1.4;

/** Lines of other sections: their content is not repeated. */
export interface OtherSections {
  readonly decisions: readonly BriefLine[];
  readonly lessons: readonly BriefLine[];
}

/**
 * @param ending the turn whose end other lines already cover; its earlier parts are listed here
 */
export function workLines(
  { observations, sessions, summaries }: BriefMaterial,
  ending: string | null,
  { decisions, lessons }: OtherSections,
): BriefLine[] {
  const decided = normalize(decisions.map(({ text }) => text).join(' '));
  const known = normalize(lessons.map(({ text }) => text).join(' '));
  // Rows whose words and outcome are among the decisions.
  const shown = new Set(decisions.filter(({ spare = 0 }) => spare < STAYS).map(({ id }) => id));
  const end = observations.find(({ turn }) => turn !== null && turn === ending);
  const summaryOf = summariesOfRows(observations, summaries, end);
  const fixed = new Set(lessons.filter(({ label }) => label === FIXED).map(({ id }) => id));
  const fresh = foldNearDuplicates(
    observations.filter((row) => row !== end && !fixed.has(row.id)),
    rowNames,
  );
  const sessionRows = new Map<string, NearDuplicates<ObservationLine>[]>();
  for (const one of fresh) {
    const name = one.one.session ?? '';
    const rows = sessionRows.get(name);
    if (rows === undefined) sessionRows.set(name, [one]);
    else rows.push(one);
  }
  // The newest piece of each session, whether it is listed here or not.
  const ends = new Map([...observations].reverse().map((row) => [row.session ?? '', row]));
  return [...sessionRows].slice(0, SESSIONS_MAX).flatMap(([session, rows], index) => {
    const most = index === 0 ? NEWEST_MAX : OTHERS_MAX;
    // A session with more pieces of work gets more lines, but less than in proportion.
    const share = rows.length ** SIZE_POWER * OLDER_SHARE ** index * (index === 0 ? NEWEST_SHARE : 1);
    const texts = new Map(rows.map(({ one }) => [one, workText(one, summaryOf.get(one), decided, known)]));
    const ranks = ranked(texts, shown, index === 0, sessions.get(session)?.title ?? null);
    const lines = rows.flatMap(({ one, nearDuplicates }) => {
      const rank = ranks.get(one)!;
      if (rank >= most) return [];
      const spare = rank / share + index / 100;
      const summary = summaryOf.get(one);
      const wide = rows.length < WIDE_ROWS_MIN ? 1 : rank < share * WIDE_SHARE ? WIDE : NARROW;
      const within = (charsMax: number) => texts.get(one)!.within(Math.round(charsMax * wide));
      const text = within(WORK_CHARS_MAX);
      const line = {
        ...briefLine(one, { text, voice: 'mixed', nearDuplicates }),
        within,
        below: true,
        spare,
      };
      const isEnd = one === ends.get(session);
      const left =
        summary === undefined || !isEnd ? '' : leftText(summary, text, newerThan(one, observations));
      if (left === '') return [line];
      const open = briefLine(one, { label: 'Left open', text: left, voice: 'mixed' });
      return [
        line,
        {
          ...open,
          below: true,
          spare: index / 100 + LEFT_SPARE,
        },
      ];
    });
    return [headOf(session, rows[0]!.one, sessions.get(session)), ...lines];
  });
}

/** The lines of the first sessions, and those of each session after them. */
export function bySession(
  lines: readonly BriefLine[],
  most: number,
): { readonly first: readonly BriefLine[]; readonly older: readonly (readonly BriefLine[])[] } {
  const groups: BriefLine[][] = [];
  for (const line of lines) {
    if (line.below === true) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  return { first: groups.slice(0, most).flat(), older: groups.slice(most) };
}

/** Ranks from the highest weight down. A session's end weighs most; in the newest session all recent work does. */
function ranked(
  texts: ReadonlyMap<ObservationLine, WorkText>,
  shown: ReadonlySet<string | null>,
  newest: boolean,
  title: string | null,
): ReadonlyMap<ObservationLine, number> {
  const rows = [...texts.keys()];
  const name = new Set(longWordsOf(title ?? ''));
  const recent = (row: ObservationLine) =>
    newest ? Math.max(0, RECENT_WEIGHT - rows.indexOf(row) / 5) : row === rows[0] ? END_WEIGHT : 0;
  const weight = (row: ObservationLine) =>
    recent(row) +
    texts.get(row)!.worth / 2 +
    (row.type === 'bugfix' || row.type === 'feature' ? 1 : 0) +
    sizeOf(row) +
    Math.min(NAMED_MAX, sharedWith(row, name) * NAMED_WEIGHT) +
    (shown.has(row.id) ? -2 : row.decisions.length > 0 ? 0.5 : 0) -
    (texts.get(row)!.errand || (row.narrative === '' && TOUCHED.test(row.title)) ? 2 : 0);
  const sorted = [...rows].sort((a, b) => weight(b) - weight(a));
  return new Map(sorted.map((row, rank) => [row, rank]));
}

/** How much was made, 0 to 3: a piece that changed many things identifies a session best. */
function sizeOf({ files, commits, facts }: ObservationLine): number {
  return Math.min(1.2, files.length * 0.3) + (commits.length > 0 ? 0.8 : 0) + Math.min(1, facts.length * 0.1);
}

/** How many words of the session's title it shares. */
function sharedWith({ title, narrative }: ObservationLine, name: ReadonlySet<string>): number {
  return new Set(longWordsOf(`${title} ${narrative}`).filter((word) => name.has(word))).size;
}

/** A decision with a lower `spare` value is likely to stay. */
const STAYS = 0.3;
const NAMED_WEIGHT = 0.35;
const NAMED_MAX = 1.4;

function headOf(session: string, newest: ObservationLine, facts: SessionFacts | undefined): BriefLine {
  const text =
    facts === undefined
      ? 'Session'
      : joinParts([facts.title, turnsText(facts.turns), facts.branch && `branch ${facts.branch}`], ', ');
  const line = briefLine(newest, { text, voice: 'mixed' });
  return { ...line, id: session === '' ? null : shortSession(session) };
}

export function turnsText(turns: number): string {
  return turns === 1 ? 'one turn' : `${turns} turns`;
}

/**
 * What a session's end left open. A step that later work mentions may be settled, and so may one that names nothing.
 * @param newer work of other sessions since then
 */
function leftText(
  { nextSteps, notes }: SummaryLine,
  shown: string,
  newer: readonly ObservationLine[],
): string {
  const since = newer
    .map(({ title, narrative, facts, files }) => [title, narrative, ...facts, ...files].join(' '))
    .join(' ');
  const open = (text: string) =>
    newer.length === 0 || (!SETTLED.test(text) && NAMED.test(text) && !sharesName(text, since));
  const steps = nextSteps.filter((step) => !OFFERED.test(step) && open(step));
  const remarks = splitSentences(notes ?? '').filter((note) => UNTESTED.test(note) && open(note));
  const known = normalize(shown);
  const left: string[] = [];
  for (const one of [...steps, ...remarks]) {
    const name = normalize(one).slice(0, SAME_CHARS);
    if (name === '' || known.includes(name) || left.some((other) => normalize(other).includes(name)))
      continue;
    left.push(stop(one));
  }
  return left.join(' ');
}

function newerThan(
  row: ObservationLine,
  observations: readonly ObservationLine[],
): readonly ObservationLine[] {
  return observations.slice(0, observations.indexOf(row)).filter(({ session }) => session !== row.session);
}

function sharesName(text: string, other: string): boolean {
  return (text.match(NAMES) ?? []).some((name) => other.includes(name));
}

/** Identifiers, paths and files. */
const NAMES = /[\w-]*(?:[a-z][A-Z]|_|\.|\/)[\w./-]*\w/g;
const NAMED = /\w_\w|[a-z][A-Z]|\w\.[a-z]\w{0,5}\b|\w\/\w/;
const OFFERED = /^(?:Offered|Announced last): |^you (?:may|might|can)\b|[:：]$/i;
const SETTLED =
  /^(?:Offered|Open question|Announced last): |\b(?:uncommitted|commit|committed|pushe?d?|ready)\b|[:：]$/i;
const UNTESTED =
  /\b(?:(?:could|can|was|were|is|are)(?: not|n(?:'|’)t) (?:be )?(?:tested|verified|run|reproduced)|untested|unverified|not (?:been )?(?:tested|verified)|known (?:issue|limitation)|out of scope|does(?:n(?:'|’)t| not) (?:cover|handle))\b/i;
/** Two statements with this many equal letters count as one. */
const SAME_CHARS = 40;
const LEFT_SPARE = 0.25;
