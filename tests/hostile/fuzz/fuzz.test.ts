// Some of the cases that `npm run fuzz` makes by the hundred thousand. A failing seed is printed; `npm run fuzz --
// --cases 1 --seed N` repeats it. Time and memory are checked there, not on a busy machine here.
import { describe, expect, test } from 'vitest';
import { fuzz, KINDS, kindOf } from './case.ts';

const FIRST = 1;
const CASES = Number(process.env.ANNALS_TEST_FUZZ_CASES ?? 42);

describe.each(KINDS.map((kind) => ({ kind })))('hostile input: $kind', ({ kind }) => {
  test('blocks nothing and is recorded, parked or refused', async () => {
    const seeds = Array.from({ length: CASES }, (_, index) => FIRST + index).filter(
      (seed) => kindOf(seed) === kind,
    );
    const fates = new Set<string>();
    for (const seed of seeds) {
      const { wrong, fates: these } = await fuzz(seed);
      expect(wrong, `seed ${seed}`).toEqual([]);
      for (const [fate, count] of Object.entries(these)) if (count > 0) fates.add(fate);
    }
    expect(fates.size).toBeGreaterThan(1);
  });
});

test('a seed makes the same case each time', async () => {
  for (const seed of [3, 7, 8]) {
    const [one, other] = [await fuzz(seed), await fuzz(seed)];
    expect([one.fates, one.wrong]).toEqual([other.fates, other.wrong]);
  }
});
