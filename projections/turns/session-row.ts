// What is said of a session as a whole: where it belongs, its title, when it began and ended, what it cost.

import type { Mark } from './item.ts';
import { NOWHERE, type SessionRow, type SessionTelling } from './rows.ts';
import type { Skeleton } from './skeleton.ts';
import { earlier } from './totals.ts';
import { spanOf } from './turn.ts';

/** A person's title beats the agent's, that beats a summary. */
const TITLE_RANK: Record<string, number> = { custom: 2, ai: 1, summary: 0 };

type Told = Partial<Pick<Mark, 'at' | 'cwd'>> & Pick<Mark, 'event'>;

/** The cwd of the session's first line; where no transcript tells it, the earliest cwd that a hook told. */
export function placeOf({ milestones, totals }: Skeleton): string {
  const starts = milestones.filter((telling) => telling.type === 'started' && telling.cwd !== undefined);
  const line = starts.filter((telling) => telling.offset !== undefined).sort(byOffset)[0];
  if (line !== undefined) return line.cwd!;
  let first: Told | undefined = totals.cwd;
  for (const start of starts) first = earlier<Told>(first, start);
  return first?.cwd ?? NOWHERE;
}

export function sessionRow(skeleton: Skeleton, place: string): SessionRow {
  const { agent, session, totals, milestones: tellings, messages } = skeleton;
  const copies = totals.items - totals.own;
  const milestones = tellings.filter(({ offset }) => offset === undefined || offset > totals.copiedUntil);
  const ended = milestones
    .filter((telling) => telling.type === 'ended')
    .sort(byTime)
    .at(-1);
  const times = milestones.flatMap(({ at }) => at ?? []);
  const started = milestones.filter((telling) => telling.type === 'started');
  const { prompts, commands, toolUses, failed, replies } = totals;
  return {
    agent,
    session,
    place,
    title: titleOf(milestones),
    ...spanOf(Math.min(totals.ownFirst, ...times), Math.max(totals.ownLast, ...times)),
    starts:
      Math.max(
        countStarts(started, (one) => one.word !== 'compact'),
        copies > 0 ? 1 : 0,
      ) + countStarts(started, (one) => one.word === 'compact'),
    endReason: ended?.word ?? null,
    branch:
      totals.branched?.merged.branch ??
      tellings.find((telling) => telling.branch !== undefined)?.branch ??
      null,
    continuedIn: [
      ...new Set(milestones.filter((one) => one.type === 'continued').map((one) => one.word!)),
    ].sort(),
    turns: totals.turns,
    counts: { prompts, commands, toolUses, failed, replies },
    copies,
    usage: messages.usage,
    tellings,
  };
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
