// What requests cost, in dollars. Prices are per million tokens.
import type { ModelPrice, ModelRequest, ModelUsage } from './provider.ts';

export interface Prices extends ModelPrice {
  /** The whole request costs this when its prompt has more tokens. */
  readonly above: { readonly tokens: number; readonly price: ModelPrice } | null;
}

/** Writing to the cache for 5 minutes, as the observer asks; in a batch for an hour. Times the price of input. */
const WRITE = 1.25;
const WRITE_IN_BATCH = 2;
const BATCH = 0.5;
const PER = 1_000_000;

function claude(input: number, output: number, cacheRead: number, above: Prices['above'] = null): Prices {
  return { input, output, cacheRead, cacheWrite: input * WRITE, above };
}

const HAIKU_5_5_LONG = { tokens: 100_000, price: claude(0.5, 2.5, 0.05) };

/** Checked on 2026-11-21. A name with a date after it has the same price. */
const KNOWN: Readonly<Record<string, Prices>> = {
  'claude-haiku-5-5': claude(0.1, 0.5, 0.01, HAIKU_5_5_LONG),
  'claude-sonnet-5-5': claude(2, 10, 0.1),
  'claude-opus-5-5': claude(4, 20, 0.2),
  'claude-fable-5-1': claude(10, 50, 0.25),
  'claude-opus-5': claude(5, 25, 0.5),
  'claude-opus-4-8': claude(5, 25, 0.5),
  'claude-opus-4-7': claude(5, 25, 0.5),
  'claude-sonnet-4-6': claude(3, 15, 0.3),
  'claude-haiku-4-5': claude(1, 5, 0.1),
};

/**
 * Null for an unknown model.
 * @param own a price that the settings name, which counts for every model; what is cached costs the same as input
 */
export function pricesOf(
  model: string,
  own: { readonly input: number; readonly output: number } | null = null,
): Prices | null {
  if (own !== null) return { ...own, cacheRead: own.input, cacheWrite: own.input * WRITE, above: null };
  return KNOWN[model.replace(/-\d{8}$/, '')] ?? null;
}

export interface CostOptions {
  /** Sent in a batch: half the price. */
  readonly batch?: boolean;
}

/** In dollars. */
export function costOf(usage: ModelUsage, prices: Prices, { batch = false }: CostOptions = {}): number {
  const { input, output, cacheRead, cacheWrite } = usage;
  const isLong = prices.above !== null && input + cacheRead + cacheWrite > prices.above.tokens;
  const price = isLong ? prices.above!.price : prices;
  const write = batch ? (price.cacheWrite / WRITE) * WRITE_IN_BATCH : price.cacheWrite;
  const sum = input * price.input + output * price.output + cacheRead * price.cacheRead + cacheWrite * write;
  return (sum * (batch ? BATCH : 1)) / PER;
}

/** What services add to a prompt: roles, the form of a schema; the `claude` command adds 1,400 bytes. */
const ADDED_TOKENS = 2_000;

/** An upper bound: a token is at least a byte, nothing is read from the cache, and the reply has its full length. */
export function worstUsageOf({
  instructions,
  shared = '',
  content,
  schema,
  maxTokens,
}: ModelRequest): ModelUsage {
  const cacheWrite =
    Buffer.byteLength(instructions) +
    Buffer.byteLength(shared) +
    2 * Buffer.byteLength(JSON.stringify(schema));
  return {
    input: 0,
    output: maxTokens,
    cacheRead: 0,
    cacheWrite: cacheWrite + Buffer.byteLength(content) + ADDED_TOKENS,
  };
}

/** Of English and code, with the tokenizers of 2026. */
const BYTES_PER_TOKEN = 3;
/** Of a usual reply. */
const REPLY_TOKENS = 500;

/** What a request will probably use; only the first one of a run writes the instructions to the cache. */
export function expectedUsageOf(
  { instructions, content, schema }: ModelRequest,
  { first }: { readonly first: boolean },
): ModelUsage {
  const tokens = (text: string) => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
  const cached = tokens(instructions) + tokens(JSON.stringify(schema));
  return {
    input: tokens(content),
    output: REPLY_TOKENS,
    ...(first ? { cacheRead: 0, cacheWrite: cached } : { cacheRead: cached, cacheWrite: 0 }),
  };
}

/** In dollars: what a request costs at most. */
export function worstCaseOf(request: ModelRequest, prices: Prices, options: CostOptions = {}): number {
  return costOf(worstUsageOf(request), prices, options);
}
