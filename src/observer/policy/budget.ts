// What the observer may still spend. What was asked and not answered counts with its worst case, so that a crash, a lost
// reply or an unfinished batch cannot hide a cost.
import { dollars } from '../../terminal-text/dollars.ts';

/** Dollars and tokens; null: no limit. */
export interface Budget {
  readonly usdPerDay: number | null;
  readonly usdPerSession: number | null;
  readonly usdPerCall: number | null;
  readonly tokensPerDay: number | null;
}

/** One request: its cost, or its worst case while that is unknown. */
export interface Spending {
  /** Unix ms. */
  readonly at: number;
  /** Null for a model without a known price. */
  readonly usd: number | null;
  readonly tokens: number;
}

export const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * The spending of the last 24 hours. A day has no midnight here: then two budgets could be spent within one night. A request
 * from the future, after the clock was set back, counts.
 */
export function ofLastDay<T extends Spending>(all: readonly T[], now: number): T[] {
  return all.filter(({ at }) => at > now - DAY_MS);
}

export function usdOf(all: readonly Spending[]): number {
  return all.reduce((sum, { usd }) => sum + (usd ?? 0), 0);
}

export interface Spent {
  readonly lastDay: readonly Spending[];
  /** Of the session that the request is about, of all days. */
  readonly session: readonly Spending[];
}

/** Why a request may not be sent. */
export interface OverBudget {
  /** One sentence. */
  readonly sentence: string;
  /** Unix ms from which it may be, if nothing else is asked until then. Null: not within this budget; another one may fit. */
  readonly until: number | null;
}

/** Null when it may be sent. `worst` is its worst case. */
export function overBudget(worst: Spending, { lastDay, session }: Spent, budget: Budget): OverBudget | null {
  const { usdPerDay, usdPerSession, usdPerCall, tokensPerDay } = budget;
  const inDollars = usdPerDay !== null || usdPerSession !== null || usdPerCall !== null;
  if (worst.usd === null && inDollars)
    return never(
      'The price of this model is not known, so a budget in dollars cannot be kept: name its price, or set a budget in tokens.',
    );
  const usd = worst.usd ?? 0;
  if (usdPerCall !== null && usd > usdPerCall)
    return never(
      `The request may cost ${dollars(usd)}; one call may cost ${dollars(usdPerCall)}. \`annals config set observer.usdPerCall ${inCents(usd)}\` allows it.`,
    );
  const ofSession = usdOf(session);
  if (usdPerSession !== null && ofSession + usd > usdPerSession)
    return never(
      `${dollars(ofSession)} of ${dollars(usdPerSession)} were spent on this session; the next request may cost ${dollars(usd)}.`,
    );
  const ofDay = usdOf(lastDay);
  if (usdPerDay !== null && ofDay + usd > usdPerDay)
    return {
      sentence: `${dollars(ofDay)} of ${dollars(usdPerDay)} were spent in the last 24 hours; the next request may cost ${dollars(usd)}.`,
      until: freeFrom(lastDay, ofDay + usd - usdPerDay, (one) => one.usd ?? 0),
    };
  const tokens = lastDay.reduce((sum, one) => sum + one.tokens, 0);
  if (tokensPerDay !== null && tokens + worst.tokens > tokensPerDay)
    return {
      sentence: `${tokens} of ${tokensPerDay} tokens were used in the last 24 hours; the next request may use ${worst.tokens}.`,
      until: freeFrom(lastDay, tokens + worst.tokens - tokensPerDay, (one) => one.tokens),
    };
  return null;
}

/** Rounded up. */
function inCents(usd: number): number {
  return Math.ceil(usd * 100) / 100;
}

function never(sentence: string): OverBudget {
  return { sentence, until: null };
}

/** When so much of the last day's spending is older than a day. Null if that is more than all of it. */
function freeFrom(
  lastDay: readonly Spending[],
  amount: number,
  of: (one: Spending) => number,
): number | null {
  let left = amount;
  for (const one of [...lastDay].sort((a, b) => a.at - b.at)) {
    left -= of(one);
    if (left <= 0) return one.at + DAY_MS;
  }
  return null;
}
