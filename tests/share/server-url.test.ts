// The address of a shared log, as a person types it.
import { expect, test } from 'vitest';
import { serverUrl, shownAddress } from '../../src/share/log/server-url.ts';

test('a user, a password and a database are decoded', () => {
  expect(serverUrl('postgres://me%40home:50%25off@db.example.com/our%20team')).toMatchObject({
    user: 'me@home',
    password: '50%off',
    database: 'our team',
  });
});

test.each([
  'nats://me:50%planted@host:4222',
  'postgres://me%:planted@host/db',
  'postgres://me:planted@host/50%',
  'postgres://me:planted%ff@host/db',
])('an address with a stray percent sign is wrong, and no error has its password: %s', (url) => {
  for (const read of [serverUrl, shownAddress]) {
    const reading = () => read(url);
    expect(reading).toThrow(expect.objectContaining({ code: 'USAGE', hint: expect.stringContaining('%25') }));
    expect(reading).not.toThrow('planted');
  }
});
