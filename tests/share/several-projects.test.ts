// What was sent, or came, under several projects is of each of them, and nobody brings anything under a project whose text
// they do not have.
import { describe, expect, test } from 'vitest';
import { type ExportedEvent, type NewEvent, packEvent, StoredBody } from '../../log/index.ts';
import { syncKeys } from '../../src/share/sync/sync-rows.ts';
import { WireNames } from '../../src/share/sync/team.ts';
import {
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
    for (const at of [one, other]) await at.sync(server.connect());
    for (const { key } of BOTH)
      expect(other.rows().get(syncKeys.held(key))).toEqual(one.rows().get(syncKeys.held(key)));
    expect(one.rows().get(syncKeys.held(APP.key))).toMatchObject({ count: 3 });
  });
});

describe('who only knows the id of an event', () => {
  const from = { project: wire.project(APP.key), origin: wire.origin('mallory') };
  const mallory = new TeamDouble('mallory');
  /** Says that it wrote the event, with another text, in the app. */
  const claim = async ({ header, body }: ExportedEvent, server: MemoryServer) => {
    const { salt, json } = body as StoredBody;
    const text = StoredBody.of(salt, JSON.stringify({ ...JSON.parse(json), text: '?' }));
    const plain = packEvent({ header: { ...header, origin: 'mallory' }, body: text });
    const [bytes] = await mallory.seal([{ project: APP.key, plain }]);
    server.store({ ...from, id: wire.event(APP.key, header.id), kind: 'event', bytes: bytes! });
  };
  /** Says that it has nothing of the app. */
  const ask = async (server: MemoryServer) => {
    const none = '0'.repeat(32);
    const list = { records: null, forgettings: null, events: { count: 1, parts: { 0: [] } } };
    const digests = { records: none, forgettings: none, events: none, parts: 'AAAAAAAA' };
    const said = { v: 1, at: server.head, ...digests, forgotten: [], list };
    const [bytes] = await mallory.seal([{ project: APP.key, plain: Buffer.from(JSON.stringify(said)) }]);
    server.store({ ...from, id: `said ${server.head}`, kind: 'statement', bytes: bytes! });
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

async function lastOf({ log }: Machine, type: string): Promise<ExportedEvent> {
  return (await log.exportPage({ after: 0 })).events.findLast(({ header }) => header.type === type)!;
}
