// Carrying events between logs, below the files: records, lines, and what a log says of itself afterwards.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CarriedEvent,
  type Log,
  lineOf,
  linkProblem,
  logUntil,
  parseLine,
  restoreLog,
  type Telling,
} from '../../log/index.ts';
import { memoryStore, openMemoryLog } from '../helpers/logs.ts';
import { testWorld } from '../helpers/world.ts';

function telling(fact: string, text = 'seeds', occurredAt: number | null = 1_000): Telling {
  return {
    type: 'memory.saved',
    agent: 'annals',
    session: null,
    fact,
    witness: 'api',
    occurredAt,
    body: { title: fact, text },
  };
}

const FORGETTING: Telling<'memory.forgotten'> = {
  type: 'memory.forgotten',
  agent: 'annals',
  session: null,
  fact: 'a-forgetting',
  witness: 'cli',
  occurredAt: 2_000,
  body: { by: 'ids', events: [], names: [], items: [] },
};

async function logWith(seed: string, facts: readonly string[]): Promise<Log> {
  const log = await openMemoryLog(memoryStore(), testWorld(seed));
  await log.append(facts.map((fact) => telling(fact)));
  return log;
}

const carried = async (log: Log) => (await log.carry({ after: 0 })).events;

async function* pages(
  ...some: readonly (readonly CarriedEvent[])[]
): AsyncGenerator<readonly CarriedEvent[]> {
  yield* some;
}

describe('a line', () => {
  test('gives back the event that it was made of, whatever stands in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.jsonValue(),
        async (text, fact, metadata) => {
          const log = await openMemoryLog();
          await log.append([
            {
              ...telling(fact, `${text} ,"body": {"x`),
              body: { title: text, text, metadata: metadata as null },
            } as Telling,
          ]);
          const [event] = await carried(log);
          const line = lineOf(event!);
          expect(line).not.toContain('\n');
          expect(parseLine(line)).toEqual(event);
          expect(JSON.parse(line).body.text).toBe(JSON.parse(JSON.stringify(text)));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('of which any one character is another is not taken for what was written', async () => {
    const [first, second] = await carried(await logWith('a', ['one', 'two']));
    const line = lineOf(second!);
    for (let at = 0; at < line.length; at++) {
      const changed = `${line.slice(0, at)}${line[at] === '7' ? '8' : '7'}${line.slice(at + 1)}`;
      const event = parseLine(changed);
      // Where an event stood is no part of it; whoever reads lines counts them.
      const noticed =
        typeof event === 'string' ||
        event.position !== second!.position ||
        linkProblem(event, first!.chain) !== null;
      expect(noticed, `character ${at} of ${line}`).toBe(true);
    }
  });

  test('with a time that no calendar has is refused, as a telling with one is', async () => {
    const log = await logWith('a', ['one']);
    const line = lineOf((await carried(log))[0]!);
    expect(typeof parseLine(line)).toBe('object');
    for (const at of [8.64e15 + 1, -8.64e15 - 1, Number.MAX_SAFE_INTEGER]) {
      for (const field of ['occurredAt', 'recordedAt'])
        expect(parseLine(line.replace(new RegExp(`"${field}":\\d+`), `"${field}":${at}`))).toBe(
          'a field is missing or has a wrong form',
        );
      await expect(log.append([telling('two', 'seeds', at)])).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        facts: { field: 'occurredAt' },
      });
    }
    await expect(log.append([telling('last day', 'seeds', 8.64e15)])).resolves.toHaveLength(1);
  });
});

describe('a log that was restored', () => {
  test('has the chain of the first, an origin of its own, and counts its own events from 1', async () => {
    const log = await logWith('a', ['one', 'two']);
    const store = memoryStore();
    const head = await restoreLog(
      { directory: '', logId: log.logId, world: testWorld('b'), store },
      pages(await carried(log)),
    );
    expect(head).toEqual(log.head());
    const again = await openMemoryLog(store, testWorld('c'));
    expect(again.head()).toEqual(log.head());
    expect((await again.page({ after: 0 })).events).toEqual((await log.page({ after: 0 })).events);
    await again.append([telling('three'), telling('two')]);
    expect((await again.page({ after: 2 })).events).toMatchObject([{ origin: again.origin, originSeq: 1 }]);
    expect(again.origin).not.toBe(log.origin);
    expect(await again.verify()).toMatchObject({ ok: true, problems: [] });
  });

  test('is none when an event is missing, or not what it was', async () => {
    const log = await logWith('a', ['one', 'two', 'three']);
    const [one, two, three] = await carried(log);
    const restore = (events: readonly CarriedEvent[]) =>
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
  test('are taken once, with their own id, origin, sequence and time', async () => {
    const [log, other] = [await logWith('a', ['one', 'two']), await logWith('b', ['two', 'three'])];
    const outcomes = await log.adopt(await carried(other));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['duplicate', 'appended']);
    const { events } = await log.page({ after: 2 });
    expect(events).toMatchObject([{ origin: other.origin, originSeq: 2, occurredAt: 1_000, fact: 'three' }]);
    expect((await log.adopt(await carried(other))).map(({ outcome }) => outcome)).toEqual([
      'duplicate',
      'duplicate',
    ]);
    expect(await log.verify()).toMatchObject({ ok: true, problems: [] });
  });

  test('may say what was forgotten and leave out the lists that are empty, and the log still opens', async () => {
    const other = await logWith('b', ['two']);
    await other.append([FORGETTING]);
    const [, whole] = await carried(other);
    const salt = Buffer.alloc(16, 7);
    for (const json of ['{"by":"ids"}', '{"by":"ids","events":[{"agent":"annals","session":null}]}']) {
      const store = memoryStore();
      const log = await openMemoryLog(store, testWorld('a'));
      await log.adopt([{ header: whole!.header, body: { salt, json } }]);
      await log.append([telling('one')]);
      await log.close();
      const again = await openMemoryLog(store, testWorld('d'));
      expect(await again.forgettings()).toMatchObject([{ body: { names: [], items: [] } }]);
      await again.append([telling('two')]);
      expect((await again.page({ after: 0 })).events).toHaveLength(3);
      expect(await again.verify()).toMatchObject({ ok: true, problems: [] });
    }
  });

  test('leave our own sequence dense, also when the log is opened again behind them', async () => {
    const store = memoryStore();
    const log = await openMemoryLog(store, testWorld('a'));
    const others = await carried(await logWith('b', ['two', 'three']));
    await Promise.all([log.append([telling('one')]), log.adopt(others), log.append([telling('four')])]);
    await log.adopt(await carried(await logWith('c', ['five'])));
    await log.close();
    const again = await openMemoryLog(store, testWorld('d'));
    await again.append([telling('six')]);
    const own = (await again.page({ after: 0 })).events.flatMap((event) =>
      event.type !== 'unknown' && event.origin === again.origin ? [event.originSeq] : [],
    );
    expect(own).toEqual([1, 2, 3]);
    expect(await again.verify()).toMatchObject({ ok: true, problems: [] });
  });
});

describe('a log as it was', () => {
  test('holds what had happened by then, and takes nothing', async () => {
    const log = await openMemoryLog();
    await log.append([
      telling('late', 'x', 3_000),
      telling('early', 'x', 1_000),
      telling('never', 'x', null),
    ]);
    const facts = async (past: Log) =>
      (await past.page({ after: 0 })).events.map((event) => (event.type === 'unknown' ? '' : event.fact));
    expect(await facts(await logUntil(log, { time: 2_000 }))).toEqual(['early', 'never']);
    expect(await facts(await logUntil(log, { position: 1 }))).toEqual(['late']);
    expect(await facts(await logUntil(log, { position: 0 }))).toEqual([]);
    const past = await logUntil(log, { position: 1 });
    expect(past.head()).toMatchObject({ position: 1 });
    expect(await past.standing(past.head())).toBe('held');
    await expect(past.append([telling('new')])).rejects.toMatchObject({ code: 'USAGE' });
    await expect(logUntil(log, { position: 4 })).rejects.toMatchObject({ code: 'USAGE' });
  });
});
