// What the observer does after a failure. It follows from the outcomes in the log, so a restart goes on where the last
// process stopped.
import { type FailureClass, RETRY_AFTER_MS_MAX } from '../providers/provider.ts';

/** How a request ended. `invalid`: a reply came, and cannot be read. `refused`: the same, because the model refused to answer. */
export interface Outcome {
  /** Unix ms. */
  readonly at: number;
  readonly result: 'replied' | 'invalid' | 'refused' | FailureClass;
  readonly retryAfterMs: number | null;
  /** A digest of the provider, its address and the model at that time. */
  readonly settings: string;
}

export type NextStep =
  | { readonly do: 'ask' }
  /** With one timer that fires once. */
  | { readonly do: 'wait'; readonly until: number; readonly because: 'rate-limit' | 'transient' | 'failures' }
  /** Until the settings change or a person says so. */
  | { readonly do: 'stop'; readonly because: 'auth' | 'quota' };

const RATE_LIMIT_MS = 60_000;
const FIRST_WAIT_MS = 5_000;
const WAIT_MS_MAX = 15 * 60_000;
/** Failures in a row, of any kind, after which it pauses. */
export const FAILURES_MAX = 5;
/** Then one request an hour: a local model that was not running is found again. */
const PAUSE_MS = 60 * 60_000;

/** @param outcomes newest first; more than `FAILURES_MAX` are not needed. Those before a person’s `retry` are left out. */
export function nextStep(outcomes: readonly Outcome[], settings: string): NextStep {
  const end = outcomes.findIndex((one) => one.result === 'replied' || one.settings !== settings);
  const failures = end < 0 ? outcomes : outcomes.slice(0, end);
  const last = failures[0];
  if (last === undefined) return { do: 'ask' };
  if (last.result === 'auth' || last.result === 'quota') return { do: 'stop', because: last.result };
  const said = last.retryAfterMs === null ? null : Math.min(last.retryAfterMs, RETRY_AFTER_MS_MAX);
  if (failures.length >= FAILURES_MAX)
    return { do: 'wait', until: last.at + Math.max(PAUSE_MS, said ?? 0), because: 'failures' };
  if (last.result === 'rate-limit')
    return { do: 'wait', until: last.at + (said ?? RATE_LIMIT_MS), because: 'rate-limit' };
  if (last.result !== 'transient') return { do: 'ask' };
  const others = failures.findIndex(({ result }) => result !== 'transient');
  const count = others < 0 ? failures.length : others;
  const wait = Math.max(Math.min(FIRST_WAIT_MS * 2 ** (count - 1), WAIT_MS_MAX), said ?? 0);
  return { do: 'wait', until: last.at + wait, because: 'transient' };
}

/** Attempts at one request before it is given up. An invalid reply may be better the second time; it costs as much. */
const ATTEMPTS_MAX: Readonly<Record<Exclude<Outcome['result'], 'replied'>, number>> = {
  invalid: 2,
  refused: 1,
  unrecoverable: 1,
  transient: 4,
  'rate-limit': Number.POSITIVE_INFINITY,
  auth: Number.POSITIVE_INFINITY,
  quota: Number.POSITIVE_INFINITY,
};

/** Whether a turn with these outcomes is not asked about again. */
export function isGivenUp(outcomes: readonly Pick<Outcome, 'result'>[]): boolean {
  return Object.entries(ATTEMPTS_MAX).some(
    ([kind, most]) => outcomes.filter(({ result }) => result === kind).length >= most,
  );
}
