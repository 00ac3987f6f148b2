import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { QUIET_MS, WarmSearch } from '../../src/worker/warm-search.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function watched({ isReady = (): boolean => true, fails = false } = {}) {
  const seen: string[] = [];
  const warm = new WarmSearch({
    async load() {
      seen.push('loaded');
      if (fails) throw new Error('The disk is gone.');
    },
    isReady,
    onProblem: (text) => void seen.push(text),
  });
  return { warm, seen };
}

test('what searches need is loaded once, when nothing happened for a while', async () => {
  const { warm, seen } = watched();
  warm.note();
  await vi.advanceTimersByTimeAsync(QUIET_MS - 1);
  warm.note();
  await vi.advanceTimersByTimeAsync(QUIET_MS - 1);
  expect(seen).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual(['loaded']);
  warm.note();
  await vi.advanceTimersByTimeAsync(10 * QUIET_MS);
  expect(seen).toEqual(['loaded']);
  expect(vi.getTimerCount()).toBe(0);
});

test('it is loaded again when the library was opened again', async () => {
  const { warm, seen } = watched();
  warm.note();
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  warm.again();
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  expect(seen).toEqual(['loaded', 'loaded']);
});

test('it waits for the views, and is not loaded after the end', async () => {
  let isReady = false;
  const { warm, seen } = watched({ isReady: () => isReady });
  warm.note();
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  expect([seen, vi.getTimerCount()]).toEqual([[], 0]);
  isReady = true;
  warm.note();
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  expect(seen).toEqual(['loaded']);
  const other = watched();
  other.warm.note();
  other.warm.end();
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  expect(other.seen).toEqual([]);
});

test('a failure is reported, and breaks nothing', async () => {
  const { warm, seen } = watched({ fails: true });
  warm.note();
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  expect(seen).toEqual(['loaded', 'What searches need could not be loaded']);
});
