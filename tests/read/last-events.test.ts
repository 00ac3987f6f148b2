// The last events are found from the end of the log: the number of reads depends on the request, not on the log's size.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { EventType, Log } from '../../log/index.ts';
import {
  type LoggedEvent,
  lastOf,
  pagesBackwards,
  sessionPagesBackwards,
} from '../../src/read/last-events.ts';
import { eventsOf, sharedFolder, withHome } from '../e2e/homes.ts';
import { openMemoryLog } from '../helpers/logs.ts';
import { toolEvent, toolEvents, workdirEvent } from '../helpers/new-events.ts';

const folder = sharedFolder('last-events');

/** A log that counts the events it returns. */
function counted(log: Log): { log: Log; read: () => number } {
  let read = 0;
  const count = <P extends { events: readonly unknown[] }>(page: P): P => {
    read += page.events.length;
    return page;
  };
  const counting: Log = Object.create(log, {
    head: { value: () => log.head() },
    page: { value: async (request: Parameters<Log['page']>[0]) => count(await log.page(request)) },
    pageBySession: {
      value: async (request: Parameters<Log['pageBySession']>[0]) => count(await log.pageBySession(request)),
    },
  });
  return { log: counting, read: () => read };
}

const of =
  (...types: EventType[]) =>
  (event: LoggedEvent): event is Extract<LoggedEvent, { version: number }> =>
    event.type !== 'unknown' && (types.length === 0 || types.includes(event.type));

test('the last 20 events of a long log need about a hundred reads, those of a rare type no more than necessary', async () => {
  const fullLog = await openMemoryLog();
  await fullLog.append(toolEvents(600));
  await fullLog.append([workdirEvent('/srv/work')]);
  await fullLog.append(toolEvents(800, 3_000));
  const all = counted(fullLog);
  const last = await lastOf(pagesBackwards(all.log, 0), 20, of());
  expect(last.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, at) => 1_382 + at));
  expect(all.read()).toBeLessThanOrEqual(100);
  const rare = counted(fullLog);
  expect(await lastOf(pagesBackwards(rare.log, 0), 1, of('workdir.seen'))).toMatchObject([{ position: 601 }]);
  expect(rare.read()).toBeLessThan(1_000);
  const after = counted(fullLog);
  expect(await lastOf(pagesBackwards(after.log, 1_390), 20, of())).toHaveLength(11);
  expect(await lastOf(pagesBackwards(after.log, 1_401), 20, of())).toEqual([]);
  expect(after.read()).toBe(11);
});

test('events larger than a page are all read', async () => {
  const log = await openMemoryLog();
  await log.append(Array.from({ length: 7 }, (_, at) => toolEvent(at, 'session-1', 80_000)));
  const last = await lastOf(pagesBackwards(log, 0), 100, of());
  expect(last.map(({ position }) => position)).toEqual(Array.from({ length: 7 }, (_, at) => at + 1));
});

test('the last events of one session are found without reading the rest', async () => {
  const fullLog = await openMemoryLog();
  for (let block = 0; block < 10; block++) {
    await fullLog.append(toolEvents(100, block * 200, 'session-1'));
    await fullLog.append(toolEvents(100, block * 200 + 100, 'session-2'));
  }
  const { log, read } = counted(fullLog);
  const session = { agent: 'claude-code', session: 'session-1', after: 0 };
  const last = await lastOf(sessionPagesBackwards(log, session), 150, of());
  expect(last.map(({ position }) => position)).toEqual([
    ...Array.from({ length: 50 }, (_, at) => 1_651 + at),
    ...Array.from({ length: 100 }, (_, at) => 1_801 + at),
  ]);
  expect(read()).toBe(192);
  const few = await lastOf(sessionPagesBackwards(log, { ...session, after: 1_890 }), 150, of());
  expect(few).toHaveLength(10);
});

test('the last events are the end of the filtered list', async () => {
  await withHome(join(folder, 'home'), async (annals) => {
    await annals.append([...toolEvents(150, 1, 'one'), ...toolEvents(150, 200, 'two'), workdirEvent('/srv')]);
    await annals.save({ title: 'A note', text: 'kept in a session', session: 'one' });
    await annals.append(toolEvents(30, 400, 'one'));
    for (const filter of [
      {},
      { kind: 'tool' },
      { kind: 'memory' },
      { kind: 'prompt' },
      { type: 'workdir.seen' as const },
      { session: 'one' },
      { session: 'one', kind: 'tool' },
      { after: 320 },
      { session: 'one', after: 310 },
    ]) {
      const every = (await eventsOf(annals, filter)).sort((one, other) => one.position - other.position);
      for (const last of [0, 1, 20, 40, 1_000])
        expect(await eventsOf(annals, { ...filter, last }), JSON.stringify(filter)).toEqual(
          last === 0 ? [] : every.slice(-last),
        );
    }
  });
});
