// Draining the spool of an open home: what hooks leave while it is open is found without opening it again.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { markedSessions, pendingMark } from '../../src/capture/private/private-marks.ts';
import { drainOpenHome } from '../../src/import/drain-home.ts';
import { openAnnals } from '../../src/index.ts';
import { openParts } from '../../src/open-parts.ts';
import { asked, leave, SESSION, stopped, used, waiting } from '../helpers/spool.ts';
import { testFolder } from '../helpers/views.ts';

test('files that hooks leave in an open home are found after a drain, and the views have moved', async () => {
  const home = join(await testFolder(), 'home');
  const annals = await openAnnals({ home });
  try {
    const heard: { head: number; projected: number }[] = [];
    const stop = annals.onChange((state) => heard.push(state));
    expect(heard).toEqual([{ head: 0, projected: 0 }]);
    leave(home, 'c-0', asked('feed the heron'));
    leave(home, 'c-1', used('toolu_1', 'two fish'));
    expect(await annals.drain()).toMatchObject({ appended: 2, problems: [], cwds: ['/home/u/app'] });
    expect(waiting(home)).toEqual([]);
    const head = heard.at(-1)!.head;
    expect(heard.at(-1)).toEqual({ head, projected: head });
    expect((await annals.search('heron')).results.map(({ title }) => title)).toContain('feed the heron');
    leave(home, 'c-2', stopped('it is fed'));
    expect(await annals.drain()).toMatchObject({ appended: 1 });
    stop();
    leave(home, 'c-3', asked('and the egret'));
    const before = heard.length;
    await annals.drain();
    expect(heard.length).toBe(before);
  } finally {
    await annals.close();
  }
});

test('calls that come before a drain begins share it', async () => {
  const home = join(await testFolder(), 'home');
  const annals = await openAnnals({ home });
  try {
    leave(home, 'c-0', asked('feed the heron'));
    const [first, second] = await Promise.all([annals.drain(), annals.drain()]);
    expect(first).toBe(second);
    expect(first).toMatchObject({ appended: 1 });
    expect(await annals.drain()).toMatchObject({ appended: 0 });
  } finally {
    await annals.close();
  }
});

test('a turn that proves private in a later drain is forgotten', async () => {
  const home = join(await testFolder(), 'home');
  const annals = await openAnnals({ home });
  const at = Date.now() - 60 * 60_000;
  try {
    leave(home, 'c-0', asked('a slow task'), at);
    leave(home, 'c-1', used('toolu_1', 'the quokka'), at + 9_000);
    leave(home, 'c-3', stopped('The quokka is fed'), at + 10_000);
    await annals.drain();
    expect((await annals.search('quokka')).results).not.toEqual([]);
    leave(home, 'c-2', asked('<private>tell me of it</private>'), at + 3_000);
    await annals.drain();
    expect((await annals.search('quokka')).results).toEqual([]);
  } finally {
    await annals.close();
  }
});

test('a drain keeps the mark of a session while an import may have made it', async () => {
  const home = join(await testFolder(), 'home');
  const parts = await openParts({ home });
  const mark = { agent: 'claude-code', session: SESSION };
  try {
    const { log, privateWork } = parts;
    const endImport = privateWork.beginImport();
    await log.append([], { cursors: [pendingMark(mark)] });
    await drainOpenHome(parts);
    expect(await markedSessions(log)).toMatchObject([mark]);
    endImport();
    await drainOpenHome(parts);
    expect(await markedSessions(log)).toEqual([]);
  } finally {
    await parts.embedding.close();
    await parts.runner.close();
    await parts.log.close();
  }
});

test('nothing is drained while recording is paused', async () => {
  const { writeFileSync, mkdirSync } = await import('node:fs');
  const home = join(await testFolder(), 'home');
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'config.json'), '{', { mode: 0o600 });
  const annals = await openAnnals({ home });
  try {
    leave(home, 'c-0', asked('feed the heron'));
    expect((await annals.drain()).problems[0]).toContain('Recording is paused');
    expect(waiting(home)).toEqual(['c-0']);
  } finally {
    await annals.close();
  }
});
