import { expect, it } from 'vitest';
import { exclusionBy, exclusionPatterns, isUnderstood } from '../../../src/capture/workdirs/exclude.ts';

const noLinks = (path: string) => path;

function isExcluded(path: string, list: string, home = '/home/u', realPath = noLinks): boolean {
  return exclusionBy(exclusionPatterns(list), { home, realPath })(path);
}

it.each([
  ['/tmp/secret', '', false],
  ['/tmp/secret', '  ', false],
  ['/tmp/secret', '/tmp/secret', true],
  ['/tmp/secret/', '/tmp/secret', true],
  ['/tmp/public', '/tmp/secret', false],
  ['/tmp/x', '/tmp/*', true],
  ['/tmp', '/tmp/*', false],
  ['/tmp/', '/tmp/*', false],
  ['/tmp/a/b', '/tmp/*', true],
  ['/clients/acme/site', '/clients', true],
  ['/clients/acme/site', '/clients/', true],
  ['/clients2/acme', '/clients', false],
  ['/clients', '/clients/acme', false],
  ['/clients', '/clients/**', true],
  ['/U/t/kunden/c1/p', '/U/*/kunden/**', true],
  ['/U/a/b/kunden/p', '/U/*/kunden/**', false],
  ['/U/a/b/kunden/p', '/U/**/kunden', true],
  ['/U/kunden', '/U/**/kunden', true],
  ['/U/kunden2', '/U/**/kunden', false],
  ['/tmp/ab/c', '/tmp/a**/c', true],
  ['/tmp/a', '/tmp/?', true],
  ['/tmp/ab', '/tmp/?', false],
  ['/home/u/secret', '~/secret', true],
  ['/home/u/secret', '~', true],
  ['~/secret', '~/secret', true],
  ['/x/b', '/x/a, /x/b,/x/c', true],
  ['/any/where/secret', 'secret', true],
  ['/any/secret/where', 'secret', true],
  ['/any/secrets/where', 'secret', false],
  ['/any/work/secret/a', 'work/secret', true],
  ['/any/work/secret/a', 'work/*/a', true],
  ['/any/work/secret/a', '**/secret', true],
  ['/any/homework/secret', 'work/secret', false],
  ['/any', '**', true],
  ['/any', '/', true],
  ['/any/work/secret', '/any//work///*', true],
  ['/any/work/secret', 'work//secret', true],
  ['/tmp/.hidden', '/tmp/*', true],
  ['/home/u/Müller/app'.normalize('NFD'), '~/Müller/**', true],
  ['/home/u/Müller', 'Müller'.normalize('NFD'), true],
  ['/home/u/CLIENTS/acme', '~/Clients/**', true],
  ['/home/u/ärger', 'ÄR*', true],
])('%s with %j is excluded: %s', (path, list, expected) => {
  expect(isExcluded(path, list)).toBe(expected);
});

it.each([
  ['C:\\Users\\t\\secret', 'C:/Users/*/secret', true],
  ['c:\\users\\t\\Secret', 'C:\\Users\\*\\secret', true],
  ['C:\\Program Files (x86)\\acme\\site', 'C:\\Program Files (x86)\\**', true],
  ['C:\\Users\\t\\secret', 'secret', true],
  ['C:\\Users', 'C:\\', true],
  ['D:\\Users', 'C:\\', false],
  ['\\\\server\\share\\acme', '\\\\server\\share\\**', true],
  ['C:\\work\\acme', 'C:\\\\work\\\\**', true],
])('%s with %j is excluded on Windows: %s', (path, list, expected) => {
  expect(isExcluded(path, list, 'C:\\Users\\t')).toBe(expected);
});

it.each(['(NDA)', 'Clients (NDA)', 'a+b', 'a.b', 'a^b$', '@(team)', '#1', "it's"])(
  'a folder named %j is excluded by its name, and no other is',
  (name) => {
    expect(isExcluded(`/home/u/${name}/acme`, `~/${name}/**`)).toBe(true);
    expect(isExcluded(`/home/u/${name}/acme`, name)).toBe(true);
    expect(isExcluded('/home/u/NDA/acme', `~/${name}/**, ${name}`)).toBe(false);
    expect(isExcluded('/home/u/aab/acme', `~/${name}/**, ${name}`)).toBe(false);
  },
);

it.each([
  '/home/j (work)',
  '/Users/a[b]',
  'C:\\Users\\John (Work)',
  '/home/x+y',
  '/home/!me',
  '/home/{a,b}',
  '/home/a*',
])('~ is the home %s', (home) => {
  const clients = home.includes('\\') ? `${home}\\clients` : `${home}/clients`;
  expect(isExcluded(clients, '~/clients/**', home)).toBe(true);
  expect(isExcluded(clients.replace('clients', 'own'), '~/clients/**', home)).toBe(false);
  expect(isExcluded('/home/ab/clients', '~/clients/**', home)).toBe(false);
});

it('a pattern and a path mean the same folder, whichever of them goes through a link', () => {
  const realPath = (path: string) => path.replace('/home/u/clients', '/data/Kunden');
  expect(isExcluded('/data/Kunden/acme', '~/clients/**', '/home/u', realPath)).toBe(true);
  expect(isExcluded('/data/Kunden/acme/web', '~/clients/*/web', '/home/u', realPath)).toBe(true);
  expect(isExcluded('/home/u/clients/acme', '/data/kunden', '/home/u', realPath)).toBe(true);
  expect(isExcluded('/home/u/clients/acme', 'kunden', '/home/u', realPath)).toBe(true);
  expect(isExcluded('/data/Kunden2', '~/clients/**', '/home/u', realPath)).toBe(false);
});

it.each([
  ...['!urgent', ' !~/work/**', '~/{a,b}/**', '~/[Cc]lients', '~/clients/!(open)', '/(a|b)'],
  ...['.', './clients', '..\\clients', '~/work/../clients/**', '$HOME/clients', '%USERPROFILE%\\clients'],
  ...['~robin/clients', '~robin', '$clients', '$(pwd)/clients', '%ProgramFiles(x86)%\\clients'],
])('%j is no pattern, because it seems to mean more than * and ? can say', (pattern) => {
  expect(isUnderstood(pattern)).toBe(false);
});

it.each([
  'urgent!',
  '.git',
  '~/a.b/..c/d..',
  '~/$x',
  '~',
  '~/C++ (old)/**',
  'C:\\a!\\?b?',
  '~/it is, too',
  '$RECYCLE.BIN',
  '%old',
])('%j is a pattern', (pattern) => {
  expect(isUnderstood(pattern)).toBe(true);
});
