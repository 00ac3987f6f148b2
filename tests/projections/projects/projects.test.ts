import { describe, expect, it } from 'vitest';
import { type BodyInput, type EventData, type EventType, loadCatalog } from '../../../log/index.ts';
import {
  listProjects,
  nameOfPath,
  projectsProjector,
  resolveAmong,
  resolveProject,
  resolveProjects,
  workdirsAmong,
} from '../../../projections/projects/index.ts';
import { MemoryView } from '../../helpers/memory-view.ts';

const CATALOG = await loadCatalog();

let counter = 0;
function dedupeKey<T extends EventType>(type: T, body: BodyInput<T>, at: number | null = 1): EventData {
  const id = String(++counter).padStart(32, '0');
  return {
    type,
    id,
    version: 1,
    agent: 'claude-code',
    session: null,
    dedupeKey: id,
    channel: 'transcript',
    origin: 'here',
    originSeq: counter,
    occurredAt: at,
    causation: null,
    body: CATALOG[type].body.parse(body),
  } as unknown as EventData;
}

const session = (cwd: string) => dedupeKey('session.started', { cwd });
const link = (cwd: string, project: string, at = 1) => dedupeKey('project.linked', { cwd, project }, at);
const memory = (project: string) => dedupeKey('memory.saved', { title: 't', text: 'x', project });

function repo(
  root: string,
  url: string | null,
  more: Partial<BodyInput<'workdir.seen'>> = {},
  at = 1,
): EventData {
  const remotes = url === null ? [] : [{ name: 'origin', url }];
  return dedupeKey('workdir.seen', { cwd: root, root, commonDir: `${root}/.git`, remotes, ...more }, at);
}

async function viewOf(events: readonly EventData[], page = events.length): Promise<MemoryView> {
  const view = new MemoryView();
  for (let from = 0; from < events.length; from += page)
    await projectsProjector.fold(events.slice(from, from + page), view);
  return view;
}

const names = async (view: MemoryView, ...workdirs: string[]) =>
  Promise.all(workdirs.map(async (workdir) => (await resolveProject(workdir, view)).name));

describe('a workdir belongs to', () => {
  it('its remote, wherever it is cloned, on any folder name', async () => {
    const view = await viewOf([
      repo('/a/app', 'github.com/Owner/App'),
      repo('/b/copy', 'github.com/owner/app'),
    ]);
    const [one, other] = [await resolveProject('/a/app', view), await resolveProject('/b/copy', view)];
    expect(one).toEqual(other);
    expect(one).toEqual({ key: 'repo:github.com/owner/app', name: 'App', parents: [] });
  });

  it('the same project whether it is resolved alone or with others', async () => {
    const view = await viewOf([repo('/a/app', 'github.com/o/app'), repo('/b/lib', 'github.com/o/lib')]);
    const workdirs = ['/b/lib', '/never/seen', 'project:diary', '/a/app', '/b/lib'];
    const alone = await Promise.all(workdirs.map((workdir) => resolveProject(workdir, view)));
    expect(await resolveProjects(workdirs, view)).toEqual(alone);
    expect(resolveAmong(workdirs, await listProjects(view))).toEqual(alone);
    expect(new Set(alone.map(({ key }) => key)).size).toBe(4);
    expect(await resolveProjects([], view)).toEqual([]);
  });

  it('the only remote without origin, the common directory without remotes, the folder without a repository', async () => {
    const view = await viewOf([
      repo('/a/x', null, { remotes: [{ name: 'up', url: 'github.com/o/x' }] }),
      repo('/a/y', null, {
        remotes: [
          { name: 'p', url: 'h/1' },
          { name: 'q', url: 'h/2' },
        ],
        cwd: '/a/y/packages/z',
      }),
      session('D:\\oh-my-posh'),
      session('C:\\'),
      session('/'),
      session('/no/such/thing'),
    ]);
    expect((await resolveProject('/a/x', view)).key).toBe('repo:github.com/o/x');
    expect(await resolveProject('/a/y/packages/z', view)).toMatchObject({ key: 'git:/a/y/.git', name: 'y' });
    expect(await names(view, 'D:\\oh-my-posh', 'C:\\', '/', '/no/such/thing')).toEqual([
      'oh-my-posh',
      'drive-C',
      '/',
      'thing',
    ]);
  });

  it('its folder on a Windows drive, whose letter programs write in either case', async () => {
    const view = await viewOf([
      ...[session('C:\\app'), session('c:\\app'), link('d:\\notes', 'app'), session('D:\\notes')],
      ...[memory('git:c:/lib/.git'), link('/old/lib', 'git:c:/lib/.git')],
      ...['C:', 'c:'].map((drive) => repo(`${drive}\\lib`, null, { commonDir: `${drive}\\lib\\.git` })),
    ]);
    const folders = ['C:\\app', 'c:\\app', 'D:\\notes', 'C:\\lib', 'c:\\lib'];
    expect(await names(view, ...folders)).toEqual(['app', 'app', 'app', 'lib', 'lib']);
    // Memories and links that were saved by keys of earlier versions.
    expect(await names(view, 'project:git:c:/lib/.git', '/old/lib')).toEqual(['lib', 'lib']);
    expect(workdirsAmong('git:c:/lib/.git', await listProjects(view))).toContain('c:\\lib');
  });

  it('its work tree, whose parent is the main repository', async () => {
    const view = await viewOf([
      repo('/w/main-repo', null),
      repo('/w/feature-x', null, { commonDir: '/w/main-repo/.git', worktree: true, cwd: '/w/feature-x/sub' }),
    ]);
    expect(await resolveProject('/w/feature-x/sub', view)).toMatchObject({
      name: 'main-repo/feature-x',
      parents: ['git:/w/main-repo/.git'],
    });
    expect(workdirsAmong('main-repo', await listProjects(view))).toEqual([
      '/w/feature-x/sub',
      '/w/main-repo',
    ]);
    expect(workdirsAmong('main-repo/feature-x', await listProjects(view))).toEqual(['/w/feature-x/sub']);
  });

  it('its submodule, whose parent is the repository around it', async () => {
    const lib = repo('/o/lib', 'github.com/o/lib', { commonDir: '/o/.git/modules/lib', superproject: '/o' });
    const view = await viewOf([lib, repo('/o', 'github.com/o/outer')]);
    expect(await resolveProject('/o/lib', view)).toEqual({
      key: 'repo:github.com/o/lib',
      name: 'lib',
      parents: ['repo:github.com/o/outer'],
    });
    expect(workdirsAmong('outer', await listProjects(view))).toEqual(['/o', '/o/lib']);
  });

  it('the project a person linked it to, by the newest link, also for folders below it in its work tree', async () => {
    const view = await viewOf([
      repo('/a/x', 'github.com/o/x'),
      repo('/a/y', 'github.com/o/y'),
      repo('/a/y', 'github.com/o/y', { cwd: '/a/y/sub' }),
      link('/a/y', 'x', 5),
      link('/a/y', 'elsewhere', 3),
    ]);
    expect(workdirsAmong('x', await listProjects(view))).toEqual(['/a/x', '/a/y', '/a/y/sub']);
    expect(workdirsAmong('elsewhere', await listProjects(view))).toEqual([]);
  });

  it('the project a memory was saved for, existing or new', async () => {
    const view = await viewOf([repo('/a/x', 'github.com/o/x'), memory('X'), memory('diary')]);
    expect(workdirsAmong('x', await listProjects(view))).toEqual(['/a/x', 'project:X']);
    expect(await resolveProject('project:diary', view)).toMatchObject({ name: 'diary', key: 'name:diary' });
  });
});

describe('a repository that claims', () => {
  const victim = repo('/v/shop', 'github.com/victim/shop');
  const claims = [
    'shop',
    'SHOP',
    'victim/shop',
    'github.com/victim/shop',
    'repo:github.com/victim/shop',
    '/v/shop',
    'diary',
    'name:diary',
  ];
  it.each(claims)('the name %s gets nothing of the project with that name', async (name) => {
    const evil = repo('/e/evil', 'github.com/mallory/evil', {
      proposal: { name, subprojects: [{ path: 'sub', name }] },
    });
    const inside = { ...evil, id: 'e'.repeat(32), body: { ...evil.body, cwd: '/e/evil/sub' } } as EventData;
    const view = await viewOf([victim, evil, inside, memory('diary'), memory(name)]);
    const alone = await viewOf([victim, memory('diary'), memory(name)]);
    for (const query of ['shop', 'victim/shop', 'repo:github.com/victim/shop', '/v/shop', 'diary', name])
      expect(workdirsAmong(query, await listProjects(view))).toEqual(
        workdirsAmong(query, await listProjects(alone)),
      );
    expect(workdirsAmong('evil', await listProjects(view))).toEqual(['/e/evil', '/e/evil/sub']);
    expect((await resolveProject('/e/evil', view)).name).toBe('evil');
  });

  it('an unused name is displayed with it', async () => {
    const view = await viewOf([
      repo('/a/x', 'github.com/o/x', { proposal: { name: 'The Shop', subprojects: [] } }),
    ]);
    expect(await names(view, '/a/x')).toEqual(['The Shop']);
    expect(workdirsAmong('the shop', await listProjects(view))).toEqual(['/a/x']);
    expect(workdirsAmong('x', await listProjects(view))).toEqual(['/a/x']);
  });
});

it('two projects with equal names stay two, with longer names', async () => {
  const view = await viewOf([
    repo('/1/shop', 'github.com/a/shop'),
    repo('/2/shop', 'github.com/b/shop'),
    session('/3/shop'),
  ]);
  expect(await names(view, '/1/shop', '/2/shop', '/3/shop')).toEqual(['a/shop', 'b/shop', '3/shop']);
  expect(workdirsAmong('a/shop', await listProjects(view))).toEqual(['/1/shop']);
  expect((await listProjects(view)).map(({ key }) => key).sort()).toEqual([
    'dir:/3/shop',
    'repo:github.com/a/shop',
    'repo:github.com/b/shop',
  ]);
});

it('any order, page size and repetition of events gives the same rows', async () => {
  const events = [
    repo('/a/x', 'github.com/o/x', {}, 1),
    repo('/a/x', 'github.com/o/renamed', {}, 2),
    repo('/b/x', 'github.com/p/x'),
    repo('/w/f', 'github.com/o/x', { commonDir: '/a/x/.git', worktree: true }),
    session('/a/x'),
    session('/c'),
    memory('x'),
    memory('c'),
    link('/c', 'p/x', 2),
    link('/c', 'none', 1),
    repo('/o/lib', null, { superproject: '/a/x', commonDir: '/a/x/.git/modules/lib' }),
  ];
  const expected = (await viewOf(events)).dump();
  for (let turn = 0; turn < events.length; turn++) {
    const rotated = [...events.slice(turn), ...events.slice(0, turn)];
    expect((await viewOf(rotated, 1)).dump()).toEqual(expected);
    expect((await viewOf([...rotated, ...events].reverse(), 3)).dump()).toEqual(expected);
  }
});

it('forgotten events leave the rows of the other events, in any order and when delivered twice', async () => {
  const other = repo('/a/x', 'github.com/o/other', {}, 1);
  const newest = repo('/a/x', 'github.com/o/x', {}, 2);
  const linked = link('/c', 'other');
  const started = [session('/b'), session('/b'), session('/gone')];
  const forgetting = (...events: readonly EventData[]) =>
    dedupeKey('memory.forgotten', {
      by: 'ids',
      events: [{ agent: 'claude-code', session: null, ids: events.map(({ id }) => id) }],
      names: [],
      items: [],
    });
  const forgotten = [newest, linked, started[0]!, started[2]!];
  const all = [other, newest, linked, session('/c'), ...started];
  const expected = (await viewOf(all.filter((event) => !forgotten.includes(event)))).dump();
  for (const events of [all, [...all].reverse()])
    for (const page of [1, 3, 20]) {
      const pieces = forgotten.map((event) => forgetting(event));
      for (const end of [[forgetting(...forgotten)], [...pieces, ...pieces]])
        expect((await viewOf([...events, ...events, ...end], page)).dump()).toEqual(expected);
    }
});

it('writes only the rows of workdirs and projects that changed', async () => {
  const view = await viewOf([repo('/a/x', 'github.com/o/x'), session('/b')]);
  const written: string[] = [];
  const { put } = view;
  view.put = (rowKey, row) => {
    written.push(rowKey);
    put(rowKey, row);
  };
  await projectsProjector.fold([session('/c')], view);
  expect(written.filter((rowKey) => /^(workdir|project)\//.test(rowKey))).toHaveLength(2);
});

it.each([
  [null, 'no folder'],
  [undefined, 'no folder'],
  ['  ', 'no folder'],
  ['/home/u/app/', 'app'],
  ['~', 'u'],
  ['~/', 'u'],
  ['~/work/app', 'app'],
  ['C:\\', 'drive-C'],
  ['/', '/'],
  ['D:\\oh-my-posh', 'oh-my-posh'],
])('the folder %j is called %s', (path, name) => {
  expect(nameOfPath(path, '/home/u')).toBe(name);
});
