// What is forgotten on one of several homes that share is gone from all of them, and nothing else is.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ExportedEvent, type Log, nameOfSession } from '../../../log/index.ts';
import { settledMark } from '../../../src/capture/private/private-marks.ts';
import { hookCursor } from '../../../src/capture/spool/session-privacy.ts';
import { prove } from '../../../src/forget/forget-proof.ts';
import type { SharedLog, StoredMessage } from '../../../src/share/log/shared-log.ts';
import { type ForgettingRow, type SessionRow, syncKeys } from '../../../src/share/rows/sync-rows.ts';
import type { RefusedRow } from '../../../src/share/sync/inbox.ts';
import type { LookAtFolder, SharedProject } from '../../../src/share/sync/placement.ts';
import { digestsOf, eventsOf, lasting, sharedFolder } from '../../e2e/homes.ts';
import { contents, linked, machine, PROJECT, REMOTE, reply, seen } from '../machines.ts';
import { MemoryServer, textOf } from '../memory-shared-log.ts';
import { type SharingHome, send, sharingHome, transcript } from './sharing-home.ts';

const folder = sharedFolder('sharing-homes');
const homeOf = (name: string, projects?: readonly SharedProject[]) =>
  sharingHome(join(folder, name), projects);

test('homes that share have equal views, and what one forgets is gone from both and from the engine', async () => {
  const server = new MemoryServer();
  const [one, other] = [await homeOf('one'), await homeOf('other')];
  const [first, second, both] = [
    transcript(folder, '11111111-0000-4000-8000-000000000000', '/one/app', 'zebrafish'),
    transcript(folder, '22222222-0000-4000-8000-000000000000', '/other/app', 'quagga'),
    transcript(folder, '33333333-0000-4000-8000-000000000000', '/any/app', 'okapi'),
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
});

/** Its key names no folder: keys stay. */
const LOOK_THERE = { ...seen('/one/marmoset/app', REMOTE), dedupeKey: 'look' };
const SESSION = '11111111-0000-4000-8000-00000000000';
/** The rows of sharing and all files that name something, tables unpacked. */
const namedIn = async ({ log, path }: SharingHome, word: string) => {
  const rows = (await log.cursors(syncKeys.all)).filter((row) => JSON.stringify(row).includes(word));
  const { found } = await prove(path, [word], log.logId);
  return [...rows.map(({ key }) => key), ...found.map(({ file }) => file)];
};

// Each step is a new start: what is known is only what is on disk.
test.each([
  ['its session', { session: `${SESSION}a` }, '/one/marmoset/app', true],
  ['its project', { project: 'app' }, '/one/marmoset/app', false],
  ['its folder', { query: '/one/marmoset' }, '/two/app', false],
])('what is forgotten by %s is gone elsewhere, and nothing else', async (how, selection, next, isNamed) => {
  const server = new MemoryServer();
  const started = async (work: (home: SharingHome) => Promise<unknown>) => {
    const home = await homeOf(`new start ${how}`);
    await work(home).finally(() => home.annals.close());
  };
  const added = (...events: Parameters<SharingHome['annals']['append']>[0]) =>
    started(async ({ annals, sync }) => {
      await annals.append(events);
      await sync(server.connect());
    });
  await started(async ({ annals, sync }) => {
    await annals.append([
      LOOK_THERE,
      seen('/two/app', REMOTE),
      ...[reply('diary', 1, '/one/marmoset/diary'), reply('kept', 2, isNamed ? next : '/two/app')],
    ]);
    await annals.import([transcript(folder, `${SESSION}a`, '/one/marmoset/app', 'tamandua')]);
    await sync(server.connect());
    expect(textOf(server.messages)).toContain('tamandua');
  });
  const mark = settledMark({ agent: 'claude-code', session: `${SESSION}a` });
  await started(async ({ annals, log }) => {
    await log.append([], { cursors: [mark] });
    if (how === 'its project') await annals.append([linked('/two/app', 'other', 9)]);
    expect((await annals.forget(selection, {})).proof).toMatchObject({ ok: true });
    const rows = JSON.stringify(await log.cursors(syncKeys.all));
    expect(rows.includes('/one/marmoset/app')).toBe(false);
    expect(rows.includes('/one/marmoset/diary')).toBe(how !== 'its folder');
    // What is known of private prompts is not lost with it.
    expect(await log.cursor(mark.key)).toEqual(mark.value);
  });
  await started(({ sync }) => sync(server.connect()));
  expect(textOf(server.messages)).not.toContain('tamandua');
  expect(server.messages.filter(isForgetting)).toHaveLength(1);
  // Where a kept session belongs is learned again from what was recorded before.
  if (how !== 'its project') await added(reply('kept', 3, null));
  if (how !== 'its project') expect(textOf(server.messages)).toContain('answer 3 of kept');
  await started(async (home) => {
    if (how === 'its folder') expect(await namedIn(home, 'marmoset')).toEqual([]);
  });
});

test('what waits of a session in a folder that is forgotten waits for its next folder', async () => {
  const server = new MemoryServer();
  const home = await homeOf('waits');
  await home.annals.append([
    seen('/two/app', REMOTE),
    reply('diary', 1, '/one/marmoset/diary'),
    reply('diary', 2, null),
  ]);
  await home.sync(server.connect());
  await home.annals.forget({ query: '/one/marmoset' }, {});
  expect(await namedIn(home, 'marmoset')).toEqual([]);
  await home.sync(server.connect());
  expect(textOf(server.messages)).not.toContain('of diary');
  await home.annals.append([reply('diary', 3, '/two/app')]);
  await home.sync(server.connect());
  expect(textOf(server.messages)).toMatch(/answer 2 of diary[\s\S]*answer 3 of diary/);
});

test('a folder that was only looked at is still known when another one is forgotten, and is not when it is', async () => {
  const server = new MemoryServer();
  const folders = new Set(['/one/worktree', '/one/marmoset']);
  const home = await sharingHome(join(folder, 'looks'), [PROJECT], 'looks', (cwd) =>
    folders.has(cwd) ? ({ ...seen(cwd, REMOTE).body, superproject: null } as ReturnType<LookAtFolder>) : null,
  );
  const other = await homeOf('has it too');
  await home.annals.append([
    ...[reply('kept', 1, '/one/worktree'), reply('gone', 2, '/one/marmoset')],
    ...[reply('away', 3, '/one/marmoset'), reply('diary', 4, '/one/wallaby')],
    reply('past', 5, '/one/numbat'),
  ]);
  await home.sync(server.connect());
  await other.sync(server.connect());
  folders.clear();
  // It was not there when that was recorded.
  folders.add('/one/numbat');
  await home.annals.forget({ session: 'gone' }, {});
  await home.annals.forget({ session: 'diary' }, {});
  expect(await namedIn(home, 'wallaby')).toEqual([]);
  await home.annals.append([reply('kept', 6, null), reply('away', 7, null)]);
  await home.sync(server.connect());
  expect(textOf(server.messages)).toContain('answer 6 of kept');
  expect(textOf(server.messages)).toContain('answer 7 of away');
  expect(textOf(server.messages)).not.toContain('of past');
  // By another machine.
  await other.sync(server.connect());
  await other.annals.forget({ session: 'away' }, {});
  await other.sync(server.connect());
  await home.sync(server.connect());
  expect(await namedIn(home, 'marmoset')).toEqual([]);
  await home.annals.append([reply('kept', 8, null)]);
  await home.sync(server.connect());
  expect(textOf(server.messages)).toContain('answer 8 of kept');
});

test('a folder that a session has left is forgotten with the last event that names it', async () => {
  const home = await homeOf('left');
  await home.annals.append([reply('moved', 5, '/one/marmoset'), reply('moved', 6, '/one/marmoset')]);
  await home.sync(new MemoryServer().connect());
  await home.annals.append([reply('moved', 1, '/one/other')]);
  await home.sync(new MemoryServer().connect());
  await home.annals.forget({ query: 'answer 5 of moved' }, {});
  expect(await home.log.cursor(syncKeys.skipped('/one/marmoset'))).toBeDefined();
  await home.annals.forget({ query: 'answer 6 of moved' }, {});
  expect(await namedIn(home, 'marmoset')).toEqual([]);
  await home.sync(new MemoryServer().connect());
  expect(await namedIn(home, 'marmoset')).toEqual([]);
});

const LEARNING = { folder: { cwd: '/one/marmoset/app' }, project: null };
const SENDING = { folder: { cwd: '/one/marmoset/app' }, project: PROJECT.key };
test.each([
  ['before', null, false],
  ['while it learns', LEARNING, false],
  ['while it sends', SENDING, false],
  ['while it sends, before a write that fails', SENDING, true],
])('a running exchange brings back no name of a folder that was forgotten %s', async (when, row, isFull) => {
  const server = new MemoryServer();
  const home = await homeOf(`running ${when}`);
  await home.annals.append([
    ...[LOOK_THERE, seen('/two/app', REMOTE)],
    ...[reply('diary', 1, '/one/marmoset/diary'), reply('kept', 2, '/two/app'), reply('diary', 3, null)],
  ]);
  await home.sync(server.connect());
  const forget = () => home.annals.forget({ query: '/one/marmoset' }, {});
  await home.annals.append([
    ...[reply('kept', 4, null), reply('late', 5, '/one/marmoset/app'), reply('late', 8, null)],
  ]);
  const late = syncKeys.session('claude-code', 'late');
  if (row === null) await forget();
  else {
    const failNext = failing(home.log);
    const isNow = () => home.rows.get<SessionRow>(late)?.project === row.project;
    beforeWriting(
      home.log,
      async () => {
        expect(home.rows.get(late)).toMatchObject(row);
        await forget();
        if (isFull) failNext();
      },
      isNow,
    );
  }
  if (isFull) await expect(home.sync(server.connect())).rejects.toThrow('full');
  await home.sync(server.connect());
  const proof = await forget();
  expect(proof.outcome).toBe('nothing');
  expect(await namedIn(home, 'marmoset')).toEqual([]);
  expect(textOf(server.messages)).not.toContain('of late');
  await home.annals.append([reply('kept', 6, null), reply('diary', 7, '/two/app')]);
  await home.sync(server.connect());
  for (const text of ['answer 4 of kept', 'answer 6 of kept', 'answer 3 of diary', 'answer 7 of diary'])
    expect(textOf(server.messages)).toContain(text);
});

test('what is forgotten while an exchange learns it is not written, also if the rows had nothing of it', async () => {
  const server = new MemoryServer();
  const home = await homeOf('learns it');
  await home.annals.append([seen('/two/app', REMOTE), reply('kept', 1, '/two/app')]);
  await home.sync(server.connect());
  await home.annals.append([reply('late', 2, '/one/marmoset')]);
  beforeWriting(
    home.log,
    () => home.annals.forget({ session: 'late' }, {}),
    () => home.rows.get(syncKeys.session('claude-code', 'late')) !== null,
  );
  await home.sync(server.connect());
  expect(await namedIn(home, 'marmoset')).toEqual([]);
});

test('a session of another machine that is forgotten takes no event of an own one of that name', async () => {
  const server = new MemoryServer();
  const [home, other] = [await homeOf('namesake'), await homeOf('named first')];
  await other.annals.append([seen('/one/app', REMOTE), reply('notes', 1, '/one/app')]);
  await home.annals.append([seen('/one/app', REMOTE)]);
  for (const one of [other, home]) await one.sync(server.connect());
  await home.annals.append([reply('notes', 2, null)]);
  await home.sync(server.connect());
  await other.annals.forget({ session: 'notes' }, { withCopies: true });
  for (const one of [other, home]) await one.sync(server.connect());
  expect([...(await contents(home.log)).values()].join()).toContain('answer 2 of notes');
  expect(textOf(server.messages)).not.toContain('answer 2 of notes');
});

const ANOTHER = { session: 'another' };
const NAMING = { query: 'answer 1 of both' };
test.each([
  ['another one was forgotten here', 'here', ANOTHER],
  ['another one was forgotten here before a new start', 'start', ANOTHER],
  ['another one was forgotten there', 'there', ANOTHER],
  ['what names its folder was forgotten here', 'here', NAMING],
  ['what names its folder was forgotten there', 'there', NAMING],
  ['what names its folder was forgotten there in an exchange before', 'before', NAMING],
])(
  'a session that is forgotten elsewhere takes what waits of it here, when %s',
  async (what, how, before) => {
    const server = new MemoryServer();
    let home = await homeOf(`waits when ${what}`);
    const other = await homeOf(`forgets when ${what}`);
    await home.annals.append([
      ...[seen('/one/app', REMOTE), reply('both', 1, '/one/app')],
      ...[reply('another', 2, '/one/app'), reply('both', 3, null)],
    ]);
    for (const one of [home, other]) await one.sync(server.connect());
    // The fork has a copy of the third line.
    await home.annals.append([reply('both', 7, null), reply('fork', 3, '/one/app')]);
    await (how === 'here' || how === 'start' ? home : other).annals.forget(before, {});
    if (how === 'before') for (const one of [other, home]) await one.sync(server.connect());
    await other.annals.forget({ session: 'both' }, { withCopies: true });
    await other.sync(server.connect());
    if (how === 'start') {
      await home.annals.close();
      home = await homeOf(`waits when ${what}`);
    }
    await home.sync(how === 'start' ? server.connect() : inPagesOfOne(server.connect()));
    await home.annals.append([reply('both', 9, '/one/app')]);
    await home.sync(server.connect());
    expect(home.rows.startingWith(syncKeys.prefixes.refused)).toEqual([]);
    expect([...(await contents(home.log)).values()].join()).not.toMatch(/answer . of (both|fork)/);
    expect(textOf(server.messages)).not.toMatch(/answer . of (both|fork)/);
  },
);

test('folders of Windows are forgotten, and found where nothing escapes their backslashes', async () => {
  const home = await homeOf('windows');
  const folders = 'C:\\Users\\marmoset';
  await home.annals.append([reply('diary', 1, `${folders}\\diary`), reply('abc', 2, null)]);
  await home.sync(new MemoryServer().connect());
  const hooks = [{ key: hookCursor('claude-code', 'abc'), value: { prompts: [] } }];
  await home.log.append([], { cursors: hooks });
  expect((await home.annals.forget({ query: folders }, {})).proof).toMatchObject({ ok: true });
  expect(await namedIn(home, 'marmoset')).toEqual([]);
  // An id may be shorter than what can be searched for.
  await home.annals.forget({ session: 'abc' }, {});
  expect(await home.log.cursor(hooks[0]!.key)).toBeUndefined();
  writeFileSync(join(home.path, 'planted'), `${folders}\\diary`);
  const { found } = await prove(home.path, [JSON.stringify(folders).slice(1, -1)], home.log.logId);
  expect(found).toMatchObject([{ file: 'planted' }]);
});

test('the name of a shared project stays, and the person is told so', async () => {
  const home = await homeOf('names');
  await home.annals.append([seen('/one/app', REMOTE), reply('work', 1, '/one/app')]);
  await home.sync(new MemoryServer().connect());
  expect((await home.annals.forget({ query: REMOTE }, {})).proof).toMatchObject({ ok: false });
  expect(JSON.stringify(await home.annals.status())).toContain('name of a shared project: there it stays');
});

test('a machine that comes late, after an engine was filled again, takes in nothing that was forgotten', async () => {
  const server = new MemoryServer();
  const [one, late] = [await homeOf('keeper'), await homeOf('late')];
  const gone = transcript(folder, '44444444-0000-4000-8000-000000000000', '/one/app', 'thylacine');
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
});

test.each([
  ['by their ids', true],
  ['by the name of their session', false],
])('a member of one project cannot forget events of another one, named %s', async (how, byId) => {
  const server = new MemoryServer();
  const home = await homeOf(`guarded ${how}`);
  const [shared, own] = ['77777777-0000-4000-8000-000000000000', '88888888-0000-4000-8000-000000000000'];
  await home.annals.append([seen('/one/app', REMOTE), seen('/one/diary', 'github.com/me/diary')]);
  const files = [
    transcript(folder, shared, '/one/app', 'numbat'),
    transcript(folder, own, '/one/diary', 'aardvark'),
  ];
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
  const said = server.messages.filter(({ kind }) => kind === 'statement').map(({ bytes }) => String(bytes));
  expect(said.join()).not.toContain(forgetting.header.id);
  expect((await home.annals.verify()).ok).toBe(true);
  // Nothing is left to say about it.
  const { head } = server;
  await home.sync(server.connect());
  await home.sync(server.connect());
  expect(server.head - head).toBeLessThanOrEqual(2);
});

test('what was sent under two projects is forgotten under both by a member of one', async () => {
  const server = new MemoryServer();
  const lib = { ...PROJECT, key: 'repo:github.com/acme/lib', name: 'lib' };
  const projects = [PROJECT];
  const [home, reader] = [await homeOf('of two', projects), await homeOf('of the library', [lib])];
  reader.team.hidden.add(PROJECT.key);
  reader.team.cannotWrite = () => 'reader';
  const [session, next] = ['99999999-0000-4000-8000-000000000000', '99999999-0000-4000-8000-000000000001'];
  const idsOf = async (wanted: string) =>
    (await eventsOf(home.annals)).filter((one) => one.session === wanted).map(({ id }) => id);
  const forgettings = async () =>
    (await eventsOf(home.annals)).filter(({ type }) => type === 'memory.forgotten').length;
  await home.annals.append([seen('/a/app', REMOTE), seen('/a/lib', 'github.com/acme/lib')]);
  await home.annals.import([
    transcript(folder, session, '/a/app', 'bilby'),
    transcript(folder, next, '/a/app', 'bandicoot'),
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
});

test('machines that forget the same confirm it to each other, and so does one that never had it', async () => {
  const server = new MemoryServer();
  const names = ['first to forget', 'second to forget', 'never had it'];
  const homes = await Promise.all(names.map((name) => homeOf(name)));
  const [one, other] = homes as [SharingHome, SharingHome];
  const session = '66666666-0000-4000-8000-000000000000';
  await one.annals.append([seen('/one/app', REMOTE)]);
  await one.annals.import([transcript(folder, session, '/one/app', 'potoroo')]);
  for (const home of [one, other]) await home.sync(server.connect());
  const prompt = (await one.annals.search('potoroo kind:prompt')).results[0]!;
  for (const home of [one, other]) await home.annals.forget({ ids: [prompt.id] }, {});
  for (const home of [...homes, ...homes]) await home.sync(server.connect());
  for (const { rows } of homes) expect(rows.startingWith(syncKeys.prefixes.refused)).toEqual([]);
  expect(one.rows.startingWith(syncKeys.prefixes.confirmed)).toHaveLength(2);
});

test('a forgetting that the server loses is sent again, and nobody gives back what it names', async () => {
  const server = new MemoryServer();
  const [one, other] = [await homeOf('forgets'), await homeOf('still has it')];
  const file = transcript(folder, '55555555-0000-4000-8000-000000000000', '/one/app', 'wallaby');
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
  for (let round = 0; round < 4; round++) for (const home of [other, one]) await home.sync(server.connect());
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
    const home = await homeOf('forgets while it takes in');
    const other = await sender(server);
    await home.sync(server.connect());
    await other.capture(reply(session, 2, '/a/app'));
    await other.sync(server.connect());
    beforeWriting(home.log, () => home.annals.forget({ session }, {}));
    await home.sync(server.connect());
    expect([...(await contents(home.log)).values()].join()).not.toMatch(/answer [12] of/);
    expect((await home.annals.verify()).ok).toBe(true);
  });

  test('what is recorded while a forgetting comes in is forgotten by its name', async () => {
    const server = new MemoryServer();
    const home = await homeOf('records while it forgets');
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
  });
});

/** Does something once, before an event is written that another machine sent, or rows of sharing are. */
function beforeWriting(log: Log, act: () => Promise<unknown>, isNow = () => true): void {
  let acted = false;
  const acting = async () => {
    if (acted || !isNow()) return;
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

/** Makes the next exclusive write fail when the answer is called. */
function failing(log: Log): () => void {
  let isFull = false;
  const { exclusively } = log;
  log.exclusively = (work) =>
    exclusively.call(log, (writer) => {
      if (!isFull) return work(writer);
      isFull = false;
      return work({ ...writer, append: () => Promise.reject(new Error('The disk is full.')) });
    }) as ReturnType<typeof work>;
  return () => {
    isFull = true;
  };
}

function isForgetting({ kind, bytes }: StoredMessage): boolean {
  return kind === 'event' && textOf([{ bytes }]).includes('memory.forgotten');
}

function inPagesOfOne(shared: SharedLog): SharedLog {
  const page = shared.page.bind(shared);
  shared.page = (request) => page({ ...request, limit: 1 });
  return shared;
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
