// A session's prompts, and which of them an item serves. A turn runs from a human prompt to the next; what a
// notification, a wake-up or a compaction opened belongs to the turn that launched it.
//
// An item of the main thread finds its prompt by the parent chain, else by promptId and time, else by line order or time
// (both are in the order string). A promptId names a run of the agent, in which several prompts may have been typed: one
// that was typed while the agent worked is answered once the agent has been shown it, which is when a tool use of that
// run ended behind it. What was not shown in its run is sent on in a run of another id.
import { Groups } from './groups.ts';
import type { SessionItem } from './session-item.ts';
import { firstNot, Sorted } from './sorted.ts';
import { byOrder } from './thread.ts';

export class AskedPrompts {
  readonly #inOrder = new Sorted<SessionItem>(byOrder);
  readonly #byUuid = new Groups<SessionItem>();
  readonly #byPromptId = new Groups<SessionItem>();
  /** When tool uses of the main thread ended, by promptId; Unix ms, in order. */
  readonly #ends = new Map<string, number[]>();

  /** In order. */
  get prompts(): readonly SessionItem[] {
    return this.#inOrder.values;
  }

  add(prompt: SessionItem): void {
    this.#inOrder.add(prompt);
    for (const uuid of uuidsOf(prompt)) this.#byUuid.add(uuid, prompt);
    for (const promptId of promptIdsOf(prompt)) this.#byPromptId.add(promptId, prompt);
  }

  delete(prompt: SessionItem): void {
    this.#inOrder.delete(prompt);
    for (const uuid of uuidsOf(prompt)) this.#byUuid.delete(uuid, prompt);
    for (const promptId of promptIdsOf(prompt)) this.#byPromptId.delete(promptId, prompt);
  }

  /** A tool use of the main thread. */
  addEnd(item: SessionItem): void {
    const { promptId } = item.merged;
    const end = endOf(item);
    if (promptId === undefined || end === null) return;
    const ends = this.#ends.get(promptId) ?? [];
    this.#ends.set(promptId, ends);
    ends.splice(
      firstNot(ends, (one) => one < end),
      0,
      end,
    );
  }

  deleteEnd(item: SessionItem): void {
    const { promptId } = item.merged;
    const end = endOf(item);
    const ends = promptId === undefined ? undefined : this.#ends.get(promptId);
    if (ends === undefined || end === null) return;
    ends.splice(
      firstNot(ends, (one) => one < end),
      1,
    );
    if (ends.length === 0) this.#ends.delete(promptId!);
  }

  /** The ids of runs in which tool uses ended. */
  runs(): Iterable<string> {
    return this.#ends.keys();
  }

  /** The prompt that an item of the main thread serves. */
  servedBy(item: SessionItem): SessionItem | undefined {
    const { promptId, promptUuid } = item.merged;
    const last = this.#lastUpTo(item.order);
    const chained = promptUuid === undefined ? undefined : lastOf(this.#byUuid.get(promptUuid));
    if (chained !== undefined) return this.#onlyQueuedBetween(chained, last) ? this.prompts[last] : chained;
    const named = promptId === undefined ? undefined : this.#servedInRun(item, promptId);
    return named ?? this.prompts[last];
  }

  /** The first prompt of a run; undefined when none has its id. */
  openerOf(promptId: string): SessionItem | undefined {
    const named = [...this.#byPromptId.get(promptId)].sort(byOrder);
    // A fork gives its own promptId to every line that it copied: of its own prompt a hook told.
    return named.find((prompt) => hasHook(prompt, promptId)) ?? named[0];
  }

  /** The last prompt, in order, that was asked by this time, Unix ms. */
  lastBy(time: number): SessionItem | undefined {
    return this.prompts.findLast(({ at }) => (at ?? Number.POSITIVE_INFINITY) <= time);
  }

  next(prompt: SessionItem): SessionItem | undefined {
    return this.prompts[this.#indexOf(prompt) + 1];
  }

  /** The last prompt before this order, and those that have it. */
  upTo(order: string): readonly SessionItem[] {
    const from = firstNot(this.prompts, (one) => one.order < order);
    return this.prompts.slice(Math.max(0, from - 1), this.#lastUpTo(order) + 1);
  }

  /** The order of the first prompt behind this one that has a line of its own: whom items behind it serve, no prompt here decides. */
  nextLine(order: string): string | undefined {
    const { prompts } = this;
    for (let index = firstNot(prompts, (one) => one.order <= order); index < prompts.length; index++)
      if (hasLine(prompts[index]!)) return prompts[index]!.order;
    return undefined;
  }

  /** The ids of runs that may reach to this order. */
  runsBefore(order: string): ReadonlySet<string> {
    const { prompts } = this;
    const promptIds = new Set<string>();
    for (let index = firstNot(prompts, (one) => one.order < order) - 1; index >= 0; index--) {
      for (const promptId of promptIdsOf(prompts[index]!)) promptIds.add(promptId);
      // What neither a line nor a hook told joins any run.
      if (prompts[index]!.marks.some(({ via }) => via === 'line' || via === 'hook')) break;
    }
    return promptIds;
  }

  /** Which prompts joined a run and when the agent was shown them: where that stays, every item of the run stays. */
  courseOf(promptId: string): string {
    let course = '';
    for (const prompt of this.#joinedTo(promptId))
      course += `${prompt.id} ${this.#shownAt(prompt, promptId)} `;
    return course;
  }

  #servedInRun(item: SessionItem, promptId: string): SessionItem | undefined {
    let serving = this.openerOf(promptId);
    if (serving === undefined) return undefined;
    const beganAt = startOf(item);
    for (const prompt of this.#joinedTo(promptId))
      if (this.#shownAt(prompt, promptId) <= beganAt) serving = prompt;
    return serving;
  }

  /** The prompts typed in a run behind its first one. */
  *#joinedTo(promptId: string): Generator<SessionItem> {
    const opener = this.openerOf(promptId);
    if (opener === undefined) return;
    const { prompts } = this;
    for (let index = this.#indexOf(opener) + 1; index < prompts.length; index++) {
      if (!joins(prompts[index]!, promptId)) return;
      yield prompts[index]!;
    }
  }

  #shownAt({ at, merged, marks }: SessionItem, promptId: string): number {
    // A command for the shell is never typed into a run: its line stands where the agent begins to answer it.
    if (merged.isShell && marks.some(({ via }) => via === 'line')) return at ?? Number.POSITIVE_INFINITY;
    const ends = this.#ends.get(promptId) ?? [];
    if (at === null) return Number.POSITIVE_INFINITY;
    return ends[firstNot(ends, (end) => end < at)] ?? Number.POSITIVE_INFINITY;
  }

  #indexOf(prompt: SessionItem): number {
    return firstNot(this.prompts, (one) => byOrder(one, prompt) < 0);
  }

  /** Index of the last prompt that does not stand behind this order; -1 when none does. */
  #lastUpTo(order: string): number {
    return firstNot(this.prompts, (one) => one.order <= order) - 1;
  }

  /** Prompts that reached the agent while it worked have no line of their own: the chain cannot lead to them. */
  #onlyQueuedBetween(from: SessionItem, to: number): boolean {
    if (to < 0 || byOrder(this.prompts[to]!, from) <= 0) return false;
    for (let index = to; this.prompts[index] !== from; index--)
      if (hasLine(this.prompts[index]!)) return false;
    return true;
  }
}

export function promptIdsOf({ marks }: SessionItem): ReadonlySet<string> {
  const promptIds = new Set<string>();
  for (const { promptId } of marks) if (promptId !== undefined) promptIds.add(promptId);
  return promptIds;
}

export function uuidsOf({ marks }: SessionItem): ReadonlySet<string> {
  const uuids = new Set<string>();
  for (const { uuid } of marks) if (uuid) uuids.add(uuid);
  return uuids;
}

function lastOf(items: ReadonlySet<SessionItem>): SessionItem | undefined {
  let last: SessionItem | undefined;
  for (const item of items) if (last === undefined || byOrder(item, last) > 0) last = item;
  return last;
}

/** Whether a prompt was typed in this run, and was not sent on in another. */
function joins(prompt: SessionItem, promptId: string): boolean {
  const lines = prompt.marks.filter(({ via }) => via === 'line');
  if (lines.length > 0) return lines.some((line) => line.promptId === promptId);
  return hasHook(prompt, promptId) || !prompt.marks.some(({ via }) => via === 'hook');
}

function hasLine({ marks }: SessionItem): boolean {
  return marks.some(({ via }) => via === 'line');
}

function hasHook({ marks }: SessionItem, promptId: string): boolean {
  return marks.some((mark) => mark.via === 'hook' && mark.promptId === promptId);
}

function endOf({ merged, at }: SessionItem): number | null {
  return merged.endedAt ?? at;
}

/** A hook reports a tool use when it has ended. */
function startOf({ kind, at, merged }: SessionItem): number {
  if (at === null) return Number.POSITIVE_INFINITY;
  return kind === 'tool' && merged.endedAt === at ? at - merged.durationMs : at;
}
