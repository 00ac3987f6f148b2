// Where a session stopped, field by field: what was asked last, what came of it, what was to come next; and what
// summaries come to in one line each.
import type { SummaryLine } from '../../projections/index.ts';
import { folded, rowNames } from './alike.ts';
import type { BriefLine } from './brief.ts';
import { clipped, headed, joined, lineOf, plainLine } from './lines.ts';
import type { Material } from './material.ts';

const LAST_CHARS_MAX = 600;
const OUTCOME_CHARS_MAX = 260;
const BEFORE_MAX = 3;
const COMMITS_MAX = 4;
/** Enough of a session's id to open it. */
const SESSION_ID_CHARS = 8;
/** A shorter prompt ("yes", "continue") says nothing. */
const PROMPT_WORDS_MIN = 4;

/** The newest summary, field by field, and what came before it in its session. */
export function stopped(last: SummaryLine | undefined, material: Material): BriefLine[] {
  const { summaries, prompts, observations, lastSession } = material;
  if (last === undefined) return [];
  const lines: BriefLine[] = [];
  const said = (label: string, text: string | null, voice: BriefLine['voice']) => {
    if (text !== null && text.trim() !== '')
      lines.push(lineOf(last, { label, text: clipped(text, LAST_CHARS_MAX), voice }));
  };
  const newer = prompts.find(
    (row) =>
      row.session === last.session &&
      row.turn !== last.turn &&
      (row.at ?? 0) > (last.at ?? 0) &&
      row.title.split(' ').length >= PROMPT_WORDS_MIN,
  );
  if (lastSession !== null && last.session !== null && lastSession.id === last.session)
    lines.push({
      ...plainLine('Session', sessionText(lastSession)),
      id: last.session.slice(0, SESSION_ID_CHARS),
      at: last.at,
    });
  said('Asked', last.request, 'person');
  said('Done', last.completed, 'agent');
  said('Learned', last.learned, 'agent');
  for (const step of last.nextSteps) said('Next', step, 'agent');
  said('Note', last.notes, 'agent');
  if (last.completed === null) said('Looked into', last.investigated, 'record');
  if (newer !== undefined)
    lines.push(lineOf(newer, { label: 'Asked last', text: newer.title, voice: 'person' }));
  const committed = observations.filter(
    ({ session, commits }) => session === last.session && commits.length > 0,
  );
  const commits = committed.flatMap((row) => row.commits).slice(0, COMMITS_MAX);
  if (committed[0] !== undefined) {
    const text = commits.map(({ hash, subject }) => joined([hash, clipped(subject, 120)], ' ')).join('; ');
    lines.push(lineOf(committed[0], { label: 'Committed', text, voice: 'record' }));
  }
  return [...lines, ...outcomes(before(last, summaries)).map((line) => ({ ...line, label: 'Before that' }))];
}

/** The summaries before the last one of its session. */
export function before(last: SummaryLine | undefined, summaries: readonly SummaryLine[]): SummaryLine[] {
  if (last === undefined || last.session === null) return [];
  const rows = summaries.filter((row) => row.session === last.session && row.id !== last.id);
  return rows.slice(0, BEFORE_MAX);
}

function sessionText({ title, branch, turns }: NonNullable<Material['lastSession']>): string {
  const size = turns === 1 ? 'one turn' : `${turns} turns`;
  return joined([title, size, branch === null ? null : `branch ${branch}`], ', ');
}

/** One line a summary, near-duplicates folded. */
export function outcomes(summaries: readonly SummaryLine[]): BriefLine[] {
  return folded(summaries, rowNames).map(({ one, alike }) => {
    const outcome = one.completed ?? one.learned ?? one.notes;
    return lineOf(one, {
      text: clipped(headed(one.title, outcome ?? ''), OUTCOME_CHARS_MAX),
      voice: 'mixed',
      alike,
    });
  });
}
