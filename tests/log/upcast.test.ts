import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { eventKey, identityKey, positionBytes } from '../../log/format/keys.ts';
import { genesis, sealEvent } from '../../log/format/record.ts';
import { upcast } from '../../log/format/upcast.ts';
import { EVENT_TYPES, eventId, loadCatalog, type NewEvent } from '../../log/index.ts';
import { memoryStore, openMemoryLog } from '../helpers/logs.ts';
import { testWorld } from '../helpers/world.ts';

const CATALOG = await loadCatalog();

interface Fixture {
  readonly version: number;
  readonly newEvent: NewEvent;
}

const folder = join(import.meta.dirname, '../fixtures/events');
const fixtures = readdirSync(folder).map((name): [string, Fixture] => [
  name,
  JSON.parse(readFileSync(join(folder, name), 'utf8')),
]);
const LOG_ID = '0123456789abcdef0123456789abcdef';

/** A log in memory with one hand-written event, as an older or a newer version would have stored it. */
async function logWith(
  { type, version, body }: { type: string; version: number; body: object },
  newEvent: NewEvent,
) {
  const store = memoryStore();
  const { agent, session, dedupeKey, channel, occurredAt } = newEvent;
  const id = eventId({ ...newEvent, type: type as NewEvent['type'] });
  const header = {
    ...{ id, type, v: version, agent, session, dedupeKey, origin: LOG_ID, originSeq: 1 },
    ...{ occurredAt, recordedAt: 5, channel, causation: null },
  };
  const salt = testWorld().randomBytes(16);
  const { record } = sealEvent(header, salt, JSON.stringify(body), genesis(LOG_ID));
  await store.put(eventKey(1), record);
  await store.put(identityKey(id), positionBytes(1));
  // Without a meta record the log takes its id from this event.
  return { log: await openMemoryLog(store), id };
}

describe('every released version of an event', () => {
  test.each(fixtures)(
    '%s is read as it was stored, including unknown fields',
    async (_, { version, newEvent }) => {
      const { log, id } = await logWith({ type: newEvent.type, version, body: newEvent.body }, newEvent);
      const event = await log.get(id);
      expect(event).toMatchObject({ ...newEvent, version: CATALOG[newEvent.type].version });
      expect(event?.body).toMatchObject({ laterField: { kept: ['as', 'it', 'is'] } });
      expect(CATALOG[newEvent.type].body.safeParse(event?.body).success).toBe(true);
    },
  );

  test.each(fixtures)('%s can still be appended', async (_, { newEvent }) => {
    const log = await openMemoryLog();
    await log.append([newEvent]);
    const { events } = await log.page({ after: 0 });
    expect(events).toMatchObject([newEvent]);
  });

  test('has a fixture for each type of the catalogue', () => {
    const written = fixtures.map(([, { version, newEvent }]) => `${newEvent.type}.v${version}.json`);
    expect(fixtures.map(([name]) => name)).toEqual(written);
    const expected = EVENT_TYPES.flatMap((type) =>
      Array.from({ length: CATALOG[type].version }, (_, at) => `${type}.v${at + 1}.json`),
    );
    const missing = expected.filter((name) => !written.includes(name));
    expect(missing, 'write these files into tests/fixtures/events').toEqual([]);
    expect(written).toHaveLength(expected.length);
  });
});

test('a body is upcast one version at a time and keeps unknown fields', () => {
  const table = {
    'tool.used': {
      1: ({ ms, ...rest }: Readonly<Record<string, unknown>>) => ({ ...rest, durationMs: ms ?? null }),
      2: (body: Readonly<Record<string, unknown>>) => ({
        ...body,
        outcome: body.ok === true ? 'ok' : 'failed',
      }),
    },
  };
  const old = Object.freeze({ ms: 12, ok: true, extra: [1] });
  expect(upcast('tool.used', 1, old, 3, table)).toEqual({
    durationMs: 12,
    ok: true,
    outcome: 'ok',
    extra: [1],
  });
  expect(upcast('tool.used', 2, old, 3, table)).toEqual({ ms: 12, ok: true, outcome: 'ok', extra: [1] });
  expect(upcast('tool.used', 3, old, 3, table)).toEqual(old);
  expect(() => upcast('tool.used', 1, old, 4, table)).toThrow('no upcaster from version 3');
});

test.each([
  ['a type', { type: 'planet.discovered', version: 1, body: { name: 'x' } }],
  ['a version', { type: 'tool.used', version: 99, body: { anything: 1 } }],
])('an event of %s that only a newer version knows is skipped, not lost', async (_, written) => {
  const [, { newEvent }] = fixtures.find(([name]) => name.startsWith('tool.used'))!;
  const { log, id } = await logWith(written, newEvent);
  const { events, end } = await log.page({ after: 0 });
  expect(events).toEqual([
    {
      type: 'unknown',
      unknownType: written.type,
      id,
      agent: newEvent.agent,
      session: newEvent.session,
      position: 1,
      recordedAt: 5,
    },
  ]);
  expect(end).toEqual(log.head());
  expect(await log.get(id)).toBeUndefined();
});
