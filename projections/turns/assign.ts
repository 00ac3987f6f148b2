// Which turn an item belongs to. A turn runs from a human prompt to the next; what a notification, a wake-up or a
// compaction opened belongs to the turn that launched it, and so do sub-agents.
import type { AnyItem, Item } from './item.ts';
import type { Merged } from './merge.ts';
import type { TellingBase } from './rows.ts';
import { RunTurns } from './run-turns.ts';

/**
 * Gives every item its turn: by the parent chain, else by promptId and time, else by line order or time (both are in
 * the order string). A sub-agent's items go where it was launched.
 */
export function assignTurns(
  items: AnyItem[],
  prompts: Item<'prompt'>[],
  before: string,
  turnOf: (prompt: Item<'prompt'>) => string,
): void {
  const asked = [...prompts].sort((a, b) => (a.order < b.order ? -1 : 1));
  const byUuid = new Map<string, number>();
  asked.forEach((prompt, index) => {
    prompt.turn = turnOf(prompt);
    for (const telling of prompt.tellings) {
      if (telling.uuid) byUuid.set(telling.uuid, index);
    }
  });
  const runs = new RunTurns(asked, items);
  const turnAt = (index: number): string => asked[index]?.turn ?? before;

  const mainTurn = (one: AnyItem): string => {
    const { promptId, promptUuid } = one.merged as Merged<TellingBase>;
    const chained = promptUuid === undefined ? undefined : byUuid.get(promptUuid);
    const last = lastAsked(asked, one.order);
    if (chained !== undefined) return turnAt(onlyQueuedBetween(asked, chained, last) ? last : chained);
    const named = promptId === undefined ? undefined : runs.promptOf(one, promptId);
    return turnAt(named ?? last);
  };

  const launches = new Map<string, Item<'tool'>>();
  for (const one of items) {
    if (one.kind === 'tool' && one.merged.launchedAgentId) launches.set(one.merged.launchedAgentId, one);
  }
  const threadTurns = new Map<string, string>();
  const threadTurn = (thread: string, seen: ReadonlySet<string>): string => {
    const known = threadTurns.get(thread);
    if (known !== undefined) return known;
    const launch = launches.get(thread);
    let turn: string;
    if (launch !== undefined && launch.thread === '') turn = mainTurn(launch);
    else if (launch !== undefined && !seen.has(launch.thread))
      turn = threadTurn(launch.thread, new Set([...seen, thread]));
    else turn = unlaunchedTurn(items, asked, thread, runs, turnAt);
    threadTurns.set(thread, turn);
    return turn;
  };

  for (const one of items) {
    if (one.kind === 'prompt') continue;
    one.turn = one.thread === '' ? mainTurn(one) : threadTurn(one.thread, new Set([one.thread]));
  }
}

/** A sub-agent whose launch nobody told: by the promptId of its earliest item that has one, else by its earliest time. */
function unlaunchedTurn(
  items: readonly AnyItem[],
  asked: readonly Item<'prompt'>[],
  thread: string,
  runs: RunTurns,
  turnAt: (index: number) => string,
): string {
  const members = items.filter((one) => one.thread === thread).sort((a, b) => (a.order < b.order ? -1 : 1));
  for (const one of members) {
    const { promptId } = one.merged as Merged<TellingBase>;
    const named = promptId === undefined ? undefined : runs.openerOf(promptId);
    if (named !== undefined) return turnAt(named);
  }
  const began = Math.min(...members.map((one) => one.at ?? Number.POSITIVE_INFINITY));
  let last = -1;
  asked.forEach((prompt, index) => {
    if ((prompt.at ?? Number.POSITIVE_INFINITY) <= began) last = index;
  });
  return turnAt(last);
}

/** Index of the last prompt that stands before this order; -1 when none does. */
function lastAsked(asked: readonly Item<'prompt'>[], order: string): number {
  let low = 0;
  let high = asked.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (asked[middle]!.order <= order) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Prompts that reached the agent while it worked have no line of their own: the chain cannot lead to them. */
function onlyQueuedBetween(asked: readonly Item<'prompt'>[], from: number, to: number): boolean {
  for (let index = from + 1; index <= to; index++) {
    if (asked[index]!.tellings.some((telling) => telling.via === 'line')) return false;
  }
  return to > from;
}
