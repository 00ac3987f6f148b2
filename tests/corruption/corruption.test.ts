// Damage to any part of a home must be noticed or harmless, never silent, and no report of it may be a stack.
// `npm run corrupt` does the same to a larger home, with as many rounds as you like.
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchFolder } from '../simulation/scratch.ts';
import { corrupt } from './run.ts';
import { tableOf, wrongOf } from './table.ts';

const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);

test(`no damage to a home is silent or shows a stack (seed ${SEED})`, async () => {
  const folder = scratchFolder();
  try {
    const { judged } = await corrupt(folder, {
      seed: SEED,
      flips: 8,
      truncations: 3,
      everyByte: 240,
      everyFile: 4,
      events: 500,
      lanes: 2,
    });
    console.log(tableOf(judged));
    expect(judged.length).toBeGreaterThan(20);
    expect(wrongOf(judged)).toEqual([]);
    expect(judged.flatMap(({ bugs }) => bugs)).toEqual([]);
    // Otherwise the judge itself would be broken. How many files the log has, and so what is damaged, varies: 8 to 15 are noticed.
    expect(judged.filter(({ verdict }) => verdict === 'noticed').length).toBeGreaterThan(4);
    expect(judged.filter(({ verdict }) => verdict === 'harmless').length).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
