// When an import begins, with a clock that the test moves.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ImportQueue } from '../../src/worker/import-queue.ts';

const LASTING = { isShortLived: false };
const SHORT_LIVED = { isShortLived: true };

let imported: (readonly string[])[];
let finish: (again?: readonly string[]) => void;
let fail: () => void;
let queue: ImportQueue;

beforeEach(() => {
  vi.useFakeTimers();
  imported = [];
  queue = new ImportQueue((paths) => {
    imported.push(paths);
    return new Promise((resolve, reject) => {
      finish = (again = []) => resolve(again);
      fail = () => reject(new Error('The disk is full.'));
    });
  });
});
afterEach(() => vi.useRealTimers());

test('files are imported together when none changed for a second', () => {
  queue.add('a', LASTING);
  vi.advanceTimersByTime(900);
  queue.add('b', LASTING);
  vi.advanceTimersByTime(999);
  expect(imported).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(imported).toEqual([['a', 'b']]);
});

test('a file that never rests is imported after five seconds', () => {
  for (let change = 0; change < 10; change++) {
    queue.add('a', LASTING);
    vi.advanceTimersByTime(500);
  }
  expect(imported).toEqual([['a']]);
});

test('a file that its agent may delete is imported at once', () => {
  queue.add('lasting', LASTING);
  queue.add('short-lived', SHORT_LIVED);
  vi.advanceTimersByTime(100);
  expect(imported).toEqual([['lasting', 'short-lived']]);
});

test('what changes during an import is imported after it, once', async () => {
  queue.add('a', SHORT_LIVED);
  vi.advanceTimersByTime(100);
  queue.add('a', SHORT_LIVED);
  queue.add('a', SHORT_LIVED);
  vi.advanceTimersByTime(10_000);
  expect(imported).toHaveLength(1);
  finish();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(imported).toEqual([['a'], ['a']]);
});

test('the end waits for the import that runs and begins no other', async () => {
  queue.add('a', LASTING);
  queue.hurry();
  vi.advanceTimersByTime(0);
  queue.add('b', LASTING);
  const ended = queue.end();
  finish();
  await ended;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(imported).toEqual([['a']]);
});

test('files whose import failed are imported again after a pause that grows', async () => {
  queue.add('a', LASTING);
  queue.add('b', LASTING);
  await vi.advanceTimersByTimeAsync(1_000);
  for (const pause of [10_000, 20_000, 40_000]) {
    imported = [];
    fail();
    await vi.advanceTimersByTimeAsync(pause - 1);
    expect([imported, queue.waiting]).toEqual([[], 2]);
    await vi.advanceTimersByTimeAsync(1);
    expect(imported).toEqual([['a', 'b']]);
  }
  finish();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect([imported.length, queue.waiting]).toEqual([1, 0]);
});

test('files whose import failed keep no other out, and are imported again as soon as another import worked', async () => {
  queue.add('a', LASTING);
  queue.add('b', LASTING);
  await vi.advanceTimersByTimeAsync(1_000);
  queue.add('b', LASTING);
  fail();
  await vi.advanceTimersByTimeAsync(1_000);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(imported).toEqual([['a', 'b'], ['b'], ['a']]);
});

test('files whose import failed are imported at once when the cause may be gone', async () => {
  queue.add('a', SHORT_LIVED);
  vi.advanceTimersByTime(100);
  for (let failure = 0; failure < 3; failure++) {
    fail();
    await vi.advanceTimersByTimeAsync(60_000);
  }
  fail();
  await vi.advanceTimersByTimeAsync(0);
  const before = imported.length;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(imported).toHaveLength(before);
  queue.tryAgain();
  await vi.advanceTimersByTimeAsync(0);
  expect(imported).toHaveLength(before + 1);
});
