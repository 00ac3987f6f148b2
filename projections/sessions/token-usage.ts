// Token usage. One API message is spread over several lines whose usage grows: the line with the most output tokens has
// the final usage. A message counts once, in the turn of its first line. Copies count in their owner session only.
import type { Usage } from '../../log/index.ts';
import { SetMap } from './collections.ts';
import type { SessionItem } from './session-item.ts';
import { byOrder } from './thread.ts';

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

/** What messages are counted in. */
interface Turn {
  usage: Usage;
}

/** The messages of a session, each counted in one turn. */
export class Messages<T extends Turn> {
  readonly #items = new SetMap<SessionItem>();
  readonly #counted = new Map<string, Counted<T>>();
  readonly #changed = new Set<string>();
  /** Of the whole session. */
  usage: Usage = NO_USAGE;

  add(item: SessionItem): void {
    for (const name of namesOf(item)) this.#items.add(name, item);
    this.touch(item);
  }

  delete(item: SessionItem): void {
    this.touch(item);
    for (const name of namesOf(item)) this.#items.delete(name, item);
  }

  /** The order, turn or owner of the item changed. */
  touch(item: SessionItem): void {
    for (const name of namesOf(item)) this.#changed.add(name);
  }

  /** Counts changed messages again. Returns the turns whose usage changed. */
  settle(turnOf: (item: SessionItem) => T): ReadonlySet<T> {
    const turns = new Set<T>();
    const count = (turn: T, usage: Usage, by: 1 | -1): void => {
      turn.usage = addUsage(turn.usage, usage, by);
      this.usage = addUsage(this.usage, usage, by);
      turns.add(turn);
    };
    for (const name of this.#changed) {
      const before = this.#counted.get(name);
      const now = countedOf(name, this.#items.get(name), turnOf);
      if (before !== undefined) count(before.turn, before.usage, -1);
      if (now === undefined) this.#counted.delete(name);
      else {
        this.#counted.set(name, now);
        count(now.turn, now.usage, 1);
      }
    }
    this.#changed.clear();
    return turns;
  }
}

interface Counted<T> {
  readonly turn: T;
  readonly usage: Usage;
}

function namesOf({ kind, id, heads }: SessionItem): readonly string[] {
  if (kind !== 'reply' && kind !== 'tool') return [];
  const names: string[] = [];
  for (const { usage, messageId = id } of heads)
    if (usage !== undefined && !names.includes(messageId)) names.push(messageId);
  return names;
}

function countedOf<T>(
  name: string,
  items: Iterable<SessionItem>,
  turnOf: (item: SessionItem) => T,
): Counted<T> | undefined {
  let first: SessionItem | undefined;
  let most: Usage | undefined;
  for (const item of items) {
    if (item.owner !== null) continue;
    if (first === undefined || byOrder(item, first) < 0) first = item;
    for (const { usage, messageId = item.id } of item.heads)
      if (usage !== undefined && messageId === name && (most === undefined || isMore(usage, most)))
        most = usage;
  }
  return first === undefined ? undefined : { turn: turnOf(first), usage: most! };
}

function addUsage(a: Usage, b: Usage, by: 1 | -1): Usage {
  return {
    input: a.input + by * b.input,
    output: a.output + by * b.output,
    cacheRead: a.cacheRead + by * b.cacheRead,
    cacheCreation: a.cacheCreation + by * b.cacheCreation,
  };
}

/** The later line of a message has more output; further fields decide between equals, so that the order of lines never does. */
function isMore(a: Usage, b: Usage): boolean {
  const rank = ({ input, output, cacheRead, cacheCreation }: Usage) => [
    output,
    input + cacheRead + cacheCreation,
    input,
    cacheRead,
  ];
  const others = rank(b);
  for (const [index, one] of rank(a).entries()) if (one !== others[index]) return one > others[index]!;
  return false;
}
