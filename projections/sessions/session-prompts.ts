// The prompts of a session, and the prompt that each other item answers. A turn runs from one human prompt to the next.
// Items opened by a notification, a wake-up or a compaction belong to the turn that launched them.
//
// An item of the main thread finds its prompt by the parent chain, else by promptId and time, else by line order or time
// (both are in the order string). A promptId names a run of the agent, and several prompts may be typed during one run.
// The agent sees a prompt typed while it works when the next tool use of that run ends, or at the prompt's own line if it has
// one; items that start later answer that prompt. A prompt that the agent did not see during the run is sent again in a run with another id.
import { firstNot, SetMap, Sorted } from './collections.ts';
import type { SessionItem } from './session-item.ts';
import { byOrder } from './thread.ts';

export class SessionPrompts {
  readonly #inOrder = new Sorted<SessionItem>(byOrder);
  readonly #byUuid = new SetMap<SessionItem>();
  readonly #byPromptId = new SetMap<SessionItem>();
  /** When tool uses of the main thread ended, by promptId; Unix ms, ascending. */
  readonly #toolEnds = new Map<string, number[]>();

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

  /** Adds the end of a tool use of the main thread. */
  addEnd(item: SessionItem): void {
    const { promptId } = item.merged;
    const end = endOf(item);
    if (promptId === undefined || end === null) return;
    const ends = this.#toolEnds.get(promptId) ?? [];
    this.#toolEnds.set(promptId, ends);
    ends.splice(
      firstNot(ends, (one) => one < end),
      0,
      end,
    );
  }

  deleteEnd(item: SessionItem): void {
    const { promptId } = item.merged;
    const end = endOf(item);
    const ends = promptId === undefined ? undefined : this.#toolEnds.get(promptId);
    if (ends === undefined || end === null) return;
    ends.splice(
      firstNot(ends, (one) => one < end),
      1,
    );
    if (ends.length === 0) this.#toolEnds.delete(promptId!);
  }

  /** The promptIds of runs in which a tool use ended. */
  runs(): Iterable<string> {
    return this.#toolEnds.keys();
  }

  /** The prompt that an item of the main thread answers. */
  promptFor(item: SessionItem): SessionItem | undefined {
    const { promptId, promptUuid } = item.merged;
    const last = this.#lastUpTo(item.order);
    const fromChain = promptUuid === undefined ? undefined : lastOf(this.#byUuid.get(promptUuid));
    if (fromChain !== undefined)
      return this.#onlyQueuedBetween(fromChain, last) ? this.prompts[last] : fromChain;
    const fromRun = promptId === undefined ? undefined : this.#promptInRun(item, promptId);
    return fromRun ?? this.prompts[last];
  }

  /** The first prompt of a run; undefined when no prompt has its id. */
  openerOf(promptId: string): SessionItem | undefined {
    const named = [...this.#byPromptId.get(promptId)].sort(byOrder);
    // A fork writes its own promptId on every line that it copies; only its own prompt was reported by a hook.
    return named.find((prompt) => hasHook(prompt, promptId)) ?? named[0];
  }

  /** The last prompt, in order, that was submitted at or before this time (Unix ms). */
  lastSubmittedBy(time: number): SessionItem | undefined {
    return this.prompts.findLast(({ at }) => (at ?? Number.POSITIVE_INFINITY) <= time);
  }

  next(prompt: SessionItem): SessionItem | undefined {
    return this.prompts[this.#indexOf(prompt) + 1];
  }

  /** The last prompt before this order, and the prompts at it. */
  upTo(order: string): readonly SessionItem[] {
    const from = firstNot(this.prompts, (one) => one.order < order);
    return this.prompts.slice(Math.max(0, from - 1), this.#lastUpTo(order) + 1);
  }

  /** The order of the next prompt that has a line of its own. A prompt at `order` does not affect items after it. */
  nextLine(order: string): string | undefined {
    const { prompts } = this;
    for (let index = firstNot(prompts, (one) => one.order <= order); index < prompts.length; index++)
      if (hasLine(prompts[index]!)) return prompts[index]!.order;
    return undefined;
  }

  /** The promptIds of runs that may still be active at this order. */
  runsBefore(order: string): ReadonlySet<string> {
    const { prompts } = this;
    const promptIds = new Set<string>();
    for (let index = firstNot(prompts, (one) => one.order < order) - 1; index >= 0; index--) {
      for (const promptId of promptIdsOf(prompts[index]!)) promptIds.add(promptId);
      // A prompt that was reported by neither a line nor a hook may belong to any run.
      if (prompts[index]!.heads.some(({ via }) => via === 'line' || via === 'hook')) break;
    }
    return promptIds;
  }

  /** Which prompts were added to a run, and when the agent saw them. While this string stays equal, no item of the run moves. */
  runState(promptId: string): string {
    let state = '';
    for (const prompt of this.#addedToRun(promptId))
      state += `${prompt.id} ${this.#seenAt(prompt, promptId)} `;
    return state;
  }

  #promptInRun(item: SessionItem, promptId: string): SessionItem | undefined {
    let answered = this.openerOf(promptId);
    if (answered === undefined) return undefined;
    const startedAt = startOf(item);
    for (const prompt of this.#addedToRun(promptId))
      if (this.#seenAt(prompt, promptId) <= startedAt) answered = prompt;
    return answered;
  }

  /** The prompts typed during a run, after its first one. */
  *#addedToRun(promptId: string): Generator<SessionItem> {
    const opener = this.openerOf(promptId);
    if (opener === undefined) return;
    const { prompts } = this;
    for (let index = this.#indexOf(opener) + 1; index < prompts.length; index++) {
      if (!isOfRun(prompts[index]!, promptId)) return;
      yield prompts[index]!;
    }
  }

  /** When the agent saw a prompt that was typed during a run, Unix ms; Infinity when it did not. */
  #seenAt({ at, heads }: SessionItem, promptId: string): number {
    // A line of its own is where the agent begins to answer it.
    if (heads.some(({ via }) => via === 'line')) return at ?? Number.POSITIVE_INFINITY;
    const ends = this.#toolEnds.get(promptId) ?? [];
    if (at === null) return Number.POSITIVE_INFINITY;
    return ends[firstNot(ends, (end) => end < at)] ?? Number.POSITIVE_INFINITY;
  }

  #indexOf(prompt: SessionItem): number {
    return firstNot(this.prompts, (one) => byOrder(one, prompt) < 0);
  }

  /** Index of the last prompt at or before this order; -1 when there is none. */
  #lastUpTo(order: string): number {
    return firstNot(this.prompts, (one) => one.order <= order) - 1;
  }

  /** Prompts that reached the agent while it worked have no line of their own, so a parent chain never leads to them. */
  #onlyQueuedBetween(from: SessionItem, to: number): boolean {
    if (to < 0 || byOrder(this.prompts[to]!, from) <= 0) return false;
    for (let index = to; this.prompts[index] !== from; index--)
      if (hasLine(this.prompts[index]!)) return false;
    return true;
  }
}

export function promptIdsOf({ heads }: SessionItem): ReadonlySet<string> {
  const promptIds = new Set<string>();
  for (const { promptId } of heads) if (promptId !== undefined) promptIds.add(promptId);
  return promptIds;
}

export function uuidsOf({ heads }: SessionItem): ReadonlySet<string> {
  const uuids = new Set<string>();
  for (const { uuid } of heads) if (uuid) uuids.add(uuid);
  return uuids;
}

function lastOf(items: ReadonlySet<SessionItem>): SessionItem | undefined {
  let last: SessionItem | undefined;
  for (const item of items) if (last === undefined || byOrder(item, last) > 0) last = item;
  return last;
}

/** Whether a prompt was typed during this run and not sent again in another one. */
function isOfRun(prompt: SessionItem, promptId: string): boolean {
  const lines = prompt.heads.filter(({ via }) => via === 'line');
  if (lines.length > 0) return lines.some((line) => line.promptId === promptId);
  return hasHook(prompt, promptId) || !prompt.heads.some(({ via }) => via === 'hook');
}

function hasLine({ heads }: SessionItem): boolean {
  return heads.some(({ via }) => via === 'line');
}

function hasHook({ heads }: SessionItem, promptId: string): boolean {
  return heads.some((head) => head.via === 'hook' && head.promptId === promptId);
}

function endOf({ merged, at }: SessionItem): number | null {
  return merged.endedAt ?? at;
}

/** Unix ms. A hook reports a tool use when it ends, so `at` is then its end. */
function startOf({ kind, at, merged }: SessionItem): number {
  if (at === null) return Number.POSITIVE_INFINITY;
  return kind === 'tool' && merged.endedAt === at ? at - merged.durationMs : at;
}
