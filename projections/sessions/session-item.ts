// An item of a session: a prompt, a tool use, a reply or a stop, without its content, so that the items of a long session
// fit into memory. thread.ts gives items their order, session-prompts.ts finds the prompt that they answer.
import type { Usage } from '../../log/index.ts';
import { copyKeysOf, type KeyedItem } from './copy-keys.ts';
import { type MergedReport, mergeReports, onlyReportsUsage } from './merge-reports.ts';
import { fingerprintOf, type TextFingerprint } from './pair-prompts.ts';
import type {
  ItemKind,
  PromptReport,
  ReplyReport,
  ReportBase,
  StopReport,
  ToolReport,
} from './session-rows.ts';

/** A report without its content. */
export interface ReportHead {
  readonly event: string;
  readonly channel: string;
  readonly dedupeKey: string;
  readonly at: number | undefined;
  readonly uuid: string | undefined;
  readonly offset: number | undefined;
  readonly promptId: string | undefined;
  readonly cwd: string | undefined;
  readonly requestSession: string | undefined;
  readonly messageId: string | undefined;
  readonly usage: Usage | undefined;
  readonly via: PromptReport['via'] | undefined;
  readonly private: true | undefined;
  readonly forgotten: string | undefined;
  /** Of a prompt's text; null when it has none. */
  readonly fingerprint: TextFingerprint | null;
}

/** What the structure of the session needs from the merged reports. */
export interface Traits {
  readonly promptId: string | undefined;
  readonly promptUuid: string | undefined;
  readonly branch: string | undefined;
  /** The branch that git named last in what a tool use printed. */
  readonly printedBranch: string | undefined;
  /** command: a prompt that is a command. failed: a tool use that failed. reply: only a reply with text. */
  readonly counts: 'prompt' | 'command' | 'tool' | 'failed' | 'reply' | null;
  /** When a tool use ended, Unix ms. */
  readonly endedAt: number | undefined;
  readonly durationMs: number;
  readonly launchedAgentId: string | undefined;
  /** It only ends a background task. */
  readonly endsTask: boolean;
  /** Of a sub-agent, or a compaction or recap, or only a report of usage. */
  readonly isOutsideConversation: boolean;
  /** Another item must follow. */
  readonly isOpen: boolean;
  /** The session ended before this tool use did. */
  readonly wasKilled: boolean;
}

export interface SessionItem {
  readonly id: string;
  readonly kind: ItemKind;
  readonly heads: readonly ReportHead[];
  readonly merged: Traits;
  readonly thread: string;
  readonly offset: number | null;
  readonly block: number;
  readonly at: number | null;
  /** The names under which another session may have the same line. */
  readonly copyKeys: readonly string[];
  order: string;
  turn: string;
  /** The session that owns it; null when that is its own session. */
  owner: string | null;
  /** The turn and owner of its stored row; null before it is stored. */
  stored: Pick<SessionItem, 'turn' | 'owner'> | null;
}

export type AnyReport = PromptReport | ToolReport | ReplyReport | StopReport;

/** Stop reasons of the API after which the agent continues by itself. */
export const CONTINUING_STOP_REASONS: ReadonlySet<string> = new Set(['tool_use', 'pause_turn']);
/** The result that Claude Code writes, at its next start, for a tool use that was open when it was killed. */
const KILLED_RESULT = '[Tool call interrupted: the session ended before';

/** `reports`: all reports of the item, sorted by `byEvent`. */
export function makeSessionItem(kind: ItemKind, id: string, reports: readonly AnyReport[]): SessionItem {
  const merged = mergeReports<AnyReport & ReportBase>(reports);
  const { agentId, offset, at } = merged;
  return {
    id,
    kind,
    heads: reports.map(headOf),
    merged: traitsOf(kind, merged, reports),
    thread: agentId ?? '',
    offset: offset ?? null,
    block: kind === 'reply' ? blockOf(reports[0]!.dedupeKey) : 0,
    at: at ?? null,
    copyKeys: copyKeysOf({ kind, reports } as KeyedItem),
    order: '',
    turn: '',
    owner: null,
    stored: null,
  };
}

/** Whether nothing is left of a prompt but that it was here. */
export function isForgotten({ heads }: SessionItem): boolean {
  return heads[0]?.forgotten !== undefined;
}

export function byEvent(a: { readonly event: string }, b: { readonly event: string }): number {
  return a.event < b.event ? -1 : 1;
}

function headOf(report: AnyReport): ReportHead {
  const prompt = 'via' in report ? report : undefined;
  const paid = report as Partial<ReplyReport>;
  return {
    event: report.event,
    channel: report.channel,
    dedupeKey: report.dedupeKey,
    at: report.at,
    uuid: report.uuid,
    offset: report.offset,
    promptId: report.promptId,
    cwd: report.cwd,
    requestSession: report.requestSession,
    messageId: paid.messageId,
    usage: paid.usage,
    via: prompt?.via,
    private: prompt?.private,
    forgotten: prompt?.forgotten,
    fingerprint: prompt === undefined ? null : fingerprintOf(prompt.text),
  };
}

function traitsOf(
  kind: ItemKind,
  { promptId, promptUuid, branch, sidechain, ...merged }: MergedReport<AnyReport & ReportBase>,
  reports: readonly AnyReport[],
): Traits {
  const prompt = merged as Partial<PromptReport>;
  const tool = merged as Partial<ToolReport>;
  const reply = merged as Partial<ReplyReport>;
  const isCommand = prompt.kind === 'command';
  // Only hooks and transcripts report everything that happens in a session.
  const isWatched = reports.some(({ channel }) => channel === 'hook' || channel === 'transcript');
  const traits = {
    promptId,
    promptUuid,
    branch,
    printedBranch: undefined,
    counts: null,
    endedAt: undefined,
    durationMs: 0,
    launchedAgentId: undefined,
    endsTask: false,
    isOutsideConversation: sidechain === true,
    isOpen: false,
    wasKilled: false,
  };
  switch (kind) {
    case 'prompt':
      return {
        ...traits,
        counts: isCommand ? 'command' : 'prompt',
        isOutsideConversation: false,
        // `!pwd` runs in the shell; most versions do not send it to the model.
        isOpen: isWatched && !isCommand && !/^\s*!/.test(prompt.text ?? ''),
      };
    case 'tool':
      return {
        ...traits,
        printedBranch: tool.printedBranch,
        counts: tool.outcome === 'failed' ? 'failed' : 'tool',
        endedAt: tool.endedAt,
        durationMs: tool.durationMs ?? 0,
        launchedAgentId: tool.launchedAgentId || undefined,
        endsTask: tool.name === 'TaskStop',
        isOpen: isWatched,
        wasKilled: (tool.error ?? '').startsWith(KILLED_RESULT),
      };
    case 'reply':
      return {
        ...traits,
        counts: reply.text === undefined ? null : 'reply',
        isOutsideConversation:
          sidechain === true || reply.compaction === true || reply.recap === true || onlyReportsUsage(reply),
        isOpen: isWatched && CONTINUING_STOP_REASONS.has(reply.stopReason ?? ''),
      };
    case 'stop':
      return traits;
  }
}

/** `<uuid>:<n>` is the n-th block of its line. */
function blockOf(event: string): number {
  const colon = event.lastIndexOf(':');
  const block = colon < 0 ? 0 : Number(event.slice(colon + 1));
  return Number.isInteger(block) ? block : 0;
}
