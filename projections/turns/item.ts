// One fact of a session, with all that was told of it: made from its tellings, placed by `order.ts`, given its turn
// by `assign.ts`.
import { lineKeys, type NamedItem } from './lines.ts';
import { type Merged, merge } from './merge.ts';
import type { ItemKind, PromptTelling, ReplyTelling, StopTelling, TellingBase, ToolTelling } from './rows.ts';

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

/** `group`: every telling of one fact. */
export function makeItem<K extends ItemKind>(kind: K, id: string, group: readonly TellingOf<K>[]): Item<K> {
  const tellings = group.length === 1 ? group : [...group].sort((a, b) => (a.event < b.event ? -1 : 1));
  const merged = merge<TellingOf<K> & TellingBase>(tellings) as unknown as Merged<TellingOf<K>>;
  const { agentId, offset, at } = merged as Merged<TellingBase>;
  const block = kind === 'reply' ? blockOf(tellings[0]!.fact) : 0;
  return {
    id,
    kind,
    tellings,
    merged,
    thread: agentId ?? '',
    offset: offset ?? null,
    block,
    at: at ?? null,
    lines: lineKeys({ kind, tellings } as NamedItem),
    order: '',
    turn: '',
  };
}

/** `<uuid>:<n>` is the n-th block of its line. */
function blockOf(fact: string): number {
  const colon = fact.lastIndexOf(':');
  const block = colon < 0 ? 0 : Number(fact.slice(colon + 1));
  return Number.isInteger(block) ? block : 0;
}
