// Logs whose records and chain are whole, because whoever forged them sealed them anew: what is wrong is what the headers
// say. Both passes of verify must see it, the quick one over everything and the one that names the problem.
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

/** Seals every event anew, one with another header; ids lead where they led, and a new id leads there too. */
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

/** The quick pass. */
function swept(): Promise<number | null> {
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

test('a log that was sealed anew as it was is good', async () => {
  await forge((header) => header);
  expect(await swept()).toBe(EVENTS);
});

describe('an event', () => {
  test('whose id is that of another header is found', async () => {
    await forge((header) => ({ ...header, id: eventId(toolEvent(99)) }));
    expect(await swept()).toBeNull();
    expect(await kinds()).toContain('header');
  });

  test.each([1, 2, 4, 5])('whose number in its origin is %i instead of 3 is found', async (originSeq) => {
    await forge((header) => ({ ...header, originSeq }));
    expect(await swept()).toBeNull();
    expect(await kinds()).toContain('origin');
  });
});
