// What is different when many events are exchanged: pages are read ahead, own messages are not read back, and what passed
// through the hands is not read again.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ExportedEvent } from '../../log/index.ts';
import type { SharedLog } from '../../src/share/log/shared-log.ts';
import { type SharedPosition, syncKeys } from '../../src/share/rows/sync-rows.ts';
import type { HeldSetRow } from '../../src/share/sync/held-set.ts';
import { Holdings } from '../../src/share/sync/holdings.ts';
import { Cut, contents, cutAfter, type Machine, machine, PROJECT, REMOTE, reply, seen } from './machines.ts';
import { MemoryServer } from './memory-shared-log.ts';

async function captured(one: Machine, session: string, events: number): Promise<void> {
  await one.capture(
    seen('/a/app', REMOTE),
    ...Array.from({ length: events }, (_, number) => reply(session, number, '/a/app')),
  );
}

/** Counts the messages that are read. */
function counted(shared: SharedLog): { readonly shared: SharedLog; read(): number } {
  let read = 0;
  const page: SharedLog['page'] = async (request) => {
    const messages = await shared.page(request);
    read += messages.length;
    return messages;
  };
  const { append, remove, state, close } = shared;
  const bound = { append: append.bind(shared), remove: remove.bind(shared), state: state.bind(shared) };
  return { shared: { ...bound, page, closed: shared.closed, close: close.bind(shared) }, read: () => read };
}

/** As it is, and as a new count of the log finds it. */
async function held(one: Machine): Promise<readonly (HeldSetRow | null)[]> {
  const rows = one.rows();
  const known = rows.get<HeldSetRow>(syncKeys.held(PROJECT.key));
  rows.set(syncKeys.heldUpTo, null);
  const parts = { log: one.log, rows, projects: [PROJECT], lookAt: () => null };
  const sets = await new Holdings(parts).events(one.log.head().position);
  return [known, sets.get(PROJECT.key)?.row() ?? null];
}

test('a machine does not read back what it sent, and misses nothing of others in between', async () => {
  const server = new MemoryServer();
  const [one, other] = [await machine('one'), await machine('other')];
  await captured(one, 'mine', 1_500);
  const first = counted(server.connect());
  expect(await one.sync(first.shared)).toMatchObject({ events: 1_501, received: 0 });
  expect(first.read()).toBeLessThan(20);
  expect(one.rows().get<SharedPosition>(syncKeys.inbox)?.position).toBeGreaterThan(1_500);
  await captured(other, 'theirs', 700);
  expect(await other.sync(server.connect())).toMatchObject({ events: 701, received: 1_500 });
  await captured(one, 'more', 700);
  const second = counted(server.connect());
  expect(await one.sync(second.shared)).toMatchObject({ events: 700, received: 700 });
  expect(second.read()).toBeLessThan(800);
  expect(await other.sync(server.connect())).toMatchObject({ received: 700 });
  const [mine, theirs] = [await contents(one.log), await contents(other.log)];
  expect(mine.size).toBe(2_901);
  expect([...mine].sort()).toEqual([...theirs].sort());
});

test('what another machine sent just before is read all the same', async () => {
  const server = new MemoryServer();
  const [one, other] = [await machine('one'), await machine('other')];
  await one.sync(server.connect());
  await captured(one, 'mine', 1_500);
  await captured(other, 'theirs', 600);
  const { shared } = counted(server.connect());
  const { append } = shared;
  let isFirst = true;
  shared.append = async (messages) => {
    if (isFirst) await other.sync(server.connect());
    isFirst = false;
    return append(messages);
  };
  expect(await one.sync(shared)).toMatchObject({ received: 600 });
});

test('what was counted while it passed is what a new count of the log finds', async () => {
  const server = new MemoryServer();
  const [one, other] = [await machine('one'), await machine('other')];
  for (const round of [1, 2, 3]) {
    await captured(one, `mine ${round}`, 600);
    await captured(other, `theirs ${round}`, 50 * round);
    for (const each of [one, other, one, other]) await each.sync(server.connect());
    for (const each of [one, other]) {
      const [known, again] = await held(each);
      expect(known).not.toBeNull();
      expect(known).toEqual(again);
    }
  }
});

test('what came from others is not read from the log again', async () => {
  const server = new MemoryServer();
  const [one, other] = [await machine('one'), await machine('other')];
  await captured(one, 'mine', 1_500);
  await one.sync(server.connect());
  let read = 0;
  const { exportPage } = other.log;
  other.log.exportPage = async (request) => {
    const page = await exportPage.call(other.log, request);
    read += page.events.length;
    return page;
  };
  expect(await other.sync(server.connect())).toMatchObject({ received: 1_501 });
  expect(read).toBe(0);
});

test('a key in a page that was read ahead opens the pages after it', async () => {
  const server = new MemoryServer();
  const [one, other] = [await machine('one'), await machine('other')];
  await captured(one, 'first', 2_100);
  await one.sync(server.connect());
  one.team.rotate('second');
  await captured(one, 'second', 4_200);
  await one.sync(server.connect());
  const forgettings = vi.spyOn(other.log, 'forgettings');
  expect(await other.sync(server.connect())).toMatchObject({ received: 6_301 });
  // Not for each page.
  expect(forgettings).toHaveBeenCalledTimes(1);
  expect(other.rows().startingWith(syncKeys.prefixes.unopened)).toEqual([]);
  expect((await contents(other.log)).size).toBe(6_301);
});

test('wherever the connection is cut, nothing is lost and nothing is there twice', async () => {
  for (let calls = 1; calls < 16; calls += 5) {
    const server = new MemoryServer();
    const [one, other] = [await machine('one'), await machine('other')];
    await captured(one, 'mine', 2_600);
    const cut = async (each: Machine): Promise<void> => {
      await each.sync(cutAfter(server.connect(), calls)).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Cut);
      });
      if (calls % 2 === 1) await each.restart();
    };
    await cut(one);
    await one.sync(server.connect());
    await cut(other);
    await other.sync(server.connect());
    const [mine, theirs] = [await contents(one.log), await contents(other.log)];
    expect(theirs.size, `cut after ${calls} calls`).toBe(2_601);
    expect([...theirs].sort()).toEqual([...mine].sort());
    for (const each of [one, other]) {
      const [known, again] = await held(each);
      expect(known).toEqual(again);
    }
  }
});

test('the server is asked to remove messages when nothing is on its way, so that the request need not wait', async () => {
  const one = await machine('one');
  await captured(one, 'mine', 300);
  const [, { header }] = (await one.log.exportPage({ after: 0 })).events as [ExportedEvent, ExportedEvent];
  const { agent, session, id } = header;
  const events = [{ agent, session, ids: [id] }];
  await one.capture({
    ...{ type: 'memory.forgotten', agent: 'annals', session: null, channel: 'cli', occurredAt: 1 },
    ...{ dedupeKey: id, body: { by: 'ids', copies: false, events, names: [], items: [] } },
  });
  await captured(one, 'more', 2_000);
  const shared = new MemoryServer().connect();
  const [append, remove] = [shared.append.bind(shared), shared.remove.bind(shared)];
  let onTheirWay = 0;
  shared.append = async (messages) => {
    onTheirWay += 1;
    await new Promise(setImmediate);
    onTheirWay -= 1;
    return append(messages);
  };
  const removals: { readonly ids: number; readonly onTheirWay: number }[] = [];
  shared.remove = (project, ids) => {
    removals.push({ ids: ids.length, onTheirWay });
    return remove(project, ids);
  };
  await one.exchange(shared);
  expect(removals).toEqual([{ ids: 1, onTheirWay: 0 }]);
});

describe('what the server acknowledged is not sent again', () => {
  const EVENTS = 2_600;
  const BATCH = 256;

  /** A connection that does something before each of its appends. */
  function beforeAppend(work: (appends: number) => unknown, shared: SharedLog): SharedLog {
    const append = shared.append.bind(shared);
    let appends = 0;
    shared.append = async (messages) => {
      appends += 1;
      await work(appends);
      return append(messages);
    };
    return shared;
  }

  async function sentUpTo(one: Machine): Promise<number> {
    const key = syncKeys.sent(PROJECT.key);
    const found = (await one.log.cursors(key)).find((cursor) => cursor.key === key);
    return (found?.value as SharedPosition | undefined)?.position ?? 0;
  }

  test('after a connection that was cut', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await captured(one, 'mine', EVENTS);
    const cut = beforeAppend((appends) => {
      if (appends === 4) throw new Cut();
    }, server.connect());
    await expect(one.exchange(cut)).rejects.toBeInstanceOf(Cut);
    expect(await sentUpTo(one)).toBe(3 * BATCH);
    await one.restart();
    expect(await one.exchange(server.connect())).toMatchObject({ events: EVENTS + 1 - 3 * BATCH });
    const [known, again] = await held(one);
    expect(known).toEqual(again);
  });

  test('after a stop, which waits only for what is on its way', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await captured(one, 'mine', EVENTS);
    const stopping = new AbortController();
    const stopped = beforeAppend((appends) => appends === 2 && stopping.abort(), server.connect());
    const { events } = await one.exchange(stopped, stopping.signal);
    expect(events % BATCH).toBe(0);
    expect(events).toBeLessThan(EVENTS / 2);
    expect(await sentUpTo(one)).toBe(events);
    expect(await one.exchange(server.connect())).toMatchObject({ events: EVENTS + 1 - events, known: 0 });
  });

  test('after a kill, on a slow line', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = new MemoryServer();
    const one = await machine('one');
    await captured(one, 'mine', EVENTS);
    const seen: number[] = [];
    const slow = beforeAppend(async () => {
      seen.push(await sentUpTo(one));
      vi.advanceTimersByTime(6_000);
    }, server.connect());
    await one.exchange(slow);
    expect(seen.at(-1)).toBeGreaterThan(EVENTS / 2);
  });

  test('nor is a part of the log that has nothing to send read again', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await one.capture(...Array.from({ length: 3_000 }, (_, number) => reply('diary', number, '/a/diary')));
    await captured(one, 'mine', BATCH);
    const cut = beforeAppend(() => {
      throw new Cut();
    }, server.connect());
    await expect(one.exchange(cut)).rejects.toBeInstanceOf(Cut);
    expect(await sentUpTo(one)).toBeGreaterThan(2_000);
  });
});
