// Export, restore and import at the level of events and lines.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ExportedEvent,
  exportedLine,
  type Log,
  linkProblem,
  logUntil,
  type NewEvent,
  parseExportedLine,
  restoreLog,
  StoredBody,
} from '../../log/index.ts';
import { isTable } from '../../log/leveldb-files/leveldb-file.ts';
import { memoryStore, openMemoryLog } from '../helpers/logs.ts';
import { temporaryFolder, testWorld } from '../helpers/world.ts';

function newEvent(dedupeKey: string, text = 'seeds', occurredAt: number | null = 1_000): NewEvent {
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    dedupeKey,
    channel: 'api',
    occurredAt,
    body: { title: dedupeKey, text },
  };
}

const FORGETTING: NewEvent<'memory.forgotten'> = {
  type: 'memory.forgotten',
  agent: 'annals',
  session: null,
  dedupeKey: 'a-forgetting',
  channel: 'cli',
  occurredAt: 2_000,
  body: { by: 'ids', events: [], names: [], items: [] },
};

async function logWith(seed: string, facts: readonly string[]): Promise<Log> {
  const log = await openMemoryLog(memoryStore(), testWorld(seed));
  await log.append(facts.map((dedupeKey) => newEvent(dedupeKey)));
  return log;
}

const exported = async (log: Log) => (await log.exportPage({ after: 0 })).events;

async function* pages(
  ...some: readonly (readonly ExportedEvent[])[]
): AsyncGenerator<readonly ExportedEvent[]> {
  yield* some;
}

describe('an exported line', () => {
  test('parses back to the same event, whatever its content', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.jsonValue(),
        async (text, dedupeKey, metadata) => {
          const log = await openMemoryLog();
          await log.append([
            {
              ...newEvent(dedupeKey, `${text} ,"body": {"x`),
              body: { title: text, text, metadata: metadata as null },
            } as NewEvent,
          ]);
          const [event] = await exported(log);
          const line = exportedLine(event!);
          expect(line).not.toContain('\n');
          expect(parseExportedLine(line)).toEqual(event);
          expect(JSON.parse(line).body.text).toBe(JSON.parse(JSON.stringify(text)));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('with any one character changed is rejected', async () => {
    const [first, second] = await exported(await logWith('a', ['one', 'two']));
    const line = exportedLine(second!);
    for (let at = 0; at < line.length; at++) {
      const changed = `${line.slice(0, at)}${line[at] === '7' ? '8' : '7'}${line.slice(at + 1)}`;
      const event = parseExportedLine(changed);
      // The position is not covered by the chain; readers count lines.
      const noticed =
        typeof event === 'string' ||
        event.position !== second!.position ||
        linkProblem(event, first!.chain) !== null;
      expect(noticed, `character ${at} of ${line}`).toBe(true);
    }
  });

  test('with a time outside the range of a Date is rejected, as a new event is', async () => {
    const log = await logWith('a', ['one']);
    const line = exportedLine((await exported(log))[0]!);
    expect(typeof parseExportedLine(line)).toBe('object');
    for (const at of [8.64e15 + 1, -8.64e15 - 1, Number.MAX_SAFE_INTEGER]) {
      for (const field of ['occurredAt', 'recordedAt'])
        expect(parseExportedLine(line.replace(new RegExp(`"${field}":\\d+`), `"${field}":${at}`))).toBe(
          'a field is missing or has the wrong form',
        );
      await expect(log.append([newEvent('two', 'seeds', at)])).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        facts: { field: 'occurredAt' },
      });
    }
    await expect(log.append([newEvent('last day', 'seeds', 8.64e15)])).resolves.toHaveLength(1);
  });
});

describe('a restored log', () => {
  test('has the same chain and a new origin, and counts its own events from 1', async () => {
    const log = await logWith('a', ['one', 'two']);
    const store = memoryStore();
    const head = await restoreLog(
      { directory: '', logId: log.logId, world: testWorld('b'), store },
      pages(await exported(log)),
    );
    expect(head).toEqual(log.head());
    const again = await openMemoryLog(store, testWorld('c'));
    expect(again.head()).toEqual(log.head());
    expect((await again.page({ after: 0 })).events).toEqual((await log.page({ after: 0 })).events);
    await again.append([newEvent('three'), newEvent('two')]);
    expect((await again.page({ after: 2 })).events).toMatchObject([{ origin: again.origin, originSeq: 1 }]);
    expect(again.origin).not.toBe(log.origin);
    expect(await again.verify()).toMatchObject({ ok: true, problems: [] });
  });

  test('is in synced tables but for its last batch', async () => {
    const log = await openMemoryLog();
    for (let part = 0; part < 30; part++)
      await log.append([newEvent(`part ${part}`, 'seed '.repeat(10_000))]);
    const folder = await temporaryFolder();
    const directory = join(folder.path, 'log');
    await restoreLog({ directory, logId: log.logId, world: testWorld('b') }, pages(await exported(log)));
    expect(readdirSync(directory).filter(isTable)).not.toEqual([]);
    await folder.remove();
  });

  test('is rejected when an event is missing or changed', async () => {
    const log = await logWith('a', ['one', 'two', 'three']);
    const [one, two, three] = await exported(log);
    const restore = (events: readonly ExportedEvent[]) =>
      restoreLog(
        { directory: '', logId: log.logId, world: testWorld('b'), store: memoryStore() },
        pages(events),
      );
    await expect(restore([one!, three!])).rejects.toMatchObject({ facts: { position: 2 } });
    await expect(restore([one!, { ...two!, body: three!.body }])).rejects.toMatchObject({
      facts: { position: 2 },
    });
    const later = { ...two!, header: { ...two!.header, occurredAt: 2_000 } };
    await expect(restore([one!, later])).rejects.toMatchObject({ facts: { position: 2 } });
  });
});

describe('events of another log', () => {
  test('are imported once, with their own id, origin, sequence and time', async () => {
    const [log, other] = [await logWith('a', ['one', 'two']), await logWith('b', ['two', 'three'])];
    const outcomes = await log.importEvents(await exported(other));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['duplicate', 'appended']);
    const { events } = await log.page({ after: 2 });
    expect(events).toMatchObject([
      { origin: other.origin, originSeq: 2, occurredAt: 1_000, dedupeKey: 'three' },
    ]);
    expect((await log.importEvents(await exported(other))).map(({ outcome }) => outcome)).toEqual([
      'duplicate',
      'duplicate',
    ]);
    expect(await log.verify()).toMatchObject({ ok: true, problems: [] });
  });

  test('are recorded at the time of their import', async () => {
    const other = await logWith('b', ['two']);
    const importedAt = Date.UTC(2026, 5, 1);
    const log = await openMemoryLog(memoryStore(), testWorld('a', importedAt));
    await log.importEvents(await exported(other));
    expect((await log.page({ after: 0 })).events).toMatchObject([{ recordedAt: importedAt }]);
  });

  test('may include a memory.forgotten without its empty lists, and the log still opens', async () => {
    const other = await logWith('b', ['two']);
    await other.append([FORGETTING]);
    const [, forgetting] = await exported(other);
    const salt = Buffer.alloc(16, 7);
    for (const json of ['{"by":"ids"}', '{"by":"ids","events":[{"agent":"annals","session":null}]}']) {
      const store = memoryStore();
      const log = await openMemoryLog(store, testWorld('a'));
      await log.importEvents([{ header: forgetting!.header, body: StoredBody.of(salt, json) }]);
      await log.append([newEvent('one')]);
      await log.close();
      const again = await openMemoryLog(store, testWorld('d'));
      expect(await again.forgettings()).toMatchObject([{ body: { names: [], items: [] } }]);
      await again.append([newEvent('two')]);
      expect((await again.page({ after: 0 })).events).toHaveLength(3);
      expect(await again.verify()).toMatchObject({ ok: true, problems: [] });
    }
  });

  test('leave our own sequence dense, also when the log is reopened after them', async () => {
    const store = memoryStore();
    const log = await openMemoryLog(store, testWorld('a'));
    const others = await exported(await logWith('b', ['two', 'three']));
    await Promise.all([
      log.append([newEvent('one')]),
      log.importEvents(others),
      log.append([newEvent('four')]),
    ]);
    await log.importEvents(await exported(await logWith('c', ['five'])));
    await log.close();
    const again = await openMemoryLog(store, testWorld('d'));
    await again.append([newEvent('six')]);
    const own = (await again.page({ after: 0 })).events.flatMap((event) =>
      event.type !== 'unknown' && event.origin === again.origin ? [event.originSeq] : [],
    );
    expect(own).toEqual([1, 2, 3]);
    expect(await again.verify()).toMatchObject({ ok: true, problems: [] });
  });
});

describe('a past log', () => {
  test('contains the events up to its bound, and is read-only', async () => {
    const log = await openMemoryLog();
    await log.append([
      newEvent('late', 'x', 3_000),
      newEvent('early', 'x', 1_000),
      newEvent('never', 'x', null),
    ]);
    const facts = async (past: Log) =>
      (await past.page({ after: 0 })).events.map((event) =>
        event.type === 'unknown' ? '' : event.dedupeKey,
      );
    expect(await facts(await logUntil(log, { time: 2_000 }))).toEqual(['early', 'never']);
    expect(await facts(await logUntil(log, { position: 1 }))).toEqual(['late']);
    expect(await facts(await logUntil(log, { position: 0 }))).toEqual([]);
    const past = await logUntil(log, { position: 1 });
    expect(past.head()).toMatchObject({ position: 1 });
    expect(await past.compareCheckpoint(past.head())).toBe('held');
    await expect(past.append([newEvent('new')])).rejects.toMatchObject({ code: 'USAGE' });
    await expect(logUntil(log, { position: 4 })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
