import { expect, it } from 'vitest';
import { exclusionPatterns, isExcluded } from '../../../src/capture/workdirs/exclude.ts';

it.each([
  ['/tmp/secret', '', false],
  ['/tmp/secret', '  ', false],
  ['/tmp/secret', '/tmp/secret', true],
  ['/tmp/public', '/tmp/secret', false],
  ['/tmp/x', '/tmp/*', true],
  ['/tmp/a/b', '/tmp/*', true],
  ['/clients/acme/site', '/clients', true],
  ['/clients2/acme', '/clients', false],
  ['/clients', '/clients/acme', false],
  ['/U/t/kunden/c1/p', '/U/*/kunden/**', true],
  ['/tmp/a', '/tmp/?', true],
  ['/tmp/ab', '/tmp/?', false],
  ['/home/u/secret', '~/secret', true],
  ['C:\\Users\\t\\secret', 'C:/Users/*/secret', true],
  ['/x/b', '/x/a, /x/b,/x/c', true],
  ['/any/where/secret', 'secret', true],
  ['/any/secret/where', 'secret', true],
  ['/any/secrets/where', 'secret', false],
  ['/tmp/.hidden', '/tmp/*', true],
])('%s with %j is excluded: %s', (path, list, expected) => {
  expect(isExcluded(path, exclusionPatterns(list), '/home/u')).toBe(expected);
});
