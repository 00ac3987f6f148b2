// Bugs that the simulation found, each as the smallest case that shows it.
import { describe, expect, test } from 'vitest';
import { type LogFiles, openLog } from '../../log/index.ts';
import { type IndexView, openRunner } from '../../projections/index.ts';
import { TextIndex } from '../../projections/text/index.ts';
import { chance } from '../helpers/chance.ts';
import { asLog, fakeLog } from '../helpers/fake-log.ts';
import { memoryStore } from '../helpers/logs.ts';
import { toolEvent } from '../helpers/new-events.ts';
import { counts, prompts, titles } from '../helpers/toy-projectors.ts';
import { testWorld } from '../helpers/world.ts';
import { DocumentsInMemory, document } from '../projections/text/documents-in-memory.ts';
import { Faults } from './faults.ts';
import { Life, Trace } from './life.ts';
import { BUGS } from './planted.ts';
import { simulate } from './run.ts';
import { SimulatedDisk } from './simulated-disk.ts';

const FULL = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

function fullFiles(disk: { full: boolean }): LogFiles {
  return {
    readText: async () => undefined,
    writeAtomically: async () => {
      if (disk.full) throw FULL;
    },
    folderBytes: async () => 0,
  };
}

/** A store that cannot be written or opened while the disk is full. */
function storeOn(disk: { full: boolean }) {
  const store = memoryStore();
  const batch = store.batch.bind(store) as () => {
    write(options: object): Promise<void>;
    close(): Promise<void>;
  };
  const open = store.open.bind(store) as () => Promise<void>;
  return Object.assign(store, {
    async open() {
      if (disk.full) throw FULL;
      await open();
    },
    batch(...args: []) {
      const batched = batch(...args);
      if (args.length > 0) return batched;
      const write = batched.write.bind(batched);
      return Object.assign(batched, {
        async write(options: object) {
          if (!disk.full) return write(options);
          await batched.close();
          throw FULL;
        },
      });
    },
  }) as unknown as ReturnType<typeof memoryStore>;
}

describe('a log closed by a full disk', () => {
  test('reports DISK_FULL to readers, and reopens for them when there is space, without an append', async () => {
    const disk = { full: false };
    const world = testWorld();
    const log = await openLog({
      directory: '',
      headFile: null,
      world,
      files: fullFiles(disk),
      store: storeOn(disk),
    });
    await log.append([toolEvent(1)]);
    disk.full = true;
    await expect(log.append([toolEvent(2)])).rejects.toMatchObject({ code: 'DISK_FULL' });
    await expect(log.cursor('any')).rejects.toMatchObject({ code: 'DISK_FULL' });
    disk.full = false;
    expect(await log.cursor('any')).toBeUndefined();
    expect((await log.page({ after: 0 })).events).toHaveLength(1);
  });

  test('reports a failed write of the head file with our error, and is closed nevertheless', async () => {
    const disk = { full: false };
    const store = memoryStore();
    const files = fullFiles(disk);
    const log = await openLog({ directory: '', headFile: 'head.json', world: testWorld(), files, store });
    await log.append([toolEvent(1)]);
    disk.full = true;
    await expect(log.saveHead()).rejects.toMatchObject({ code: 'DISK_FULL' });
    await expect(log.close()).rejects.toMatchObject({ code: 'DISK_FULL' });
    expect(store.status).toBe('closed');
  });
});

describe('a view', () => {
  test('that was just created is not reported as damaged after a power cut', async () => {
    const disk = new SimulatedDisk();
    const luck = { ...chance(1), below: () => 0 };
    const log = fakeLog();
    await log.append(prompts(20));
    const begin = () => new Life(new Faults('nothing wrong', 0, luck, false), luck, new Trace());
    const open = (life: Life) =>
      openRunner({
        ...testWorld(),
        log: asLog(log),
        generations: disk.generations(life),
        projectors: [counts, titles],
      });
    const life = begin();
    await open(life);
    life.kill('by the test');
    await disk.restart({ power: true, tail: false }, luck);
    const runner = await open(begin());
    expect(runner.problems).toEqual([]);
    await runner.catchUp();
    expect(runner.states().map(({ lag }) => lag)).toEqual([0, 0]);
  });

  test('whose old folder cannot be removed reports it with our error', async () => {
    const disk = new SimulatedDisk();
    const luck = chance(1);
    const life = new Life(new Faults('nothing wrong', 0, luck, false), luck, new Trace());
    const generations = disk.generations(life);
    const remove = (): Promise<void> => Promise.reject(FULL);
    const runner = await openRunner({
      ...testWorld(),
      log: asLog(fakeLog()),
      generations: { ...generations, remove },
      projectors: [counts],
    });
    await expect(runner.rebuild()).rejects.toMatchObject({ code: 'DISK_FULL' });
  });

  test('is closed even when its index cannot be closed', async () => {
    const disk = new SimulatedDisk();
    const luck = chance(1);
    const life = new Life(new Faults('nothing wrong', 0, luck, false), luck, new Trace());
    const generations = disk.generations(life);
    const opened: { status: string }[] = [];
    const index = {
      name: 'broken',
      version: 1,
      follows: 'counts',
      feedPosition: () => null,
      position: () => 0,
      close: () => Promise.reject(FULL),
    } as unknown as IndexView;
    const runner = await openRunner({
      ...testWorld(),
      log: asLog(fakeLog()),
      generations: {
        ...generations,
        open: async (name) => {
          const store = await generations.open(name);
          opened.push(store);
          return store;
        },
      },
      projectors: [counts],
      indexes: [index],
    });
    await expect(runner.close()).rejects.toThrow();
    expect(opened.map(({ status }) => status)).toEqual(['closed']);
  });
});

test('a text index that cannot be saved on a full disk reports it with our error', async () => {
  const files = {
    read: async () => null,
    write: () => Promise.reject(FULL),
    names: async () => [],
    remove: async () => {},
  };
  const index = new TextIndex(new DocumentsInMemory([document({ id: 'one', title: 'clock' })]), files);
  const projectIndexes = [{ id: 'one', workdirs: ['/home/u/one'] }];
  await index.refresh(projectIndexes);
  await expect(index.save()).rejects.toMatchObject({ code: 'DISK_FULL' });
  expect((await index.search(projectIndexes, 'clock')).hits).toHaveLength(1);
});

// Only a downstream view had seen the lost tail: a kill had left its upstream at an older state.
test('seed 40004788: a lost tail that only a downstream view shows is reported', async () => {
  expect((await simulate(40_004_788)).wrong).toEqual([]);
});

// A write failed and the process was killed while it recovered. The simulation saw the failure first, and let the dead
// process do the next step.
test('seed 61013899: a process that is killed while a write fails does nothing more', async () => {
  expect((await simulate(61_013_899)).wrong).toEqual([]);
});

// A call was correctly answered with a failed opening of the log that the step before it had begun. The simulation
// expected that a write of its own was refused.
test('seed 701499: a call that waits for an opening gets its error', async () => {
  expect((await simulate(701_499, { rewriting: true })).wrong).toEqual([]);
});

// A generation that could not be filled could not be removed either, and the raw system error was shown.
test('seed 727809: a failed removal of an unfinished view is reported with our error', async () => {
  expect((await simulate(727_809, { rewriting: true })).wrong).toEqual([]);
});

// These seeds find a planted bug (planted.ts); without the bug they must pass.
test.each(BUGS)('seed $seed, which finds $name, passes without it', async ({ seed, rewriting }) => {
  expect((await simulate(seed, rewriting ? { rewriting } : {})).wrong).toEqual([]);
});
