// One thing in a session: a prompt, a tool use, a reply or a stop, with what the structure of the session asks of it
// and without its content, so that the items of a long session fit into memory. Items are ordered by `thread.ts` and
// given their turn by `asked.ts`.
import type { Usage } from '../../log/index.ts';
import { copyKeysOf, type KeyedItem } from './copy-keys.ts';
import { type MergedReport, mergeReports } from './merge-reports.ts';
import { comparable, type Words } from './pair-prompts.ts';
import type {
  ItemKind,
  PromptReport,
  ReplyReport,
  ReportBase,
  StopReport,
  ToolReport,
} from './session-rows.ts';

/** One telling without its content. */
export interface Mark {
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
  /** A prompt's words as they are compared; null where nobody told them. */
  readonly words: Words | null;
}

/** Whose end is open, whom it serves, what it counts as: of all tellings merged. */
export interface Traits {
  readonly promptId: string | undefined;
  readonly promptUuid: string | undefined;
  readonly branch: string | undefined;
  /** A prompt that is a command; a tool use that failed; a reply that has words. */
  readonly counts: 'prompt' | 'command' | 'tool' | 'failed' | 'reply' | null;
  /** When a tool use ended, Unix ms. */
  readonly endedAt: number | undefined;
  readonly durationMs: number;
  readonly launchedAgentId: string | undefined;
  /** A command for the shell, typed as `!pwd`. */
  readonly isShell: boolean;
  /** Of a sub-agent, or about the session as a whole. */
  readonly isAside: boolean;
  /** Something must follow. */
  readonly isOpen: boolean;
  /** The session ended before this tool use did. */
  readonly wasKilled: boolean;
}

export interface SessionItem {
  readonly id: string;
  readonly kind: ItemKind;
  readonly marks: readonly Mark[];
  readonly merged: Traits;
  readonly thread: string;
  readonly offset: number | null;
  readonly block: number;
  readonly at: number | null;
  /** The names under which another session may hold the same line. */
  readonly copyKeys: readonly string[];
  order: string;
  turn: string;
  /** The session that owns it, where that is another one. */
  home: string | null;
  /** The turn and home under which its row is stored; null before it is. */
  stored: Pick<SessionItem, 'turn' | 'home'> | null;
}

export type AnyTelling = PromptReport | ToolReport | ReplyReport | StopReport;

/** The API's reasons after which the agent goes on by itself. */
const GOES_ON: ReadonlySet<string> = new Set(['tool_use', 'pause_turn']);
/** What Claude Code writes, when it starts the next time, as the result of a call that a kill left open. */
const KILLED = '[Tool call interrupted: the session ended before';

/** `newEvents`: all that was told of it, in the order of `byEvent`. */
export function makeSessionItem(kind: ItemKind, id: string, reports: readonly AnyTelling[]): SessionItem {
  const merged = mergeReports<AnyTelling & ReportBase>(reports);
  const { agentId, offset, at } = merged;
  return {
    id,
    kind,
    marks: reports.map(markOf),
    merged: traitsOf(kind, merged, reports),
    thread: agentId ?? '',
    offset: offset ?? null,
    block: kind === 'reply' ? blockOf(reports[0]!.dedupeKey) : 0,
    at: at ?? null,
    copyKeys: copyKeysOf({ kind, reports } as KeyedItem),
    order: '',
    turn: '',
    home: null,
    stored: null,
  };
}

export function byEvent(a: { readonly event: string }, b: { readonly event: string }): number {
  return a.event < b.event ? -1 : 1;
}

function markOf(report: AnyTelling): Mark {
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
    words: prompt === undefined ? null : comparable(prompt.text),
  };
}

function traitsOf(
  kind: ItemKind,
  { promptId, promptUuid, branch, sidechain, ...merged }: MergedReport<AnyTelling & ReportBase>,
  reports: readonly AnyTelling[],
): Traits {
  const prompt = merged as Partial<PromptReport>;
  const tool = merged as Partial<ToolReport>;
  const reply = merged as Partial<ReplyReport>;
  const isCommand = prompt.kind === 'command';
  // Only a hook or a transcript tells everything that happened.
  const isWatched = reports.some(({ channel }) => channel === 'hook' || channel === 'transcript');
  const traits = {
    promptId,
    promptUuid,
    branch,
    counts: null,
    endedAt: undefined,
    durationMs: 0,
    launchedAgentId: undefined,
    isShell: false,
    isAside: sidechain === true,
    isOpen: false,
    wasKilled: false,
  };
  switch (kind) {
    case 'prompt':
      return {
        ...traits,
        counts: isCommand ? 'command' : 'prompt',
        isShell: isCommand && prompt.text?.startsWith('!') === true,
        isAside: false,
        // `!pwd` runs in the shell; most versions do not ask the model about it.
        isOpen: isWatched && !isCommand && !/^\s*!/.test(prompt.text ?? ''),
      };
    case 'tool':
      return {
        ...traits,
        counts: tool.outcome === 'failed' ? 'failed' : 'tool',
        endedAt: tool.endedAt,
        durationMs: tool.durationMs ?? 0,
        launchedAgentId: tool.launchedAgentId || undefined,
        isOpen: isWatched,
        wasKilled: (tool.error ?? '').startsWith(KILLED),
      };
    case 'reply':
      return {
        ...traits,
        counts: reply.text === undefined ? null : 'reply',
        isAside: sidechain === true || reply.compaction === true || reply.recap === true,
        isOpen: isWatched && GOES_ON.has(reply.stopReason ?? ''),
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
