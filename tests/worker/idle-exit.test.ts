// When an idle worker ends, with a clock of the test.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleExit } from '../../src/worker/idle-exit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

function idleExit(minutes: number) {
  const onIdle = vi.fn();
  return { onIdle, idle: new IdleExit(minutes * MINUTE, { now: () => Date.now(), onIdle }) };
}

test('it ends after the time without activity, and activity moves that', () => {
  const { idle, onIdle } = idleExit(30);
  vi.advanceTimersByTime(29 * MINUTE);
  idle.note();
  vi.advanceTimersByTime(29 * MINUTE);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test('it does not end while something keeps it, and the time begins when nothing does', () => {
  const { idle, onIdle } = idleExit(30);
  const first = idle.keep();
  const second = idle.keep();
  vi.advanceTimersByTime(100 * MINUTE);
  first();
  first();
  vi.advanceTimersByTime(100 * MINUTE);
  second();
  vi.advanceTimersByTime(29 * MINUTE);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test('zero is never, and a new time counts from when it is set', () => {
  const { idle, onIdle } = idleExit(0);
  vi.advanceTimersByTime(1_000 * MINUTE);
  idle.setTime(10 * MINUTE);
  vi.advanceTimersByTime(9 * MINUTE);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test('a clock that is set back does not keep it for ever', () => {
  const { onIdle } = idleExit(30);
  vi.setSystemTime(Date.now() - 60 * 24 * MINUTE);
  vi.advanceTimersByTime(30 * MINUTE);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(60 * 24 * MINUTE);
  expect(onIdle).toHaveBeenCalledTimes(1);
});

test('after its end it calls nobody', () => {
  const { idle, onIdle } = idleExit(30);
  idle.end();
  idle.keep()();
  vi.advanceTimersByTime(100 * MINUTE);
  expect(onIdle).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});
