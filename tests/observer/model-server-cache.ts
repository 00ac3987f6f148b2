// The prompt cache of the scripted Messages API: prefixes of a least length, for five minutes or an hour after their last use.
import type { ModelBody, Tokens } from './model-server-types.ts';

const CHARS_A_TOKEN = 3;
export const tokensOf = (text: string): number => Math.ceil(text.length / CHARS_A_TOKEN);

/** Tokens; a shorter prefix is not cached. */
const MINIMUM: readonly (readonly [RegExp, number])[] = [
  [/haiku-5|opus-5|fable-5|mythos-5/, 512],
  [/sonnet|opus-4-[78]/, 1_024],
  [/./, 4_096],
];
const LIFETIME_MS = { '5m': 5 * 60_000, '1h': 60 * 60_000 };

export class PromptCache {
  readonly #now: () => number;
  /** Until when a prefix is kept, Unix ms. */
  readonly #kept = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The tokens of a request and its reply, read from the cache or written to it up to the last marked block of `system`. */
  count(request: ModelBody, reply: string): Tokens {
    const blocks: ModelBody[] = Array.isArray(request.system) ? request.system : [];
    const marked = blocks.findLastIndex((block) => block.cache_control !== undefined);
    // A service puts the form of the reply before the instructions.
    const form = JSON.stringify(request.output_config?.format ?? null);
    const prefix = form + textOf(blocks.slice(0, marked + 1));
    const rest = textOf(blocks.slice(marked + 1)) + JSON.stringify(request.messages);
    const output = tokensOf(reply);
    const length = tokensOf(prefix);
    const least = MINIMUM.find(([name]) => name.test(request.model))![1];
    if (marked < 0 || length < least) return { input: length + tokensOf(rest), output };
    const key = JSON.stringify([request.model, prefix, request.thinking]);
    const isKept = (this.#kept.get(key) ?? 0) > this.#now();
    const ttl: keyof typeof LIFETIME_MS = blocks[marked].cache_control.ttl ?? '5m';
    this.#kept.set(key, this.#now() + LIFETIME_MS[ttl]);
    const input = tokensOf(rest);
    return isKept ? { input, output, cacheRead: length } : { input, output, cacheWrite: length };
  }
}

function textOf(blocks: readonly ModelBody[]): string {
  return blocks.map(({ text }) => text).join('');
}
