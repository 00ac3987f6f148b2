// Merges the reports of one item. One table decides which channel is trusted for which field: the transcript for text,
// order, time, usage and branch; the hook for duration, permission mode and end reason. The order of arrival never counts.
import type {
  ItemOf,
  PromptReport,
  ReplyReport,
  ReportBase,
  StopReport,
  ToolReport,
} from './session-rows.ts';

/** The most trusted first. */
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

/** Fields that are taken from the hook. */
const HOOK_FIELDS = new Set(['durationMs', 'permissionMode', 'word']);

export type MergedReport<T extends ReportBase> = Omit<T, 'event' | 'channel' | 'dedupeKey'>;

/** Takes each field from the most trusted report that has it. `reports` may be in any order. */
export function mergeReports<T extends ReportBase>(reports: readonly T[]): MergedReport<T> {
  if (reports.length === 1) return reports[0]!;
  const ranked = [...reports].sort((a, b) => rank(a) - rank(b) || (a.event < b.event ? -1 : 1));
  const merged: Partial<Record<keyof T, unknown>> = {};
  for (const report of ranked)
    for (const name in report) if (merged[name] === undefined) merged[name] = report[name];
  for (const name of HOOK_FIELDS as Iterable<keyof T>) {
    const hook = ranked.find((report) => report.channel === 'hook' && report[name] !== undefined);
    if (hook !== undefined) merged[name] = hook[name];
  }
  return merged as unknown as MergedReport<T>;
}

function rank(report: ReportBase): number {
  const via = (report as Partial<PromptReport>).via;
  return RANK[via ?? report.channel] ?? 9;
}

/** Some agents write the usage of a message in a line of its own, after the tool use that the message began. */
export function onlyReportsUsage({ text, usage, stopReason }: Partial<ReplyReport>): boolean {
  return text === undefined && usage !== undefined && stopReason === undefined;
}

export const readPrompt = (item: ItemOf<'prompt'>): MergedReport<PromptReport> => mergeReports(item.reports);
export const readTool = (item: ItemOf<'tool'>): MergedReport<ToolReport> => mergeReports(item.reports);
export const readReply = (item: ItemOf<'reply'>): MergedReport<ReplyReport> => mergeReports(item.reports);
export const readStop = (item: ItemOf<'stop'>): MergedReport<StopReport> => mergeReports(item.reports);
