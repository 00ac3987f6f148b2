import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventId, type Log } from '../../log/index.ts';
import { openMemoryLog, openTestLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents, workdirEvent } from '../helpers/new-events.ts';
import { temporaryFolder } from '../helpers/world.ts';

describe('reading', () => {
  let log: Log;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const folder = await temporaryFolder();
    remove = folder.remove;
    log = await openTestLog(folder.path);
    for (let round = 0; round < 10; round++)
      await log.append([
        workdirEvent(`/home/u/${round}`),
        ...toolEvents(60, round * 60 + 1, `session-${round % 3}`),
      ]);
  });
  afterAll(async () => {
    await log.close();
    await remove();
  });

  test('finds events by the bytes of their records, each with its position', async () => {
    const found = [];
    for await (const event of log.scan((record) => record.includes('/home/u/7'))) found.push(event);
    expect(found).toEqual([(await log.page({ after: 427, limit: 1 })).events[0]]);
    expect(found[0]?.position).toBe(428);
  });

  test('knows an event by its id alone, and not by another spelling of it', async () => {
    const [{ id } = { id: '' }] = (await log.page({ after: 0, limit: 1 })).events;
    const events = await log.getMany([id.toUpperCase(), `${id}ab`, 'no id', id]);
    expect(events.map((event) => event?.position)).toEqual([undefined, undefined, undefined, 1]);
  });

  test('returns every event as it was appended', async () => {
    const { events, end } = await log.page({ after: 0 });
    expect(events).toHaveLength(610);
    expect(end).toEqual(log.head());
    const { recordedAt, ...second } = events[1]!;
    expect(recordedAt).toBeTypeOf('number');
    expect(second).toMatchObject({
      ...toolEvent(1, 'session-0'),
      id: eventId(toolEvent(1, 'session-0')),
      version: 1,
      position: 2,
      origin: log.logId,
      originSeq: 2,
      causation: null,
    });
    expect((second as { body: object }).body).toMatchObject({ error: null, sidechain: false });
  });

  test.each([1, 7, 256, 1000])('reaches the same end in pages of %i', async (limit) => {
    const positions: number[] = [];
    let after = 0;
    for (;;) {
      const { events, end } = await log.page({ after, limit });
      if (events.length === 0) {
        expect(end).toEqual(log.head());
        break;
      }
      positions.push(...events.map(({ position }) => position));
      after = end.position;
      expect(await log.compareCheckpoint(end)).toBe('held');
    }
    expect(positions).toEqual(Array.from({ length: 610 }, (_, at) => at + 1));
  });

  test('ends a page when its bodies reach the byte limit', async () => {
    const { events } = await log.page({ after: 0, bytesMax: 2_000 });
    expect(events.length).toBeGreaterThan(1);
    expect(events.length).toBeLessThan(20);
  });

  test('finds the events of one session in position order', async () => {
    const first = await log.pageBySession({ agent: 'claude-code', session: 'session-1', limit: 100 });
    const second = await log.pageBySession({
      agent: 'claude-code',
      session: 'session-1',
      after: first.end.position,
    });
    const events = [...first.events, ...second.events];
    expect(events).toHaveLength(180);
    expect(events.every(({ session }) => session === 'session-1')).toBe(true);
    expect(events.map(({ position }) => position)).toEqual(
      events.map(({ position }) => position).sort((a, b) => a - b),
    );
    expect((await log.pageBySession({ agent: 'codex', session: 'session-1' })).events).toEqual([]);
  });

  test('finds events by id, by id prefix and by dedupe key', async () => {
    const id = eventId(toolEvent(5, 'session-0'));
    expect(await log.get(id)).toMatchObject({ id, dedupeKey: 'toolu_5', position: 6 });
    expect(await log.get('0'.repeat(32))).toBeUndefined();
    const many = await log.getMany([id, 'f'.repeat(32), id]);
    expect(many.map((event) => event?.position)).toEqual([6, undefined, 6]);
    expect(await log.idsByPrefix(id.slice(0, 7), 10)).toContain(id);
    expect(await log.idsByPrefix(id, 10)).toEqual([id]);
    expect(await log.idsByPrefix(id.slice(0, 4), 100)).toContain(id);
    expect(await log.idsByPrefix('abc', 10)).toEqual([]);
    await log.append([{ ...toolEvent(5, 'session-0'), channel: 'hook' }]);
    const events = await log.byDedupeKey({
      agent: 'claude-code',
      session: 'session-0',
      type: 'tool.used',
      dedupeKey: 'toolu_5',
    });
    expect(events.map(({ channel }) => channel)).toEqual(['hook', 'transcript']);
  });

  test('compares checkpoints with the log', async () => {
    const { end } = await log.page({ after: 0, limit: 100 });
    expect(await log.compareCheckpoint(end)).toBe('held');
    expect(await log.compareCheckpoint({ ...end, position: 0 })).toBe('held');
    expect(await log.compareCheckpoint({ ...end, position: 10_000 })).toBe('ahead');
    expect(await log.compareCheckpoint({ ...end, position: 99 })).toBe('foreign');
    expect(await log.compareCheckpoint({ ...end, logId: 'another' })).toBe('foreign');
  });

  test('refuses a page that begins after the end of the log', async () => {
    await expect(log.page({ after: 10_000 })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('reports the size of the log on disk', async () => {
    expect(await log.bytes()).toBeGreaterThan(100_000);
  });
});

test('sessions of two agents are apart, whatever their names', async () => {
  const log = await openMemoryLog();
  const named = [
    { agent: 'a\nb', session: 'c' },
    { agent: 'a', session: 'b\nc' },
  ];
  for (const names of named) await log.append([{ ...toolEvent(1), ...names }]);
  for (const names of named) {
    const { events } = await log.pageBySession({ ...names, after: 0 });
    expect(events.map(({ agent, session }) => ({ agent, session }))).toEqual([names]);
  }
  await log.close();
});
