import { describe, expect, test } from 'vitest';
import { type Budget, ofLastDay, overBudget, type Spending } from '../../src/observer/policy/budget.ts';
import { isGivenUp, nextStep, type Outcome } from '../../src/observer/policy/next-step.ts';
import { dollars } from '../../src/terminal-text/dollars.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const HOUR = 3_600_000;
const NONE: Budget = { usdPerDay: null, usdPerSession: null, usdPerCall: null, tokensPerDay: null };
const cost = (usd: number | null, tokens = 100, at = NOW): Spending => ({ at, usd, tokens });

describe('a budget', () => {
  const spent = { lastDay: [cost(0.03), cost(0.01)], session: [cost(0.02)] };

  test.each<[string, Partial<Budget>, Spending, string | null]>([
    ['no limit', {}, cost(9e9, 9e9), null],
    ['up to the limit of a day', { usdPerDay: 0.05 }, cost(0.01), null],
    [
      'above the limit of a day',
      { usdPerDay: 0.05 },
      cost(0.0101),
      '$0.04 of $0.05 were spent in the last 24 hours',
    ],
    [
      'above the limit of a session',
      { usdPerSession: 0.021 },
      cost(0.002),
      '$0.02 of $0.02 were spent on this session',
    ],
    [
      'above the limit of a call',
      { usdPerCall: 0.001 },
      cost(0.164),
      '$0.0010. `annals config set observer.usdPerCall 0.17` allows it.',
    ],
    ['above the limit in tokens', { tokensPerDay: 299 }, cost(0, 100), '200 of 299 tokens'],
    [
      'a model without a price, and dollars',
      { usdPerDay: 1 },
      cost(null),
      'price of this model is not known',
    ],
    ['a model without a price, and tokens', { tokensPerDay: 300 }, cost(null), null],
  ])('%s', (_, limits, worst, said) => {
    const reason = overBudget(worst, spent, { ...NONE, ...limits })?.sentence ?? null;
    if (said === null) expect(reason).toBeNull();
    else expect(reason).toContain(said);
  });

  test('says when it has room again, if it ever has', () => {
    const lastDay = [cost(0.01, 10, NOW - 5 * HOUR), cost(0.03, 20, NOW - 7 * HOUR)];
    const until = (usd: number, limits: Partial<Budget>) =>
      overBudget(cost(usd, 25), { lastDay, session: [] }, { ...NONE, ...limits })?.until;
    expect(until(0.02, { usdPerDay: 0.05 })).toBe(NOW + 17 * HOUR);
    expect(until(0.045, { usdPerDay: 0.05 })).toBe(NOW + 19 * HOUR);
    expect(until(0.06, { usdPerDay: 0.05 })).toBeNull();
    expect(until(0, { tokensPerDay: 30 })).toBe(NOW + 19 * HOUR);
  });

  test('counts the last 24 hours, and the future', () => {
    const all = [cost(1, 0, NOW - 25 * HOUR), cost(2, 0, NOW - 23 * HOUR), cost(3, 0, NOW + 5 * HOUR)];
    expect(ofLastDay(all, NOW).map(({ usd }) => usd)).toEqual([2, 3]);
  });

  test.each([
    [0, '$0'],
    [0.05, '$0.05'],
    [0.0012345, '$0.0012'],
    [0.00000012, '$0.00000012'],
    [12.345, '$12.35'],
  ])('%f is written as %s', (usd, text) => {
    expect(dollars(usd)).toBe(text);
  });
});

describe('after these outcomes, newest first', () => {
  const at = (result: Outcome['result'], fields: Partial<Outcome> = {}): Outcome => ({
    at: NOW,
    result,
    retryAfterMs: null,
    settings: 's',
    ...fields,
  });
  const wait = (ms: number, because: string) => ({ do: 'wait', until: NOW + ms, because });

  test.each<[string, readonly Outcome[], object]>([
    ['none', [], { do: 'ask' }],
    ['a reply', [at('replied'), at('auth')], { do: 'ask' }],
    ['an invalid reply', [at('invalid')], { do: 'ask' }],
    ['a refused request', [at('unrecoverable')], { do: 'ask' }],
    ['a wrong key', [at('auth')], { do: 'stop', because: 'auth' }],
    ['a wrong key that was changed', [at('auth', { settings: 'other' })], { do: 'ask' }],
    ['no credit', [at('quota'), at('replied')], { do: 'stop', because: 'quota' }],
    ['a rate limit with a time', [at('rate-limit', { retryAfterMs: 7_000 })], wait(7_000, 'rate-limit')],
    ['a rate limit without one', [at('rate-limit')], wait(60_000, 'rate-limit')],
    ['a rate limit of a year', [at('rate-limit', { retryAfterMs: 3e10 })], wait(24 * HOUR, 'rate-limit')],
    ['one failed connection', [at('transient')], wait(5_000, 'transient')],
    ['three', [at('transient'), at('transient'), at('transient')], wait(20_000, 'transient')],
    ['one with a time', [at('transient', { retryAfterMs: 90_000 })], wait(90_000, 'transient')],
    ['one with a year', [at('transient', { retryAfterMs: 3e10 })], wait(24 * HOUR, 'transient')],
    ['a time that no date has', [at('transient', { retryAfterMs: 9e15 })], wait(24 * HOUR, 'transient')],
    [
      'five rate limits',
      Array.from({ length: 5 }, () => at('rate-limit', { retryAfterMs: 7 * HOUR })),
      wait(7 * HOUR, 'failures'),
    ],
    ['five failures of any kind', Array.from({ length: 5 }, () => at('invalid')), wait(HOUR, 'failures')],
    [
      'five, one before the last reply',
      [...Array.from({ length: 4 }, () => at('invalid')), at('replied'), at('invalid')],
      { do: 'ask' },
    ],
  ])('%s', (_, outcomes, step) => {
    expect(nextStep(outcomes, 's')).toEqual(step);
  });

  test.each<[readonly Outcome['result'][], boolean]>([
    [['transient', 'transient', 'transient'], false],
    [['transient', 'transient', 'rate-limit', 'transient', 'transient'], true],
    [['invalid'], false],
    [['invalid', 'transient', 'invalid'], true],
    [['unrecoverable'], true],
    [['refused'], true],
    [Array.from({ length: 50 }, () => 'auth'), false],
  ])('%j: given up is %s', (results, givenUp) => {
    expect(isGivenUp(results.map((result) => ({ result })))).toBe(givenUp);
  });
});
