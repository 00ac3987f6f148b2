// One thread writes the views, another one reads them. Here both are one thread with two handles of each store.
import { expect, it, onTestFinished } from 'vitest';
import { directoryGenerations, HeldViews, type ViewReader } from '../../../projections/index.ts';
import { makeFolder } from '../../../src/platform/disk-files.ts';
import { asLog, fakeLog } from '../../helpers/fake-log.ts';
import { counts, prompt, prompts, titles } from '../../helpers/toy-projectors.ts';
import { generationFiles, testFolder, testRunner } from '../../helpers/views.ts';

const projectors = [titles, counts];

async function both() {
  const folder = `${await testFolder()}/views`;
  const held = new HeldViews({ projectors, indexes: [], makeFolder });
  onTestFinished(() => held.close());
  const stores: { batch(): object }[] = [];
  const files = directoryGenerations(folder, generationFiles, held);
  const generations: typeof files = {
    ...files,
    async open(name, mustExist) {
      const store = await files.open(name, mustExist);
      stores.push(store);
      return store;
    },
  };
  const log = fakeLog();
  await log.append(prompts(30));
  const runner = await testRunner({ log: asLog(log), generations, projectors, pageSize: 7 });
  return { held, runner, log, stores, files };
}

const sessions = (view: ViewReader) => view.range('session/');

it('A reader sees one state of the views while the writer goes on', async () => {
  const { held, runner, log } = await both();
  await runner.catchUp();
  const seen = await held.readers.query(async (upstream) => {
    const { position, rows } = upstream('counts');
    const before = await sessions(rows);
    await log.append([prompt('later', '1', 'one')]);
    await runner.catchUp();
    return { position, before, after: await sessions(rows) };
  });
  expect(seen.position).toBe(40);
  expect(seen.after).toEqual(seen.before);
  expect(await sessions(held.readers.view('counts'))).toHaveLength(seen.before.length + 1);
});

it('A reader follows to the next generation, and the old one is removed once nobody reads it', async () => {
  const { held, runner, files } = await both();
  await runner.catchUp();
  const [old] = await files.list();
  let isRebuilt = false;
  const rebuilding = await held.readers.query(async (upstream) => {
    const { rows } = upstream('counts');
    const before = await sessions(rows);
    const work = runner.rebuild().then(() => {
      isRebuilt = true;
    });
    for (let turn = 0; turn < 200 && !isRebuilt; turn++) await new Promise((next) => setImmediate(next));
    expect(await sessions(rows)).toEqual(before);
    return { work };
  });
  expect(isRebuilt).toBe(false);
  await rebuilding.work;
  expect(await files.list()).not.toContain(old);
  expect(await sessions(held.readers.view('counts'))).toHaveLength(7);
});

it('After a write that failed, readers wait until the store is open again in both threads', async () => {
  const { held, runner, log, stores } = await both();
  await runner.catchUp();
  await log.append([prompt('later', '1', 'one')]);
  const store = stores[0]!;
  const { batch } = store;
  store.batch = () => {
    const chained = batch.call(store) as { write(): Promise<void> };
    chained.write = () => Promise.reject(new Error('IO error: 000012.log: No space left on device'));
    return chained;
  };
  await expect(runner.catchUp()).rejects.toMatchObject({ code: 'DISK_FULL' });
  store.batch = batch;
  const reading = held.readers.query((upstream) => sessions(upstream('counts').rows));
  const [, rows] = await Promise.all([runner.catchUp(), reading]);
  expect(rows.length).toBeGreaterThanOrEqual(7);
  expect(await sessions(held.readers.view('counts'))).toHaveLength(8);
});

it('Reads of another thread wait while the views are scrubbed', async () => {
  const { held, runner, stores } = await both();
  await runner.catchUp();
  const store = stores[0] as unknown as { open(): Promise<void>; compactRange(...range: string[]): unknown };
  let openings = 0;
  const { open, compactRange } = store;
  store.open = async () => {
    openings += 1;
    await open.call(store);
  };
  const reads: Promise<number>[] = [];
  store.compactRange = (...range) => {
    reads.push(sessions(held.readers.view('counts')).then(() => openings));
    return compactRange.apply(store, range);
  };
  await runner.scrub(new Set());
  expect(reads.length).toBeGreaterThan(1);
  expect(new Set(await Promise.all(reads))).toEqual(new Set([3]));
  expect(await sessions(held.readers.view('counts'))).toHaveLength(7);
});

it('A store that cannot be opened fails with its reason in the thread that writes', async () => {
  const folder = `${await testFolder()}/views`;
  const held = new HeldViews({ projectors, indexes: [], makeFolder });
  const alone = await testRunner({
    log: asLog(fakeLog()),
    generations: directoryGenerations(folder, generationFiles),
    projectors,
  });
  const second = testRunner({
    log: asLog(fakeLog()),
    generations: directoryGenerations(folder, generationFiles, held),
    projectors,
  });
  await expect(second).rejects.toMatchObject({ code: 'HOME_LOCKED' });
  await alone.close();
  await held.close();
});
