// Run by the test of a contended rewriting: opens the log whenever it is free, tells one thing, says so and lets go,
// over and over until its input ends.
import { exists, identity, list, move, remove } from '../../../src/platform/disk-files.ts';
import { openTestLog } from '../../helpers/logs.ts';
import { toolEvent } from '../../helpers/new-events.ts';

const [folder, name] = process.argv.slice(2) as [string, string];
const swap = { exists, list, rename: move, remove, identity };
let ended = false;
process.stdin.on('end', () => {
  ended = true;
});
process.stdin.resume();
for (let told = 1; !ended; ) {
  const log = await openTestLog(folder, { swap }).catch((error: { code?: string }) => {
    if (error.code !== 'HOME_LOCKED') throw error;
    return null;
  });
  if (log === null) {
    process.stdout.write('locked\n');
    await new Promise((resolve) => setTimeout(resolve, 1));
    continue;
  }
  const [outcome] = await log.append([toolEvent(told, `session-${name}`)]);
  await log.close();
  process.stdout.write(`${outcome!.outcome} ${outcome!.id}\n`);
  told += 1;
}
