// Forgets everything that contains a word, and kills itself right after a step.
import { openAnnals } from '../../../src/index.ts';

const [home, query, last] = process.argv.slice(2) as [string, string, string];
const annals = await openAnnals({ home });
await annals.forget(
  { query },
  {
    onStep: async (step) => {
      if (step !== last) return;
      process.kill(process.pid, 'SIGKILL');
      await new Promise(() => setTimeout(() => {}, 60_000));
    },
  },
);
await annals.close();
