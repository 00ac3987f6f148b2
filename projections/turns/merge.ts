// The one table of who is believed about what, when several witnesses told the same fact: text, order, time,
// usage and branch from the transcript; duration, permission mode and end reason from the hook. Never who came first.
import type { ItemOf, PromptTelling, ReplyTelling, StopTelling, TellingBase, ToolTelling } from './rows.ts';

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

export type Merged<T extends TellingBase> = Omit<T, 'event' | 'witness' | 'fact'>;

/** Field by field, the most trusted telling that has it. `tellings` may stand in any order. */
export function merge<T extends TellingBase>(tellings: readonly T[]): Merged<T> {
  if (tellings.length === 1) return tellings[0]!;
  const ranked = [...tellings].sort((a, b) => rank(a) - rank(b) || (a.event < b.event ? -1 : 1));
  const merged: Partial<Record<keyof T, unknown>> = {};
  for (const telling of ranked)
    for (const name in telling) if (merged[name] === undefined) merged[name] = telling[name];
  for (const name of HOOK_KNOWS as Iterable<keyof T>) {
    const hook = ranked.find((telling) => telling.witness === 'hook' && telling[name] !== undefined);
    if (hook !== undefined) merged[name] = hook[name];
  }
  return merged as unknown as Merged<T>;
}

function rank(telling: TellingBase): number {
  const via = (telling as Partial<PromptTelling>).via;
  return RANK[via ?? telling.witness] ?? 9;
}

export const readPrompt = (item: ItemOf<'prompt'>): Merged<PromptTelling> => merge(item.tellings);
export const readTool = (item: ItemOf<'tool'>): Merged<ToolTelling> => merge(item.tellings);
export const readReply = (item: ItemOf<'reply'>): Merged<ReplyTelling> => merge(item.tellings);
export const readStop = (item: ItemOf<'stop'>): Merged<StopTelling> => merge(item.tellings);
