// What is said of a session as a whole: where it belongs, its title, when it began and ended, what it cost.

import type { AnyItem } from './item.ts';
import { type Counts, NOWHERE, type SessionRow, type SessionTelling, type TurnRow } from './rows.ts';
import type { SessionTellings } from './session.ts';
import { addCounts, addUsage, NO_USAGE } from './usage.ts';

const NO_COUNTS: Counts = { prompts: 0, commands: 0, toolUses: 0, failed: 0, replies: 0 };
/** A person's title beats the agent's, that beats a summary. */
const TITLE_RANK: Record<string, number> = { custom: 2, ai: 1, summary: 0 };

/** The cwd of the session's first line; where no transcript tells it, the earliest cwd that a hook told. */
export function placeOf(told: SessionTellings): string {
  const starts = told.milestones.filter((telling) => telling.type === 'started' && telling.cwd !== undefined);
  const line = starts.filter((telling) => telling.offset !== undefined).sort(byOffset)[0];
  if (line !== undefined) return line.cwd!;
  const withCwd = [...starts, ...told.prompts, ...told.tools, ...told.replies, ...told.stops].filter(
    (telling) => telling.cwd !== undefined,
  );
  return withCwd.sort(byTime)[0]?.cwd ?? NOWHERE;
}

export function sessionRow(
  told: SessionTellings,
  items: readonly AnyItem[],
  turns: readonly TurnRow[],
  copied: ReadonlySet<AnyItem>,
): SessionRow {
  const tellings = [...told.milestones].sort((a, b) => (a.event < b.event ? -1 : 1));
  const milestones = ownMilestones(tellings, copied);
  const ended = milestones
    .filter((telling) => telling.type === 'ended')
    .sort(byTime)
    .at(-1);
  const own = spanOf(items.filter((item) => !copied.has(item)));
  const { first, last } = spanOf([...milestones, { at: own.first }, { at: own.last }]);
  const started = milestones.filter((telling) => telling.type === 'started');
  let branch: AnyItem | undefined;
  for (const item of items)
    if (item.merged.branch !== undefined && (branch === undefined || item.order > branch.order))
      branch = item;
  return {
    agent: told.agent,
    session: told.session,
    place: placeOf(told),
    title: titleOf(milestones),
    startedAt: first,
    endedAt: last,
    starts:
      Math.max(
        countStarts(started, (one) => one.word !== 'compact'),
        copied.size > 0 ? 1 : 0,
      ) + countStarts(started, (one) => one.word === 'compact'),
    endReason: ended?.word ?? null,
    branch: branch?.merged.branch ?? tellings.find((telling) => telling.branch !== undefined)?.branch ?? null,
    continuedIn: [
      ...new Set(milestones.filter((one) => one.type === 'continued').map((one) => one.word!)),
    ].sort(),
    turns: turns.filter((turn) => !turn.inherited).length,
    counts: turns.reduce((sum, turn) => addCounts(sum, turn.counts), NO_COUNTS),
    copies: copied.size,
    usage: turns.reduce((sum, turn) => addUsage(sum, turn.usage), NO_USAGE),
    tellings,
  };
}

/** What stands in a transcript before the last copied line is of the session that the line was copied from. */
function ownMilestones(
  tellings: readonly SessionTelling[],
  copied: ReadonlySet<AnyItem>,
): readonly SessionTelling[] {
  let until = Number.NEGATIVE_INFINITY;
  for (const { thread, offset } of copied)
    if (thread === '' && offset !== null) until = Math.max(until, offset);
  return tellings.filter(({ offset }) => offset === undefined || offset > until);
}

/** The earliest and the latest time, Unix ms; null when nobody said. */
export function spanOf(all: readonly { readonly at?: number | null | undefined }[]): {
  first: number | null;
  last: number | null;
} {
  let first: number | null = null;
  let last: number | null = null;
  for (const { at } of all) {
    if (at === undefined || at === null) continue;
    if (first === null || at < first) first = at;
    if (last === null || at > last) last = at;
  }
  return { first, last };
}

/** Hooks see every start, a transcript only the first and the compactions: the witness that saw more is right. */
function countStarts(started: readonly SessionTelling[], of: (telling: SessionTelling) => boolean): number {
  const seen = new Map<string, number>();
  for (const telling of started)
    if (of(telling)) seen.set(telling.witness, (seen.get(telling.witness) ?? 0) + 1);
  return Math.max(0, ...seen.values());
}

function titleOf(tellings: readonly SessionTelling[]): string | null {
  const titled = tellings.filter((telling) => telling.type === 'titled');
  const rank = (telling: SessionTelling) => TITLE_RANK[telling.word ?? ''] ?? -1;
  titled.sort(
    (a, b) => rank(b) - rank(a) || (b.offset ?? 0) - (a.offset ?? 0) || (a.event < b.event ? -1 : 1),
  );
  return titled[0]?.title ?? null;
}

function byOffset(a: SessionTelling, b: SessionTelling): number {
  return a.offset! - b.offset! || (a.event < b.event ? -1 : 1);
}

function byTime(
  a: { at?: number | undefined; event: string },
  b: { at?: number | undefined; event: string },
): number {
  return (
    (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY) || (a.event < b.event ? -1 : 1)
  );
}
