// What a turn and a session come to: sums, first and last things of their items. All of it can be combined from parts in
// any order, so it is kept by blocks of items: what changes in one block is counted again there, and the blocks are
// combined.
import type { Mark, SessionItem } from './session-item.ts';
import { byOrder } from './thread.ts';

export interface Totals {
  items: number;
  /** Items that are at home here. */
  own: number;
  /** Turns of which something is at home here. */
  turns: number;
  /** Unix ms of all items, and of those at home here; ±Infinity when nobody said. */
  first: number;
  last: number;
  ownFirst: number;
  ownLast: number;
  order: string | undefined;
  prompts: number;
  privatePrompts: number;
  commands: number;
  toolUses: number;
  failed: number;
  replies: number;
  /** The last thing that the main thread did. */
  closing: SessionItem | undefined;
  /** The last item that names a branch. */
  branched: SessionItem | undefined;
  /** Byte offset of the last copied line of the main thread. */
  copiedUntil: number;
  /** The earliest folder that a hook told. */
  cwd: Mark | undefined;
}

export function noTotals(): Totals {
  return {
    items: 0,
    own: 0,
    turns: 0,
    first: Number.POSITIVE_INFINITY,
    last: Number.NEGATIVE_INFINITY,
    ownFirst: Number.POSITIVE_INFINITY,
    ownLast: Number.NEGATIVE_INFINITY,
    order: undefined,
    prompts: 0,
    privatePrompts: 0,
    commands: 0,
    toolUses: 0,
    failed: 0,
    replies: 0,
    closing: undefined,
    branched: undefined,
    copiedUntil: Number.NEGATIVE_INFINITY,
    cwd: undefined,
  };
}

export function addItem(totals: Totals, item: SessionItem): void {
  const { at, merged, thread, offset, home } = item;
  totals.items++;
  if (at !== null) {
    totals.first = Math.min(totals.first, at);
    totals.last = Math.max(totals.last, at);
  }
  if (totals.order === undefined || item.order < totals.order) totals.order = item.order;
  if (thread === '' && !merged.isAside) totals.closing = later(totals.closing, item);
  if (merged.branch !== undefined) totals.branched = later(totals.branched, item);
  for (const mark of item.marks) if (mark.cwd !== undefined) totals.cwd = earlier(totals.cwd, mark);
  if (item.kind === 'prompt' && item.marks.some((mark) => mark.private === true)) totals.privatePrompts++;
  if (home !== null) {
    if (thread === '' && offset !== null) totals.copiedUntil = Math.max(totals.copiedUntil, offset);
    return;
  }
  totals.own++;
  if (at !== null) {
    totals.ownFirst = Math.min(totals.ownFirst, at);
    totals.ownLast = Math.max(totals.ownLast, at);
  }
  const { counts } = merged;
  if (counts === 'prompt') totals.prompts++;
  else if (counts === 'command') totals.commands++;
  else if (counts === 'reply') totals.replies++;
  else if (counts !== null) totals.toolUses++;
  if (counts === 'failed') totals.failed++;
}

export function addTotals(totals: Totals, more: Totals): void {
  totals.items += more.items;
  totals.own += more.own;
  totals.turns += more.turns;
  totals.first = Math.min(totals.first, more.first);
  totals.last = Math.max(totals.last, more.last);
  totals.ownFirst = Math.min(totals.ownFirst, more.ownFirst);
  totals.ownLast = Math.max(totals.ownLast, more.ownLast);
  if (more.order !== undefined && (totals.order === undefined || more.order < totals.order))
    totals.order = more.order;
  totals.prompts += more.prompts;
  totals.privatePrompts += more.privatePrompts;
  totals.commands += more.commands;
  totals.toolUses += more.toolUses;
  totals.failed += more.failed;
  totals.replies += more.replies;
  if (more.closing !== undefined) totals.closing = later(totals.closing, more.closing);
  if (more.branched !== undefined) totals.branched = later(totals.branched, more.branched);
  totals.copiedUntil = Math.max(totals.copiedUntil, more.copiedUntil);
  if (more.cwd !== undefined) totals.cwd = earlier(totals.cwd, more.cwd);
}

function later(one: SessionItem | undefined, other: SessionItem): SessionItem {
  return one === undefined || byOrder(other, one) > 0 ? other : one;
}

/** The earlier of two tellings; what has no time comes last. */
export function earlier<T extends { readonly at?: number | undefined; readonly event: string }>(
  one: T | undefined,
  other: T,
): T {
  if (one === undefined) return other;
  const [a, b] = [one.at ?? Number.POSITIVE_INFINITY, other.at ?? Number.POSITIVE_INFINITY];
  if (a !== b) return a < b ? one : other;
  return one.event < other.event ? one : other;
}

const BLOCK_MAX = 64;

interface Block<T> {
  readonly members: Set<T>;
  totals: Totals | null;
}

/** Members with the totals of all of them. */
export class Blocks<T> {
  readonly #add: (totals: Totals, member: T) => void;
  readonly #blocks = new Set<Block<T>>();
  readonly #blockOf = new Map<T, Block<T>>();
  #open: Block<T> | null = null;
  #totals: Totals | null = null;

  constructor(add: (totals: Totals, member: T) => void) {
    this.#add = add;
  }

  get size(): number {
    return this.#blockOf.size;
  }

  has(member: T): boolean {
    return this.#blockOf.has(member);
  }

  add(member: T): void {
    if (this.#open === null || this.#open.members.size >= BLOCK_MAX) {
      this.#open = { members: new Set(), totals: null };
      this.#blocks.add(this.#open);
    }
    this.#open.members.add(member);
    this.#blockOf.set(member, this.#open);
    this.touch(member);
  }

  delete(member: T): void {
    const block = this.#blockOf.get(member)!;
    this.touch(member);
    this.#blockOf.delete(member);
    block.members.delete(member);
    if (block.members.size > 0) return;
    this.#blocks.delete(block);
    if (this.#open === block) this.#open = null;
  }

  /** A member is about to change, or has changed. */
  touch(member: T): void {
    this.#blockOf.get(member)!.totals = null;
    this.#totals = null;
  }

  totals(): Totals {
    if (this.#totals === null) {
      this.#totals = noTotals();
      for (const block of this.#blocks) {
        block.totals ??= totalsOf(block.members, this.#add);
        addTotals(this.#totals, block.totals);
      }
    }
    return this.#totals;
  }
}

function totalsOf<T>(members: Iterable<T>, add: (totals: Totals, member: T) => void): Totals {
  const totals = noTotals();
  for (const member of members) add(totals, member);
  return totals;
}
