// If there is much work, fixed bugs are listed with the lessons instead of the session's work: the person's words for the
// symptom, and the cause with its fix. A session keeps at least half of its pieces in its own list.
import type { ObservationLine } from '../../../projections/index.ts';
import type { BriefLine } from '../lines/brief.ts';
import { briefLine } from '../lines/brief-lines.ts';
import type { BriefMaterial } from '../lines/material.ts';
import { summariesOfRows, workText } from './work-text.ts';

export const FIXED = 'Mended';
const FIXED_MAX = 4;
const OF_ONE_SESSION_MAX = 2;
const SESSION_ROWS_MIN = 3;
const MANY = 20;
const CHARS_MAX = 700;
/** Cause and fix need more room than a finding; the quoted symptom needs less than a request. */
const WIDE = 1.35;
const ASKED_SHARE = 0.2;
const AGE_COSTS = 0.06;
const SPARE_FIRST = 0.08;
const SPARE_STEP = 0.1;
/** Explains why it happened, not only that it is fixed. */
const CAUSE =
  /\b(?:root cause|caused by|because|turns? out|the (?:real |actual )?(?:bug|cause|problem|issue)(?: (?:was|is)\b|[:.])|never (?:reached|ran|converted|set|read|flushed|saw)|only ever|silently|lost during|collapses?)/i;

/**
 * @param ending the turn whose end other lines already cover
 * @param lessons lines whose rows are already covered
 */
export function fixedLines(
  { observations, summaries }: BriefMaterial,
  ending: string | null,
  lessons: readonly BriefLine[],
): BriefLine[] {
  if (observations.length <= MANY) return [];
  const end = observations.find(({ turn }) => turn !== null && turn === ending);
  const summaryOf = summariesOfRows(observations, summaries, end);
  const covered = new Set(lessons.map(({ id }) => id));
  const sizes = new Map<string | null, number>();
  for (const { session } of observations) sizes.set(session, (sizes.get(session) ?? 0) + 1);
  const weighed = observations.flatMap((row, index) => {
    if (row === end || row.type !== 'bugfix' || covered.has(row.id) || !saysWhy(row)) return [];
    const work = workText(row, summaryOf.get(row), '');
    return [{ row, work, weight: work.worth - index * AGE_COSTS }];
  });
  const ofSession = new Map<string | null, number>();
  const kept = weighed
    .sort((one, other) => other.weight - one.weight)
    .filter(({ row: { session } }) => {
      const size = sizes.get(session) ?? 0;
      const count = ofSession.get(session) ?? 0;
      ofSession.set(session, count + 1);
      return size >= SESSION_ROWS_MIN && count < Math.min(OF_ONE_SESSION_MAX, Math.floor(size / 2));
    })
    .slice(0, FIXED_MAX);
  return kept.map(({ row, work }, rank) => {
    const within = (charsMax: number) => work.within(Math.round(charsMax * WIDE), ASKED_SHARE);
    const line = briefLine(row, { label: FIXED, text: within(CHARS_MAX), voice: 'mixed' });
    return { ...line, within, spare: SPARE_FIRST + rank * SPARE_STEP };
  });
}

function saysWhy({ narrative, facts }: ObservationLine): boolean {
  return CAUSE.test(`${narrative} ${facts.join(' ')}`);
}
