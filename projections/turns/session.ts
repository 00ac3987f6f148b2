// One session as its tellings make it: prompts grouped, items merged and ordered, each in its turn. A pure
// function of the set of tellings; the view runs it again for a session whenever something new is told of it.
import { itemId } from '../item-id.ts';
import { assignTurns } from './assign.ts';
import { type AnyItem, type Item, makeItem } from './item.ts';
import { orderItems } from './order.ts';
import { groupPrompts, type PromptGroup } from './prompts.ts';
import type {
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
  /** Starts, ends, titles, hand-overs. */
  readonly milestones: SessionTelling[];
  readonly prompts: PromptTelling[];
  readonly tools: ToolTelling[];
  readonly replies: ReplyTelling[];
  readonly stops: StopTelling[];
}

export function emptyTellings(agent: string, session: string): SessionTellings {
  return { agent, session, milestones: [], prompts: [], tools: [], replies: [], stops: [] };
}

/** The items of a session with their order and their turn. */
export function itemsOf(told: SessionTellings): AnyItem[] {
  const { agent, session } = told;
  const prompts = promptItems(told);
  const items: AnyItem[] = [...prompts];
  for (const [fact, group] of byFact(told.tools))
    items.push(makeItem('tool', itemId('u', agent, session, fact), group));
  for (const [fact, group] of byFact(told.replies))
    items.push(makeItem('reply', itemId('a', agent, session, fact), group));
  for (const [fact, group] of byFact(told.stops))
    items.push(makeItem('stop', itemId('s', agent, session, fact), group));
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
    return makeItem('prompt', itemId('p', agent, session, name), group);
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

function byFact<T extends TellingBase>(tellings: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const telling of tellings) {
    const group = groups.get(telling.fact);
    if (group === undefined) groups.set(telling.fact, [telling]);
    else group.push(telling);
  }
  return groups;
}
