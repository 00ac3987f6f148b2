// Whole homes that share: views, digests and forgetting.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ExportedEvent, type Log, nameOfSession, packEvent } from '../../log/index.ts';
import { annalsOf, openParts } from '../../src/annals.ts';
import { recordWorkdirs } from '../../src/home/record-workdirs.ts';
import { type Annals, restoreAnnals } from '../../src/index.ts';
import type { SharedLog, StoredMessage } from '../../src/share/log/shared-log.ts';
import type { RefusedRow } from '../../src/share/sync/inbox.ts';
import type { SharedProject } from '../../src/share/sync/placement.ts';
import { type SyncReport, syncOnce } from '../../src/share/sync/sync.ts';
import { type ForgettingRow, Rows, syncKeys } from '../../src/share/sync/sync-rows.ts';
import { WireNames } from '../../src/share/sync/team.ts';
import { digestsOf, eventsOf, lasting, sharedFolder } from '../e2e/homes.ts';
import { Script } from '../helpers/transcripts.ts';
import { contents, linked, machine, PROJECT, REMOTE, reply, seen, TeamDouble } from './machines.ts';
import { MemoryServer, textOf } from './memory-shared-log.ts';

const folder = sharedFolder('sharing-homes');

interface SharingHome {
  readonly rows: Rows;
  readonly team: TeamDouble;
  readonly annals: Annals;
  readonly log: Log;
  readonly path: string;
  readonly origin: string;
  sync(shared: SharedLog): Promise<SyncReport>;
  close(): Promise<void>;
}

async function sharingHome(name: string, projects?: readonly SharedProject[]): Promise<SharingHome> {
  return openSharing(join(folder, name), name, projects);
}

async function openSharing(path: string, name: string, projects = [PROJECT] as readonly SharedProject[]) {
  const home = await openParts({ home: path });
  const annals = await annalsOf(home, {});
  const rows = await Rows.load(home.log);
  const team = new TeamDouble(name);
  return {
    rows,
    team,
    annals,
    log: home.log,
    path,
    origin: home.log.origin,
    sync: async (shared: SharedLog) => {
      const report = await syncOnce({ home, rows, team, shared, projects, lookAt: () => null });
      await home.runner.catchUp();
      return report;
    },
    close: () => annals.close(),
  };
}

function transcript(session: string, cwd: string, word: string): string {
  const script = new Script({ session, version: '2.1.210', cwd });
  script.prompt(`Why does the ${word} test fail?`, { promptId: `${session}-first` });
  script.use(`toolu_${session}`, 'Bash', { command: `npm test ${word}` });
  script.result(`toolu_${session}`, 'Exit code 1\nExpected 2, got 3', {}, { is_error: true });
  script.reply(`Because of the ${word} clock.`);
  const file = join(folder, `${session}.jsonl`);
  writeFileSync(file, script.bytes());
  return file;
}

describe('homes that share', () => {
  test('have equal views, and what one forgets is gone from both and from the engine', async () => {
    const server = new MemoryServer();
    const [one, other] = [await sharingHome('one'), await sharingHome('other')];
    try {
      const [first, second, both] = [
        transcript('11111111-0000-4000-8000-000000000000', '/one/app', 'zebrafish'),
        transcript('22222222-0000-4000-8000-000000000000', '/other/app', 'quagga'),
        transcript('33333333-0000-4000-8000-000000000000', '/any/app', 'okapi'),
      ];
      await one.annals.append([seen('/one/app', REMOTE), seen('/any/app', REMOTE)]);
      await other.annals.append([seen('/other/app', REMOTE), seen('/any/app', REMOTE)]);
      await one.annals.import([first!, both!]);
      await other.annals.import([second!, both!]);
      for (const home of [one, other, one, other]) await home.sync(server.connect());
      expect(lasting(await eventsOf(other.annals))).toEqual(lasting(await eventsOf(one.annals)));
      expect(await digestsOf(other.annals)).toEqual(await digestsOf(one.annals));
      expect((await other.annals.search('zebrafish')).results.length).toBeGreaterThan(0);

      await other.annals.forget({ session: '11111111-0000-4000-8000-000000000000' }, {});
      const forgetting = await other.sync(server.connect());
      expect(forgetting.events).toBe(1);
      await one.sync(server.connect());
      expect((await one.annals.search('zebrafish')).results).toEqual([]);
      expect(filesWith('zebrafish', one.path)).toEqual([]);
      expect(filesWith('zebrafish', other.path)).toEqual([]);
      const stored = textOf(server.messages);
      expect(stored).not.toContain('zebrafish');
      expect(stored).toContain('quagga');
      expect(await digestsOf(other.annals)).toEqual(await digestsOf(one.annals));
      expect((await one.annals.verify()).ok).toBe(true);
    } finally {
      await one.close();
      await other.close();
    }
  });

  test('a folder names the project that the views have it in', async () => {
    const home = await sharingHome('folders');
    try {
      await home.annals.append([
        seen('/a/app', REMOTE),
        {
          ...{ type: 'project.linked', agent: 'annals', session: null, channel: 'cli', occurredAt: 9 },
          ...{ dedupeKey: 'link', body: { cwd: '/a/app', project: 'diary' } },
        },
      ]);
      expect(await home.annals.sharePreview('/a/app')).toMatchObject({ key: 'name:diary', events: 1 });
    } finally {
      await home.close();
    }
  });

  test('a folder that nothing was recorded of is in its sub-project, or where the folder above it is linked', async () => {
    const repository = join(folder, 'repository');
    for (const path of ['.git', 'packages/api', 'packages/web', 'linked/deep'])
      mkdirSync(join(repository, path), { recursive: true });
    writeFileSync(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(
      join(repository, '.git', 'config'),
      '[remote "origin"]\n\turl = https://github.com/acme/app.git\n',
    );
    writeFileSync(join(repository, '.annals.json'), '{"subprojects":["packages/api"]}');
    const home = await sharingHome('sub-projects');
    try {
      await home.annals.save({ title: 'A note', text: 'kept', cwd: repository });
      await home.annals.append([
        {
          ...{ type: 'project.linked', agent: 'annals', session: null, channel: 'cli', occurredAt: 9 },
          ...{ dedupeKey: 'link', body: { cwd: join(repository, 'linked'), project: 'diary' } },
        },
      ]);
      const keyOf = async (path: string) => (await home.annals.sharePreview(join(repository, path))).key;
      expect(await keyOf('packages/api')).toBe('repo:github.com/acme/app#packages/api');
      expect(await keyOf('packages/web')).toBe('repo:github.com/acme/app');
      expect(await keyOf('linked/deep')).toBe('name:diary');
      await home.annals.append([linked(repository, 'journal')]);
      expect(await keyOf('packages/api')).toBe('name:journal');
      // As the views have it when something is recorded there.
      await home.annals.save({ title: 'Another note', text: 'kept', cwd: join(repository, 'packages/api') });
      expect(await keyOf('packages/api')).toBe('name:journal');
    } finally {
      await home.close();
    }
  });

  test('only a folder that is as the log says is recorded again', async () => {
    const cwd = join(folder, 'same path');
    mkdirSync(cwd);
    const home = await openParts({ home: join(folder, 'again') });
    const annals = await annalsOf(home, {});
    try {
      await annals.append([seen(cwd, REMOTE)]);
      await recordWorkdirs([cwd], home, { again: true });
      expect(await eventsOf(annals)).toHaveLength(1);
      await recordWorkdirs([cwd], home);
      await recordWorkdirs([cwd], home, { again: true });
      expect(await eventsOf(annals)).toHaveLength(3);
    } finally {
      await annals.close();
    }
  });

  test('a machine that comes late, after an engine was filled again, takes in nothing that was forgotten', async () => {
    const server = new MemoryServer();
    const [one, late] = [await sharingHome('keeper'), await sharingHome('late')];
    try {
      const gone = transcript('44444444-0000-4000-8000-000000000000', '/one/app', 'thylacine');
      await one.annals.append([seen('/one/app', REMOTE)]);
      await one.annals.import([gone]);
      await one.sync(server.connect());
      const before = [...server.messages];
      await one.annals.forget({ session: '44444444-0000-4000-8000-000000000000' }, {});
      await one.sync(server.connect());
      // An engine may bring back what it was asked to remove.
      for (const message of before) server.storeAgain(message);
      let wasHere = false;
      late.log.onWrite(() => {
        wasHere ||= filesWith('thylacine', late.path).length > 0;
      });
      await late.sync(server.connect());
      expect(wasHere).toBe(false);
      expect(filesWith('thylacine', late.path)).toEqual([]);
      expect(await digestsOf(late.annals)).toEqual(await digestsOf(one.annals));
      server.wipe();
      await one.sync(server.connect());
      expect(textOf(server.messages)).not.toContain('thylacine');
    } finally {
      await one.close();
      await late.close();
    }
  });

  test.each([
    ['by their ids', true],
    ['by the name of their session', false],
  ])('a member of one project cannot forget events of another one, named %s', async (how, byId) => {
    const server = new MemoryServer();
    const home = await sharingHome(`guarded ${how}`);
    const [shared, own] = ['77777777-0000-4000-8000-000000000000', '88888888-0000-4000-8000-000000000000'];
    try {
      await home.annals.append([seen('/one/app', REMOTE), seen('/one/diary', 'github.com/me/diary')]);
      const files = [transcript(shared, '/one/app', 'numbat'), transcript(own, '/one/diary', 'aardvark')];
      await home.annals.import(files);
      await home.sync(server.connect());
      const events = await eventsOf(home.annals);
      const idsOf = (session: string) => events.filter((one) => one.session === session).map(({ id }) => id);
      const names = [nameOfSession('claude-code', shared), nameOfSession('claude-code', own)];
      const forgetting = await forgettingOf({
        events: [
          { agent: 'claude-code', session: shared, ids: idsOf(shared) },
          ...(byId ? [{ agent: 'claude-code', session: own, ids: idsOf(own) }] : []),
        ],
        names: byId ? [] : names,
      });
      await send(forgetting, server);
      await home.sync(server.connect());
      const left = await eventsOf(home.annals);
      expect(left.filter(({ session }) => session === shared)).toEqual([]);
      expect(left.filter(({ session }) => session === own)).toHaveLength(idsOf(own).length);
      const found = async (word: string) =>
        JSON.stringify((await home.annals.search(word)).results).includes(word);
      expect([await found('aardvark'), await found('numbat')]).toEqual([true, false]);
      const [refused] = home.rows.startingWith<RefusedRow>(syncKeys.prefixes.refused);
      expect(refused?.[1].reason).toContain('another project');
      // What stays here is not confirmed.
      const said = server.messages
        .filter(({ kind }) => kind === 'statement')
        .map(({ bytes }) => String(bytes));
      expect(said.join()).not.toContain(forgetting.header.id);
      expect((await home.annals.verify()).ok).toBe(true);
      // Nothing is left to say about it.
      const { head } = server;
      await home.sync(server.connect());
      await home.sync(server.connect());
      expect(server.head - head).toBeLessThanOrEqual(2);
    } finally {
      await home.close();
    }
  });

  test('what was sent under two projects is forgotten under both by a member of one', async () => {
    const server = new MemoryServer();
    const lib = { ...PROJECT, key: 'repo:github.com/acme/lib', name: 'lib' };
    const projects = [PROJECT];
    const [home, reader] = [
      await sharingHome('of two', projects),
      await sharingHome('of the library', [lib]),
    ];
    reader.team.hidden.add(PROJECT.key);
    reader.team.cannotWrite = () => 'reader';
    const [session, next] = ['99999999-0000-4000-8000-000000000000', '99999999-0000-4000-8000-000000000001'];
    const idsOf = async (wanted: string) =>
      (await eventsOf(home.annals)).filter((one) => one.session === wanted).map(({ id }) => id);
    const forgettings = async () =>
      (await eventsOf(home.annals)).filter(({ type }) => type === 'memory.forgotten').length;
    try {
      await home.annals.append([seen('/a/app', REMOTE), seen('/a/lib', 'github.com/acme/lib')]);
      await home.annals.import([
        transcript(session, '/a/app', 'bilby'),
        transcript(next, '/a/app', 'bandicoot'),
      ]);
      await home.sync(server.connect());
      await home.annals.append([linked('/a/app', 'lib', 9)]);
      projects.push(lib);
      for (const one of [home, reader]) await one.sync(server.connect());
      expect(filesWith('bilby', reader.path)).not.toEqual([]);
      const ids = await idsOf(session);
      await send(await forgettingOf({ events: [{ agent: 'claude-code', session, ids }], names: [] }), server);
      const others = [{ agent: 'claude-code', session, ids: ['f'.repeat(32)] }];
      await send(await forgettingOf({ events: others, names: ['x'] }), server, undefined, lib);
      for (const one of [home, reader, home, reader]) await one.sync(server.connect());
      expect(textOf(server.messages)).not.toContain('bilby');
      expect(filesWith('bilby', reader.path)).toEqual([]);
      // A member of both sends it under both: then nobody else needs to.
      const before = await forgettings();
      const group = { agent: 'claude-code', session: next, ids: await idsOf(next) };
      const forgetting = await forgettingOf({ events: [group], names: [nameOfSession('claude-code', next)] });
      for (const project of projects) await send(forgetting, server, undefined, project);
      for (const one of [home, reader]) await one.sync(server.connect());
      expect(filesWith('bandicoot', reader.path)).toEqual([]);
      expect((await forgettings()) - before).toBe(1);
      // What it may not read is no fault of anybody.
      expect(reader.rows.startingWith(syncKeys.prefixes.refused)).toEqual([]);
    } finally {
      await home.close();
      await reader.close();
    }
  });

  test('machines that forget the same confirm it to each other, and so does one that never had it', async () => {
    const server = new MemoryServer();
    const names = ['first to forget', 'second to forget', 'never had it'];
    const homes = await Promise.all(names.map((name) => sharingHome(name)));
    const [one, other] = homes as [SharingHome, SharingHome];
    try {
      const session = '66666666-0000-4000-8000-000000000000';
      await one.annals.append([seen('/one/app', REMOTE)]);
      await one.annals.import([transcript(session, '/one/app', 'potoroo')]);
      for (const home of [one, other]) await home.sync(server.connect());
      const prompt = (await one.annals.search('potoroo kind:prompt')).results[0]!;
      for (const home of [one, other]) await home.annals.forget({ ids: [prompt.id] }, {});
      for (const home of [...homes, ...homes]) await home.sync(server.connect());
      for (const { rows } of homes) expect(rows.startingWith(syncKeys.prefixes.refused)).toEqual([]);
      expect(one.rows.startingWith(syncKeys.prefixes.confirmed)).toHaveLength(2);
    } finally {
      for (const home of homes) await home.close();
    }
  });

  test('a forgetting that the server loses is sent again, and nobody gives back what it names', async () => {
    const server = new MemoryServer();
    const [one, other] = [await sharingHome('forgets'), await sharingHome('still has it')];
    try {
      const file = transcript('55555555-0000-4000-8000-000000000000', '/one/app', 'wallaby');
      await one.annals.append([seen('/one/app', REMOTE)]);
      await one.annals.import([file]);
      for (const home of [one, other]) await home.sync(server.connect());
      const sent = [...server.messages];
      await one.annals.forget({ session: '55555555-0000-4000-8000-000000000000' }, {});
      await one.sync(server.connect());
      expect(server.messages.filter(isForgetting)).toHaveLength(1);
      server.lose(isForgetting);
      // A message of the other machine was on its way when it was forgotten.
      const lost = sent.filter(({ kind }) => kind === 'event');
      for (const message of lost) server.storeAgain(message);
      for (const id of (await contents(other.log)).keys()) other.rows.set(syncKeys.resent(id), true);
      for (let round = 0; round < 4; round++)
        for (const home of [other, one]) await home.sync(server.connect());
      expect(server.messages.filter(isForgetting)).toHaveLength(1);
      const applied = other.rows.startingWith<ForgettingRow>(syncKeys.prefixes.forgetting);
      expect(applied).toMatchObject([[expect.anything(), { said: server.incarnation }]]);
      // It is confirmed once, however often it comes.
      server.storeAgain(server.messages.find(isForgetting)!);
      await other.sync(server.connect());
      expect(other.rows.startingWith(syncKeys.prefixes.forgetting)).toEqual(applied);
      expect(filesWith('wallaby', other.path)).toEqual([]);
      expect(textOf(server.messages)).not.toContain('wallaby');
      expect(await digestsOf(other.annals)).toEqual(await digestsOf(one.annals));
    } finally {
      await one.close();
      await other.close();
    }
  });

  describe('a forgetting and what is written at the same time', () => {
    const session = 'work';
    const sender = async (server: MemoryServer) => {
      const other = await machine('sender');
      await other.capture(seen('/a/app', REMOTE), reply(session, 1, '/a/app'));
      await other.sync(server.connect());
      return other;
    };

    test('what comes in while its session is forgotten here has no text', async () => {
      const server = new MemoryServer();
      const home = await sharingHome('forgets while it takes in');
      try {
        const other = await sender(server);
        await home.sync(server.connect());
        await other.capture(reply(session, 2, '/a/app'));
        await other.sync(server.connect());
        beforeWriting(home.log, () => home.annals.forget({ session }, {}));
        await home.sync(server.connect());
        expect([...(await contents(home.log)).values()].join()).not.toMatch(/answer [12] of/);
        expect((await home.annals.verify()).ok).toBe(true);
      } finally {
        await home.close();
      }
    });

    test('what is recorded while a forgetting comes in is forgotten by its name', async () => {
      const server = new MemoryServer();
      const home = await sharingHome('records while it forgets');
      try {
        await sender(server);
        await home.sync(server.connect());
        const forgetting = await forgettingOf({
          events: [],
          names: [nameOfSession('claude-code', session)],
        });
        await send(forgetting, server);
        beforeWriting(home.log, () => home.annals.append([reply(session, 2, '/a/app')]));
        await home.sync(server.connect());
        expect([...(await contents(home.log)).values()].join()).not.toMatch(/answer [12] of/);
        expect(filesWith('answer 2', home.path)).toEqual([]);
      } finally {
        await home.close();
      }
    });
  });

  test('two homes with one identity are told, one home after a new start is not', async () => {
    const server = new MemoryServer();
    const paths = [join(folder, 'original'), join(folder, 'its copy')] as const;
    const open = async (path: string) => {
      const home = await openSharing(path, 'one identity');
      home.team.at = Date.now();
      await home.annals.append([seen('/a/app', REMOTE)]);
      return home;
    };
    const first = await open(paths[0]);
    await first.sync(server.connect());
    await first.close();
    cpSync(paths[0], paths[1], { recursive: true });
    const [original, copy] = [await open(paths[0]), await open(paths[1])];
    const saysSo = async ({ annals }: SharingHome) =>
      (await annals.status()).degraded.filter((sentence) => sentence.startsWith('Another home shares'));
    try {
      for (const number of [1, 2]) {
        await original.annals.append([reply('work', number, '/a/app')]);
        await original.sync(server.connect());
        await original.sync(server.connect());
      }
      expect(await saysSo(original)).toEqual([]);
      await copy.annals.append([reply('other work', 3, '/a/app')]);
      for (const home of [copy, original]) await home.sync(server.connect());
      expect(await saysSo(copy)).toHaveLength(1);
      expect(await saysSo(original)).toHaveLength(1);
    } finally {
      await original.close();
      await copy.close();
    }
  });

  test('what is a matter of each machine is not taken from others, and a clock that is ahead says nothing', async () => {
    const server = new MemoryServer();
    const home = await sharingHome('own matters');
    const mallory = await machine('mallory');
    try {
      await home.annals.append([seen('/a/app', REMOTE), seen('/a/diary', 'github.com/me/diary')]);
      await mallory.capture(linked('/a/diary', 'app'), reply('work', 1, '/b/app'));
      mallory.team.at = Date.now() + 365 * 86_400_000;
      for (const event of (await mallory.log.exportPage({ after: 0 })).events)
        await send(event, server, mallory.team);
      expect((await home.sync(server.connect())).received).toBe(1);
      expect((await home.annals.sharePreview('/a/diary')).key).toBe('repo:github.com/me/diary');
      expect(home.rows.startingWith(syncKeys.prefixes.refused)).toHaveLength(1);
      expect(home.rows.get<number>(syncKeys.seen('mallory'))).toBeLessThanOrEqual(Date.now());
    } finally {
      await home.close();
    }
  });

  test('nobody can say that another machine wrote an event', async () => {
    const server = new MemoryServer();
    const home = await sharingHome('named as origin');
    try {
      const forged = await machine('forger');
      await forged.capture(reply('work', 1, '/a/app'));
      const [event] = (await forged.log.exportPage({ after: 0 })).events;
      await send({ ...event!, header: { ...event!.header, origin: home.origin } }, server);
      expect((await home.sync(server.connect())).received).toBe(0);
      expect(home.rows.startingWith(syncKeys.prefixes.refused)).toHaveLength(1);
    } finally {
      await home.close();
    }
  });

  test('nobody can say where a folder of a restored home belongs, what it wrote before comes back', async () => {
    const server = new MemoryServer();
    const before = await sharingHome('to be restored');
    const [saved, path] = [join(folder, 'saved'), join(folder, 'restored')];
    await before.annals.export(saved);
    const { origin } = before;
    await before.close();
    await restoreAnnals(saved, { home: path });
    const home = await openSharing(path, 'restored');
    try {
      await home.annals.append([seen('/a/diary', 'github.com/me/diary'), reply('diary', 1, '/a/diary')]);
      const forged = await machine('forger of a folder');
      await forged.capture(seen('/a/diary', REMOTE), reply('work', 2, '/a/app'));
      for (const event of (await forged.log.exportPage({ after: 0 })).events)
        await send({ ...event, header: { ...event.header, origin } }, server);
      expect((await home.sync(server.connect())).received).toBe(1);
      expect((await home.sync(server.connect())).events).toBe(0);
      expect(home.rows.startingWith(syncKeys.prefixes.refused)).toHaveLength(1);
    } finally {
      await home.close();
    }
  });
});

/** As another member seals and sends it. */
async function send(
  event: ExportedEvent,
  server: MemoryServer,
  team = new TeamDouble('mallory'),
  { key } = PROJECT,
): Promise<void> {
  const [bytes] = await team.seal([{ project: key, plain: packEvent(event) }]);
  const wire = new WireNames(team);
  server.store({
    ...{ id: wire.event(key, event.header.id), kind: 'event', origin: wire.origin('mallory') },
    ...{ project: wire.project(key), bytes: bytes! },
  });
}

/** Does something once, before the next event is written that another machine sent. */
function beforeWriting(log: Log, act: () => Promise<unknown>): void {
  let acted = false;
  const acting = async () => {
    if (acted) return;
    acted = true;
    await act();
  };
  const { importEvents, exclusively } = log;
  log.importEvents = async (...given) => {
    await acting();
    return importEvents.call(log, ...given);
  };
  log.exclusively = async (work) => {
    await acting();
    return exclusively.call(log, work) as ReturnType<typeof work>;
  };
}

function isForgetting({ kind, bytes }: StoredMessage): boolean {
  return kind === 'event' && textOf([{ bytes }]).includes('memory.forgotten');
}

/** As a log of another machine would have it. */
async function forgettingOf(body: {
  readonly events: readonly { agent: string; session: string; ids: string[] }[];
  readonly names: readonly string[];
}): Promise<ExportedEvent> {
  const { log } = await machine('mallory');
  await log.append([
    {
      ...{ type: 'memory.forgotten', agent: 'annals', session: null, channel: 'cli', occurredAt: 1 },
      dedupeKey: JSON.stringify(body.names),
      body: { by: 'ids', copies: false, events: [...body.events], names: [...body.names], items: [] },
    },
  ]);
  return (await log.exportPage({ after: 0 })).events[0]!;
}

/** Files of a home with a word, however LevelDB stores it uncompressed. */
function filesWith(word: string, path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).includes(word));
}
