// Tokens and counts. One API message is told over several lines whose usage grows: the line with the most output
// tokens is the whole, and a message counts once, in the turn of its first line. Copies count in their home only.
import type { Usage } from '../../log/index.ts';
import type { AnyItem } from './item.ts';
import type { Counts } from './rows.ts';

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

/** Tokens by turn, of the items that are at home here. */
export function usageByTurn(
  items: readonly AnyItem[],
  isHome: (item: AnyItem) => boolean,
): Map<string, Usage> {
  const messages = new Map<string, { turn: string; order: string; usage: Usage }>();
  for (const item of items) {
    if ((item.kind !== 'reply' && item.kind !== 'tool') || !isHome(item)) continue;
    for (const telling of item.tellings) {
      if (telling.usage === undefined) continue;
      const name = telling.messageId ?? item.id;
      const known = messages.get(name);
      if (known === undefined)
        messages.set(name, { turn: item.turn, order: item.order, usage: telling.usage });
      else {
        if (item.order < known.order) {
          known.turn = item.turn;
          known.order = item.order;
        }
        if (isMore(telling.usage, known.usage)) known.usage = telling.usage;
      }
    }
  }
  const turns = new Map<string, Usage>();
  for (const { turn, usage } of messages.values())
    turns.set(turn, addUsage(turns.get(turn) ?? NO_USAGE, usage));
  return turns;
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheCreation: a.cacheCreation + b.cacheCreation,
  };
}

/** The later line of a message: more output; at equal output the larger whole, so that order never decides. */
function isMore(a: Usage, b: Usage): boolean {
  if (a.output !== b.output) return a.output > b.output;
  return a.input + a.cacheRead + a.cacheCreation > b.input + b.cacheRead + b.cacheCreation;
}

export function countItems(items: readonly AnyItem[], isHome: (item: AnyItem) => boolean): Counts {
  const counts = { prompts: 0, commands: 0, toolUses: 0, failed: 0, replies: 0 };
  for (const item of items) {
    if (!isHome(item)) continue;
    if (item.kind === 'prompt') {
      if (item.merged.kind === 'command') counts.commands++;
      else counts.prompts++;
    } else if (item.kind === 'tool') {
      counts.toolUses++;
      if (item.merged.outcome === 'failed') counts.failed++;
    } else if (item.kind === 'reply' && item.merged.text !== undefined) counts.replies++;
  }
  return counts;
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    prompts: a.prompts + b.prompts,
    commands: a.commands + b.commands,
    toolUses: a.toolUses + b.toolUses,
    failed: a.failed + b.failed,
    replies: a.replies + b.replies,
  };
}
