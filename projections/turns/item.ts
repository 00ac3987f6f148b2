// One thing in a session: a prompt, a tool use, a reply or a stop, with what the structure of the session asks of it
// and without its content, so that the items of a long session fit into memory. Items are ordered by `thread.ts` and
// given their turn by `asked.ts`.
import type { Usage } from '../../log/index.ts';
import { lineKeys, type NamedItem } from './lines.ts';
import { type Merged, merge } from './merge.ts';
import { comparable, type Words } from './prompts.ts';
import type { ItemKind, PromptTelling, ReplyTelling, StopTelling, TellingBase, ToolTelling } from './rows.ts';

/** One telling without its content. */
export interface Mark {
  readonly event: string;
  readonly witness: string;
  readonly dedupeKey: string;
  readonly at: number | undefined;
  readonly uuid: string | undefined;
  readonly offset: number | undefined;
  readonly promptId: string | undefined;
  readonly cwd: string | undefined;
  readonly requestSession: string | undefined;
  readonly messageId: string | undefined;
  readonly usage: Usage | undefined;
  readonly via: PromptTelling['via'] | undefined;
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

export interface Item {
  readonly id: string;
  readonly kind: ItemKind;
  readonly marks: readonly Mark[];
  readonly merged: Traits;
  readonly thread: string;
  readonly offset: number | null;
  readonly block: number;
  readonly at: number | null;
  /** The names under which another session may hold the same line. */
  readonly lines: readonly string[];
  order: string;
  turn: string;
  /** The session that owns it, where that is another one. */
  home: string | null;
  /** The turn and home under which its row is stored; null before it is. */
  stored: Pick<Item, 'turn' | 'home'> | null;
}

export type AnyTelling = PromptTelling | ToolTelling | ReplyTelling | StopTelling;

/** The API's reasons after which the agent goes on by itself. */
const GOES_ON: ReadonlySet<string> = new Set(['tool_use', 'pause_turn']);
/** What Claude Code writes, when it starts the next time, as the result of a call that a kill left open. */
const KILLED = '[Tool call interrupted: the session ended before';

/** `tellings`: all that was told of it, in the order of `byEvent`. */
export function makeItem(kind: ItemKind, id: string, tellings: readonly AnyTelling[]): Item {
  const merged = merge<AnyTelling & TellingBase>(tellings);
  const { agentId, offset, at } = merged;
  return {
    id,
    kind,
    marks: tellings.map(markOf),
    merged: traitsOf(kind, merged, tellings),
    thread: agentId ?? '',
    offset: offset ?? null,
    block: kind === 'reply' ? blockOf(tellings[0]!.fact) : 0,
    at: at ?? null,
    lines: lineKeys({ kind, tellings } as NamedItem),
    order: '',
    turn: '',
    home: null,
    stored: null,
  };
}

export function byEvent(a: { readonly event: string }, b: { readonly event: string }): number {
  return a.event < b.event ? -1 : 1;
}

function markOf(telling: AnyTelling): Mark {
  const prompt = 'via' in telling ? telling : undefined;
  const paid = telling as Partial<ReplyTelling>;
  return {
    event: telling.event,
    witness: telling.witness,
    dedupeKey: telling.fact,
    at: telling.at,
    uuid: telling.uuid,
    offset: telling.offset,
    promptId: telling.promptId,
    cwd: telling.cwd,
    requestSession: telling.requestSession,
    messageId: paid.messageId,
    usage: paid.usage,
    via: prompt?.via,
    private: prompt?.private,
    words: prompt === undefined ? null : comparable(prompt.text),
  };
}

function traitsOf(
  kind: ItemKind,
  { promptId, promptUuid, branch, sidechain, ...merged }: Merged<AnyTelling & TellingBase>,
  tellings: readonly AnyTelling[],
): Traits {
  const prompt = merged as Partial<PromptTelling>;
  const tool = merged as Partial<ToolTelling>;
  const reply = merged as Partial<ReplyTelling>;
  const isCommand = prompt.kind === 'command';
  // Only a hook or a transcript tells everything that happened.
  const isWatched = tellings.some(({ witness }) => witness === 'hook' || witness === 'transcript');
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
function blockOf(fact: string): number {
  const colon = fact.lastIndexOf(':');
  const block = colon < 0 ? 0 : Number(fact.slice(colon + 1));
  return Number.isInteger(block) ? block : 0;
}
