// The public prompts that hooks reported in sessions with a private one. A line of the transcript that has the text of a
// public prompt is that prompt, and not the private one that was asked near it. The log is read for them only when a
// line may be a private prompt.
import { type Log, type PrivatePrompt, pagesAfter } from '../../../log/index.ts';
import { comparableWords } from '../../../projections/index.ts';

/** What identifies the public prompt of a line. */
export interface PublicLine {
  readonly promptId: string | null;
  /** Unix ms. */
  readonly at: number | null;
  /** The line's text as it is recorded. */
  text(): string | null;
}

interface PublicPrompt {
  /** Unix ms. */
  readonly at: number | null;
  readonly words: Words;
}

type Words = ReturnType<typeof comparableWords>;

export class PublicPrompts {
  /** By session of the private prompts. */
  readonly #known = new Map<string, readonly PublicPrompt[]>();
  readonly #wanted = new Map<string, Pick<PrivatePrompt, 'agent' | 'session'>>();

  /**
   * Whether a line is one of these, and not this other prompt, which is private. False when they are not loaded yet: `decide` loads
   * them.
   */
  has(line: PublicLine, other: PrivatePrompt): boolean {
    const { agent, session } = other;
    const key = JSON.stringify([agent, session]);
    const prompts = this.#known.get(key);
    if (prompts === undefined) this.#wanted.set(key, { agent, session });
    if (prompts === undefined || prompts.length === 0) return false;
    const text = line.text();
    const words = text === null ? null : comparableWords(text);
    if (words === null || words.head === '') return false;
    return prompts.some((one) => haveSameWords(one.words, words) && isInstead(one, line, other));
  }

  /** Reads until nothing is missing any more. `read` must give the same for the same prompts. */
  async decide<T>(log: Pick<Log, 'pageBySession'>, read: () => T | Promise<T>): Promise<T> {
    for (;;) {
      const outcome = await read();
      if (this.#wanted.size === 0) return outcome;
      for (const [key, { agent, session }] of this.#wanted)
        this.#known.set(key, await publicPromptsIn(log, agent, session));
      this.#wanted.clear();
    }
  }
}

async function publicPromptsIn(
  log: Pick<Log, 'pageBySession'>,
  agent: string,
  session: string,
): Promise<readonly PublicPrompt[]> {
  const prompts: PublicPrompt[] = [];
  for await (const { events } of pagesAfter(0, (after) => log.pageBySession({ agent, session, after }))) {
    for (const event of events) {
      if (event.type !== 'prompt.submitted' || event.channel !== 'hook') continue;
      const { text } = event.body;
      if (text !== null) prompts.push({ at: event.occurredAt, words: comparableWords(text) });
    }
  }
  return prompts;
}

/** A clipped text is compared by its head only. */
function haveSameWords(one: Words, other: Words): boolean {
  return one.whole !== null && other.whole !== null ? one.whole === other.whole : one.head === other.head;
}

/**
 * A line of the private prompt's run that is dated before it needs the text only: what follows the private prompt in its
 * run is hidden anyway. Elsewhere the public prompt must be the nearer one.
 */
function isInstead({ at }: PublicPrompt, line: PublicLine, other: PrivatePrompt): boolean {
  if (line.at === null || other.at === null) return false;
  if (line.promptId !== null && line.promptId === other.promptId && line.at < other.at) return true;
  return at !== null && Math.abs(at - line.at) <= Math.abs(other.at - line.at);
}
