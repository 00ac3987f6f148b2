// The other way to have a model read a session: one conversation, in which every tool use is a message with its input and its
// output, and every request sends all that came before.
import type { LogEvent } from '../../src/index.ts';
import { costOf, type Prices } from '../../src/observer/providers/prices.ts';

const CHARS_A_TOKEN = 3;
/** Of its instructions: as long as ours. */
const INSTRUCTIONS_TOKENS = 1_150;
/** Of one observation. */
const REPLY_TOKENS = 150;
/** Such tools cut a longer tool use. */
const TOOL_USE_CHARS_MAX = 40_000;

export interface HistorySentAgain {
  readonly calls: number;
  readonly promptTokens: number;
  /** In dollars, nothing cached. */
  readonly usd: number;
  /** In dollars, when everything but the newest message is always read from the cache. */
  readonly usdCached: number;
}

export function historySentAgain(events: readonly LogEvent[], prices: Prices): HistorySentAgain {
  const sessions = new Map<string, number>();
  let [calls, promptTokens, usd, usdCached] = [0, 0, 0, 0];
  for (const event of events) {
    if (event.type !== 'tool.used' && event.type !== 'prompt.submitted') continue;
    const session = event.session ?? '';
    const before = sessions.get(session) ?? INSTRUCTIONS_TOKENS;
    const added = tokensOf(event);
    if (event.type === 'prompt.submitted') {
      sessions.set(session, before + added);
      continue;
    }
    sessions.set(session, before + added + REPLY_TOKENS);
    calls += 1;
    promptTokens += before + added;
    const output = REPLY_TOKENS;
    usd += costOf({ input: before + added, output, cacheRead: 0, cacheWrite: 0 }, prices);
    usdCached += costOf({ input: 0, output, cacheRead: before, cacheWrite: added }, prices);
  }
  return { calls, promptTokens, usd, usdCached };
}

/** In the log, a text has at most 32 KiB: what was longer costs more there than is counted here. */
function tokensOf(event: LogEvent<'tool.used'> | LogEvent<'prompt.submitted'>): number {
  const text =
    event.type === 'tool.used'
      ? JSON.stringify(event.body.input) + (event.body.result ?? event.body.error ?? '')
      : (event.body.text ?? '');
  return Math.ceil(Math.min(text.length, TOOL_USE_CHARS_MAX) / CHARS_A_TOKEN);
}
