// The one table of who is believed about what, when several witnesses told the same fact: text, order, time,
// usage and branch from the transcript; duration, permission mode and end reason from the hook. Never who came first.
import type {
  ItemOf,
  PromptReport,
  ReplyReport,
  ReportBase,
  StopReport,
  ToolReport,
} from './session-rows.ts';

/** Transcript lines first, then its queue and attachment lines, then hooks, then anybody. */
const RANK: Record<string, number> = {
  line: 0,
  transcript: 1,
  attachment: 2,
  queue: 3,
  hook: 4,
  api: 5,
  cli: 6,
  import: 7,
};

/** Fields of which the hook knows best; the transcript of all others. */
const HOOK_KNOWS = new Set(['durationMs', 'permissionMode', 'word']);

export type MergedReport<T extends ReportBase> = Omit<T, 'event' | 'channel' | 'dedupeKey'>;

/** Field by field, the most trusted telling that has it. `newEvents` may stand in any order. */
export function mergeReports<T extends ReportBase>(reports: readonly T[]): MergedReport<T> {
  if (reports.length === 1) return reports[0]!;
  const ranked = [...reports].sort((a, b) => rank(a) - rank(b) || (a.event < b.event ? -1 : 1));
  const merged: Partial<Record<keyof T, unknown>> = {};
  for (const report of ranked)
    for (const name in report) if (merged[name] === undefined) merged[name] = report[name];
  for (const name of HOOK_KNOWS as Iterable<keyof T>) {
    const hook = ranked.find((report) => report.channel === 'hook' && report[name] !== undefined);
    if (hook !== undefined) merged[name] = hook[name];
  }
  return merged as unknown as MergedReport<T>;
}

function rank(report: ReportBase): number {
  const via = (report as Partial<PromptReport>).via;
  return RANK[via ?? report.channel] ?? 9;
}

export const readPrompt = (item: ItemOf<'prompt'>): MergedReport<PromptReport> => mergeReports(item.reports);
export const readTool = (item: ItemOf<'tool'>): MergedReport<ToolReport> => mergeReports(item.reports);
export const readReply = (item: ItemOf<'reply'>): MergedReport<ReplyReport> => mergeReports(item.reports);
export const readStop = (item: ItemOf<'stop'>): MergedReport<StopReport> => mergeReports(item.reports);
