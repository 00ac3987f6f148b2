// Run by contended.test.ts: opens the log whenever it is free, appends one event, prints the outcome and closes the log,
// repeatedly until its stdin ends.
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
for (let number = 1; !ended; ) {
  const log = await openTestLog(folder, { swap }).catch((error: { code?: string }) => {
    if (error.code !== 'HOME_LOCKED') throw error;
    return null;
  });
  if (log === null) {
    process.stdout.write('locked\n');
    await new Promise((resolve) => setTimeout(resolve, 1));
    continue;
  }
  const [outcome] = await log.append([toolEvent(number, `session-${name}`)]);
  await log.close();
  process.stdout.write(`${outcome!.outcome} ${outcome!.id}\n`);
  number += 1;
}
