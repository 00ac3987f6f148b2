// Removed files, when opening the rest would cause further damage.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

test('verify names the damaged file of a log, and what to do', async () => {
  const home = await homeNamed('table');
  await withHome(home, async (one) => {
    const texts = Array.from({ length: 40 }, (_, index) =>
      createHash('sha512').update(`${index}`).digest('hex'),
    );
    await one.save(
      texts.map((text, index) => ({ title: `Hash ${index}`, text: text.repeat(4), cwd: '/srv' })),
    );
  });
  // The next opening makes a table of the write-ahead file.
  await withHome(home, async () => {});
  const log = join(home, 'log');
  const sizeOf = (name: string) => statSync(join(log, name)).size;
  const tables = readdirSync(log).filter((name) => name.endsWith('.ldb'));
  const table = tables.sort((a, b) => sizeOf(b) - sizeOf(a))[0]!;
  const bytes = readFileSync(join(log, table));
  writeFileSync(join(log, table), bytes.fill(0, 5_000, 13_000));
  const { code, stdout, stderr } = await annalsHere(['verify'], { home });
  expect(code).toBe(1);
  expect(stdout).toContain(`store: the file ${table} of the log is damaged\n`);
  expect(stderr).toContain('annals restore <export> --home <new home>');
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
