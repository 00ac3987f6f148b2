import { describe, expect, it } from 'vitest';
import { type DownstreamProjector, defineProjector, type LogProjector } from '../../../projections/index.ts';
import { asLog, fakeLog } from '../../helpers/fake-log.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { counts, prompt, prompts, titles } from '../../helpers/toy-projectors.ts';
import { diskGenerations, memoryGenerations, testFolder, testRunner } from '../../helpers/views.ts';

const projectors = [titles, counts];

describe('the runner', () => {
  it('brings views up to the head of a real log and serves their rows', async () => {
    const folder = await testFolder();
    const log = await openTestLog(folder);
    await log.append(prompts(300));
    const runner = await testRunner({ log, generations: diskGenerations(folder), projectors });
    expect(runner.states().map(({ lag }) => lag)).toEqual([400, 400]);
    await runner.catchUp();
    expect(runner.states()).toMatchObject([
      { name: 'counts', version: 1, position: 400, lag: 0 },
      { name: 'titles', version: 1, position: 400, lag: 0 },
    ]);
    expect(await runner.view('counts').get('session/session-0')).toMatchObject({ prompts: 43 });
    expect(await runner.view('titles').range('word/number/')).toHaveLength(300);
    await log.append([prompt('session-0', 'later', 'number nine')]);
    await runner.catchUp();
    expect(await runner.view('titles').range('word/number/')).toHaveLength(301);
    await log.close();
  });

  it('reads each page of the log once for all projectors', async () => {
    const log = fakeLog();
    await log.append(prompts(90));
    const others = ['one', 'two', 'three'].map((name) => ({ ...counts, name }));
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors: others,
      pageSize: 40,
    });
    await runner.catchUp();
    // 120 events.
    expect(log.pagesRead).toBe(3);
  });

  it('moves in an import by what fits into a page, also when bodies are large', async () => {
    const folder = await testFolder();
    const log = await openTestLog(folder);
    const long = 'word '.repeat(24_000);
    await log.append(Array.from({ length: 45 }, (_, index) => prompt('large', String(index), long)));
    const runner = await testRunner({
      log,
      generations: memoryGenerations(),
      projectors: [counts],
      pageSize: 40,
    });
    await runner.advance();
    expect(runner.projected()).toBeGreaterThan(20);
    expect(runner.projected()).toBeLessThan(45);
    await runner.catchUp();
    expect(runner.projected()).toBe(45);
    await log.close();
  });

  it('is read in one state while pages are written, and a reader waits for no writer', async () => {
    const log = fakeLog();
    await log.append([prompt('a', '1', 'one')]);
    const runner = await testRunner({ log: asLog(log), generations: memoryGenerations(), projectors });
    await runner.catchUp();
    const seen = await runner.readers.query(async (upstream) => {
      const { rows, position } = upstream('counts');
      const before = await rows.get('session/a');
      await log.append([prompt('a', '2', 'two')]);
      await runner.catchUp();
      return { position, before, after: await rows.get('session/a') };
    });
    expect(seen).toMatchObject({ position: 1, before: { prompts: 1 }, after: { prompts: 1 } });
    expect(await runner.view('counts').get('session/a')).toMatchObject({ prompts: 2 });
  });

  it('covers what was appended before the call, however many calls wait', async () => {
    const log = fakeLog();
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors,
      pageSize: 10,
    });
    const calls: Promise<void>[] = [];
    for (const told of prompts(30)) {
      const [outcome] = await log.append([told]);
      calls.push(
        runner.catchUp().then(() => {
          for (const { position } of runner.states())
            expect(position).toBeGreaterThanOrEqual(outcome!.position);
        }),
      );
    }
    await Promise.all(calls);
    expect(log.pagesRead).toBeLessThan(60);
  });

  it('shows how far it is, up to the whole', async () => {
    const log = fakeLog();
    await log.append(prompts(90));
    const shown: [number, number][] = [];
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors,
      pageSize: 50,
    });
    await runner.catchUp({ onProgress: (done, total) => shown.push([done, total]) });
    expect(shown).toEqual([
      [0, 120],
      [50, 120],
      [100, 120],
      [120, 120],
    ]);
  });

  it('serves the old rows while a rebuild runs, and the same rows after it', async () => {
    const log = fakeLog();
    await log.append(prompts(120));
    const generations = diskGenerations(await testFolder());
    const runner = await testRunner({ log: asLog(log), generations, projectors, pageSize: 10 });
    await runner.catchUp();
    const before = await runner.digest('titles');
    const view = runner.view('titles');
    const old = await generations.current();
    const reads: Promise<readonly unknown[]>[] = [];
    const rebuilt = runner.rebuild(['counts'], {
      onProgress: () => {
        reads.push(view.range('word/number/'));
      },
    });
    expect((await rebuilt).map(({ name, events }) => [name, events])).toEqual([
      ['counts', 160],
      ['titles', 160],
    ]);
    expect(reads.length).toBeGreaterThan(10);
    for (const rows of await Promise.all(reads)) expect(rows).toHaveLength(120);
    expect(await generations.current()).not.toBe(old);
    expect(await generations.list()).toEqual([await generations.current()]);
    expect(await runner.digest('titles')).toBe(before);
    expect(await view.range('word/number/')).toHaveLength(120);
    await log.append([prompt('late', '1', 'number one')]);
    await runner.catchUp();
    expect(await view.range('word/number/')).toHaveLength(121);
  });

  it('takes in new events while a rebuild runs, which has them too at its end', async () => {
    const log = fakeLog();
    await log.append(prompts(90));
    const runner = await testRunner({
      log: asLog(log),
      generations: memoryGenerations(),
      projectors,
      pageSize: 40,
    });
    await runner.catchUp();
    const words = () => runner.view('titles').range('word/number/');
    const steps: string[] = [];
    const late = async () => {
      await log.append([prompt('session-0', 'later', 'number nine')]);
      await runner.catchUp();
      steps.push(`${(await words()).length} words, ${runner.isBuilding ? 'building' : 'built'}`);
      expect((await runner.verifyRebuilt()).every(({ equal }) => equal)).toBe(true);
    };
    let arrived: Promise<void> | null = null;
    let rewritten: Promise<unknown> | null = null;
    await runner.rebuild(undefined, {
      onProgress() {
        arrived ??= late();
        rewritten ??= runner.withoutBuilds(async () => steps.push(runner.isBuilding ? 'not alone' : 'alone'));
      },
    });
    steps.push(`${(await words()).length} words after it`);
    await Promise.all([arrived, rewritten]);
    expect(steps.toSorted()).toEqual(['91 words after it', '91 words, building', 'alone']);
  });

  it.each(['rebuild', 'verifyRebuilt'] as const)(
    'leaves no build behind when it closes before the end of %s',
    async (work) => {
      const log = fakeLog();
      await log.append(prompts(30));
      const generations = memoryGenerations();
      let gate = Promise.resolve();
      const gated = {
        ...log,
        page: async (range: Parameters<typeof log.page>[0]) => {
          await gate;
          return log.page(range);
        },
      };
      const runner = await testRunner({ log: asLog(gated), generations, projectors });
      await runner.catchUp();
      await log.append(prompts(60));
      let goOn = () => {};
      let catchingUp: Promise<void> | null = null;
      const onProgress = (done: number, total: number) => {
        if (done < total || catchingUp !== null) return;
        gate = new Promise((resolve) => {
          goOn = resolve;
        });
        catchingUp = runner.catchUp();
      };
      const built = expect(
        work === 'rebuild' ? runner.rebuild(undefined, { onProgress }) : runner.verifyRebuilt({ onProgress }),
      ).rejects.toMatchObject({ code: 'LOG_CLOSED' });
      while (catchingUp === null) await new Promise((resolve) => setImmediate(resolve));
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      const closed = runner.close();
      goOn();
      await Promise.all([built, catchingUp, closed]);
      expect(await generations.list()).toEqual([await generations.current()]);
    },
  );

  it('notices a view whose rows are not what the log gives', async () => {
    const log = fakeLog();
    await log.append(prompts(30));
    const generations = memoryGenerations();
    const runner = await testRunner({ log: asLog(log), generations, projectors });
    await runner.catchUp();
    await runner.close();
    const folder = (await generations.current())!;
    const store = await generations.open(folder);
    await store.put('r/counts/session/session-0', '{"session":"session-0","prompts":9,"latest":0}');
    await store.close();
    const again = await testRunner({ log: asLog(log), generations, projectors });
    const compared = await again.verifyRebuilt();
    expect(compared.map(({ name, equal }) => [name, equal])).toEqual([
      ['counts', false],
      ['titles', true],
    ]);
    expect(await generations.list()).toEqual([folder]);
    await again.rebuild();
    expect((await again.verifyRebuilt()).every(({ equal }) => equal)).toBe(true);
  });

  it('knows no view of another name', async () => {
    const runner = await testRunner({ log: asLog(fakeLog()), generations: memoryGenerations(), projectors });
    expect(() => runner.view('nothing')).toThrow(expect.objectContaining({ code: 'VIEW_UNKNOWN' }));
    await expect(runner.rebuild(['nothing'])).rejects.toMatchObject({ code: 'VIEW_UNKNOWN' });
  });

  it('refuses projectors that do not fit together', async () => {
    const open = (given: (LogProjector | DownstreamProjector)[]) =>
      testRunner({ log: asLog(fakeLog()), generations: memoryGenerations(), projectors: given });
    await expect(open([titles])).rejects.toThrow(/missing or in a cycle/);
    await expect(open([counts, counts])).rejects.toThrow(/Two views are named counts/);
    await expect(open([{ ...counts, changes: 'none' }, titles])).rejects.toThrow(/gives no changes/);
    const circle = [
      { ...titles, name: 'one', follows: 'two' },
      { ...titles, name: 'two', follows: 'one' },
    ];
    await expect(open(circle)).rejects.toThrow(/missing or in a cycle/);
    expect(() => defineProjector({ ...counts, name: 'Counts' })).toThrow(TypeError);
  });
});

describe('a checkpoint that does not match the log', () => {
  it('is reported, moves nothing and removes nothing when the log lost its end', async () => {
    const log = fakeLog();
    await log.append(prompts(3_750, 600));
    const generations = memoryGenerations();
    const runner = await testRunner({ log: asLog(log), generations, projectors });
    await runner.catchUp();
    const before = await runner.digest('counts');
    log.loseTail(4_744);
    await runner.catchUp();
    expect(runner.problems).toEqual([
      { code: 'LOG_DAMAGED', message: 'the log lost its end: it has 4,744 of 5,000 events' },
    ]);
    await log.append(prompts(4_500, 600).slice(5_000));
    await runner.catchUp();
    expect(runner.problems).toMatchObject([{ message: expect.stringContaining('chain is not the one') }]);
    expect(await runner.digest('counts')).toBe(before);
    await expect(runner.mustCatchUp()).rejects.toMatchObject({ code: 'LOG_DAMAGED' });
    expect(runner.checkpoint()).toMatchObject({ logId: 'log-a', position: 5_000 });
    expect((await runner.rebuild()).map(({ name }) => name)).toEqual(['counts', 'titles']);
    expect(runner.problems).toEqual([]);
    expect(runner.states().map(({ lag }) => lag)).toEqual([0, 0]);
  });

  it('is reported when it is of another log or of another past', async () => {
    const log = fakeLog();
    await log.append(prompts(30));
    const generations = memoryGenerations();
    const runner = await testRunner({ log: asLog(log), generations, projectors });
    await runner.catchUp();
    log.rewrite(10);
    await runner.catchUp();
    expect(runner.problems).toMatchObject([{ message: expect.stringContaining('before event 40') }]);
    await runner.close();
    const other = fakeLog('log-z');
    await other.append(prompts(60));
    const moved = await testRunner({ log: asLog(other), generations, projectors });
    await moved.catchUp();
    expect(moved.problems).toMatchObject([{ message: expect.stringContaining('another log (log-a') }]);
    await moved.rebuild();
    expect(moved.states().map(({ position }) => position)).toEqual([80, 80]);
  });
});
