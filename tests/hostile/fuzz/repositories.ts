// A cloned repository with anything in place of a file of git or of ours.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeWorkdir } from '../../../src/capture/workdirs/index.ts';
import { repositoryFiles } from '../../../src/platform/repository-files-on-disk.ts';
import type { MakeCase } from './found.ts';
import { isTooDeep } from './found.ts';
import { type Chance, hostileBytes, longText, oneIn, pick, spoiled } from './hostile-json.ts';

const PROPOSAL = {
  name: 'Shop',
  subprojects: [{ path: 'packages/api', name: 'api' }, 'packages/web', '../out', '/abs'],
};
const CONFIG = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://u:p@github.com/o/r.git\n';

export const repositoryCase: MakeCase = async (luck, folder) => {
  const root = join(folder, 'clone');
  mkdirSync(join(root, 'inner'), { recursive: true });
  const put = (name: string, honest: () => Buffer): void => {
    const path = join(root, name);
    try {
      mkdirSync(dirname(path), { recursive: true });
      if (oneIn(3, luck)) pick(ENTRIES, luck)(path, luck);
      else writeFileSync(path, honest());
    } catch {
      // Something hostile is above it.
    }
  };
  if (oneIn(4, luck))
    put('.git', () =>
      spoiled(`gitdir: ${pick(['.git', '../clone', '/dev', 'real', '/proc/self'], luck)}\n`, luck),
    );
  put('.git/HEAD', () => Buffer.from('ref: refs/heads/main\n'));
  put('.git/config', () => (oneIn(3, luck) ? Buffer.from(configOf(luck)) : spoiled(CONFIG, luck)));
  if (oneIn(2, luck))
    put('.git/commondir', () =>
      Buffer.from(pick(['..', '.', '/dev/zero', '../.git', 'x'.repeat(9_000)], luck)),
    );
  put('.annals.json', () => hostileBytes(PROPOSAL, luck));
  const seen = describeWorkdir(join(root, oneIn(2, luck) ? 'inner' : ''), repositoryFiles);
  const wrong: string[] = [];
  if (seen === null) wrong.push('a folder that is there was not seen');
  if (isTooDeep(seen)) wrong.push('what was seen is too deep');
  const text = JSON.stringify(seen);
  if (text.length > 400_000) wrong.push(`what was seen has ${text.length} characters`);
  for (const { path } of seen?.proposal?.subprojects ?? [])
    if (path.startsWith('/') || path.split('/').includes('..')) wrong.push(`${path} leads out`);
  const { proposal, remotes } = seen ?? {};
  const fate = proposal || (remotes ?? []).length > 0 ? 'taken' : 'left alone';
  return { fates: { [fate]: 1 }, wrong };
};

function configOf(luck: Chance): string {
  const lines = [
    '[remote "a"]',
    '\turl = ',
    '[remote.b]',
    'url="',
    '\\',
    '[',
    '#',
    '"',
    '\turl = git@h:',
    '[remote "',
  ];
  return Array.from(
    { length: 1 + luck.below(40) },
    () => pick(lines, luck) + (oneIn(2, luck) ? longText(luck) : ''),
  ).join('\n');
}

const ENTRIES: readonly ((path: string, luck: Chance) => void)[] = [
  (path) => symlinkSync('/dev/zero', path),
  (path) => symlinkSync('/dev/tty', path),
  (path) => symlinkSync('/nowhere/at/all', path),
  (path) => symlinkSync(path, path),
  (path) => symlinkSync('..', path),
  (path) => symlinkSync('/proc/self/mem', path),
  (path) => mkdirSync(path),
  (path) => execFileSync('mkfifo', [path]),
  (path) => writeFileSync(path, Buffer.alloc(1_500_000, '[')),
  (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 40);
  },
];
