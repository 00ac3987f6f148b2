// Forged logs with valid records and a valid chain, but wrong headers. Both passes of verify must notice: the quick scan
// and the walk that names the problem.
import { beforeEach, describe, expect, test } from 'vitest';
import { eventKey, identityKey, positionBytes } from '../../log/format/keys.ts';
import { genesis, type Header, openHeader, sealEvent } from '../../log/format/record.ts';
import { eventId, type Log } from '../../log/index.ts';
import { scanIntegrity } from '../../log/verify/integrity-scan.ts';
import { memoryStore, openMemoryLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents } from '../helpers/new-events.ts';

const EVENTS = 5;
const FORGED = 3;
const NO_SALT = Buffer.alloc(16);
let store: ReturnType<typeof memoryStore>;
let log: Log;

beforeEach(async () => {
  store = memoryStore();
  log = await openMemoryLog(store);
  await log.append(toolEvents(EVENTS));
});

/** Seals every event again, one of them with a changed header, and updates the id index for a changed id. */
async function forge(change: (header: Header) => Header): Promise<void> {
  let chain = genesis(log.logId);
  let before = chain;
  for (let position = 1; position <= EVENTS; position++) {
    const opened = openHeader((await store.get(eventKey(position)))!, before);
    if ('kind' in opened) throw new Error(opened.message);
    before = opened.chain;
    const header = position === FORGED ? change(opened.header) : opened.header;
    const sealed = sealEvent(header, NO_SALT, '{}', chain);
    chain = sealed.chain;
    await store.put(eventKey(position), sealed.record);
    if (header.id === opened.header.id) continue;
    await store.del(identityKey(opened.header.id));
    await store.put(identityKey(header.id), positionBytes(position));
  }
}

/** The quick scan. */
function quickScan(): Promise<number | null> {
  return scanIntegrity({
    store,
    tables: (async function* () {})(),
    logId: log.logId,
    origin: log.origin,
    tail: { position: EVENTS, originSeq: EVENTS, chain: '' },
    isForgotten: () => false,
    forgottenIds: () => [],
    startThread: undefined,
  });
}

async function kinds(): Promise<string[]> {
  return [...new Set((await log.verify()).problems.map(({ kind }) => kind))];
}

test('a log that is sealed again without a change is good', async () => {
  await forge((header) => header);
  expect(await quickScan()).toBe(EVENTS);
});

describe('an event', () => {
  test('with the id of another header is reported', async () => {
    await forge((header) => ({ ...header, id: eventId(toolEvent(99)) }));
    expect(await quickScan()).toBeNull();
    expect(await kinds()).toContain('header');
  });

  test.each([1, 2, 4, 5])('with the origin sequence %i instead of 3 is reported', async (originSeq) => {
    await forge((header) => ({ ...header, originSeq }));
    expect(await quickScan()).toBeNull();
    expect(await kinds()).toContain('origin');
  });
});
