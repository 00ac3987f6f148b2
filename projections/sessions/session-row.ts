// The row of a whole session: its folder, its title, its start and end, its token usage.

import { type CwdReport, decidingCwd } from './reports.ts';
import { NO_WORKDIR, type SessionReport, type SessionRow } from './session-rows.ts';
import type { Skeleton } from './skeleton.ts';
import { branchOf } from './totals.ts';
import { spanOf } from './turn.ts';

/** A title set by the person wins over one set by the agent, and that over a summary. */
const TITLE_RANK: Record<string, number> = { custom: 2, ai: 1, summary: 0 };

/** Empty if no report names one. */
export function sessionWorkdir({ milestones, totals }: Skeleton): string {
  const { cwd: item } = totals;
  let first: CwdReport | undefined =
    item?.cwd === undefined ? undefined : { event: item.event, at: item.at, cwd: item.cwd };
  for (const { type, event, at, offset, cwd } of milestones)
    if (type === 'started' && cwd !== undefined) first = decidingCwd(first, { event, at, offset, cwd });
  return first?.cwd ?? NO_WORKDIR;
}

export function sessionRow(skeleton: Skeleton, workdir: string): SessionRow {
  const { agent, session, totals, milestones: allMilestones, messages } = skeleton;
  const copies = totals.items - totals.own;
  const milestones = allMilestones.filter(
    ({ offset }) => offset === undefined || offset > totals.copiedUntil,
  );
  const ended = milestones
    .filter((report) => report.type === 'ended')
    .sort(byTime)
    .at(-1);
  const times = milestones.flatMap(({ at }) => at ?? []);
  const started = milestones.filter((report) => report.type === 'started');
  const { prompts, commands, toolUses, failed, replies } = totals;
  return {
    agent,
    session,
    workdir,
    title: titleOf(milestones),
    ...spanOf(Math.min(totals.ownFirst, ...times), Math.max(totals.ownLast, ...times)),
    starts:
      Math.max(
        countStarts(started, (one) => one.detail !== 'compact'),
        copies > 0 ? 1 : 0,
      ) + countStarts(started, (one) => one.detail === 'compact'),
    endReason: ended?.detail ?? null,
    branch: branchOf(totals) ?? allMilestones.find((report) => report.branch !== undefined)?.branch ?? null,
    continuedIn: [
      ...new Set(milestones.filter((one) => one.type === 'continued').map((one) => one.detail!)),
    ].sort(),
    turns: totals.turns,
    counts: { prompts, commands, toolUses, failed, replies },
    copies,
    usage: messages.usage,
    reports: allMilestones,
  };
}

/** Hooks report every start, a transcript only the first one and compactions: the channel with the most starts counts. */
function countStarts(started: readonly SessionReport[], of: (report: SessionReport) => boolean): number {
  const seen = new Map<string, number>();
  for (const report of started) if (of(report)) seen.set(report.channel, (seen.get(report.channel) ?? 0) + 1);
  return Math.max(0, ...seen.values());
}

function titleOf(startsAndEnds: readonly SessionReport[]): string | null {
  const titled = startsAndEnds.filter((report) => report.type === 'titled');
  const rank = (report: SessionReport) => TITLE_RANK[report.detail ?? ''] ?? -1;
  titled.sort(
    (a, b) => rank(b) - rank(a) || (b.offset ?? 0) - (a.offset ?? 0) || (a.event < b.event ? -1 : 1),
  );
  return titled[0]?.title ?? null;
}

function byTime(
  a: { at?: number | undefined; event: string },
  b: { at?: number | undefined; event: string },
): number {
  return (
    (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY) || (a.event < b.event ? -1 : 1)
  );
}
