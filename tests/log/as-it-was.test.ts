// A past log (`logUntil`): its pages may be empty before its end, and every reader must continue after them.
import { expect, test } from 'vitest';
import { eventId, type Log, logUntil, type NewEvent, pagesAfter } from '../../log/index.ts';
import { openMemoryLog } from '../helpers/logs.ts';
import { toolEvent } from '../helpers/new-events.ts';

const at = (number: number, occurredAt: number, session?: string): NewEvent => ({
  ...toolEvent(number, session),
  occurredAt,
});

/** Events after the bound, then ten before it, then later ones again. */
async function mixedLog(): Promise<Log> {
  const log = await openMemoryLog();
  const newEvents = Array.from({ length: 60 }, (_, index) => {
    const isPast = index >= 25 && index < 35;
    return at(index, isPast ? 1_000 : 9_000, index % 2 === 0 ? 'session-1' : 'session-2');
  });
  await log.append(newEvents);
  return log;
}

test('reading page by page reaches events after empty pages', async () => {
  const past = await logUntil(await mixedLog(), { time: 5_000 });
  const positions: number[] = [];
  let empty = 0;
  for await (const { events } of pagesAfter(0, (after) => past.page({ after, limit: 10 }))) {
    if (events.length === 0) empty += 1;
    positions.push(...events.map(({ position }) => position));
  }
  expect(positions).toEqual([26, 27, 28, 29, 30, 31, 32, 33, 34, 35]);
  expect(empty).toBeGreaterThan(2);
});

test('a page ends at the bound, even when its limit reaches further', async () => {
  const log = await mixedLog();
  const past = await logUntil(log, { position: 30 });
  const { events, end } = await past.page({ after: 20, limit: 100 });
  expect(events).toHaveLength(10);
  expect(end).toEqual(past.head());
  expect(end.position).toBe(30);
});

test('reading one session page by page reaches events after empty pages', async () => {
  const past = await logUntil(await mixedLog(), { time: 5_000 });
  const read = (after: number) =>
    past.pageBySession({ agent: 'claude-code', session: 'session-2', after, limit: 4 });
  const positions: number[] = [];
  for await (const { events } of pagesAfter(0, read))
    positions.push(...events.map(({ position }) => position));
  expect(positions).toEqual([26, 28, 30, 32, 34]);
});

test('reading page by page yields no events when the log was empty at that time', async () => {
  const past = await logUntil(await mixedLog(), { time: 0 });
  for await (const { events } of pagesAfter(0, (after) => past.page({ after, limit: 10 })))
    expect(events).toEqual([]);
  expect(await past.idsByPrefix('0000', 5)).toEqual([]);
});

test('an id is found by its prefix even when later events have the first ids with that prefix', async () => {
  const log = await openMemoryLog();
  // Four events whose ids share the first four digits. One of them is before the bound, and its id is the last.
  const byStart = new Map<string, number[]>();
  let numbers: number[] = [];
  for (let number = 0; numbers.length < 4; number++) {
    const start = eventId(at(number, 0)).slice(0, 4);
    numbers = [...(byStart.get(start) ?? []), number];
    byStart.set(start, numbers);
  }
  const sorted = numbers.sort((a, b) => (eventId(at(a, 0)) < eventId(at(b, 0)) ? -1 : 1));
  const last = sorted.at(-1)!;
  await log.append(sorted.map((number) => at(number, number === last ? 1_000 : 9_000)));
  const past = await logUntil(log, { time: 5_000 });
  const id = eventId(at(last, 0));
  expect(await past.idsByPrefix(id.slice(0, 4), 1)).toEqual([id]);
});
