// When an idle worker ends, with timers of the test.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleExit } from '../../src/worker/idle-exit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

function idleExit(minutes: number) {
  const onIdle = vi.fn();
  return { onIdle, idle: new IdleExit(minutes * MINUTE, onIdle) };
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

test.each([
  ['back', -24 * 60 * MINUTE],
  ['forward', 24 * 60 * MINUTE],
])('a clock that is set %s neither keeps nor ends it', (_, jump) => {
  const { idle, onIdle } = idleExit(30);
  vi.advanceTimersByTime(10 * MINUTE);
  vi.setSystemTime(Date.now() + jump);
  idle.note();
  vi.setSystemTime(Date.now() + jump);
  vi.advanceTimersByTime(29 * MINUTE);
  expect(onIdle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(MINUTE);
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
