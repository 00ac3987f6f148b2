// The order of a session: the transcript's line order where it is known, else time, else event id. Items that only a hook
// reported come after the last line that is not later than they are. The order is a string, so a late item never
// renumbers its neighbours. It is total: offset and time are never compared by turns. The main thread comes first, then
// each sub-agent's thread.

import { firstNot, Sorted } from './collections.ts';
import type { SessionItem } from './session-item.ts';

/** One thread of a session with its items in order. */
export class Thread {
  readonly name: string;
  /** Of a sub-agent: the turn in which it was launched. */
  turn = '';
  readonly #inOrder = new Sorted<SessionItem>(byOrder);
  /** Items that have a transcript line, in the order of the file. */
  readonly #lines = new Sorted<SessionItem>(byOffset);
  /** For each line, the latest time up to it. */
  readonly #latest: number[] = [];
  /** Items without a line. */
  readonly #others = new Sorted<SessionItem>(byTime);
  readonly #unordered = new Set<SessionItem>();
  /** Items without a line may have moved after another line from this time on. */
  #movedFrom = Number.POSITIVE_INFINITY;

  constructor(name: string) {
    this.name = name;
  }

  /** In order, but for what was added since the last `settle`. */
  get items(): readonly SessionItem[] {
    return this.#inOrder.values;
  }

  get isEmpty(): boolean {
    return this.#inOrder.values.length + this.#unordered.size === 0;
  }

  add(item: SessionItem): void {
    this.#unordered.add(item);
    if (item.offset === null) this.#others.add(item);
    else {
      const index = this.#lines.add(item);
      this.#noteFrom(this.#latest[index]);
      this.#latest.splice(index, 0, Number.NaN);
      this.#renewFrom(index);
    }
  }

  delete(item: SessionItem): void {
    if (!this.#unordered.delete(item)) this.#inOrder.delete(item);
    if (item.offset === null) this.#others.delete(item);
    else {
      const index = this.#lines.delete(item);
      this.#noteFrom(this.#latest[index]);
      this.#latest.splice(index, 1);
      this.#renewFrom(index);
    }
  }

  /** Orders new items and those that moved. `changing` is called before an item moves, `changed` after it. */
  settle(changing: (item: SessionItem) => void, changed: (item: SessionItem) => void): void {
    const from = firstNot(this.#others.values, (one) => timeOf(one) < this.#movedFrom);
    for (const item of [...this.#unordered, ...this.#others.values.slice(from)]) {
      const order = this.#orderOf(item);
      if (order === item.order && !this.#unordered.has(item)) continue;
      if (!this.#unordered.delete(item)) {
        changing(item);
        this.#inOrder.delete(item);
      }
      item.order = order;
      this.#inOrder.add(item);
      changed(item);
    }
    this.#movedFrom = Number.POSITIVE_INFINITY;
  }

  /** Adds stored items, which have their order already. */
  restore(items: readonly SessionItem[]): void {
    this.turn = items[0]!.turn;
    for (const item of [...items].sort(byOrder)) this.#inOrder.add(item);
    for (const item of items.filter(({ offset }) => offset !== null).sort(byOffset)) {
      this.#lines.add(item);
      this.#latest.push(Math.max(this.#latest.at(-1) ?? 0, timeOf(item)));
    }
    for (const item of items.filter(({ offset }) => offset === null).sort(byTime)) this.#others.add(item);
  }

  #orderOf(item: SessionItem): string {
    const prefix = this.name === '' ? '0' : `1${this.name}`;
    if (item.offset !== null) return `${prefix} ${pad(item.offset)} ${String(item.block).padStart(3, '0')}`;
    const at = timeOf(item);
    const before = firstNot(this.#latest, (time) => time <= at) - 1;
    const line = before < 0 ? 0 : this.#lines.values[before]!.offset!;
    return `${prefix} ${pad(line)} ${AFTER_LINE} ${pad(at)} ${item.id}`;
  }

  #renewFrom(index: number): void {
    const latest = this.#latest;
    for (let line = index; line < latest.length; line++) {
      const time = Math.max(latest[line - 1] ?? 0, timeOf(this.#lines.values[line]!));
      if (latest[line] === time) break;
      latest[line] = time;
    }
    this.#noteFrom(latest[index]);
  }

  #noteFrom(time: number | undefined): void {
    if (time !== undefined && time < this.#movedFrom) this.#movedFrom = time;
  }
}

/** Sorts behind every block of the line it follows. */
const AFTER_LINE = '999';

/** Order within a session; items of one line are ordered by id. */
export function byOrder(a: SessionItem, b: SessionItem): number {
  return a.order < b.order ? -1 : a.order > b.order ? 1 : byId(a, b);
}

function byOffset(a: SessionItem, b: SessionItem): number {
  return a.offset! - b.offset! || timeOf(a) - timeOf(b) || byId(a, b);
}

function byTime(a: SessionItem, b: SessionItem): number {
  return timeOf(a) - timeOf(b) || byId(a, b);
}

function byId(a: SessionItem, b: SessionItem): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

function timeOf({ at }: SessionItem): number {
  return at ?? 0;
}

/** Fourteen digits hold any byte offset and any Unix ms. */
export function pad(value: number): string {
  return String(value).padStart(14, '0');
}
