// Brings views up, or rebuilds them again and again, until it is killed. Arguments: folder, `catch-up` or
// `rebuild`. Says `started` before the work and `done` after the first round.
import { rename } from 'node:fs/promises';
import { directoryGenerations, openRunner } from '../../../projections/index.ts';
import { readText, writeAtomically } from '../../../src/platform/atomic-file.ts';
import { now } from '../../../src/platform/clock.ts';
import { list, makeFolder, remove } from '../../../src/platform/disk-files.ts';
import { randomBytes } from '../../../src/platform/random-bytes.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { counts, titles } from '../../helpers/toy-projectors.ts';

const [folder, work] = process.argv.slice(2) as [string, 'catch-up' | 'rebuild'];
const log = await openTestLog(folder);
console.log('started');
const generations = directoryGenerations(`${folder}/views`, {
  readText,
  writeAtomically,
  list,
  makeFolder,
  remove,
});
let round = 0;
for (;;) {
  const runner = await openRunner({
    log,
    generations,
    projectors: [counts, titles],
    now,
    randomBytes,
    pageSize: 40,
  });
  await runner.catchUp();
  if (work === 'rebuild') await runner.rebuild();
  await runner.close();
  // In one step, as half a removal would be damage, which is said.
  if (work === 'catch-up') await rename(`${folder}/views`, `${folder}/old-${round++}`);
  console.log('done');
}
