// Has the model of the settings asked about turns as a worker does, until the budget is spent or it is killed. Arguments: home;
// the moment of a batch at which it kills itself; how many ms later.
import { openAnnals } from '../../../src/index.ts';

const [home, moment, laterMs] = process.argv.slice(2) as [string, BatchMoment?, string?];
const send = globalThis.fetch;
if (moment !== undefined) globalThis.fetch = fetchUntil(moment, Number(laterMs ?? 0));

const annals = await openAnnals({ home, observer: true, lockTimeoutMs: 60_000 });
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

/**
 * unsent: its requests are on disk. away: the service has it; the caller kills. taken: the service said its name. looking: its state
 * is about to be asked. ended: its results begin to arrive. read: its results are here.
 */
export type BatchMoment = 'unsent' | 'away' | 'taken' | 'looking' | 'ended' | 'read';

function fetchUntil(until: BatchMoment, ms: number): typeof fetch {
  const end = () => process.kill(process.pid, 'SIGKILL');
  return async (input, init) => {
    const isPost = init?.method?.toUpperCase() === 'POST';
    const isResults = String(input).endsWith('/results');
    if ((until === 'unsent' && isPost) || (until === 'looking' && !isPost)) end();
    const response = await send(input, init);
    if (until === 'away' && isPost) await new Promise(() => {});
    if ((until === 'taken' && isPost) || (until === 'ended' && isResults)) end();
    if (until !== 'read' || !isResults) return response;
    const text = await response.text();
    setTimeout(end, ms);
    return new Response(text, response);
  };
}
