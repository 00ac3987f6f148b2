import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAnnals } from '../../src/index.ts';
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
