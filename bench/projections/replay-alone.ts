// Runs one replay in a process of its own: `replay-alone <home> <empty folder> [times]`. Repeat only for a profile:
// node --cpu-prof <bundle> <home> <folder> 10
import { oneReplay } from './replay.ts';

const [home, folder, times = '1'] = process.argv.slice(2);
if (home === undefined || folder === undefined) throw new Error('replay-alone <home> <folder> [times]');
for (let time = 0; time < Number(times); time++)
  process.stdout.write(`${JSON.stringify(await oneReplay(home, `${folder}/${time}`))}\n`);
