import { randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClassicLevel } from 'classic-level';
import { describe, expect, it } from 'vitest';
import { isTable, readTable } from '../../../log/leveldb-files/leveldb-file.ts';
import { Generation } from '../../../projections/engine/store/generation.ts';
import type { ViewStore } from '../../../projections/engine/store/view-store.ts';
import type { Runner } from '../../../projections/index.ts';
import { asLog, type FakeLog, fakeLog } from '../../helpers/fake-log.ts';
import { counts, prompts, titles } from '../../helpers/toy-projectors.ts';
import { diskGenerations, memoryGenerations, testFolder, testRunner } from '../../helpers/views.ts';

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

describe('a generation whose write failed', () => {
  it('answers a read that begins while the store is opened again', async () => {
    const store = await memoryGenerations().open('rows-1');
    const views = { projectors: [counts], isFed: () => false };
    const generation = await Generation.create(views, 'rows-1', store, 'this one');
    const rows = generation.reader('counts');
    const { batch } = store;
    store.batch = () => {
      throw new Error('IO error: 000012.log: No space left on device');
    };
    await expect(generation.sync()).rejects.toMatchObject({ code: 'DISK_FULL' });
    store.batch = batch;
    const close = store.close.bind(store);
    let reading: Promise<unknown> | null = null;
    store.close = async () => {
      await close();
      reading = rows.get('a row').catch((error: unknown) => error);
    };
    await generation.recover();
    expect([reading, await reading]).toEqual([expect.any(Promise), undefined]);
  });
});

describe('a scrubbed generation', () => {
  it.each(['just now', 'long ago'])(
    'has rows that were removed %s in no file, nor their keys',
    async (when) => {
      const folder = await testFolder();
      const store = (await diskGenerations(folder).open('rows-1')) as ViewStore & ClassicLevel;
      const generation = await Generation.create(
        { projectors: [counts], isFed: () => false },
        ...(['rows-1', store, 'this one'] as const),
      );
      // So many that LevelDB stops between two of them, and says where.
      const rows = (of: (name: string) => object) =>
        Array.from({ length: 3_000 }, (_, at) =>
          of(`r/counts/quokka-${String(at).padStart(6, '0')}`),
        ) as never[];
      const value = () => randomBytes(4_000).toString('hex');
      await store.batch(rows((key) => ({ type: 'put', key, value: `heron ${value()}` })));
      await store.compactRange('a', 'z');
      let end = (): void => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      // It has a snapshot, which keeps the rows.
      const reading = generation.still(() => ended);
      await store.batch(rows((key) => ({ type: 'del', key })));
      if (when === 'long ago') await store.compactRange('a', 'z');
      const scrubbing = generation.scrub(new Set());
      await new Promise((resolve) => setTimeout(resolve, 200));
      end();
      await Promise.all([reading, scrubbing]);
      await generation.close();
      for (const name of await readdir(join(folder, 'views', 'rows-1'))) {
        const content = await readFile(join(folder, 'views', 'rows-1', name));
        const parts: Buffer[] = [content];
        if (isTable(name))
          expect(
            readTable(content, (part) => parts.push(part)),
            name,
          ).toBe(true);
        for (const word of ['quokka', 'heron'])
          expect(
            parts.some((part) => part.includes(word)),
            `${word} in ${name}`,
          ).toBe(false);
      }
    },
  );
});

it('Reads that begin while a generation is scrubbed wait for its end: their snapshots would keep what was removed', async () => {
  const opened: ViewStore = await diskGenerations(await testFolder()).open('rows-1');
  const generation = await Generation.create(
    { projectors: [counts], isFed: () => false },
    ...(['rows-1', opened, 'this one'] as const),
  );
  await opened.put('r/counts/quokka', '1');
  const store = opened as unknown as { open(): Promise<void>; compactRange(...range: string[]): unknown };
  let openings = 0;
  const { open, compactRange } = store;
  store.open = async () => {
    await open.call(store);
    openings += 1;
  };
  const reads: Promise<number>[] = [];
  store.compactRange = (...range) => {
    reads.push(
      generation
        .reader('counts')
        .get('quokka')
        .then(() => openings),
      generation.still(async () => openings),
    );
    return compactRange.apply(store, range);
  };
  await generation.scrub(new Set());
  expect(reads.length).toBeGreaterThan(2);
  expect(new Set(await Promise.all(reads))).toEqual(new Set([3]));
  await generation.close();
});

describe('generations', () => {
  it('continue from their checkpoint', async () => {
    const { log, folder, digests } = await filled();
    const runner = await open(log, folder);
    expect(runner.states().map(({ lag }) => lag)).toEqual([0, 0]);
    expect(await digestsOf(runner)).toEqual(digests);
    expect(runner.problems).toEqual([]);
  });

  it('are complete again when the folder of all views is deleted', async () => {
    const { log, folder, digests } = await filled();
    await rm(join(folder, 'views'), { recursive: true });
    const runner = await open(log, folder);
    expect(runner.problems).toEqual([]);
    await runner.catchUp();
    expect(await digestsOf(runner)).toEqual(digests);
  });

  it('stay complete when CURRENT was replaced but its folder could not be synced', async () => {
    const { log, folder, digests } = await filled();
    const generations = diskGenerations(folder);
    const runner = await testRunner({
      log: asLog(log),
      generations: {
        ...generations,
        setCurrent: async (name) => {
          await generations.setCurrent(name);
          throw new Error('EIO: i/o error, fsync');
        },
      },
      projectors,
    });
    await runner.rebuild();
    expect(await digestsOf(runner)).toEqual(digests);
    await runner.close();
    const next = await open(log, folder);
    expect(next.problems).toEqual([]);
    expect(await digestsOf(next)).toEqual(digests);
  });

  it('are removed at open when an unfinished build left them', async () => {
    const { log, folder } = await filled();
    const views = join(folder, 'views');
    const current = (await readFile(join(views, 'CURRENT'), 'utf8')).trim();
    await mkdir(join(views, 'rows-9'));
    await writeFile(join(views, 'rows-9', '000003.log'), 'half');
    await writeFile(join(views, 'CURRENT.0a1b.tmp'), 'rows-');
    await mkdir(join(views, 'text'));
    await open(log, folder);
    expect((await readdir(views)).sort()).toEqual(['CURRENT', current, 'text']);
  });

  it('with a view of another version are replaced by an empty one', async () => {
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
    expect(await readdir(join(folder, 'views'))).toEqual(['CURRENT', 'rows-2']);
  });

  const harm: Record<string, (views: string, current: string) => Promise<void>> = {
    'CURRENT is missing': (views) => rm(join(views, 'CURRENT')),
    'CURRENT is empty': (views) => writeFile(join(views, 'CURRENT'), ''),
    'CURRENT is junk': (views) => writeFile(join(views, 'CURRENT'), Buffer.from([0, 255, 7])),
    'CURRENT leads outside': (views) => writeFile(join(views, 'CURRENT'), '../../../etc\n'),
    'the folder is missing': (views, current) => rm(join(views, current), { recursive: true }),
    'the folder is a file': async (views, current) => {
      await rm(join(views, current), { recursive: true });
      await writeFile(join(views, current), 'not a folder');
    },
    'its manifest is junk': async (views, current) => {
      const manifest = (await readdir(join(views, current))).find((name) => name.startsWith('MANIFEST'))!;
      await writeFile(join(views, current, manifest), 'junk '.repeat(100));
    },
    'all its files are empty': async (views, current) => {
      for (const name of await readdir(join(views, current))) await writeFile(join(views, current, name), '');
    },
    'its log of writes is gone': async (views, current) => {
      for (const name of await readdir(join(views, current)))
        if (name.endsWith('.log') || name.endsWith('.ldb')) await rm(join(views, current, name));
    },
  };

  it.each(Object.keys(harm))('are built again from the log when %s', async (how) => {
    const { log, folder, digests } = await filled();
    const views = join(folder, 'views');
    await harm[how]!(views, (await readFile(join(views, 'CURRENT'), 'utf8')).trim());
    const runner = await open(log, folder);
    expect(runner.problems).toMatchObject([{ code: 'VIEW_DAMAGED' }]);
    await runner.catchUp();
    expect(await digestsOf(runner)).toEqual(digests);
    await runner.rebuild(['counts']);
    expect(runner.problems).toEqual([]);
  });

  it('are built again when a row cannot be read while catching up', async () => {
    const { log, folder } = await filled();
    const generations = diskGenerations(folder);
    const store = await generations.open((await generations.current())!);
    await store.put('r/counts/session/session-0', '{"session":"ses');
    await store.close();
    const runner = await open(log, folder);
    await log.append(prompts(90));
    await runner.catchUp();
    expect(runner.problems).toMatchObject([{ code: 'VIEW_DAMAGED' }]);
    expect(await runner.deadLetters()).toEqual([]);
    expect((await runner.verifyRebuilt()).every(({ equal }) => equal)).toBe(true);
  });

  it('have the same rows in the end when a power cut takes the last writes', async () => {
    const { log, folder } = await filled();
    const views = join(folder, 'views');
    // A batch that was not synced is gone after a power cut: the views are what they were a while ago.
    await cp(views, join(folder, 'earlier'), { recursive: true });
    for (const more of [30, 70]) {
      await log.append(prompts(60 + more));
      const runner = await open(log, folder);
      await runner.catchUp();
      await runner.close();
    }
    await rm(views, { recursive: true });
    await cp(join(folder, 'earlier'), views, { recursive: true });
    await log.append(prompts(200, 3));
    const generations = diskGenerations(folder);
    const runner = await testRunner({ log: asLog(log), generations, projectors, pageSize: 17 });
    await runner.catchUp();
    expect(runner.problems).toEqual([]);
    expect((await runner.verifyRebuilt()).map(({ equal }) => equal)).toEqual([true, true]);
  });

  it('are locked by one process; another one gets a clear error', async () => {
    const { log, folder } = await filled();
    await open(log, folder);
    await expect(open(log, folder)).rejects.toMatchObject({ code: 'HOME_LOCKED' });
  });
});

it('A generation that was built is in synced tables before it is the current one', async () => {
  const log = fakeLog();
  await log.append(prompts(30));
  const folder = await testFolder();
  const generations = diskGenerations(folder);
  const runner = await testRunner({ log: asLog(log), generations, projectors: [counts, titles] });
  await runner.rebuild();
  const current = join(folder, 'views', (await generations.current())!);
  expect((await readdir(current)).filter(isTable)).not.toEqual([]);
  await runner.close();
});
