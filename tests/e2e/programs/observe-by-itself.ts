// Has the model of the settings asked about turns as a worker does, until the budget is spent or it is killed. Argument: home.
import { openAnnals } from '../../../src/index.ts';

const annals = await openAnnals({ home: process.argv[2]!, observer: true, lockTimeoutMs: 60_000 });
annals.onChange(() => void look());
await look();
// The reactor itself keeps no process alive.
const keep = setInterval(() => void look(), 50);

async function look(): Promise<void> {
  const { hold } = (await annals.status()).observer;
  if (hold?.because !== 'budget') return;
  clearInterval(keep);
  process.exit(0);
}
