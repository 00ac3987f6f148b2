// Processes of ours killed at random moments while views are filled, rebuilt and swapped.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chance } from '../../helpers/chance.ts';
import { bundled, removeBundle, startChild } from '../../helpers/child.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { counts, prompts, titles } from '../../helpers/toy-projectors.ts';
import { diskGenerations, memoryGenerations, testFolder, testRunner } from '../../helpers/views.ts';

const KILLS = Number(process.env.ANNALS_TEST_KILLS ?? 2);
const SEEDS = Array.from({ length: Math.ceil(KILLS / 2) }, (_, index) => index + 1);
const projectors = [counts, titles];
/** About two rounds of the child's work on a slow machine. */
const LATEST_KILL_MS = 500;

let program: string;
beforeAll(async () => {
  program = await bundled('projections/engine/crash-child.ts');
});
afterAll(() => removeBundle(program));

describe.each(['catch-up', 'rebuild'])('a process killed during %s', (work) => {
  it.each(SEEDS)('leaves views that come out as in an undisturbed run (seed %i)', async (seed) => {
    const folder = await testFolder();
    let log = await openTestLog(folder);
    await log.append(prompts(600, 60));
    const undisturbed = await testRunner({ log, generations: memoryGenerations(), projectors });
    await undisturbed.catchUp();
    const expected = [await undisturbed.digest('counts'), await undisturbed.digest('titles')];
    await undisturbed.close();
    await log.close();

    const child = startChild(program, [folder, work]);
    await child.printed('started');
    await sleep(chance(seed).below(LATEST_KILL_MS));
    await child.kill();

    log = await openTestLog(folder);
    const generations = diskGenerations(folder);
    const runner = await testRunner({ log, generations, projectors, pageSize: 70 });
    await runner.catchUp();
    expect([await runner.digest('counts'), await runner.digest('titles')]).toEqual(expected);
    expect(runner.problems).toEqual([]);
    expect(await generations.list()).toEqual([await generations.current()]);
    await runner.close();
    await log.close();
  });
});
