// The totals of a turn and of a session: counts, first and last items. Totals of parts can be combined in any order, so
// they are kept per block of items: after a change only the changed block is counted again.
import { isForgotten, type ReportHead, type SessionItem } from './session-item.ts';
import { byOrder } from './thread.ts';

export interface Totals {
  items: number;
  /** Items that this session owns. */
  own: number;
  /** Turns with at least one item that this session owns, without those of commands such as `/exit` alone. */
  turns: number;
  /** Unix ms, of all items and of owned ones; ±Infinity when no item has a time. */
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
  /** Of the tool uses, those that only end a background task, as the program does at `/exit`. */
  ends: number;
  replies: number;
  /** The last item of the main thread, compactions and recaps excluded. */
  lastOfMain: SessionItem | undefined;
  /** The last item of the main thread with a branch; a prompt only if there is no other: it may come long after the work. */
  lastWithBranch: SessionItem | undefined;
  /** The last tool use of the main thread that printed a branch. */
  lastPrintedBranch: SessionItem | undefined;
  /** Byte offset of the last copied line of the main thread. */
  copiedUntil: number;
  /** The earliest report with a folder. */
  cwd: ReportHead | undefined;
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
    ends: 0,
    replies: 0,
    lastOfMain: undefined,
    lastWithBranch: undefined,
    lastPrintedBranch: undefined,
    copiedUntil: Number.NEGATIVE_INFINITY,
    cwd: undefined,
  };
}

export function addItem(totals: Totals, item: SessionItem): void {
  // It is no item, only where a turn begins.
  if (isForgotten(item)) return;
  const { at, merged, thread, offset, owner } = item;
  totals.items++;
  if (at !== null) {
    totals.first = Math.min(totals.first, at);
    totals.last = Math.max(totals.last, at);
  }
  if (totals.order === undefined || item.order < totals.order) totals.order = item.order;
  if (thread === '' && !merged.isOutsideConversation) totals.lastOfMain = later(totals.lastOfMain, item);
  if (thread === '') {
    if (merged.branch !== undefined) totals.lastWithBranch = ofWork(totals.lastWithBranch, item);
    if (merged.printedBranch !== undefined) totals.lastPrintedBranch = later(totals.lastPrintedBranch, item);
  }
  for (const head of item.heads) if (head.cwd !== undefined) totals.cwd = earlier(totals.cwd, head);
  if (item.kind === 'prompt' && item.heads.some((head) => head.private === true)) totals.privatePrompts++;
  if (owner !== null) {
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
  if (merged.endsTask) totals.ends++;
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
  totals.ends += more.ends;
  totals.replies += more.replies;
  if (more.lastOfMain !== undefined) totals.lastOfMain = later(totals.lastOfMain, more.lastOfMain);
  if (more.lastWithBranch !== undefined)
    totals.lastWithBranch = ofWork(totals.lastWithBranch, more.lastWithBranch);
  if (more.lastPrintedBranch !== undefined)
    totals.lastPrintedBranch = later(totals.lastPrintedBranch, more.lastPrintedBranch);
  totals.copiedUntil = Math.max(totals.copiedUntil, more.copiedUntil);
  if (more.cwd !== undefined) totals.cwd = earlier(totals.cwd, more.cwd);
}

function later(one: SessionItem | undefined, other: SessionItem): SessionItem {
  return one === undefined || byOrder(other, one) > 0 ? other : one;
}

/** The later one; of a prompt and something that the agent did, the latter. */
function ofWork(one: SessionItem | undefined, other: SessionItem): SessionItem {
  if (one === undefined || (one.kind === 'prompt') === (other.kind === 'prompt')) return later(one, other);
  return one.kind === 'prompt' ? other : one;
}

/**
 * The branch that the work was left on: the one that git printed last, unless the agent's own statement changed after that.
 * null if no item has a branch.
 */
export function branchOf({ lastWithBranch: stated, lastPrintedBranch: printed }: Totals): string | null {
  if (printed === undefined) return stated?.merged.branch ?? null;
  const isNewer = stated !== undefined && byOrder(stated, printed) > 0;
  const isChanged = isNewer && stated.merged.branch !== printed.merged.branch;
  return (isChanged ? stated.merged.branch : printed.merged.printedBranch) ?? null;
}

/** The earlier of two reports; a report without a time comes last. */
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

/** A set with the totals of all members. */
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
