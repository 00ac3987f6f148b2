// An event is sent where the views have it.
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
import { WireNames } from '../../src/share/sync/team.ts';
import { memoryGenerations, testRunner } from '../helpers/views.ts';
import {
  forgotten,
  idOf,
  linked,
  machine,
  PROJECT,
  REMOTE,
  RUNS,
  reply,
  SEED,
  saved,
  seen,
} from './machines.ts';
import { MemoryServer, textOf } from './memory-shared-log.ts';

describe('an event is sent where the views have it', () => {
  const look = (cwd: string, remote: string, more: object = {}, occurredAt = 5): NewEvent<'workdir.seen'> => {
    const event = seen(cwd, remote);
    const body = { ...event.body, ...more };
    return { ...event, occurredAt, dedupeKey: `${occurredAt} ${JSON.stringify(body)}`, body };
  };
  const firstLine = (session: string, cwd: string): NewEvent<'session.started'> => ({
    ...{ type: 'session.started', agent: 'claude-code', session, channel: 'transcript', occurredAt: 9_000 },
    ...{ dedupeKey: `start:${session}`, body: { cwd, offset: 0 } },
  });
  /** What left the machine, as text. */
  const left = async (events: readonly NewEvent[], projects = [PROJECT]): Promise<string> => {
    const server = new MemoryServer();
    const one = await machine('one', projects);
    await one.capture(...events);
    await one.sync(server.connect());
    return textOf(server.messages);
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
      ...[look('/b/app', REMOTE), linked('/b/app', 'github.com/me/diary', 9), linked('/b/app', 'app', 1)],
      ...[reply('first', 1, '/a/app'), reply('second', 2, '/b/app')],
    ]);
    expect(text).not.toContain('answer');
  });

  test('a link and a look that were forgotten place nothing', async () => {
    const server = new MemoryServer();
    const one = await machine('one');
    await one.capture(look('/a/app', REMOTE), linked('/a/diary', 'app'), reply('before', 1, '/a/diary'));
    expect((await one.sync(server.connect())).events).toBe(2);
    await one.capture(forgotten(null, [await idOf(one, 'project.linked')]), reply('after', 2, '/a/diary'));
    await one.sync(server.connect());
    await one.capture(forgotten(null, [await idOf(one, 'workdir.seen')]), reply('later', 3, '/a/app'));
    await one.sync(server.connect());
    expect(textOf(server.messages)).not.toMatch(/of after|of later/);
  });

  test('a folder that is linked to a work tree of the project is of the project', async () => {
    const tree = { worktree: true, commonDir: '/a/app/.git' };
    const text = await left([
      ...[look('/a/feature', REMOTE, tree), linked('/b/notes', 'app/feature')],
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
    expect(textOf(server.messages)).not.toContain('Of app in');
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
    await one.capture(linked('/a/app', 'diary'));
    await one.sync(server.connect());
    await one.capture(forgotten('work', [await idOf(one, 'agent.replied')]));
    expect((await one.sync(server.connect())).events).toBe(1);
    expect(textOf(server.messages)).not.toContain('of work');
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
      fc.tuple(cwd, name, at).map((words) => linked(...words)),
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
