// Removed files, when opening the rest would cause further damage.
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { annalsHere, complaintOf } from '../e2e/command.ts';
import { eventsOf, SOUND, sharedFolder, withHome } from '../e2e/homes.ts';

const folder = sharedFolder('removed');

async function homeNamed(name: string): Promise<string> {
  const home = join(folder, name);
  for (let opening = 0; opening < 3; opening++)
    await withHome(home, async (one) => {
      await one.save({ title: `Lesson ${opening}`, text: 'of the reader', cwd: '/srv/work' });
      await one.search('lesson');
    });
  return home;
}

test('a log without CURRENT is refused and not changed, and is intact when CURRENT is restored', async () => {
  const home = await homeNamed('current');
  const before = await withHome(home, eventsOf);
  const log = join(home, 'log');
  renameSync(join(log, 'CURRENT'), join(folder, 'CURRENT'));
  const files = () => readdirSync(log).map((name) => [name, readFileSync(join(log, name)).toString('hex')]);
  const left = files();
  for (const words of [['status'], ['verify'], ['search', 'lesson']]) {
    const ended = await annalsHere(words, { home });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(
      /^error: The log holds events, but its file CURRENT is missing\.\nPut CURRENT back/,
    );
    expect(ended.stderr).not.toMatch(/^\s+at /m);
    expect(complaintOf(await annalsHere([...words, '--json'], { home }))).toMatchObject({
      code: 'LOG_DAMAGED',
    });
  }
  expect(files()).toEqual(left);
  renameSync(join(folder, 'CURRENT'), join(log, 'CURRENT'));
  await withHome(home, async (one) => {
    expect(await eventsOf(one)).toEqual(before);
    expect(await one.verify({ rebuilt: true })).toMatchObject(SOUND);
  });
});

test('views whose CURRENT is missing are rebuilt, and that is reported', async () => {
  const home = await homeNamed('view');
  rmSync(join(home, 'views', 'CURRENT'));
  await withHome(home, async (one) => {
    expect((await one.status()).degraded).toContain(
      'the views were damaged (CURRENT is missing) and are built again from the log',
    );
    expect(await one.verify({ rebuilt: true })).toMatchObject(SOUND);
  });
});
