// Parts of the library that cannot be opened.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Log } from '../../log/index.ts';
import { annalsOf } from '../../src/annals.ts';
import { openAnnals } from '../../src/index.ts';
import { openParts } from '../../src/open-parts.ts';
import { testFolder } from '../helpers/views.ts';

test('a failure closes the home, which can be opened again', async () => {
  const home = await openParts({ home: join(await testFolder(), 'home') });
  const onWrite = () => {
    throw new Error('The files cannot be followed.');
  };
  const broken = { ...home, log: changed(home.log, { onWrite }) };
  await expect(annalsOf(broken, { readyFiles: true })).rejects.toThrow('cannot be followed');
  await (await openAnnals({ home: home.paths.home, lockTimeoutMs: 0 })).close();
});

test('what failed once is opened by the next call', async () => {
  const home = await openParts({ home: join(await testFolder(), 'home') });
  let fails = true;
  const cursors: Log['cursors'] = async (prefix) => {
    if (fails) throw new Error('EIO');
    return home.log.cursors(prefix);
  };
  const annals = await annalsOf({ ...home, log: changed(home.log, { cursors }) }, {});
  onTestFinished(() => annals.close());
  await expect(annals.shareDigests()).rejects.toThrow('EIO');
  fails = false;
  expect(await annals.shareDigests()).toEqual([]);
});

function changed(log: Log, methods: Partial<Log>): Log {
  return new Proxy(log, {
    get(target, name) {
      const value = Reflect.get({ ...methods }, name) ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
