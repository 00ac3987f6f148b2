// Writes one wrong byte in one record directly into the store: readers and verify must notice it and name the right
// problem.
import type { MemoryLevel } from 'memory-level';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  cursorKey,
  eventKey,
  identityKey,
  META_KEY,
  sessionGroup,
  sessionKey,
} from '../../log/format/keys.ts';
import { bodyStartOf, openValue, sealValue } from '../../log/format/record.ts';
import { eventId, type Log } from '../../log/index.ts';
import { memoryStore, openMemoryLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents } from '../helpers/new-events.ts';

let store: MemoryLevel<Buffer, Buffer>;
let log: Log;
beforeEach(async () => {
  store = memoryStore();
  log = await openMemoryLog(store);
  await log.append(toolEvents(20), { cursors: [{ key: 'k', value: 1 }] });
});

async function flip(key: Buffer, at: number): Promise<void> {
  const value = Buffer.from((await store.get(key))!);
  value[at < 0 ? value.length + at : at]! ^= 1;
  await store.put(key, value);
}

/** Offset in an event's record of its body, which begins with the salt. */
async function bodyStart(position: number): Promise<number> {
  return bodyStartOf((await store.get(eventKey(position)))!)!;
}

async function problems(): Promise<string[]> {
  const report = await log.verify();
  expect(report.ok).toBe(report.problems.length === 0);
  return [...new Set(report.problems.map(({ kind }) => kind))].sort();
}

const id7 = eventId(toolEvent(7));

describe('a wrong byte in an event', () => {
  test.each([
    ['body', 'body', async () => -1],
    ['salt', 'body', () => bodyStart(7)],
    ['header', 'chain', async () => (await bodyStart(7)) - 2],
    ['low byte of the length of the header', 'chain', async () => 67],
    ['high byte of the length of the header', 'header', async () => 64],
    ['body hash', 'chain', async () => 40],
    ['chain', 'chain', async () => 3],
  ])('in the %s is noticed by page, get, pageBySession and verify', async (_, kind, at) => {
    await flip(eventKey(7), await at());
    const seen = { code: 'LOG_DAMAGED', facts: { position: 7, kind } };
    await expect(log.page({ after: 0 })).rejects.toMatchObject(seen);
    await expect(log.get(id7)).rejects.toMatchObject(seen);
    await expect(log.pageBySession({ agent: 'claude-code', session: 'session-1' })).rejects.toMatchObject(
      seen,
    );
    expect(await problems()).toContain(kind);
    expect((await log.verify()).problems.find((problem) => problem.kind === kind)?.position).toBe(7);
    expect((await log.page({ after: 0, limit: 6 })).events).toHaveLength(6);
  });

  test('in the last event is noticed, although no event follows it', async () => {
    await flip(eventKey(20), 40);
    await expect(log.page({ after: 18 })).rejects.toMatchObject({ facts: { position: 20, kind: 'chain' } });
    expect(await problems()).toContain('chain');
  });
});

test('a missing event is reported as a gap', async () => {
  await store.batch([7, 8].map((at) => ({ type: 'del', key: eventKey(at) })));
  await expect(log.page({ after: 0 })).rejects.toMatchObject({ facts: { position: 7, kind: 'gap' } });
  await expect(log.page({ after: 7 })).rejects.toMatchObject({ facts: { position: 7, kind: 'gap' } });
  await expect(log.get(id7)).rejects.toMatchObject({ facts: { position: 7, kind: 'gap' } });
  const { problems: found } = await log.verify();
  expect(found).toContainEqual({ kind: 'gap', position: 7, message: 'position 7 to 8 are missing' });
});

test('a missing acknowledged event at the end of the log is reported as a gap', async () => {
  await store.del(eventKey(20));
  await expect(log.page({ after: 15 })).rejects.toMatchObject({ facts: { position: 20, kind: 'gap' } });
  expect((await log.page({ after: 15, limit: 4 })).events).toHaveLength(4);
  expect(await problems()).toContain('gap');
});

test.each([
  ['no body', 'body', () => bodyStart(7)],
  ['half a header', 'header', async () => (await bodyStart(7)) - 10],
  ['nothing but a chain', 'header', async () => 32],
])('a record with %s is reported, and readers by id lose only that event', async (_, kind, length) => {
  const record = (await store.get(eventKey(7)))!;
  await store.put(eventKey(7), record.subarray(0, await length()));
  const seen = { code: 'LOG_DAMAGED', facts: { position: 7, kind } };
  await expect(log.page({ after: 0 })).rejects.toMatchObject(seen);
  await expect(log.get(id7)).rejects.toMatchObject(seen);
  expect(await problems()).toContain(kind);
  expect(await log.get(eventId(toolEvent(6)))).toMatchObject({ position: 6 });
});

test('removing a body does not change the chain', async () => {
  await store.put(eventKey(7), (await store.get(eventKey(7)))!.subarray(0, await bodyStart(7)));
  expect((await log.verify()).problems).toEqual([
    { kind: 'body', position: 7, message: 'the body is missing' },
  ]);
  expect((await log.page({ after: 7 })).events).toHaveLength(13);
});

test('missing, wrong and surplus entries of the id index are reported', async () => {
  await store.del(identityKey(id7));
  expect(await problems()).toContain('id-index');
  await store.put(identityKey(id7), (await store.get(identityKey(eventId(toolEvent(8)))))!);
  expect(await problems()).toContain('id-index');
  await expect(log.get(id7)).rejects.toMatchObject({ facts: { kind: 'id-index' } });
  await flip(identityKey(id7), 7);
  await store.put(identityKey('0'.repeat(32)), Buffer.alloc(8));
  expect(await problems()).toContain('id-index');
});

test('missing and surplus entries of the session index are reported', async () => {
  const group = sessionGroup('claude-code', 'session-1');
  await store.del(sessionKey(group, 7));
  expect(await problems()).toEqual(['session-index']);
  await store.put(sessionKey(group, 7), Buffer.alloc(0));
  expect(await problems()).toEqual([]);
  await store.put(sessionKey(sessionGroup('claude-code', 'another'), 7), Buffer.alloc(0));
  expect(await problems()).toEqual(['session-index']);
  await expect(log.pageBySession({ agent: 'claude-code', session: 'another' })).rejects.toMatchObject({
    facts: { kind: 'session-index' },
  });
});

test('a damaged cursor, a damaged or missing meta record and an unknown key are reported', async () => {
  await flip(cursorKey('k'), -1);
  expect(await problems()).toEqual(['cursor']);
  await expect(log.cursor('k')).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
  await flip(META_KEY, -3);
  expect(await problems()).toEqual(['cursor', 'meta']);
  await store.del(META_KEY);
  await store.put(Buffer.from('zzz'), Buffer.from('1'));
  expect(await problems()).toEqual(['cursor', 'meta', 'stray']);
});

test.each(['logId', 'origin'])('a meta record that names another %s is reported', async (name) => {
  const meta = openValue(META_KEY, (await store.get(META_KEY))!) as object;
  await store.put(META_KEY, sealValue(META_KEY, { ...meta, [name]: '0'.repeat(32) }));
  expect(await problems()).toEqual(['meta']);
});

test('a log without its meta record opens with the origin of its events as its id, and reports the damage', async () => {
  await store.del(META_KEY);
  const again = await openMemoryLog(store);
  expect(again.logId).toBe(log.logId);
  expect(again.damage).toMatchObject([{ kind: 'meta' }]);
  expect((await again.page({ after: 0 })).events).toHaveLength(20);
});

test('the event after a forged one does not fit the forged chain', async () => {
  const other = await openMemoryLog(memoryStore());
  await other.append(toolEvents(20, 100));
  const foreign = memoryStore();
  const forged = await openMemoryLog(foreign);
  await forged.append([...toolEvents(6), ...toolEvents(14, 200)]);
  await store.put(eventKey(7), (await foreign.get(eventKey(7)))!);
  const { problems: found } = await log.verify();
  expect(found.map(({ kind, position }) => `${kind} ${position}`)).toContain('chain 8');
});

test('after 100 problems of one kind the rest are counted, not listed', async () => {
  await log.append(toolEvents(500, 1000));
  for (let position = 1; position <= 400; position++) await flip(eventKey(position), -1);
  const { problems: found } = await log.verify();
  expect(found.filter(({ position }) => position !== null)).toHaveLength(100);
  expect(found).toContainEqual({
    kind: 'body',
    position: null,
    message: 'and 300 more problems of this kind',
  });
});
