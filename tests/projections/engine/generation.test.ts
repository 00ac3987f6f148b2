import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Runner } from '../../../projections/index.ts';
import { asLog, type FakeLog, fakeLog } from '../../helpers/fake-log.ts';
import { counts, prompts, titles } from '../../helpers/toy-projectors.ts';
import { diskGenerations, testFolder, testRunner } from '../../helpers/views.ts';

const projectors = [counts, titles];

async function filled(): Promise<{ log: FakeLog; folder: string; digests: readonly string[] }> {
  const folder = await testFolder();
  const log = fakeLog();
  await log.append(prompts(60));
  const runner = await open(log, folder);
  await runner.catchUp();
  const digests = await digestsOf(runner);
  await runner.close();
  return { log, folder, digests };
}

function open(log: FakeLog, folder: string): Promise<Runner> {
  return testRunner({ log: asLog(log), generations: diskGenerations(folder), projectors });
}

async function digestsOf(runner: Runner): Promise<readonly string[]> {
  return [await runner.digest('counts'), await runner.digest('titles')];
}

describe('generations', () => {
  it('go on where they stood', async () => {
    const { log, folder, digests } = await filled();
    const runner = await open(log, folder);
    expect(runner.states().map(({ lag }) => lag)).toEqual([0, 0]);
    expect(await digestsOf(runner)).toEqual(digests);
    expect(runner.problems).toEqual([]);
  });

  it('come back whole when the folder of all views is deleted', async () => {
    const { log, folder, digests } = await filled();
    await rm(join(folder, 'views'), { recursive: true });
    const runner = await open(log, folder);
    expect(runner.problems).toEqual([]);
    await runner.catchUp();
    expect(await digestsOf(runner)).toEqual(digests);
  });

  it('fill a follower anew when only the view it follows was deleted', async () => {
    const { log, folder, digests } = await filled();
    await rm(join(folder, 'views', 'counts'), { recursive: true });
    const runner = await open(log, folder);
    await runner.catchUp();
    expect(await digestsOf(runner)).toEqual(digests);
    expect(runner.states().map(({ lag }) => lag)).toEqual([0, 0]);
  });

  it('are removed at open when an unfinished build left them', async () => {
    const { log, folder } = await filled();
    const current = (await readFile(join(folder, 'views', 'counts', 'CURRENT'), 'utf8')).trim();
    await mkdir(join(folder, 'views', 'counts', '1-9'));
    await writeFile(join(folder, 'views', 'counts', '1-9', '000003.log'), 'half');
    await writeFile(join(folder, 'views', 'counts', 'CURRENT.0a1b.tmp'), '1-');
    await open(log, folder);
    expect((await readdir(join(folder, 'views', 'counts'))).sort()).toEqual([current, 'CURRENT'].sort());
  });

  it('of another version are replaced by an empty one of this version', async () => {
    const { log, folder } = await filled();
    const next = [{ ...counts, version: 2 }, titles];
    const runner = await testRunner({
      log: asLog(log),
      generations: diskGenerations(folder),
      projectors: next,
    });
    expect(runner.problems).toEqual([]);
    expect(runner.states()[0]).toMatchObject({ version: 2, position: 0 });
    await runner.catchUp();
    expect((await runner.verifyRebuilt()).every(({ equal }) => equal)).toBe(true);
    expect(await readFile(join(folder, 'views', 'counts', 'CURRENT'), 'utf8')).toBe('2-2\n');
  });

  const harm: Record<string, (view: string, current: string) => Promise<void>> = {
    'CURRENT is missing': (view) => rm(join(view, 'CURRENT')),
    'CURRENT says nothing': (view) => writeFile(join(view, 'CURRENT'), ''),
    'CURRENT is junk': (view) => writeFile(join(view, 'CURRENT'), Buffer.from([0, 255, 7])),
    'CURRENT leads outside': (view) => writeFile(join(view, 'CURRENT'), '../../../etc\n'),
    'the folder is missing': (view, current) => rm(join(view, current), { recursive: true }),
    'the folder is a file': async (view, current) => {
      await rm(join(view, current), { recursive: true });
      await writeFile(join(view, current), 'not a folder');
    },
    'its manifest is junk': async (view, current) => {
      const manifest = (await readdir(join(view, current))).find((name) => name.startsWith('MANIFEST'))!;
      await writeFile(join(view, current, manifest), 'junk '.repeat(100));
    },
    'all its files are empty': async (view, current) => {
      for (const name of await readdir(join(view, current))) await writeFile(join(view, current, name), '');
    },
    'its log of writes is gone': async (view, current) => {
      for (const name of await readdir(join(view, current)))
        if (name.endsWith('.log') || name.endsWith('.ldb')) await rm(join(view, current, name));
    },
  };

  it.each(Object.keys(harm))('are made again from the log when %s', async (how) => {
    const { log, folder, digests } = await filled();
    const view = join(folder, 'views', 'counts');
    await harm[how]!(view, (await readFile(join(view, 'CURRENT'), 'utf8')).trim());
    const runner = await open(log, folder);
    expect(runner.problems).toMatchObject([{ code: 'VIEW_DAMAGED', view: 'counts' }]);
    await runner.catchUp();
    expect(await digestsOf(runner)).toEqual(digests);
    await runner.rebuild(['counts']);
    expect(runner.problems).toEqual([]);
  });

  it('are made again when a row turns out to be unreadable while catching up', async () => {
    const { log, folder } = await filled();
    const generations = diskGenerations(folder);
    const store = await generations.open('counts', (await generations.current('counts'))!);
    await store.put('r/session/session-0', '{"session":"ses');
    await store.close();
    const runner = await open(log, folder);
    await log.append(prompts(90));
    await runner.catchUp();
    expect(runner.problems).toMatchObject([{ code: 'VIEW_DAMAGED', view: 'counts' }]);
    expect(await runner.deadLetters()).toEqual([]);
    expect((await runner.verifyRebuilt()).every(({ equal }) => equal)).toBe(true);
  });

  it.each(['counts', 'titles'])('come out the same when a power cut takes the tail of %s', async (lost) => {
    const { log, folder } = await filled();
    const view = join(folder, 'views', lost);
    // A batch that was not synced is gone after a power cut: the view is what it was a while ago.
    await cp(view, join(folder, 'earlier'), { recursive: true });
    await log.append(prompts(90));
    for (const more of [0, 40]) {
      await log.append(prompts(90 + more));
      const runner = await open(log, folder);
      await runner.catchUp();
      await runner.close();
    }
    await rm(view, { recursive: true });
    await cp(join(folder, 'earlier'), view, { recursive: true });
    await log.append(prompts(200, 3));
    // Pages of another size give the same feed numbers to other changes.
    const generations = diskGenerations(folder);
    const runner = await testRunner({ log: asLog(log), generations, projectors, pageSize: 17 });
    await runner.catchUp();
    expect(runner.problems).toEqual([]);
    expect((await runner.verifyRebuilt()).map(({ equal }) => equal)).toEqual([true, true]);
  });

  it('are held by one process: another one is told so', async () => {
    const { log, folder } = await filled();
    await open(log, folder);
    await expect(open(log, folder)).rejects.toMatchObject({ code: 'HOME_LOCKED' });
  });
});
