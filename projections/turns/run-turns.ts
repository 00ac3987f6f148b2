// Which prompt a report serves that only a hook made. Its promptId names a run of the agent, in which several prompts
// may have been typed: one that was typed while the agent worked is answered once the agent has been shown it, which
// is when a tool use of that run ended behind it. What was not shown in its run is sent on in a run of another id.
import type { AnyItem, Item } from './item.ts';

export class RunTurns {
  readonly #asked: readonly Item<'prompt'>[];
  readonly #byPromptId = new Map<string, number[]>();
  /** When tool uses of the main thread ended, by promptId; Unix ms, in order. */
  readonly #ends = new Map<string, number[]>();

  /** `asked`: the session's prompts in order. */
  constructor(asked: readonly Item<'prompt'>[], items: readonly AnyItem[]) {
    this.#asked = asked;
    asked.forEach((prompt, index) => {
      for (const promptId of new Set(prompt.tellings.map((telling) => telling.promptId)))
        if (promptId !== undefined) add(this.#byPromptId, promptId, index);
    });
    for (const item of items) {
      if (item.kind !== 'tool' || item.thread !== '') continue;
      const { promptId, endedAt, at } = item.merged;
      const end = endedAt ?? at;
      if (promptId !== undefined && end !== undefined) add(this.#ends, promptId, end);
    }
    for (const ends of this.#ends.values()) ends.sort((one, other) => one - other);
  }

  /** The first prompt with this promptId; undefined when none has it. */
  openerOf(promptId: string): number | undefined {
    const named = this.#byPromptId.get(promptId) ?? [];
    // A fork gives its own promptId to every line that it copied: of its own prompt a hook told.
    return named.find((index) => this.#hasHook(index, promptId)) ?? named[0];
  }

  /** The prompt that the agent was serving when it began this. */
  promptOf(item: AnyItem, promptId: string): number | undefined {
    const opener = this.openerOf(promptId);
    if (opener === undefined) return undefined;
    const beganAt = startOf(item);
    let serving = opener;
    for (let index = opener + 1; index < this.#asked.length && this.#joins(index, promptId); index++)
      if (this.#shownAt(this.#asked[index]!, promptId) <= beganAt) serving = index;
    return serving;
  }

  /** Whether a prompt was typed in this run, and was not sent on in another. */
  #joins(index: number, promptId: string): boolean {
    const lines = this.#asked[index]!.tellings.filter((telling) => telling.via === 'line');
    if (lines.length > 0) return lines.some((line) => line.promptId === promptId);
    return this.#hasHook(index, promptId) || !this.#asked[index]!.tellings.some((one) => one.via === 'hook');
  }

  #hasHook(index: number, promptId: string): boolean {
    return this.#asked[index]!.tellings.some((one) => one.via === 'hook' && one.promptId === promptId);
  }

  #shownAt({ at, merged, tellings }: Item<'prompt'>, promptId: string): number {
    // A command for the shell is never typed into a run: its line stands where the agent begins to answer it.
    const isShell = merged.kind === 'command' && merged.text?.startsWith('!') === true;
    if (isShell && tellings.some(({ via }) => via === 'line')) return at ?? Number.POSITIVE_INFINITY;
    return this.#ends.get(promptId)?.find((end) => at !== null && end >= at) ?? Number.POSITIVE_INFINITY;
  }
}

/** A hook reports a tool use when it has ended. */
function startOf(item: AnyItem): number {
  if (item.at === null) return Number.POSITIVE_INFINITY;
  return item.kind === 'tool' && item.merged.endedAt === item.at
    ? item.at - (item.merged.durationMs ?? 0)
    : item.at;
}

function add<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}
