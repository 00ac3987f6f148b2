// What leaves a machine and what comes in, with a server in memory.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LogEvent, NewEvent } from '../../log/index.ts';
import {
  namedWorkdir,
  projectsProjector,
  resolveProject,
  type SessionRow,
  sessionKeys,
  turnsProjector,
} from '../../projections/index.ts';
import type { Message } from '../../src/share/log/shared-log.ts';
import type { RefusedRow } from '../../src/share/sync/inbox.ts';
import { syncKeys } from '../../src/share/sync/sync-rows.ts';
import { WireNames } from '../../src/share/sync/team.ts';
import { memoryGenerations, testRunner } from '../helpers/views.ts';
import { Cut, contents, cutAfter, type Machine, machine, PROJECT, reply, seen } from './machines.ts';
import { MemoryServer } from './memory-shared-log.ts';

const REMOTE = 'github.com/acme/app';

async function pair(): Promise<{ server: MemoryServer; one: Machine; other: Machine }> {
  return { server: new MemoryServer(), one: await machine('one'), other: await machine('other') };
}

function saved(project: string | null, cwd: string | null): NewEvent<'memory.saved'> {
  return {
    ...{ type: 'memory.saved', agent: 'annals', session: null, channel: 'cli', occurredAt: 1 },
    dedupeKey: `${project} ${cwd}`,
    body: { title: `Of ${project} in ${cwd}`, text: 'The port is 8080.', project, cwd },
  };
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

  test('rows of an earlier form are learned again', async () => {
    const { server, one } = await pair();
    const key = syncKeys.session('claude-code', 'work');
    const cursors = [
      { key, value: { cwd: '/a/app', skipped: null, project: null } },
      { key: 'share:folder:/a/app', value: { keys: ['dir:/a/app'], root: null, skipped: 1 } },
      { key: 'share:link:/a/app', value: 'diary' },
      { key: syncKeys.learned, value: 1 },
      { key: syncKeys.sent(PROJECT.key), value: { incarnation: server.incarnation, position: 1 } },
    ];
    await one.capture(reply('work', 1, '/a/app'));
    await one.log.append([seen('/a/app', REMOTE)], { cursors });
    await one.restart();
    expect((await one.sync(server.connect())).events).toBe(2);
    expect(one.rows().startingWith('share:folder:')).toEqual([]);
  });

  test('the forgetting of a memory that was saved in a shared session for another project stays', async () => {
    const { server, one } = await pair();
    const memory = { ...saved('diary', '/a/app'), agent: 'claude-code', session: 'work' };
    await one.capture(seen('/a/app', REMOTE), reply('work', 1, '/a/app'), memory);
    expect((await one.sync(server.connect())).events).toBe(2);
    const { header } = (await one.log.exportPage({ after: 0 })).events[2]!;
    await one.capture({
      ...{ type: 'memory.forgotten', agent: 'annals', session: null, channel: 'cli', occurredAt: 1 },
      dedupeKey: 'it',
      body: {
        ...{ by: 'ids', copies: false, names: [], items: [] },
        events: [{ agent: 'claude-code', session: 'work', ids: [header.id] }],
      },
    });
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
    const linked = (cwd: string, project: string): NewEvent<'project.linked'> => ({
      ...{ type: 'project.linked', agent: 'annals', session: null, channel: 'cli', occurredAt: 1 },
      ...{ dedupeKey: `${cwd} ${project}`, body: { cwd, project } },
    });
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

  test('a pin on something of a session leaves with it, and what takes it back', async () => {
    const { server, one } = await pair();
    const pinned = (session: string, workdir: string, by?: string): NewEvent => ({
      ...{ type: by === undefined ? 'memory.pinned' : 'memory.superseded', agent: 'annals', session },
      ...{ channel: 'api', occurredAt: 1, dedupeKey: `pin ${session} ${by}` },
      body: { item: item(session, workdir), ...(by !== undefined && { by: item(by, '/a/diary') }) },
    });
    const item = (session: string, workdir: string) => ({
      ...{ id: 'p-1', kind: 'prompt' as const, agent: 'claude-code', session, turn: null, workdir, at: 1 },
      ...{ title: 'A title', text: 'A text', events: [] },
    });
    await one.capture(
      ...[seen('/a/app', REMOTE), seen('/a/diary', 'github.com/me/diary')],
      ...[reply('work', 1, '/a/app'), reply('diary', 2, '/a/diary')],
    );
    await one.sync(server.connect());
    await one.capture(
      pinned('work', '/a/app'),
      pinned('diary', '/a/diary'),
      pinned('work', '/a/app', 'diary'),
    );
    expect((await one.sync(server.connect())).events).toBe(1);
    const { events } = await one.log.exportPage({ after: 0 });
    const { id } = events.find(({ header }) => header.type === 'memory.pinned')!.header;
    await one.capture({
      ...{ type: 'memory.withdrawn', agent: 'annals', session: 'work', channel: 'api', occurredAt: 1 },
      ...{ dedupeKey: 'unpin', body: { acts: [{ id, session: 'work' }] } },
    });
    expect((await one.sync(server.connect())).events).toBe(1);
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
    const memory = (await one.log.exportPage({ after: 1 })).events[0]!.header;
    await one.capture({
      ...{ type: 'memory.forgotten', agent: 'annals', session: null, channel: 'cli', occurredAt: 2 },
      ...{ dedupeKey: 'it' },
      body: {
        ...{ by: 'ids', copies: false, names: [], items: [] },
        events: [{ agent: 'annals', session: null, ids: [memory.id] }],
      },
    });
    expect((await one.sync(server.connect())).events).toBe(2);
    expect(textOf(server)).not.toContain('The port is');
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
    const link: NewEvent<'project.linked'> = {
      ...{ type: 'project.linked', agent: 'annals', session: null, channel: 'cli', occurredAt: 1 },
      ...{ dedupeKey: 'link', body: { cwd: '/a/app', project: 'diary' } },
    };
    await one.capture(link, seen('/a/app', REMOTE), reply('work', 1, '/a/app'));
    expect((await one.sync(server.connect())).events).toBe(0);
  });
});

describe('an event is sent where the views have it', () => {
  const look = (cwd: string, remote: string, more: object = {}, occurredAt = 5): NewEvent<'workdir.seen'> => {
    const event = seen(cwd, remote);
    const body = { ...event.body, ...more };
    return { ...event, occurredAt, dedupeKey: `${occurredAt} ${JSON.stringify(body)}`, body };
  };
  const link = (cwd: string, project: string, occurredAt = 5): NewEvent<'project.linked'> => ({
    ...{ type: 'project.linked', agent: 'annals', session: null, channel: 'cli', occurredAt },
    ...{ dedupeKey: `${cwd} ${project}`, body: { cwd, project } },
  });
  const firstLine = (session: string, cwd: string): NewEvent<'session.started'> => ({
    ...{ type: 'session.started', agent: 'claude-code', session, channel: 'transcript', occurredAt: 9_000 },
    ...{ dedupeKey: `start:${session}`, body: { cwd, offset: 0 } },
  });
  const forgotten = (session: string | null, ids: readonly string[]): NewEvent<'memory.forgotten'> => ({
    ...{ type: 'memory.forgotten', agent: 'annals', session: null, channel: 'cli', occurredAt: 20 },
    dedupeKey: ids.join(),
    body: {
      ...{ by: 'ids', copies: false, names: [], items: [] },
      events: [{ agent: session === null ? 'annals' : 'claude-code', session, ids: [...ids] }],
    },
  });
  const idOf = async ({ log }: Machine, type: string) =>
    (await log.exportPage({ after: 0 })).events.find(({ header }) => header.type === type)!.header.id;
  /** What left the machine, as text. */
  const left = async (events: readonly NewEvent[], projects = [PROJECT]): Promise<string> => {
    const server = new MemoryServer();
    const one = await machine('one', projects);
    await one.capture(...events);
    await one.sync(server.connect());
    return textOf(server);
  };

  test('a name that two projects have is neither of them, and the whole name is one', async () => {
    const text = await left([
      ...[look('/a/app', REMOTE), saved('app', null), saved('acme/app', null)],
      look('/b/app', 'github.com/other/app'),
    ]);
    expect(text).not.toContain('Of app in');
    expect(text).toContain('Of acme/app in');
  });

  test('a folder that was never looked at has a name too', async () => {
    const start = firstLine('work', '/gone/app');
    expect(await left([look('/a/app', REMOTE), saved('app', null), start])).not.toContain('Of app in');
  });

  test('a name that only the file of the repository claims is no name of it', async () => {
    const claimed = look('/a/app', REMOTE, { proposal: { name: 'diary', subprojects: [] } });
    const text = await left(
      [claimed, saved('diary', null), saved('app', null)],
      [{ ...PROJECT, name: 'diary' }],
    );
    expect(text).not.toContain('Of diary in');
    expect(text).toContain('Of app in');
  });

  test('a session is where its transcript begins, whatever its hooks said before', async () => {
    const text = await left([
      ...[look('/a/app', REMOTE), look('/a/diary', 'github.com/me/diary')],
      ...[reply('private', 1, '/a/app'), firstLine('private', '/a/diary'), reply('private', 2, '/a/diary')],
      ...[reply('work', 3, '/a/diary'), firstLine('work', '/a/app'), reply('work', 4, '/a/app')],
    ]);
    expect(text).not.toContain('of private');
    expect(text).toContain('answer 3 of work');
    expect(text).toContain('answer 4 of work');
  });

  test('what waited under the folder of a hook leaves when the transcript begins in the project', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await one.capture(look('/a/app', REMOTE), reply('work', 1, '/a/diary'));
    expect((await one.sync(server.connect())).events).toBe(1);
    await one.capture(firstLine('work', '/a/app'));
    expect((await one.sync(server.connect())).events).toBe(2);
  });

  test('the newest look and the newest link count, not the last ones that were stored', async () => {
    const text = await left([
      ...[look('/a/app', 'github.com/me/diary', {}, 9), look('/a/app', REMOTE, {}, 1)],
      ...[look('/b/app', REMOTE), link('/b/app', 'github.com/me/diary', 9), link('/b/app', 'app', 1)],
      ...[reply('first', 1, '/a/app'), reply('second', 2, '/b/app')],
    ]);
    expect(text).not.toContain('answer');
  });

  test('a link and a look that were forgotten place nothing', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await one.capture(look('/a/app', REMOTE), link('/a/diary', 'app'), reply('before', 1, '/a/diary'));
    expect((await one.sync(server.connect())).events).toBe(2);
    await one.capture(forgotten(null, [await idOf(one, 'project.linked')]), reply('after', 2, '/a/diary'));
    await one.sync(server.connect());
    await one.capture(forgotten(null, [await idOf(one, 'workdir.seen')]), reply('later', 3, '/a/app'));
    await one.sync(server.connect());
    expect(textOf(server)).not.toMatch(/of after|of later/);
  });

  test('a folder that is linked to a work tree of the project is of the project', async () => {
    const tree = { worktree: true, commonDir: '/a/app/.git' };
    const text = await left([
      ...[look('/a/feature', REMOTE, tree), link('/b/notes', 'app/feature')],
      reply('notes', 1, '/b/notes'),
    ]);
    expect(text).toContain('of notes');
  });

  test('a submodule is a repository of its own', async () => {
    const module = { superproject: '/a/app' };
    const text = await left([
      ...[look('/a/app', REMOTE), look('/a/app/lib', 'github.com/me/lib', module)],
      reply('module', 1, '/a/app/lib'),
    ]);
    expect(text).not.toContain('of module');
  });

  test('a project that only another machine has takes its name away', async () => {
    const server = new MemoryServer();
    const two = { ...PROJECT, key: 'repo:github.com/other/app' };
    const [one, other] = [await machine('one'), await machine('other', [PROJECT, two])];
    await other.capture(look('/b/app', 'github.com/other/app'));
    await other.sync(server.connect());
    await one.capture(look('/a/app', REMOTE), saved('app', null), saved('acme/app', null));
    expect((await one.sync(server.connect())).events).toBe(2);
    expect(textOf(server)).not.toContain('Of app in');
  });

  test('what waits for a name leaves when another machine has a project of that name', async () => {
    const server = new MemoryServer();
    const [one, other] = [await machine('one'), await machine('other')];
    await one.capture(saved('acme/app', null));
    expect((await one.sync(server.connect())).events).toBe(0);
    await other.capture(look('/b/app', REMOTE));
    await other.sync(server.connect());
    expect(await one.sync(server.connect())).toMatchObject({ received: 1, events: 1 });
  });

  test('a name by which another machine saved a memory takes no name away', async () => {
    const server = new MemoryServer();
    // The other one shares only from now on, so nobody hears of its folder.
    const [one, other] = [await machine('one'), await machine('other', [{ ...PROJECT, since: 1 }])];
    await other.capture(look('/b/app', REMOTE), saved('app', null));
    expect((await other.sync(server.connect())).events).toBe(1);
    await one.capture(look('/a/app', REMOTE), saved('app', '/a/app'));
    await one.sync(server.connect());
    await one.capture(saved('app', '/later'));
    expect((await one.sync(server.connect())).events).toBe(1);
  });

  test('what was sent is forgotten where it was sent, wherever its folder belongs now', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await one.capture(look('/a/app', REMOTE), reply('work', 1, '/a/app'));
    await one.sync(server.connect());
    await one.capture(link('/a/app', 'diary'));
    await one.sync(server.connect());
    await one.capture(forgotten('work', [await idOf(one, 'agent.replied')]));
    expect((await one.sync(server.connect())).events).toBe(1);
    expect(textOf(server)).not.toContain('of work');
  });

  test('what waited for the folder of a session leaves when the folder is looked at, later', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await one.capture(reply('work', 1, null));
    await one.sync(server.connect());
    await one.capture(reply('work', 2, '/a/app'));
    await one.sync(server.connect());
    await one.capture(look('/a/app', REMOTE));
    expect((await one.sync(server.connect())).events).toBe(3);
  });

  test('a memory that names another folder or project than its session is not of the session', async () => {
    const memory = { ...saved('diary', null), agent: 'claude-code', session: 'work' };
    const text = await left([look('/a/app', REMOTE), reply('work', 1, '/a/app'), memory]);
    expect(text).toContain('of work');
    expect(text).not.toContain('Of diary in');
  });

  test('a pin on a memory of another machine goes where the memory came from, whatever its folder is here', async () => {
    const server = new MemoryServer();
    const lib = { ...PROJECT, key: 'repo:github.com/acme/lib', name: 'lib' };
    const one = await machine('one', [PROJECT, lib]);
    const other = await machine('other', [PROJECT, lib]);
    await other.capture(look('/same', 'github.com/acme/lib'), saved(null, '/same'));
    await other.sync(server.connect());
    await one.capture(look('/same', REMOTE));
    await one.sync(server.connect());
    const item = {
      ...{ id: 'm-1', kind: 'memory' as const, agent: 'annals', session: null, turn: null, at: 1 },
      ...{ workdir: '/same', title: 'A title', text: 'Words of lib' },
      events: [await idOf(other, 'memory.saved')],
    };
    await one.capture({
      ...{ type: 'memory.pinned', agent: 'annals', session: null, channel: 'api', occurredAt: 1 },
      ...{ dedupeKey: 'pin', body: { item } },
    });
    const before = server.head;
    await one.sync(server.connect());
    const sent = server.messages.filter(({ position, kind }) => position > before && kind === 'event');
    expect(sent.map(({ project }) => project)).toEqual([new WireNames(one.team).project(lib.key)]);
  });
  test('whatever is recorded, what the views place in the project leaves, and nothing else', async () => {
    const cwd = fc.constantFrom('/a/app', '/a/app/sub', '/b/app', '/c');
    const at = fc.integer({ min: 1, max: 9 });
    const remote = fc.constantFrom(REMOTE, 'github.com/other/app', 'github.com/me/diary');
    const name = fc.constantFrom('app', 'acme/app', 'diary', 'app/c', PROJECT.key);
    const session = fc.constantFrom('s1', 's2');
    let number = 0;
    const record: fc.Arbitrary<NewEvent | null> = fc.oneof(
      fc
        .tuple(cwd, remote, fc.boolean(), at)
        .map(([folder, url, worktree, when]) =>
          look(folder, url, { root: folder.replace('/sub', ''), worktree }, when),
        ),
      fc.tuple(cwd, name, at).map((words) => link(...words)),
      fc
        .tuple(name, cwd, fc.boolean())
        .map(([word, folder, isNamed]) => saved(isNamed ? word : null, folder)),
      fc
        .tuple(session, cwd, at)
        .map(([id, folder, when]) => ({ ...reply(id, ++number, folder), occurredAt: when })),
      fc.tuple(session, cwd, at).map(([id, folder, offset]) => {
        const start = firstLine(id, folder);
        return { ...start, dedupeKey: `start ${offset} ${folder}`, body: { ...start.body, offset } };
      }),
      fc.constant(null),
    );
    const pieces = fc.array(fc.array(record, { maxLength: 8 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(), fc.boolean(), async (recorded, which, isAlone) => {
        const server = new MemoryServer();
        const shared = ['other/app', 'me/diary'].map((path) => ({
          ...PROJECT,
          key: `repo:github.com/${path}`,
        }));
        const [one, other] = [await machine('one'), await machine('other', [PROJECT, ...shared])];
        const { log } = one;
        const projectors = [turnsProjector, projectsProjector];
        const runner = await testRunner({ log, generations: memoryGenerations(), projectors });
        const wire = new WireNames(one.team);
        const ownEvents = async () => {
          const { events } = await log.page({ after: 0 });
          return events.filter(
            (event) => event.type !== 'unknown' && event.origin === log.origin,
          ) as LogEvent[];
        };
        const left = new Set<string>();
        for (const [index, piece] of recorded.entries()) {
          const events = piece.filter((event) => event !== null);
          if (!isAlone && index % 2 === 0) {
            await other.capture(...events.map(elsewhere));
            await other.exchange(server.connect());
          } else await one.capture(...events);
          const known = (await ownEvents()).filter(({ type }) => type !== 'memory.forgotten');
          const gone = known[which % (known.length + 1)];
          // The machines here cannot take in a forgetting.
          if (isAlone && piece.includes(null) && gone !== undefined)
            await one.capture(forgotten(gone.session, [gone.id]));
          await one.exchange(server.connect());
          await runner.catchUp();
          const places = new Map<string, boolean>();
          for (const event of await ownEvents()) {
            if (event.type === 'memory.forgotten') continue;
            const { agent, session } = event;
            const row = await runner.view('turns').get<SessionRow>(sessionKeys.session(agent, session ?? ''));
            const workdir = agent === 'annals' ? namedWorkdir(event) : row?.workdir;
            const { key, parents } = await resolveProject(workdir ?? '', runner.view('projects'));
            const isThere = event.type !== 'project.linked' && [key, ...parents].includes(PROJECT.key);
            places.set(wire.event(PROJECT.key, event.id), isThere);
          }
          const sent = server.messages.map(({ id }) => id).filter((id) => places.has(id));
          for (const id of sent) if (!left.has(id)) expect(places.get(id)).toBe(true);
          for (const id of sent) left.add(id);
          for (const [id, isThere] of places) if (isThere) expect(left.has(id)).toBe(true);
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

/** What another machine has of the same projects, in other folders. */
function elsewhere(event: NewEvent): NewEvent {
  const json = JSON.stringify(event)
    .replaceAll('"/', '"/x/')
    .replaceAll('"s1"', '"o1"')
    .replaceAll('"s2"', '"o2"');
  return { ...(JSON.parse(json) as NewEvent), dedupeKey: `x ${event.dedupeKey}` } as NewEvent;
}

describe('whatever happens on the way', () => {
  test('machines with the same set of shared events hold the same events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const server = new MemoryServer();
        const machines = await Promise.all(['one', 'two', 'three'].map((name) => machine(name)));
        let number = 0;
        for (const machine of machines) {
          const at = `/${machines.indexOf(machine)}/app`;
          await machine.capture(
            ...[seen(at, REMOTE), seen('/any/app', REMOTE)],
            seen(`${at}/private`, 'github.com/me/diary'),
          );
        }
        for (const { kind, who, count, after } of steps) {
          const { [who]: at } = machines as [Machine, Machine, Machine];
          const folder = `/${who}/app`;
          if (kind === 'capture')
            for (let index = 0; index < count; index++) {
              // Some sessions are known to several machines.
              await at!.capture(reply(`s-${index % 2}`, ++number, folder));
              await at!.capture(reply(`private-${who}`, number, `${folder}/private`));
            }
          if (kind === 'same')
            for (const machine of machines) await machine.capture(reply('same', 900 + count, '/any/app'));
          if (kind === 'sync') await at!.sync(server.connect());
          if (kind === 'cut') await at!.sync(cutAfter(server.connect(), after)).catch(onlyCut);
          if (kind === 'restart') await at!.restart();
          if (kind === 'wipe') server.wipe();
          if (kind === 'lose') server.lose(({ position }) => position % 5 === count);
          if (kind === 'roll back') server.rollBack(count);
          if (kind === 'again')
            for (const message of server.messages.slice(0, count)) server.storeAgain(message);
          if (kind === 'rotate') at!.team.rotate(`key${++number}`);
        }
        await settle(machines, server);
        const all = await Promise.all(machines.map(sharedOf));
        expect(all[1]).toEqual(all[0]);
        expect(all[2]).toEqual(all[0]);
        for (const [index, machine] of machines.entries()) {
          const text = [...(await contents(machine.log)).values()].join();
          for (const other of [0, 1, 2])
            if (other !== index) expect(text).not.toContain(`of private-${other}`);
          expect(machine.rows().startingWith('share:unopened:')).toEqual([]);
        }
      }),
      { numRuns: RUNS, seed: SEED },
    );
  });
});

function textOf(server: MemoryServer): string {
  return server.messages.map(({ bytes }) => Buffer.from(bytes).toString()).join();
}

function kindsAfter(position: number, server: MemoryServer): readonly string[] {
  return server.messages.filter((message) => message.position > position).map(({ kind }) => kind);
}

/** Everybody exchanges until nobody has anything to say. */
async function settle(machines: readonly Machine[], server: MemoryServer): Promise<void> {
  for (let round = 0; ; round++) {
    const before = server.head;
    for (const machine of machines) await machine.sync(server.connect());
    if (server.head === before) return;
    if (round === ROUNDS_MAX) throw new Error('They talk on for ever.');
  }
}

const ROUNDS_MAX = 15;
const RUNS = Number(process.env.ANNALS_TEST_SEEDS ?? 10);
const SEED = Number(process.env.ANNALS_TEST_SEED ?? 20261123);

const step = fc.record({
  kind: fc.constantFrom(
    'capture',
    'capture',
    'same',
    'sync',
    'sync',
    'cut',
    'cut',
    'restart',
    'wipe',
    'lose',
    'roll back',
    'again',
    'rotate',
  ),
  who: fc.integer({ min: 0, max: 2 }),
  count: fc.integer({ min: 1, max: 4 }),
  after: fc.integer({ min: 0, max: 4 }),
});

/** Without the events that this machine keeps for itself. */
async function sharedOf({ log }: Machine): Promise<readonly (readonly [string, string])[]> {
  const found = [...(await contents(log))].filter(([, json]) => !/private|diary/.test(json));
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}

function onlyCut(error: unknown): void {
  if (!(error instanceof Cut)) throw error;
}
