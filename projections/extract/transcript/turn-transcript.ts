// A turn as the extraction rules read it: prompts, tool uses and messages, in order, without copies.

import { readPrompt, readReply, readStop, readTool } from '../../sessions/merge-reports.ts';
import type { ItemOf, ItemRow, TurnRow } from '../../sessions/session-rows.ts';
import { type Command, commandIn } from '../shell/commands.ts';
import { isPlan } from '../text/plans.ts';
import { memoized } from './memoized.ts';

interface TranscriptEntry {
  readonly id: string;
  readonly events: readonly string[];
  readonly at: number | null;
  readonly order: string;
}

export interface Prompt extends TranscriptEntry {
  readonly text: string;
  /** A slash command. */
  readonly command: boolean;
  /** A plan of the agent that the person accepted; its text is not the person's. */
  readonly plan: boolean;
}

export interface ToolUse extends TranscriptEntry {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number | boolean>>;
  /** The shell command; null for every other tool. */
  readonly command: Command | null;
  readonly outcome: 'ok' | 'failed' | 'cancelled' | null;
  readonly error: string;
  /** The end of the output, where the rules need it. */
  readonly tail: string;
}

export interface Message extends TranscriptEntry {
  readonly text: string;
}

export interface TurnTranscript {
  readonly turn: TurnRow;
  readonly userPrompts: readonly Prompt[];
  readonly toolUses: readonly ToolUse[];
  /** Messages of the agent itself, without those of sub-agents. */
  readonly messages: readonly Message[];
  /** Messages of sub-agents. */
  readonly subagentMessages: readonly Message[];
  /** The person stopped the turn. */
  readonly interrupted: boolean;
  /** An error of the model's service ended the turn; nothing follows it. */
  readonly broken: boolean;
}

export function turnTranscriptOf(turn: TurnRow, items: readonly ItemRow[]): TurnTranscript {
  const userPrompts: Prompt[] = [];
  const toolUses: ToolUse[] = [];
  const messages: Message[] = [];
  const stopMessages: Message[] = [];
  const subagentMessages: Message[] = [];
  let interrupted = false;
  let error = '';
  for (const item of items) {
    if (item.owner !== null) continue;
    const { id, at, order } = item;
    const { reports } = item;
    const events = reports.length === 1 ? [reports[0]!.event] : reports.map(({ event }) => event);
    switch (item.kind) {
      case 'prompt': {
        userPrompts.push(...promptsIn(item));
        break;
      }
      case 'tool': {
        toolUses.push(toolUseOf(item, turn.workdir));
        break;
      }
      case 'reply': {
        const { text, agentId, sidechain, compaction, recap } = readReply(item);
        // A recap is about the whole session, not about the last request.
        if (!text?.trim() || compaction || recap) break;
        (agentId || sidechain ? subagentMessages : messages).push(messageIn(item));
        break;
      }
      case 'stop': {
        const { text, agentId, sidechain, reason } = readStop(item);
        if (reason === 'interrupted' && !agentId && !sidechain) interrupted = true;
        if (reason === 'error' && !agentId && !sidechain && order > error) error = order;
        if (text?.trim() && !agentId && !sidechain) stopMessages.push({ id, at, order, events, text });
        break;
      }
    }
  }
  // The final answer from a hook repeats the transcript's last reply; use it only when the transcript has no replies.
  const replies = messages.length > 0 ? messages : stopMessages;
  return {
    turn,
    userPrompts: inOrder(userPrompts),
    toolUses: inOrder(amongMain(toolUses, [...userPrompts, ...messages])),
    messages: inOrder(replies),
    subagentMessages: inOrder(amongMain(subagentMessages, [...userPrompts, ...messages])),
    interrupted,
    broken: error !== '' && [...toolUses, ...replies].every(({ order }) => order < error),
  };
}

const knownUses = new WeakMap<ItemRow, { readonly workdir: string; readonly toolUse: ToolUse }>();

/** The same object for the same row: what rules find in it is kept by it. */
function toolUseOf(item: ItemOf<'tool'>, workdir: string): ToolUse {
  const known = knownUses.get(item);
  if (known?.workdir === workdir) return known.toolUse;
  const { name, input, outcome, error, resultTail } = readTool(item);
  const toolUse = {
    ...entryOf(item),
    name,
    input,
    command: commandIn(name, input, workdir),
    outcome: outcome ?? null,
    error: error ?? '',
    tail: resultTail ?? '',
  };
  knownUses.set(item, { workdir, toolUse });
  return toolUse;
}

/** The same objects for the same row. */
const promptsIn = memoized((item: ItemOf<'prompt'>): readonly Prompt[] => {
  const { text, kind, author, feedback } = readPrompt(item);
  const entry = entryOf(item);
  const plan = author === 'agent' || (text !== undefined && isPlan(text));
  return [
    ...(text?.trim() ? [{ ...entry, text, command: kind === 'command', plan }] : []),
    ...(feedback?.trim() ? [{ ...entry, text: feedback, command: false, plan: false }] : []),
  ];
});

/** The same object for the same row. */
const messageIn = memoized((item: ItemOf<'reply'>): Message => {
  return { ...entryOf(item), text: readReply(item).text ?? '' };
});

function entryOf({ id, at, order, reports }: ItemRow): TranscriptEntry {
  return { id, at, order, events: reports.map(({ event }) => event) };
}

/** The turn has no end, ended in an error, or was stopped during a tool use. */
export function isCutOff({ turn, interrupted, broken, messages, toolUses }: TurnTranscript): boolean {
  return (
    turn.unfinished ||
    broken ||
    (interrupted && (toolUses.at(-1)?.order ?? '') > (messages.at(-1)?.order ?? ''))
  );
}

/** Prefix of the order of items in the session's own transcript; for sub-agents it is their name. */
const MAIN = '0 ';

/** Sub-agents have transcripts of their own: places their items among the session's own items by time. */
function amongMain<T extends TranscriptEntry>(
  uses: readonly T[],
  mainEntries: readonly TranscriptEntry[],
): T[] {
  if (uses.every(({ order }) => order.startsWith(MAIN))) return [...uses];
  const main = [...uses, ...mainEntries]
    .filter(({ order, at }) => order.startsWith(MAIN) && at !== null)
    .sort((a, b) => (a.order < b.order ? -1 : 1));
  // The running maximum of the times, for binary search.
  let latest = Number.NEGATIVE_INFINITY;
  const times = main.map(({ at }) => {
    latest = Math.max(latest, at!);
    return latest;
  });
  return uses.map((use) => {
    if (use.order.startsWith(MAIN) || use.at === null) return use;
    let [low, high] = [0, times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle]! <= use.at) low = middle + 1;
      else high = middle;
    }
    const before = main[low - 1];
    return before === undefined ? use : { ...use, order: `${before.order} ${use.order}` };
  });
}

function inOrder<T extends TranscriptEntry>(list: T[]): T[] {
  return list.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : a.id < b.id ? -1 : 1));
}
