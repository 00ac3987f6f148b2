// Checks that the simulation finds known bugs: planted one at a time, each must be caught soon.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { BUGS, sourceWith, withBug } from './planted.ts';
import { scratchFolder } from './scratch.ts';

const RUNS_MAX = 2_000;
/** Each bug takes a bundle of its own. `npm run test:long` plants all of them. */
const EVERY = Number(process.env.ANNALS_TEST_SIMULATED_RUNS ?? 50) < 1_000 ? 3 : 1;
const folder = scratchFolder();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(BUGS)('$name is a change of what the source has', async (bug) => {
  expect(await sourceWith(bug)).toContain(bug.changes[0]![1]);
});

test.each(BUGS.map((bug, index) => ({ ...bug, index })).filter(({ index }) => index % EVERY === 0))(
  `$name is caught within ${RUNS_MAX} runs`,
  async ({ index, ...bug }) => {
    const options = bug.rewriting ? { rewriting: true } : {};
    const simulate = await withBug(bug, join(folder, `planted-${index}.mjs`));
    if ((await simulate(bug.seed, options)).wrong.length > 0) return;
    for (let seed = 1; seed <= RUNS_MAX; seed++) {
      const { wrong, kind } = await simulate(seed, options);
      if (wrong.length === 0) continue;
      console.log(`${bug.name}: caught in run ${seed} now (${kind}): ${wrong[0]!.message}`);
      return;
    }
    expect.unreachable(`${bug.name} was not caught in ${RUNS_MAX} runs`);
  },
  600_000,
);
