// The quick scan of a large log uses two threads: checks each of them, and what only their totals together show.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { MemoryLevel } from 'memory-level';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cursorKey,
  eventKey,
  forgottenKey,
  identityKey,
  META_KEY,
  sessionGroup,
  sessionKey,
} from '../../log/format/keys.ts';
import { bodyStartOf } from '../../log/format/record.ts';
import { eventId, type Log, type NewEvent } from '../../log/index.ts';
import { type IntegrityScanRequest, scanIntegrity } from '../../log/verify/integrity-scan.ts';
import { memoryStore, openMemoryLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents } from '../helpers/new-events.ts';
import { REPOSITORY } from '../helpers/program.ts';

const EVENTS = 10_000;
const FORGOTTEN = 9_900;
const FORGETTING: NewEvent<'memory.forgotten'> = {
  type: 'memory.forgotten',
  agent: 'annals',
  session: null,
  dedupeKey: 'forgetting-1',
  channel: 'cli',
  occurredAt: 1_767_300_000_000,
  body: {
    by: 'ids',
    events: [{ agent: 'claude-code', session: 'session-1', ids: [eventId(toolEvent(FORGOTTEN))] }],
    names: [],
    items: [],
  },
};
const folder = mkdtempSync(join(tmpdir(), 'annals-scan-'));
const program = join(folder, 'scan-thread.cjs');
let store: MemoryLevel<Buffer, Buffer>;
let log: Log;
let threads = 0;

beforeAll(async () => {
  const source = join(REPOSITORY, 'log/verify/scan-thread.ts');
  await build({ entryPoints: [source], outfile: program, bundle: true, platform: 'node', format: 'cjs' });
  store = memoryStore();
  log = await openMemoryLog(store);
  await log.append(toolEvents(EVENTS - 1, 1, 'session-1', 2), { cursors: [{ key: 'k', value: 1 }] });
  await log.append([FORGETTING]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function scanned(changes: Partial<IntegrityScanRequest> = {}): Promise<number | null> {
  const forgotten = new Set([eventId(toolEvent(FORGOTTEN))]);
  return scanIntegrity({
    store,
    tables: (async function* () {})(),
    logId: log.logId,
    origin: log.origin,
    tail: { position: EVENTS, originSeq: EVENTS, chain: '' },
    isForgotten: (id) => forgotten.has(id),
    forgottenIds: () => forgotten,
    startThread: (_, data) => {
      threads += 1;
      return new Worker(program, { workerData: data });
    },
    ...changes,
  });
}

async function changed(key: Buffer, change: (value: Buffer) => Buffer | null): Promise<void> {
  const value = change(Buffer.from((await store.get(key)) ?? ''));
  if (value === null) await store.del(key);
  else await store.put(key, value);
}

function flipped(at: number): (value: Buffer) => Buffer {
  return (value) => {
    value[at < 0 ? value.length + at : at]! ^= 1;
    return value;
  };
}

test('an intact log is found good with both threads, and progress reaches the end', async () => {
  const reported: number[] = [];
  threads = 0;
  expect(await scanned({ onProgress: (done) => reported.push(done) })).toBe(EVENTS);
  expect(threads).toBe(1);
  expect(reported.every((done, index) => index === 0 || done >= reported[index - 1]!)).toBe(true);
});

const id7 = eventId(toolEvent(7));
const group = sessionGroup('claude-code', 'session-1');

test.each<[string, Buffer, (value: Buffer) => Buffer | null]>([
  ['a wrong byte in a body', eventKey(9_999), flipped(-1)],
  ['a wrong byte in a header', eventKey(7), flipped(90)],
  ['a wrong byte in the last chain', eventKey(EVENTS), flipped(3)],
  ['a missing event', eventKey(5_000), () => null],
  ['a missing last event', eventKey(EVENTS), () => null],
  ['a removed body', eventKey(7), (record) => record.subarray(0, bodyStartOf(record)!)],
  ['a record cut off in its header', eventKey(7), (record) => record.subarray(0, 80)],
  ['an empty record', eventKey(7), () => Buffer.alloc(0)],
  ['an id that is missing from the index', identityKey(id7), () => null],
  ['an id that points to another position', identityKey(id7), flipped(7)],
  ['an id of no event', identityKey('00'.repeat(16)), () => Buffer.alloc(8, 1)],
  ['a session that lacks an event', sessionKey(group, 7), () => null],
  ['a session with an event too many', sessionKey(group, EVENTS + 1), () => Buffer.alloc(0)],
  ['a forgetting that is missing from the index', forgottenKey(EVENTS), () => null],
  ['a wrong byte in a cursor', cursorKey('k'), flipped(-1)],
  ['a wrong byte in the meta record', META_KEY, flipped(-1)],
  ['no meta record', META_KEY, () => null],
  ['an unknown key', Buffer.from('A'), () => Buffer.from('stray')],
  ['an event under a key that is too long', Buffer.from('e234567890'), () => Buffer.from('stray')],
])('%s is noticed', async (_, key, change) => {
  const before = await store.get(key);
  await changed(key, change);
  expect(await scanned()).toBeNull();
  await changed(key, () => before ?? null);
});

test('a forgotten event with a body is noticed, and so is a blanked event that was not forgotten', async () => {
  expect(await scanned({ forgottenIds: () => [] })).toBeNull();
  const none = new Set([eventId(toolEvent(FORGOTTEN)), id7]);
  expect(await scanned({ forgottenIds: () => none })).toBeNull();
});

test('damaged tables or a dying thread never pass as a good log, and without a thread the scan still works', async () => {
  const tables = (async function* () {
    yield { content: Buffer.from('no table') };
  })();
  expect(await scanned({ tables })).toBeNull();
  const startThread = () => new Worker('process.exit(0)', { eval: true });
  expect(await scanned({ startThread })).toBeNull();
  expect(await scanned({ startThread: () => new Worker('throw new Error()', { eval: true }) })).toBeNull();
  expect(await scanned({ startThread: () => null })).toBe(EVENTS);
  expect(await scanned()).toBe(EVENTS);
});

test('a small log starts no thread', async () => {
  const few = memoryStore();
  const small = await openMemoryLog(few);
  await small.append(toolEvents(50));
  threads = 0;
  const { logId, origin } = small;
  expect(await scanned({ store: few, logId, origin, tail: { position: 50, originSeq: 50, chain: '' } })).toBe(
    50,
  );
  expect(threads).toBe(0);
});
