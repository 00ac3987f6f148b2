// Which project a folder of a home that shares belongs to.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { annalsOf } from '../../../src/annals.ts';
import { recordWorkdirs } from '../../../src/home/record-workdirs.ts';
import { openParts } from '../../../src/open-parts.ts';
import { eventsOf, sharedFolder } from '../../e2e/homes.ts';
import { linked, REMOTE, seen } from '../machines.ts';
import { sharingHome } from './sharing-home.ts';

const folder = sharedFolder('sharing-homes');
const homeOf = (name: string) => sharingHome(join(folder, name));

test('a folder names the project that the views have it in', async () => {
  const home = await homeOf('folders');
  await home.annals.append([seen('/a/app', REMOTE), linked('/a/app', 'diary')]);
  expect(await home.annals.sharePreview('/a/app')).toMatchObject({ key: 'name:diary', events: 1 });
});

test('a folder that nothing was recorded of is in its sub-project, or where the folder above it is linked', async () => {
  const repository = join(folder, 'repository');
  for (const path of ['.git', 'packages/api', 'packages/web', 'linked/deep'])
    mkdirSync(join(repository, path), { recursive: true });
  writeFileSync(join(repository, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(
    join(repository, '.git', 'config'),
    '[remote "origin"]\n\turl = https://github.com/acme/app.git\n',
  );
  writeFileSync(join(repository, '.annals.json'), '{"subprojects":["packages/api"]}');
  const home = await homeOf('sub-projects');
  await home.annals.save({ title: 'A note', text: 'kept', cwd: repository });
  await home.annals.append([linked(join(repository, 'linked'), 'diary')]);
  const keyOf = async (path: string) => (await home.annals.sharePreview(join(repository, path))).key;
  expect(await keyOf('packages/api')).toBe('repo:github.com/acme/app#packages/api');
  expect(await keyOf('packages/web')).toBe('repo:github.com/acme/app');
  expect(await keyOf('linked/deep')).toBe('name:diary');
  await home.annals.append([linked(repository, 'journal')]);
  expect(await keyOf('packages/api')).toBe('name:journal');
  // As the views have it when something is recorded there.
  await home.annals.save({ title: 'Another note', text: 'kept', cwd: join(repository, 'packages/api') });
  expect(await keyOf('packages/api')).toBe('name:journal');
});

test('only a folder that is as the log says is recorded again', async () => {
  const cwd = join(folder, 'same path');
  mkdirSync(cwd);
  const home = await openParts({ home: join(folder, 'again') });
  const annals = await annalsOf(home, {});
  onTestFinished(() => annals.close());
  await annals.append([seen(cwd, REMOTE)]);
  await recordWorkdirs([cwd], home, { again: true });
  expect(await eventsOf(annals)).toHaveLength(1);
  await recordWorkdirs([cwd], home);
  await recordWorkdirs([cwd], home, { again: true });
  expect(await eventsOf(annals)).toHaveLength(3);
});
