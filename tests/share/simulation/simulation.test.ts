// A short form of `npm run simulate -- share`: few machines, several seeds.
import { expect, test } from 'vitest';
import { simulate } from './run.ts';

const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);
const RUNS = Math.ceil(Number(process.env.ANNALS_TEST_SIMULATED_RUNS ?? 20) / 10);

test(`${RUNS} seeds with 20 machines leave equal sets on all of them`, async () => {
  for (let seed = SEED; seed < SEED + RUNS; seed++) {
    const found = await simulate({ seed, machines: 20 });
    expect(found, `seed ${seed}`).toMatchObject({ lost: 0, doubled: 0, foreign: 0 });
    expect(found.subjects, `seed ${seed}`).toBeLessThanOrEqual(found.subjectsMax);
    expect(found.events).toBeGreaterThan(60);
    expect(found.faults.cuts).toBeGreaterThan(0);
  }
});
