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
  return groupPrompts(prompts).map((group) =>
    makeItem('prompt', itemId('p', agent, session, promptName(group)), group),
  );
}

/** Hooks come first as a rule: a prompt named by its hook keeps its id when the transcript is imported. */
function promptName(group: PromptGroup): string {
  for (const via of ['hook', 'line', 'attachment', 'queue']) {
    const telling = group.filter((one) => one.via === via).sort(earliest)[0];
    if (telling !== undefined) return `${via}:${telling.fact}`;
  }
  throw new Error('A group of prompts is never empty.');
}

function earliest(a: PromptTelling, b: PromptTelling): number {
  return (a.at ?? 0) - (b.at ?? 0) || (a.fact < b.fact ? -1 : 1);
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
