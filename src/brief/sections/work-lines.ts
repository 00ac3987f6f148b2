// Lists work by session: a line that names the session, and below it its pieces of work, newest first. The pieces with the
// most weight are dropped last, so that an old session is still represented by its outcome, and a long one by more than
// its end.
import { pushTo } from '../../../log/index.ts';
import type { ObservationLine, SummaryLine } from '../../../projections/index.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine, joinParts, shortSession } from '../lines/brief-lines.ts';
import type { BriefMaterial, SessionFacts } from '../lines/material.ts';
import {
  foldNearDuplicates,
  type NearDuplicates,
  normalize,
  rowNames,
} from '../lines/near-duplicate-lines.ts';
import { summariesOfRows, TOUCHED, type WorkText, workText } from './work-text.ts';

/** Sessions beyond these are listed while all of them have few pieces of work. */
const SESSIONS_MIN = 12;
const SESSIONS_MAX = 40;
const PIECES_MAX = 45;
const NEWEST_MAX = 14;
const OTHERS_MAX = 9;
/** The newest session gets this much more than another of its size. */
const NEWEST_SHARE = 2;
/** Each further piece of the newest session may be dropped this much sooner; so may the first of each older session. */
const NEWEST_SPARE = 0.035;
const OLDER_SPARE = 0.02;
const SIZE_POWER = 0.65;
/** And each older one this much less than the one after it. */
const OLDER_SHARE = 0.94;
/** The pieces of a session with the most weight get more room than the others. */
const WIDE = 1.45;
const NARROW = 0.86;
const WIDE_SHARE = 0.3;
/** A short session takes one line with less room, unless it is one of the newest. */
const SHORT = 0.75;
const SHORT_TURNS_MAX = 2;
const NEWER_SESSIONS = 2;
const WIDE_ROWS_MIN = 3;
const WORK_CHARS_MAX = 2_400;
const END_WEIGHT = 1.5;
/** In the newest session: of each piece to the next older one. */
const RECENT_WEIGHT = 0.75;
/** Of an older session, what was finished says more than a turn that has no end. */
const UNFINISHED_WEIGHT = -2;
const MANY = 20;
const LESSONS_STAY = 4;
/** A decision with a lower `spare` value is likely to stay. */
const STAYS = 0.3;

/** Lines of other sections: their content is not repeated. */
export interface OtherSections {
  readonly decisions: readonly BriefLine[];
  readonly lessons: readonly BriefLine[];
  /** Normalized text of the lines about the end of the last session. */
  readonly stated: string;
}

/**
 * @param ending the turn whose end other lines already cover; its earlier parts are listed here
 */
export function workLines(
  { observations, sessions, summaries }: BriefMaterial,
  ending: string | null,
  { decisions, lessons, stated }: OtherSections,
): BriefLine[] {
  const decided = normalize(decisions.map(({ text }) => text).join(' '));
  // With much to show, most lessons are dropped: what they say must not be missing here too.
  const many = observations.length > MANY;
  const staying = many ? lessons.slice(0, LESSONS_STAY) : lessons;
  const known = normalize(staying.map(({ text }) => text).join(' '));
  // Rows whose words and outcome are among the decisions.
  const shown = new Set(decisions.filter(({ spare = 0 }) => spare < STAYS).map(({ id }) => id));
  const end = observations.find(({ turn }) => turn !== null && turn === ending);
  const summaryOf = summariesOfRows(observations, summaries, end);
  const parts = new Map<string | null, number>();
  for (const { turn } of observations) parts.set(turn, (parts.get(turn) ?? 0) + 1);
  const isPart = ({ turn }: ObservationLine) => turn !== null && parts.get(turn)! > 1;
  const sessionRows = new Map<string, NearDuplicates<ObservationLine>[]>();
  for (const one of foldNearDuplicates(
    observations.filter((row) => row !== end),
    rowNames,
  ))
    pushTo(sessionRows, one.one.session ?? '', one);
  let pieces = 0;
  const listed = [...sessionRows].slice(0, SESSIONS_MAX).filter(([, rows], index) => {
    pieces += rows.length;
    return index < SESSIONS_MIN || pieces <= PIECES_MAX;
  });
  return listed.flatMap(([session, all], index) => {
    const isNewest = index === 0;
    const texts = new Map(
      all.map(({ one }) => [one, workText(one, summaryOf.get(one), decided, known, stated, isPart(one))]),
    );
    const informative = all.filter(({ one }) => !texts.get(one)!.isEmpty);
    const rows = informative.length === 0 ? all.slice(0, 1) : informative;
    // A session with more pieces of work gets more lines, but less than in proportion.
    const share = rows.length ** SIZE_POWER * OLDER_SHARE ** index * (isNewest ? NEWEST_SHARE : 1);
    const ranks = ranked(
      rows.map(({ one }) => one),
      texts,
      shown,
      isNewest,
    );
    const lines = rows.flatMap(({ one, nearDuplicates }) => {
      const rank = ranks.get(one)!;
      if (rank >= (isNewest ? NEWEST_MAX : OTHERS_MAX)) return [];
      const wide = rows.length < WIDE_ROWS_MIN ? 1 : rank < share * WIDE_SHARE ? WIDE : NARROW;
      const within = (charsMax: number) => texts.get(one)!.within(Math.round(charsMax * wide));
      const line = briefLine(one, { text: within(WORK_CHARS_MAX), voice: 'mixed', nearDuplicates });
      const spare = isNewest ? rank * NEWEST_SPARE : rank / share + index * OLDER_SPARE;
      return [{ ...line, within, below: true, spare }];
    });
    const facts = sessions.get(session);
    if (many && index >= NEWER_SESSIONS && isShort(facts, all, summaries)) {
      const one = rows.find((row) => ranks.get(row.one) === 0)!;
      return [shortLine(one, texts.get(one.one)!, index)];
    }
    return [headOf(session, rows[0]!.one, facts), ...lines];
  });
}

/** Whether a session had one task, with its commit perhaps, and left nothing open. */
function isShort(
  facts: SessionFacts | undefined,
  rows: readonly NearDuplicates<ObservationLine>[],
  summaries: readonly SummaryLine[],
): boolean {
  const [{ one: newest }] = rows as [NearDuplicates<ObservationLine>];
  const end = summaries.find(({ session }) => session === newest.session);
  const isOpen = newest.unfinished || end?.unfinished === true || (end?.nextSteps.length ?? 0) > 0;
  return facts !== undefined && facts.turns <= SHORT_TURNS_MAX && rows.length <= SHORT_TURNS_MAX && !isOpen;
}

/** The only line of its session. */
function shortLine(
  { one, nearDuplicates }: NearDuplicates<ObservationLine>,
  text: WorkText,
  index: number,
): BriefLine {
  const within = (charsMax: number) => {
    const room = Math.round(charsMax * SHORT);
    return text.outcome(room) || text.within(room);
  };
  const line = briefLine(one, { text: within(WORK_CHARS_MAX), voice: 'mixed', nearDuplicates });
  return { ...line, within, spare: index * OLDER_SPARE };
}

/** Ranks from the highest weight down. A session's end weighs most; in the newest session all recent work does. */
function ranked(
  rows: readonly ObservationLine[],
  texts: ReadonlyMap<ObservationLine, WorkText>,
  shown: ReadonlySet<string | null>,
  newest: boolean,
): ReadonlyMap<ObservationLine, number> {
  const recent = (row: ObservationLine) =>
    newest ? -rows.indexOf(row) * RECENT_WEIGHT : row === rows[0] ? END_WEIGHT : 0;
  const weight = (row: ObservationLine) =>
    recent(row) +
    texts.get(row)!.worth / 2 +
    (row.type === 'bugfix' || row.type === 'feature' ? 1 : 0) +
    sizeOf(row) +
    (!newest && row.unfinished ? UNFINISHED_WEIGHT : 0) +
    (shown.has(row.id) ? -2 : row.decisions.length > 0 ? 0.5 : 0) -
    (row.narrative === '' && row.title.startsWith(TOUCHED) ? 2 : 0);
  const sorted = [...rows].sort((a, b) => weight(b) - weight(a));
  return new Map(sorted.map((row, rank) => [row, rank]));
}

/** How much was made, 0 to 3: a piece that changed many things identifies a session best. */
function sizeOf({ files, commits, facts }: ObservationLine): number {
  return Math.min(1.2, files.length * 0.3) + (commits.length > 0 ? 0.8 : 0) + Math.min(1, facts.length * 0.1);
}

function headOf(session: string, newest: ObservationLine, facts: SessionFacts | undefined): BriefLine {
  const line = briefLine(newest, {
    text: facts === undefined ? 'Session' : sessionText(facts),
    voice: 'mixed',
  });
  return { ...line, id: session === '' ? null : shortSession(session) };
}

export function sessionText({ title, branch, turns }: SessionFacts): string {
  const count = turns === 1 ? 'one turn' : `${turns} turns`;
  return joinParts([title, count, branch ? `branch ${branch}` : null], ', ');
}
