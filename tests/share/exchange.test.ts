// What leaves a machine and what comes in, with a server in memory.
import { describe, expect, test } from 'vitest';
import type { NewEvent } from '../../log/index.ts';
import type { Message } from '../../src/share/log/shared-log.ts';
import { previewOf } from '../../src/share/preview.ts';
import { syncKeys } from '../../src/share/rows/sync-rows.ts';
import type { RefusedRow } from '../../src/share/sync/inbox.ts';
import { WireNames } from '../../src/share/sync/team.ts';
import {
  Cut,
  contents,
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
  unpinned,
} from './machines.ts';
import { MemoryServer, textOf } from './memory-shared-log.ts';

async function pair(): Promise<{ server: MemoryServer; one: Machine; other: Machine }> {
  return { server: new MemoryServer(), one: await machine('one'), other: await machine('other') };
}

describe('sharing between machines', () => {
  test('events of a shared project reach the other machine as they are, others never leave', async () => {
    const { server, one, other } = await pair();
    await one.capture(
      ...[seen('/a/app', REMOTE), seen('/a/diary', 'github.com/me/diary')],
      ...[reply('work', 1, '/a/app'), reply('diary', 2, '/a/diary'), reply('nowhere', 3, null)],
    );
    expect(await one.sync(server.connect())).toMatchObject({ events: 2, known: 0, received: 0 });
    expect(await other.sync(server.connect())).toMatchObject({ received: 2, events: 0 });
    const found = await contents(other.log);
    expect([...found.values()].join()).toContain('answer 1 of work');
    expect([...found.values()].join()).not.toMatch(/diary|nowhere/);
    const [, sent] = (await other.log.exportPage({ after: 0 })).events;
    expect(sent!.header.origin).toBe(one.log.origin);
    // Neither sends again what it has.
    expect(await other.sync(server.connect())).toMatchObject({ events: 0, received: 0 });
    expect(await one.sync(server.connect())).toMatchObject({ events: 0, received: 0 });
  });

  test('what a machine left behind reaches a new one, also when the server was emptied', async () => {
    const { server, one, other } = await pair();
    await one.capture(seen('/a/app', REMOTE), reply('work', 1, '/a/app'));
    for (const at of [one, other]) await at.sync(server.connect());
    server.wipe();
    const late = await machine('late');
    for (const at of [other, late, other, late]) await at.sync(server.connect());
    expect([...(await contents(late.log)).values()].join()).toContain('answer 1 of work');
  });

  test('a folder that is looked at after its events counts for them', async () => {
    const { server, one, other } = await pair();
    await one.capture(reply('late', 1, '/a/app'), reply('later', 2, null));
    expect((await one.sync(server.connect())).events).toBe(0);
    await one.capture(seen('/a/app', REMOTE), reply('later', 3, '/a/app'));
    expect((await one.sync(server.connect())).events).toBe(4);
    await other.sync(server.connect());
    expect((await contents(other.log)).size).toBe(4);
  });

  test('another machine cannot draw a folder into a shared project by naming its path', async () => {
    const { server, one, other } = await pair();
    await one.capture(seen('/same/path', 'github.com/me/diary'), reply('diary', 1, '/same/path'));
    await other.capture(seen('/same/path', REMOTE), reply('work', 2, '/same/path'));
    await other.sync(server.connect());
    expect(await one.sync(server.connect())).toMatchObject({ received: 2, events: 0 });
  });

  test('the forgetting of a memory that was saved in a shared session for another project stays', async () => {
    const { server, one } = await pair();
    const memory = { ...saved('diary', '/a/app'), agent: 'claude-code', session: 'work' };
    await one.capture(seen('/a/app', REMOTE), reply('work', 1, '/a/app'), memory);
    expect((await one.sync(server.connect())).events).toBe(2);
    await one.capture(forgotten('work', [await idOf(one, 'memory.saved')]));
    expect((await one.sync(server.connect())).events).toBe(0);
  });

  test('what was captured before a project was shared stays, unless its history is shared', async () => {
    const server = new MemoryServer();
    const later = await machine('later', [{ ...PROJECT, since: 2 }]);
    await later.capture(seen('/a/app', REMOTE), reply('work', 1, '/a/app'), reply('work', 2, '/a/app'));
    expect((await later.sync(server.connect())).events).toBe(1);
  });

  test('a memory leaves if it was saved for the project, wherever that was', async () => {
    const { server, one, other } = await pair();
    await one.capture(
      seen('/a/app', REMOTE),
      ...[saved('app', null), saved(PROJECT.key, '/elsewhere'), saved(null, '/a/app')],
      ...[saved('diary', null), saved('diary', '/a/app'), saved(null, '/elsewhere')],
    );
    expect((await one.sync(server.connect())).events).toBe(4);
    await other.sync(server.connect());
    expect([...(await contents(other.log)).values()].join()).not.toContain('diary');
  });

  test('what is in a folder that a person linked to another project does not leave', async () => {
    const { server, one } = await pair();
    const at = (cwd: string) => ({ ...seen(cwd, REMOTE), body: { ...seen('/a/app', REMOTE).body, cwd } });
    await one.capture(
      ...[seen('/a/app', REMOTE), at('/a/app/client'), at('/a/app/client/src')],
      linked('/a/app/client', 'client'),
      ...[reply('client', 1, '/a/app/client'), reply('client below', 2, '/a/app/client/src')],
    );
    expect((await one.sync(server.connect())).events).toBe(1);
    // Back to the project: what waited below the folder leaves too.
    await one.capture(linked('/a/app/client', 'app'));
    expect((await one.sync(server.connect())).events).toBe(4);
  });

  test('a pin on something of a session leaves with it, and what takes it back, also when both wait', async () => {
    const { server, one, other } = await pair();
    const { item } = pinned('diary', '/a/diary').body;
    const pin = pinned('work', '/a/app');
    await one.capture(
      ...[seen('/a/app', REMOTE), seen('/a/diary', 'github.com/me/diary')],
      ...[reply('work', 1, '/a/app'), reply('diary', 2, '/a/diary')],
      ...[pin, pinned('diary', '/a/diary')],
      { ...pin, type: 'memory.superseded', dedupeKey: 'by the diary', body: { ...pin.body, by: item } },
    );
    await one.capture(unpinned('work', [await idOf(one, 'memory.pinned')]));
    expect((await previewOf(PROJECT, one.log, () => null, 0)).types).toEqual({
      ...{ 'workdir.seen': 1, 'agent.replied': 1, 'memory.pinned': 1, 'memory.withdrawn': 1 },
    });
    expect((await one.exchange(server.connect())).events).toBe(4);
    expect((await other.exchange(server.connect())).received).toBe(4);
  });

  test('a memory that was forgotten after the server took it, before this was acknowledged, is forgotten everywhere', async () => {
    const { server, one } = await pair();
    await one.capture(seen('/a/app', REMOTE), saved(null, '/a/app'));
    const shared = server.connect();
    const append = shared.append.bind(shared);
    shared.append = async (messages) => {
      await append(messages);
      throw new Cut();
    };
    await expect(one.sync(shared)).rejects.toThrow(Cut);
    await one.restart();
    await one.capture(forgotten(null, [await idOf(one, 'memory.saved')]));
    expect((await one.sync(server.connect())).events).toBe(2);
    expect(textOf(server.messages)).not.toContain('The port is');
  });

  test('an event that the server does not take keeps none behind it', async () => {
    const { server, one, other } = await pair();
    server.messageBytesMax = 4_000;
    const large = reply('large', 2, '/a/app');
    await one.capture(
      ...[seen('/a/app', REMOTE), { ...large, body: { ...large.body, text: 'large '.repeat(1_000) } }],
      reply('work', 3, '/a/app'),
    );
    expect((await one.sync(server.connect())).events).toBe(2);
    expect(one.rows().startingWith(syncKeys.prefixes.unsent)).toHaveLength(1);
    expect((await other.sync(server.connect())).received).toBe(2);
  });

  test('a secret that was stored all the same does not leave', async () => {
    const { server, one } = await pair();
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`;
    const event = reply('work', 1, '/a/app');
    await one.capture(seen('/a/app', REMOTE), {
      ...event,
      body: { ...event.body, text: `the token is ${secret}` },
    });
    await one.sync(server.connect());
    expect(Buffer.from(server.messages[1]!.bytes).toString()).not.toContain(secret);
  });

  test('names on the wire tell nothing', async () => {
    const { server, one } = await pair();
    await one.capture(seen('/a/app', REMOTE), reply('work', 1, '/a/app'));
    await one.sync(server.connect());
    const names = server.messages.map(({ bytes: _, position: __, ...rest }) => rest);
    const [id] = [...(await contents(one.log)).keys()];
    expect(JSON.stringify(names)).not.toContain(id);
    expect(JSON.stringify(names)).not.toMatch(/acme|app|work|claude/);
    for (const { id, project, origin } of names)
      for (const name of [id, project, origin]) expect(name).toMatch(/^[0-9a-f]{32}$/);
  });

  test('what cannot be opened yet is kept, and opened when its key arrives', async () => {
    const { server, one, other } = await pair();
    await one.capture(seen('/a/app', REMOTE), reply('work', 1, '/a/app'));
    one.team.rotate('second');
    await one.sync(server.connect());
    // The key is on its way; the engine delivers it last.
    const [record, ...sealed] = server.messages;
    server.messages = sealed;
    await other.sync(server.connect());
    expect((await contents(other.log)).size).toBe(0);
    expect(other.rows().startingWith('share:unopened:')).toHaveLength(2);
    await other.restart();
    server.storeAgain(record!);
    expect((await other.sync(server.connect())).received).toBe(2);
    expect(other.rows().startingWith('share:unopened:')).toEqual([]);
    await other.restart();
    expect(other.rows().startingWith('share:unopened:')).toEqual([]);
  });

  test('of much that cannot be opened yet only a part is kept, the rest is read again when its key arrives', async () => {
    const { server, one, other } = await pair();
    one.team.rotate('second');
    const [key] = one.team.pending();
    one.team.pending = () => [];
    one.team.all = () => [];
    // Of a type that nobody searches for secrets, which would take long.
    const large = (number: number): NewEvent<'context.injected'> => ({
      ...{ type: 'context.injected', agent: 'claude-code', session: 'work', channel: 'hook', occurredAt: 1 },
      ...{ dedupeKey: `${number}`, body: { occasion: 'startup', cwd: '/a/app', hash: 'a'.repeat(850_000) } },
    });
    await one.capture(seen('/a/app', REMOTE), reply('work', 3, '/a/app'), large(1), large(2));
    expect((await one.exchange(server.connect())).events).toBe(4);
    expect((await other.exchange(server.connect())).received).toBe(0);
    expect(other.rows().startingWith(syncKeys.prefixes.unopened)).toHaveLength(2);
    server.store({ kind: 'record', project: 'team', origin: 'x', ...key! });
    expect((await other.exchange(server.connect())).received).toBe(4);
    expect(other.rows().startingWith(syncKeys.prefixes.unopened)).toEqual([]);
  });

  test('what is captured between others’ events is sent', async () => {
    const { server, one, other } = await pair();
    await other.capture(seen('/a/app', REMOTE), reply('mine', 1, '/a/app'));
    await other.exchange(server.connect());
    one.team.rotate('second');
    const [key] = one.team.pending();
    one.team.pending = () => [];
    one.team.all = () => [];
    await one.capture(seen('/b/app', REMOTE), reply('work', 2, '/b/app'));
    await one.exchange(server.connect());
    await other.exchange(server.connect());
    // What its key opens is stored apart from what comes with the key.
    server.store({ kind: 'record', project: 'team', origin: 'x', ...key! });
    await one.capture(reply('work', 3, '/b/app'));
    await one.exchange(server.connect());
    const { exclusively } = other.log;
    let calls = 0;
    other.log.exclusively = async (work) => {
      calls += 1;
      if (calls === 2) await other.capture(reply('mine', 4, '/a/app'));
      return exclusively.call(other.log, work) as ReturnType<typeof work>;
    };
    expect((await other.exchange(server.connect())).received).toBe(3);
    expect(textOf(server.messages)).toContain('answer 4 of mine');
  });

  test('damaged, forged and renamed messages are refused with a reason, and stop nothing', async () => {
    const { server, one, other } = await pair();
    await one.capture(seen('/a/app', REMOTE), reply('work', 1, '/a/app'), reply('work', 2, '/a/app'));
    await one.sync(server.connect());
    const [first, second, third] = server.messages as readonly Message[] as [Message, Message, Message];
    server.messages = [];
    const text = Buffer.from(first.bytes).toString();
    const hostile: Message[] = [
      { ...first, id: 'x1', bytes: new Uint8Array([1, 2, 3]) },
      { ...first, id: 'x2', bytes: Buffer.from(text.replace('\\"version\\":1', '\\"version\\":0')) },
      { ...second, id: third.id },
      { ...second, project: '0'.repeat(32) },
      { ...first, id: 'x5', bytes: new Uint8Array() },
      { ...first, id: 'x6', kind: 'record', bytes: Buffer.from('nonsense') },
    ];
    for (const message of [...hostile, first, second, third]) server.storeAgain(message);
    expect((await other.sync(server.connect())).received).toBe(3);
    const refused = other.rows().startingWith<RefusedRow>(syncKeys.prefixes.refused);
    expect(refused).toHaveLength(hostile.length);
    for (const [, { reason }] of refused) expect(reason).not.toBe('');
    expect(refused.filter(([, { reason }]) => reason.includes('under the name'))).toHaveLength(3);
  });

  test('statements that are false, too large or of another version do nothing, and what they ask for is sent once', async () => {
    const { server, one, other } = await pair();
    await one.capture(seen('/a/app', REMOTE), reply('work', 1, '/a/app'), reply('work', 2, '/a/app'));
    await one.sync(server.connect());
    const wire = new WireNames(other.team);
    let number = 0;
    const say = async (statement: object) => {
      const plain = Buffer.from(JSON.stringify(statement));
      const [bytes] = await other.team.seal([{ project: PROJECT.key, plain }]);
      server.store({
        ...{ id: `said${++number}`, kind: 'statement', origin: wire.origin('other') },
        ...{ project: wire.project(PROJECT.key), bytes: bytes! },
      });
    };
    const none = '0'.repeat(32);
    const nothing = (at: number) => ({
      ...{ v: 1, at, records: none, forgettings: none, events: none, parts: 'AAAAAAAA', forgotten: [] },
      list: { records: [], forgettings: [], events: { count: 1, parts: { 0: [] } } },
    });
    const { head } = server;
    await say({});
    await say({ ...nothing(head), v: 2 });
    await say({ ...nothing(head), parts: 'AAAAAAAAAAAA' });
    await say({ ...nothing(head), list: { ...nothing(head).list, records: ['x'.repeat(16)] } });
    await say({ ...nothing(head), forgotten: Array(501).fill(none) });
    // From a time that has not come, and from before what it should know.
    await say(nothing(head + 1_000));
    await say(nothing(1));
    const before = server.head;
    await one.sync(server.connect());
    expect(kindsAfter(before, server)).not.toContain('event');
    for (let times = 0; times < 20; times++) await say({ ...nothing(server.head), later: 'unknown' });
    const asked = server.head;
    await one.sync(server.connect());
    const events = kindsAfter(asked, server).filter((kind) => kind === 'event');
    expect(events).toHaveLength(3);
    expect(one.rows().startingWith(syncKeys.prefixes.refused)).toEqual([]);
  });

  test('a project that was linked elsewhere by a person does not leave', async () => {
    const { server, one } = await pair();
    await one.capture(linked('/a/app', 'diary'), seen('/a/app', REMOTE), reply('work', 1, '/a/app'));
    expect((await one.sync(server.connect())).events).toBe(0);
  });
});

function kindsAfter(position: number, server: MemoryServer): readonly string[] {
  return server.messages.filter((message) => message.position > position).map(({ kind }) => kind);
}
