import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  describeWorkdir,
  normalizeRemoteUrl,
  type RepositoryFiles,
} from '../../../src/capture/workdirs/index.ts';

const files: RepositoryFiles = {
  kind: (path) => quiet(() => (statSync(path).isDirectory() ? 'folder' : 'file')),
  readText: (path, bytesMax) =>
    quiet(() => (statSync(path).size > bytesMax ? null : readFileSync(path, 'utf8'))),
  realPath: (path) => quiet(() => realpathSync(path)) ?? path,
};

function quiet<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'annals-places-')));
});
afterEach(() => rmSync(base, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

const origin = (url: string) =>
  `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs/*\n`;

function repository(folder: string, url = 'git@github.com:Owner/App.git'): void {
  write(`${folder}/.git/HEAD`, 'ref: refs/heads/main\n');
  write(`${folder}/.git/config`, origin(url));
}

describe('a workdir is described', () => {
  it('not at all when the folder is missing or the path is relative', () => {
    expect(describeWorkdir(join(base, 'gone'), files)).toBeNull();
    expect(describeWorkdir('app', files)).toBeNull();
  });

  it('as a folder when it is in no repository', () => {
    expect(describeWorkdir(base, files)).toEqual({ cwd: base });
  });

  it('with root and remotes from any folder below, and without user or password', () => {
    repository('app', 'https://user:hunter2secret@github.com/Owner/App.git');
    mkdirSync(join(base, 'app/packages/x'), { recursive: true });
    const seen = describeWorkdir(join(base, 'app/packages/x'), files);
    expect(seen).toMatchObject({
      root: join(base, 'app'),
      commonDir: join(base, 'app/.git'),
      worktree: false,
      remotes: [{ name: 'origin', url: 'github.com/Owner/App' }],
    });
    expect(JSON.stringify(seen)).not.toMatch(/hunter2|user/);
  });

  it.each([true, false])('as a linked work tree of its main repository (relative gitdir: %s)', (relative) => {
    repository('main-repo');
    write('main-repo/.git/worktrees/feature-x/HEAD', 'ref: refs/heads/x\n');
    write('main-repo/.git/worktrees/feature-x/commondir', '../..\n');
    const gitDir = '/main-repo/.git/worktrees/feature-x';
    write('feature-x/.git', `gitdir: ${relative ? `..${gitDir}` : base + gitDir}\n`);
    expect(describeWorkdir(join(base, 'feature-x'), files)).toMatchObject({
      root: join(base, 'feature-x'),
      commonDir: join(base, 'main-repo/.git'),
      worktree: true,
      superproject: null,
      remotes: [{ url: 'github.com/Owner/App' }],
    });
  });

  it('as a submodule that names the repository around it', () => {
    repository('outer');
    write('outer/.git/modules/lib/HEAD', 'ref: refs/heads/main\n');
    write('outer/.git/modules/lib/config', origin('https://github.com/owner/lib'));
    write('outer/lib/.git', 'gitdir: ../.git/modules/lib\n');
    expect(describeWorkdir(join(base, 'outer/lib'), files)).toMatchObject({
      root: join(base, 'outer/lib'),
      superproject: join(base, 'outer'),
      worktree: false,
      remotes: [{ url: 'github.com/owner/lib' }],
    });
  });

  it('as one of its own when its git folder is only beside the modules of the repository around it', () => {
    repository('outer');
    write('outer/.git/modules2/modules/lib/HEAD', 'ref: refs/heads/main\n');
    write('outer/lib/.git', 'gitdir: ../.git/modules2/modules/lib\n');
    expect(describeWorkdir(join(base, 'outer/lib'), files)).toMatchObject({ superproject: null });
  });

  it('as its parent folder when .git is broken, empty or far too large', () => {
    write('a/.git', 'gitdir: /nowhere');
    mkdirSync(join(base, 'b/.git'), { recursive: true });
    write('c/.git', 'x'.repeat(100_000));
    for (const folder of ['a', 'b', 'c'])
      expect(describeWorkdir(join(base, folder), files)).toEqual({ cwd: join(base, folder) });
  });

  it('with the proposals of its own file, except paths outside', () => {
    repository('app');
    write(
      'app/.annals.json',
      JSON.stringify({
        name: 'Shop\u0007',
        subprojects: ['../other', '/etc', './packages//api/', { path: 'web', name: 'Web' }, 7],
      }),
    );
    expect(describeWorkdir(join(base, 'app'), files)?.proposal).toEqual({
      name: 'Shop',
      subprojects: [
        { path: 'packages/api', name: null },
        { path: 'web', name: 'Web' },
      ],
    });
    write('app/.annals.json', '{broken');
    expect(describeWorkdir(join(base, 'app'), files)?.proposal).toBeNull();
  });
});

it.each([
  ['git@github.com:Owner/Name.git', 'github.com/Owner/Name'],
  ['https://GitHub.com/Owner/Name/', 'github.com/Owner/Name'],
  ['ssh://git@github.com:22/Owner/Name.git', 'github.com/Owner/Name'],
  ['https://token@github.com/o/n.git?x=1', 'github.com/o/n'],
  ['https://u:p@ss@git.example.org:8443/a/b', 'git.example.org:8443/a/b'],
  ['https://u:p/w@git.example.org/a/b', 'git.example.org/a/b'],
  ['git.example.org:team/x', 'git.example.org/team/x'],
  ['/srv/git/x.git', 'file:/srv/git/x.git'],
  ['file:///srv/git/x', 'file:/srv/git/x'],
  ['../x', null],
  ['', null],
])('the remote %s is %s', (url, expected) => {
  expect(normalizeRemoteUrl(url)).toBe(expected);
});
