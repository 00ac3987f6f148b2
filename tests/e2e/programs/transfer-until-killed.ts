// Exports or restores, and kills itself at a given step: `export <home> <folder>`, or
// `restore <home> <folder> <step> <share>`.
import { openAnnals, restoreAnnals } from '../../../src/index.ts';

const [act, home, folder, step = '', share = '0'] = process.argv.slice(2) as [
  string,
  string,
  string,
  string?,
  string?,
];

function dieAt(reached: string, done: number, total: number): void {
  if (reached === step && done >= Number(share) * total) process.kill(process.pid, 'SIGKILL');
}

if (act === 'export') {
  const annals = await openAnnals({ home });
  await annals.export(folder, { onProgress: (done, total) => dieAt('writing', done, total) });
  await annals.close();
} else await restoreAnnals(folder, { home, onProgress: dieAt });
