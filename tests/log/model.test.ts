// Compares the log with a model, an array: random calls, awaited or not, with random repeats.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AppendOutcome, eventId, type NewEvent } from '../../log/index.ts';
import { openMemoryLog } from '../helpers/logs.ts';
import { toolEvent } from '../helpers/new-events.ts';

const newEvent = fc
  .record({
    number: fc.integer({ min: 0, max: 30 }),
    session: fc.constantFrom('one', 'two', 'öne\n"'),
    channel: fc.constantFrom('hook', 'transcript'),
  })
  .map(
    ({ number, session, channel }): NewEvent => ({
      ...toolEvent(number, session, 1),
      channel: channel as 'hook',
    }),
  );

const call = fc.record({
  newEvents: fc.array(newEvent, { maxLength: 12 }),
  /** Whether the next call waits for this one. */
  awaited: fc.boolean(),
  cursor: fc.option(fc.record({ key: fc.constantFrom('a', 'b'), value: fc.jsonValue() }), { nil: null }),
});

test('the log behaves like an array without duplicates, and reading returns the same events', () =>
  fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 12 }), async (calls) => {
      const log = await openMemoryLog();
      const model: string[] = [];
      const cursors = new Map<string, unknown>();
      const running: { outcomes: Promise<readonly AppendOutcome[]>; expected: string[] }[] = [];
      for (const { newEvents, awaited, cursor } of calls) {
        const expected = newEvents.map((one) => {
          const id = eventId(one);
          const known = model.indexOf(id);
          if (known === -1) model.push(id);
          return known === -1 ? `appended ${model.length} ${id}` : `duplicate ${known + 1} ${id}`;
        });
        if (cursor?.value === null) cursors.delete(cursor.key);
        else if (cursor) cursors.set(cursor.key, cursor.value);
        const outcomes = log.append(newEvents, { cursors: cursor ? [cursor] : [] });
        running.push({ outcomes, expected });
        if (awaited) await outcomes;
      }
      for (const { outcomes, expected } of running)
        expect((await outcomes).map(({ outcome, position, id }) => `${outcome} ${position} ${id}`)).toEqual(
          expected,
        );
      const { events, end } = await log.page({ after: 0 });
      expect(events.map(({ id }) => id)).toEqual(model);
      expect(end).toEqual(log.head());
      expect((await log.getMany(model)).map((event) => event?.position)).toEqual(
        model.map((_, at) => at + 1),
      );
      const stored = (await log.cursors()).map(({ key, value }) => [key, value]);
      expect(stored).toEqual(JSON.parse(JSON.stringify([...cursors].sort(([a], [b]) => (a < b ? -1 : 1)))));
      expect((await log.verify()).problems).toEqual([]);
      await log.close();
    }),
    { numRuns: 150, seed: 20260101 },
  ));

test('an id depends on agent, session, type, dedupe key and channel, and on nothing else', () => {
  const part = fc.record({
    agent: fc.string(),
    session: fc.option(fc.string(), { nil: null }),
    type: fc.constantFrom('tool.used' as const, 'session.ended' as const),
    dedupeKey: fc.string(),
    channel: fc.constantFrom('hook' as const, 'transcript' as const),
  });
  fc.assert(
    fc.property(part, part, fc.integer(), (one, other, time) => {
      expect(eventId(one)).toMatch(/^[0-9a-f]{32}$/);
      const event = { ...one, occurredAt: time, body: { anything: time } };
      expect(eventId(event)).toBe(eventId(one));
      const equal =
        JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
      expect(eventId(one) === eventId(other)).toBe(equal);
    }),
  );
});

test('ids never change: a changed id would store every event a second time', () => {
  expect(eventId(toolEvent(1))).toBe('7e00c7fa7c179e21f5de1d381beeb68c');
});
