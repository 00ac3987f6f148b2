// Run by the crash test: appends and prints each acknowledged id and position on its own line, until it is killed.
import { openTestLog } from '../../helpers/logs.ts';
import { toolEvents } from '../../helpers/new-events.ts';
import { testWorld } from '../../helpers/world.ts';

const [folder, seed] = process.argv.slice(2) as [string, string];
const world = testWorld(seed);
const log = await openTestLog(folder, { world, writeBufferBytes: 128 * 1024 });
if (log.damage.length > 0) throw new Error(JSON.stringify(log.damage));
for (let from = Number(seed) * 1_000_000; ; ) {
  const calls = Array.from({ length: 1 + world.integer(4) }, () => {
    const count = 1 + world.integer(300);
    const newEvents = toolEvents(count, from, `session-${seed}`);
    from += count - world.integer(2);
    return log.append(newEvents, { cursors: [{ key: seed, value: from }] }).then((outcomes) => {
      process.stdout.write(`${outcomes.map(({ id, position }) => `${id} ${position}`).join('\n')}\n`);
    });
  });
  await Promise.all(calls);
  await log.saveHead();
}
