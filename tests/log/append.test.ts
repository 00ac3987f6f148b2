import { describe, expect, test } from 'vitest';
import { AnnalsError, eventId, type Log, type NewEvent } from '../../log/index.ts';
import { openMemoryLog, openTestLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents, workdirEvent } from '../helpers/new-events.ts';
import { temporaryFolder, testWorld } from '../helpers/world.ts';

const stores: [string, () => Promise<{ log: Log; remove(): Promise<void> }>][] = [
  [
    'on disk',
    async () => {
      const folder = await temporaryFolder();
      return { log: await openTestLog(folder.path), remove: folder.remove };
    },
  ],
  ['in memory', async () => ({ log: await openMemoryLog(), remove: async () => {} })],
];

describe.each(stores)('appending %s', (_, open) => {
  async function withLog(act: (log: Log) => Promise<void>): Promise<void> {
    const { log, remove } = await open();
    try {
      await act(log);
      expect(await log.verify()).toMatchObject({ ok: true, problems: [] });
    } finally {
      await log.close();
      await remove();
    }
  }

  test('gives dense positions in the order of the events', () =>
    withLog(async (log) => {
      const outcomes = await log.append([workdirEvent('/a'), ...toolEvents(3)]);
      expect(outcomes.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
      expect(outcomes[1]?.id).toBe(eventId(toolEvent(1)));
      expect(log.head().position).toBe(4);
    }));

  test('answers an event that is already stored as a duplicate', () =>
    withLog(async (log) => {
      await log.append(toolEvents(2));
      const again = await log.append([toolEvent(2), toolEvent(3), toolEvent(3)]);
      expect(again.map(({ outcome, position }) => [outcome, position])).toEqual([
        ['duplicate', 2],
        ['appended', 3],
        ['duplicate', 3],
      ]);
    }));

  test('recognises a duplicate of an event that still waits in the queue', () =>
    withLog(async (log) => {
      const [first, second] = await Promise.all([log.append(toolEvents(600)), log.append(toolEvents(600))]);
      expect(first.every(({ outcome }) => outcome === 'appended')).toBe(true);
      expect(second.map(({ outcome, position }) => `${outcome} ${position}`)).toEqual(
        first.map(({ position }) => `duplicate ${position}`),
      );
      expect(log.head().position).toBe(600);
    }));

  test('splits a call larger than a batch in order', () =>
    withLog(async (log) => {
      const heads: number[] = [];
      log.onHead((head) => heads.push(head.position));
      const outcomes = await log.append(toolEvents(700));
      expect(outcomes.map(({ position }) => position)).toEqual(
        Array.from({ length: 700 }, (_, at) => at + 1),
      );
      await log.cursors();
      expect(heads).toEqual([256, 512, 700]);
    }));

  test('ends a batch at a mebibyte', () =>
    withLog(async (log) => {
      const heads: number[] = [];
      log.onHead((head) => heads.push(head.position));
      await log.append(toolEvents(10, 1, 'session-1', 30_000));
      await log.cursors();
      expect(heads.length).toBeGreaterThan(2);
      expect(heads.at(-1)).toBe(10);
    }));

  test('writes cursors with the last event of their call, and alone when all events are duplicates', () =>
    withLog(async (log) => {
      await log.append(toolEvents(300), { cursors: [{ key: 'file/a', value: { offset: 10 } }] });
      await log.append(toolEvents(300), { cursors: [{ key: 'file/b', value: [1] }] });
      await log.append([], { cursors: [{ key: 'other', value: 'x' }] });
      expect(await log.cursor('file/a')).toEqual({ offset: 10 });
      expect(await log.cursors('file/')).toEqual([
        { key: 'file/a', value: { offset: 10 } },
        { key: 'file/b', value: [1] },
      ]);
      await log.append([], { cursors: [{ key: 'file/a', value: null }] });
      expect(await log.cursor('file/a')).toBeUndefined();
      expect((await log.cursors()).map(({ key }) => key)).toEqual(['file/b', 'other']);
    }));

  test('gives every event of a batch its own salt', () =>
    withLog(async (log) => {
      await log.append(toolEvents(300));
      const { events } = await log.exportPage({ after: 0, limit: 300 });
      const salts = events.map(({ body }) => JSON.stringify(body.salt));
      expect(salts).not.toContain('null');
      expect(new Set(salts).size).toBe(300);
    }));

  test('stores nothing of a call with one invalid event, and quotes none of it', () =>
    withLog(async (log) => {
      const bad = { ...toolEvent(2), body: { toolUseId: 'x', name: 'Bash', outcome: 'secret words' } };
      const error = await log
        .append([toolEvent(1), bad as unknown as NewEvent], { cursors: [{ key: 'k', value: 1 }] })
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AnnalsError);
      expect(error).toMatchObject({ code: 'INPUT_INVALID', facts: { index: 1, field: 'body.outcome' } });
      expect(String(error)).not.toContain('secret');
      expect(log.head().position).toBe(0);
      expect(await log.cursor('k')).toBeUndefined();
    }));

  test.each([
    ['type', { type: 'nothing.known' }],
    ['type', { type: 'toString' }],
    ['agent', { agent: '' }],
    ['dedupeKey', { dedupeKey: '' }],
    ['channel', { channel: 'rumour' }],
    ['occurredAt', { occurredAt: 1.5 }],
    ['body', { body: null }],
    ['body', { body: { toolUseId: 'x', name: 'y', outcome: 'ok', extra: 1n } }],
  ])('rejects an event with an invalid %s (%o)', (field, wrong) =>
    withLog(async (log) => {
      const newEvent = { ...toolEvent(1), ...wrong } as unknown as NewEvent;
      await expect(log.append([newEvent])).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        facts: { index: 0, field },
      });
    }),
  );

  test('is refused after the log was closed', async () => {
    const { log, remove } = await open();
    await log.close();
    await expect(log.append([toolEvent(1)])).rejects.toMatchObject({ code: 'LOG_CLOSED' });
    await expect(log.page({ after: 0 })).rejects.toMatchObject({ code: 'LOG_CLOSED' });
    await remove();
  });
});

test('a log takes recordedAt and its random values from the world that is passed in', async () => {
  const world = testWorld('one', 5_000);
  const log = await openMemoryLog(undefined, world);
  await log.append([toolEvent(1)]);
  world.advance(10);
  await log.append([toolEvent(2)]);
  const { events } = await log.page({ after: 0 });
  expect(events.map(({ recordedAt }) => recordedAt)).toEqual([5_000, 5_010]);
  expect(log.logId).toMatch(/^[0-9a-f]{32}$/);
  const twin = await openMemoryLog(undefined, testWorld('one', 5_000));
  expect(twin.logId).toBe(log.logId);
  await twin.append([toolEvent(1)]);
  expect((await twin.page({ after: 0 })).end.chain).toBe((await log.page({ after: 0, limit: 1 })).end.chain);
});

test('while work runs exclusively other writes wait in their order, also across a failure and a close', async () => {
  const log = await openMemoryLog();
  const before = log.append([toolEvent(1)]);
  const failed = log.exclusively(async (writer) => {
    expect(log.head().position).toBe(1);
    await writer.append([toolEvent(2)]);
    throw new Error('given up');
  });
  const waiting = [log.append([toolEvent(4)]), log.append([toolEvent(5)])];
  const second = log.exclusively(async (writer) => {
    expect(log.head().position).toBe(4);
    return (await writer.append([toolEvent(6)]))[0]!.position;
  });
  const last = log.append([toolEvent(7)]);
  const closed = log.close();
  await expect(failed).rejects.toThrow('given up');
  expect((await before)[0]!.position).toBe(1);
  expect((await Promise.all(waiting)).map(([outcome]) => outcome!.position)).toEqual([3, 4]);
  expect([await second, (await last)[0]!.position]).toEqual([5, 6]);
  await closed;
  await expect(log.exclusively(async () => {})).rejects.toMatchObject({ code: 'LOG_CLOSED' });
});

test('closing a log waits for the queue', async () => {
  const folder = await temporaryFolder();
  const log = await openTestLog(folder.path);
  const appended = log.append(toolEvents(1000));
  await log.close();
  expect(await appended).toHaveLength(1000);
  const again = await openTestLog(folder.path);
  expect(again.head().position).toBe(1000);
  expect(again.damage).toEqual([]);
  await again.close();
  await folder.remove();
});
