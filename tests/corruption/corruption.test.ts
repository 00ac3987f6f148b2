// Damage to every part of a home is noticed or changes nothing that is read; it is never silent, and nothing that
// is said of it is a stack. `npm run corrupt` does the same to a larger home, as often as you like.
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchFolder } from '../simulation/scratch.ts';
import { corrupt } from './run.ts';
import { tableOf, wrongOf } from './table.ts';

const SEED = Number(process.env.ANNALS_TEST_SEED ?? 1);

test(`no damage to a home is silent, and none shows a stack (seed ${SEED})`, async () => {
  const folder = scratchFolder();
  try {
    const { judged } = await corrupt(folder, {
      seed: SEED,
      flips: 32,
      truncations: 8,
      everyByte: 60,
      everyFile: 4,
      events: 500,
      lanes: 2,
    });
    console.log(tableOf(judged));
    expect(judged.length).toBeGreaterThan(40);
    expect(wrongOf(judged)).toEqual([]);
    expect(judged.flatMap(({ bugs }) => bugs)).toEqual([]);
    // Else it would be the judge that is blind.
    expect(judged.filter(({ verdict }) => verdict === 'noticed').length).toBeGreaterThan(10);
    expect(judged.filter(({ verdict }) => verdict === 'harmless').length).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);
