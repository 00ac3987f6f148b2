// One session as its tellings make it: prompts grouped, items merged and ordered, each in its turn. A pure
// function of the set of tellings; the view runs it again for a session whenever something new is told of it.
import { itemId } from '../item-id.ts';
import { lineKeys } from './lines.ts';
import { type Merged, merge } from './merge.ts';
import { orderItems } from './order.ts';
import { groupPrompts, type PromptGroup } from './prompts.ts';
import type {
  ItemKind,
  PromptTelling,
  ReplyTelling,
  SessionTelling,
  StopTelling,
  TellingBase,
  ToolTelling,
} from './rows.ts';

/** Every telling of one session, by what it tells of. */
export interface SessionTellings {
  readonly agent: string;
  readonly session: string;
  readonly session_: SessionTelling[];
  readonly prompts: PromptTelling[];
  readonly tools: ToolTelling[];
  readonly replies: ReplyTelling[];
  readonly stops: StopTelling[];
}

export interface Item<K extends ItemKind = ItemKind> {
  readonly id: string;
  readonly kind: K;
  readonly tellings: readonly TellingOf<K>[];
  readonly merged: Merged<TellingOf<K>>;
  readonly thread: string;
  readonly offset: number | null;
  readonly block: number;
  readonly at: number | null;
  /** The names under which another session may hold the same line. */
  readonly lines: readonly string[];
  order: string;
  turn: string;
}

type TellingOf<K extends ItemKind> = K extends 'prompt'
  ? PromptTelling
  : K extends 'tool'
    ? ToolTelling
    : K extends 'reply'
      ? ReplyTelling
      : StopTelling;

export type AnyItem = { [K in ItemKind]: Item<K> }[ItemKind];

export function emptyTellings(agent: string, session: string): SessionTellings {
  return { agent, session, session_: [], prompts: [], tools: [], replies: [], stops: [] };
}

/** The items of a session with their order and their turn. */
export function itemsOf(told: SessionTellings): AnyItem[] {
  const { agent, session } = told;
  const prompts = promptItems(told);
  const items: AnyItem[] = [
    ...prompts,
    ...byFact(told.tools).map((group) => item('tool', itemId('u', agent, session, group[0]!.fact), group)),
    ...byFact(told.replies).map((group) => item('reply', itemId('a', agent, session, group[0]!.fact), group)),
    ...byFact(told.stops).map((group) => item('stop', itemId('s', agent, session, group[0]!.fact), group)),
  ];
  const orders = orderItems(items);
  for (const one of items) one.order = orders.get(one.id)!;
  assignTurns(items, prompts, itemId('t', agent, session, null), (prompt) => `t${prompt.id.slice(1)}`);
  return items;
}

function promptItems({ agent, session, prompts }: SessionTellings): Item<'prompt'>[] {
  const groups = groupPrompts(prompts);
  const taken = new Set<string>();
  return groups.map((group) => {
    const name = promptName(group, taken);
    taken.add(name);
    return item('prompt', itemId('p', agent, session, name), group);
  });
}

/** The agent's own name for the prompt, so that the id stays the same when a second witness comes later. */
function promptName(group: PromptGroup, taken: ReadonlySet<string>): string {
  const promptId = group.find((telling) => telling.promptId)?.promptId;
  if (promptId !== undefined && !taken.has(promptId)) return promptId;
  for (const via of ['line', 'attachment', 'queue', 'hook']) {
    const telling = group.filter((one) => one.via === via).sort((a, b) => (a.fact < b.fact ? -1 : 1))[0];
    if (telling !== undefined) return `${via}:${telling.fact}`;
  }
  throw new Error('A group of prompts is never empty.');
}

function item<K extends ItemKind>(kind: K, id: string, group: readonly TellingOf<K>[]): Item<K> {
  const tellings = group.length === 1 ? group : [...group].sort((a, b) => (a.event < b.event ? -1 : 1));
  const merged = merge<TellingOf<K> & TellingBase>(tellings) as unknown as Merged<TellingOf<K>>;
  const { agentId, offset, at } = merged as Merged<TellingBase>;
  const block = kind === 'reply' ? blockOf(tellings[0]!.fact) : 0;
  const known = {
    id,
    kind,
    tellings,
    merged,
    thread: agentId ?? '',
    offset: offset ?? null,
    block,
    at: at ?? null,
  };
  return { ...known, lines: lineKeys(known as unknown as AnyItem), order: '', turn: '' };
}

/** `<uuid>:<n>` is the n-th block of its line. */
function blockOf(fact: string): number {
  const colon = fact.lastIndexOf(':');
  const block = colon < 0 ? 0 : Number(fact.slice(colon + 1));
  return Number.isInteger(block) ? block : 0;
}

function byFact<T extends TellingBase>(tellings: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const telling of tellings) {
    const group = groups.get(telling.fact);
    if (group === undefined) groups.set(telling.fact, [telling]);
    else group.push(telling);
  }
  return [...groups.values()];
}

/**
 * Gives every item its turn: by promptId, else by the parent chain, else by line order or time (both are in the
 * order string). A sub-agent's items go where it was launched.
 */
function assignTurns(
  items: AnyItem[],
  prompts: Item<'prompt'>[],
  before: string,
  turnOf: (prompt: Item<'prompt'>) => string,
): void {
  const asked = [...prompts].sort((a, b) => (a.order < b.order ? -1 : 1));
  const byPromptId = new Map<string, number>();
  const byUuid = new Map<string, number>();
  asked.forEach((prompt, index) => {
    prompt.turn = turnOf(prompt);
    for (const telling of prompt.tellings) {
      if (telling.promptId && !byPromptId.has(telling.promptId)) byPromptId.set(telling.promptId, index);
      if (telling.uuid) byUuid.set(telling.uuid, index);
    }
  });
  const turnAt = (index: number): string => asked[index]?.turn ?? before;

  const mainTurn = (one: AnyItem): string => {
    const { promptId, promptUuid } = one.merged as Merged<TellingBase>;
    const named = promptId === undefined ? undefined : byPromptId.get(promptId);
    if (named !== undefined) return turnAt(named);
    const chained = promptUuid === undefined ? undefined : byUuid.get(promptUuid);
    const last = lastAsked(asked, one.order);
    if (chained === undefined) return turnAt(last);
    return turnAt(onlyQueuedBetween(asked, chained, last) ? last : chained);
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
    else turn = unlaunchedTurn(items, asked, thread, byPromptId, turnAt);
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
  byPromptId: ReadonlyMap<string, number>,
  turnAt: (index: number) => string,
): string {
  const members = items.filter((one) => one.thread === thread).sort((a, b) => (a.order < b.order ? -1 : 1));
  for (const one of members) {
    const { promptId } = one.merged as Merged<TellingBase>;
    const named = promptId === undefined ? undefined : byPromptId.get(promptId);
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
