// What was sent, or came, under several projects is of each of them, and nobody brings anything under a project whose text
// they do not have.
import { describe, expect, test } from 'vitest';
import { type ExportedEvent, type NewEvent, packEvent, StoredBody } from '../../log/index.ts';
import { type SessionRow, syncKeys } from '../../src/share/rows/sync-rows.ts';
import type { SharedProject } from '../../src/share/sync/placement.ts';
import { WireNames } from '../../src/share/sync/team.ts';
import {
  Cut,
  forgotten,
  idOf,
  linked,
  type Machine,
  machine,
  PROJECT,
  pinned,
  REMOTE,
  reply,
  saved,
  seen,
  TeamDouble,
  unpinned,
} from './machines.ts';
import { MemoryServer, textOf } from './memory-shared-log.ts';

const APP = PROJECT;
const LIB = { ...PROJECT, key: 'repo:github.com/acme/lib', name: 'lib' };
const BOTH = [APP, LIB];
const wire = new WireNames(new TeamDouble('any'));

const from = { project: wire.project(APP.key), origin: wire.origin('mallory') };
const mallory = new TeamDouble('mallory');

/** Says that it has nothing of the app. */
async function ask(server: MemoryServer): Promise<void> {
  const none = '0'.repeat(32);
  const list = { records: null, forgettings: null, events: { count: 1, parts: { 0: [] } } };
  const digests = { records: none, forgettings: none, events: none, parts: 'AAAAAAAA' };
  const said = { v: 1, at: server.head, ...digests, forgotten: [], list };
  const [bytes] = await mallory.seal([{ project: APP.key, plain: Buffer.from(JSON.stringify(said)) }]);
  server.store({ ...from, id: `said ${server.head}`, kind: 'statement', bytes: bytes! });
}

/** The events that the server has of a project, as text. */
function sentTo({ key }: { readonly key: string }, server: MemoryServer): string {
  const name = wire.project(key);
  return textOf(server.messages.filter(({ project, kind }) => project === name && kind === 'event'));
}

/** Events that were sent under the app, and then under the library, to which a person linked their folder. */
async function moved(...events: readonly NewEvent[]): Promise<{ server: MemoryServer; one: Machine }> {
  const server = new MemoryServer();
  const projects = [APP];
  const one = await machine('one', projects);
  await one.capture(seen('/a/app', REMOTE), seen('/a/lib', 'github.com/acme/lib'), ...events);
  await one.sync(server.connect());
  await one.capture(linked('/a/app', 'lib', 9), reply('work', 9, '/a/app'));
  projects.push(LIB);
  await one.exchange(server.connect());
  return { server, one };
}

describe('what was sent under two projects', () => {
  test('is forgotten under both', async () => {
    const { server, one } = await moved(reply('work', 1, '/a/app'), saved(null, '/a/app'));
    for (const project of BOTH)
      expect(sentTo(project, server)).toMatch(/answer 1 of work.*The port is 8080/s);
    await one.restart();
    await one.capture(
      forgotten('work', [await idOf(one, 'agent.replied')]),
      forgotten(null, [await idOf(one, 'memory.saved')]),
    );
    await one.exchange(server.connect());
    for (const project of BOTH) {
      expect(sentTo(project, server)).toContain('memory.forgotten');
      expect(sentTo(project, server)).not.toMatch(/answer 1 of work|The port is 8080/);
    }
    // This was never of the app.
    await one.capture(forgotten('work', [(await lastOf(one, 'agent.replied')).header.id]));
    expect((await one.exchange(server.connect())).events).toBe(1);
  });

  test('is withdrawn under both', async () => {
    const { server, one } = await moved(pinned(null, '/a/app'));
    await one.capture(unpinned(null, [await idOf(one, 'memory.pinned')]));
    expect((await one.exchange(server.connect())).events).toBe(2);
    for (const project of BOTH) expect(sentTo(project, server)).toContain('memory.withdrawn');
  });

  test('is held under both, by who sent it and by who received it', async () => {
    const { server, one } = await moved(reply('work', 1, '/a/app'), saved(null, '/a/app'));
    const other = await machine('other', BOTH);
    await other.exchange(server.connect());
    // What is no longer in the app counts there again when another machine has sent it.
    for (const at of [other, one, other, one]) await at.sync(server.connect());
    for (const { key } of BOTH)
      expect(other.rows().get(syncKeys.held(key))).toEqual(one.rows().get(syncKeys.held(key)));
    expect(one.rows().get(syncKeys.held(APP.key))).toMatchObject({ count: 3 });
  });
});

describe('who only knows the id of an event', () => {
  /** Says that it wrote the event, with another text, in the app; twice, and the second time it may only be compared with the log. */
  const claim = async ({ header, body }: ExportedEvent, server: MemoryServer, origin = 'mallory') => {
    const { salt, json } = body as StoredBody;
    const text = StoredBody.of(salt, JSON.stringify({ ...JSON.parse(json), text: '?' }));
    const plain = packEvent({ header: { ...header, origin }, body: text });
    const [bytes] = await mallory.seal([{ project: APP.key, plain }]);
    const message = { ...from, id: wire.event(APP.key, header.id), kind: 'event', bytes: bytes! } as const;
    for (const resent of ['first', 'second']) server.store({ ...message, resent });
  };
  test.each([
    ['a memory that never left', saved(null, '/a/diary')],
    ['a reply in a session that never left', reply('diary', 2, '/a/diary')],
    ['a reply of another project', reply('library', 3, '/a/lib')],
  ])('is not given its text: %s', async (_, event) => {
    const server = new MemoryServer();
    const one = await machine('one', BOTH);
    await one.capture(
      ...[seen('/a/app', REMOTE), seen('/a/lib', 'github.com/acme/lib'), reply('work', 1, '/a/app')],
      ...[seen('/a/diary', 'github.com/me/diary'), event],
    );
    await one.sync(server.connect());
    await claim(await lastOf(one, event.type), server);
    await one.sync(server.connect());
    await ask(server);
    await one.sync(server.connect());
    expect(sentTo(APP, server)).toContain('answer 1 of work');
    expect(sentTo(APP, server)).not.toMatch(/The port is 8080|of diary|of library/);
  });

  test('cannot keep its forgetting from its project', async () => {
    const server = new MemoryServer();
    const one = await machine('one', BOTH);
    await one.capture(seen('/a/lib', 'github.com/acme/lib'), reply('library', 1, '/a/lib'));
    await one.sync(server.connect());
    const event = await lastOf(one, 'agent.replied');
    await claim(event, server, event.header.origin);
    await one.sync(server.connect());
    await one.capture(forgotten('library', [event.header.id]));
    await one.exchange(server.connect());
    expect(sentTo(LIB, server)).toContain('memory.forgotten');
  });

  test('draws no session into their project that was captured a moment ago', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await one.capture(seen('/a/diary', 'github.com/me/diary'), reply('diary', 1, '/a/diary'));
    const mine = await lastOf(one, 'agent.replied');
    const forger = await machine('mallory');
    await forger.capture(seen('/a/app', REMOTE), reply('diary', 2, '/a/app'));
    await forger.exchange(server.connect());
    await one.exchange(server.connect());
    await one.capture(forgotten('diary', [mine.header.id]));
    expect((await one.exchange(server.connect())).events).toBe(0);
  });

  test('is not given the text of another machine', async () => {
    const server = new MemoryServer();
    const [one, other] = [await machine('one', BOTH), await machine('other', BOTH)];
    await other.capture(seen('/a/lib', 'github.com/acme/lib'), saved(null, '/a/lib'));
    for (const at of [other, one]) await at.sync(server.connect());
    await claim(await lastOf(other, 'memory.saved'), server);
    for (const at of [other, one]) await at.sync(server.connect());
    await ask(server);
    for (const at of [other, one]) await at.sync(server.connect());
    expect(sentTo(LIB, server)).toContain('The port is 8080.');
    expect(sentTo(APP, server)).not.toContain('The port is 8080.');
  });
});

test('a text is the same if only a secret of it was redacted', async () => {
  const server = new MemoryServer();
  const one = await machine('one');
  const event = reply('notes', 1, '/a/notes');
  const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
  await one.capture({ ...event, body: { ...event.body, text: `the token is ${secret}` } });
  const { header, body } = await lastOf(one, 'agent.replied');
  const [sealed] = await mallory.sealEvents([
    { project: APP.key, event: { header: { ...header, origin: 'mallory' }, body } },
  ]);
  server.store({ ...from, id: sealed!.name, kind: 'event', bytes: sealed!.bytes! });
  await one.sync(server.connect());
  expect(one.rows().get(syncKeys.single(header.id))).toEqual([APP.key]);
});

describe('what did not leave is not given to who lacks it', () => {
  const work = (...numbers: readonly number[]) => numbers.map((number) => reply('work', number, '/a/app'));

  test('of a session that an earlier version sent in part', async () => {
    const server = new MemoryServer();
    const one = await machine('one', [{ ...APP, since: 2 }]);
    await one.capture(seen('/a/app', REMOTE), ...work(1, 2));
    await one.sync(server.connect());
    const key = syncKeys.session('claude-code', 'work');
    const { sent: _, ...row } = one.rows().get<SessionRow>(key)!;
    await one.log.append([], { cursors: [{ key, value: row }] });
    await one.restart();
    await ask(server);
    await one.sync(server.connect());
    expect(sentTo(APP, server)).toContain('answer 2');
    expect(sentTo(APP, server)).not.toContain('answer 1');
  });

  test('because sharing was stopped meanwhile', async () => {
    const server = new MemoryServer();
    const projects = [APP];
    const one = await machine('one', projects);
    await one.capture(seen('/a/app', REMOTE), ...work(1));
    await one.sync(server.connect());
    stop(one, projects);
    await one.capture(...work(2));
    projects.push({ ...APP, since: 3 });
    await one.capture(...work(3));
    await one.sync(server.connect());
    await ask(server);
    await one.sync(server.connect());
    expect(sentTo(APP, server)).toContain('answer 3');
    expect(sentTo(APP, server)).not.toContain('answer 2');
  });

  test.each(['sharing is stopped', 'its folder is linked elsewhere'])(
    'because it was cut, and then %s',
    async (what) => {
      const server = new MemoryServer();
      const projects = [APP];
      const one = await machine('one', projects);
      await one.capture(seen('/a/app', REMOTE), ...work(1), saved(null, '/a/app'), pinned(null, '/a/app'));
      const cut = server.connect();
      cut.append = () => Promise.reject(new Cut());
      await expect(one.sync(cut)).rejects.toThrow(Cut);
      expect(one.rows().startingWith(syncKeys.prefixes.session)).not.toEqual([]);
      if (what === 'sharing is stopped') stop(one, projects);
      else await one.capture(linked('/a/app', 'github.com/me/diary', 9));
      await one.sync(server.connect());
      await ask(server);
      await one.sync(server.connect());
      expect(sentTo(APP, server)).not.toMatch(/answer 1|The port is 8080|A pin in/);
    },
  );

  test('nor what left, once sharing was stopped', async () => {
    const server = new MemoryServer();
    const projects = [APP];
    const one = await machine('one', projects);
    await one.capture(seen('/a/app', REMOTE), ...work(1), saved(null, '/a/app'));
    await one.sync(server.connect());
    expect(sentTo(APP, server)).toMatch(/answer 1.*The port is 8080/s);
    stop(one, projects);
    server.lose(() => true);
    await ask(server);
    await one.sync(server.connect());
    expect(sentTo(APP, server)).toBe('');
  });
});

/** As `share stop` does. */
function stop(one: Machine, projects: SharedProject[]): void {
  for (const { key } of projects.splice(0)) one.rows().set(syncKeys.sent(key), null);
}

async function lastOf({ log }: Machine, type: string): Promise<ExportedEvent> {
  return (await log.exportPage({ after: 0 })).events.findLast(({ header }) => header.type === type)!;
}
