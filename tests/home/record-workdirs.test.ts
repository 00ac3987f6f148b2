import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAnnals } from '../../src/index.ts';
import { eventsOf, withHome } from '../e2e/homes.ts';
import { asked, leave, SESSION } from '../helpers/spool.ts';
import { Script } from '../helpers/transcripts.ts';
import { testFolder } from '../helpers/views.ts';

it('A workdir is recorded when it changes, even back to an earlier state, and not while it stays the same', async () => {
  const folder = await testFolder();
  const cwd = join(folder, 'app');
  await mkdir(join(cwd, '.git'), { recursive: true });
  await writeFile(join(cwd, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const annals = await openAnnals({ home: join(folder, 'home') });
  const remotes: unknown[] = [];
  for (const owner of ['heron', 'heron', 'walrus', 'heron']) {
    const config = `[remote "origin"]\n\turl = https://github.com/${owner}/app.git\n`;
    await writeFile(join(cwd, '.git', 'config'), config);
    await annals.save({ title: 'A note', text: 'kept', cwd });
  }
  for await (const event of annals.log({ type: 'workdir.seen' }))
    if (event.type === 'workdir.seen') remotes.push(event.body.remotes[0]?.url);
  await annals.close();
  expect(remotes).toEqual(['github.com/heron/app', 'github.com/walrus/app', 'github.com/heron/app']);
});

it('The id and the dedupe key of a recorded workdir do not depend on the folder', async () => {
  const folder = await testFolder();
  const cwd = join(folder, 'app');
  await mkdir(cwd);
  const named = new Set<string>();
  for (const home of ['one', 'other'])
    await withHome(join(folder, home), async (annals) => {
      await annals.save({ title: 'A note', text: 'kept', cwd });
      for (const { id, dedupeKey } of await eventsOf(annals, { type: 'workdir.seen' }))
        named.add(id).add(dedupeKey);
    });
  expect(named.size).toBe(4);
});

it('The folder of a forgotten session is not recorded again by an import or a hook', async () => {
  const folder = await testFolder();
  const cwd = join(folder, 'app');
  const home = join(folder, 'home');
  const path = join(folder, `${SESSION}.jsonl`);
  await mkdir(cwd);
  const script = new Script({ session: SESSION, cwd });
  script.prompt('Why does the feeder jam?');
  script.reply('Frost.');
  await writeFile(path, script.bytes());
  const recorded = async () =>
    await withHome(home, async (annals) => {
      await annals.import([path]);
      return (await eventsOf(annals, { type: 'workdir.seen' })).length;
    });
  expect(await recorded()).toBe(1);
  await withHome(home, (annals) => annals.forget({ project: cwd }));
  leave(home, 'c-1', asked('And at night?', { cwd }));
  expect(await recorded()).toBe(0);
});
