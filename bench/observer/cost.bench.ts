// `npm run bench observer/cost`: what it costs to have a model read ten real sessions, beside one request for each tool use
// with the whole history of the session sent again. Real sessions, real requests to the scripted service; tokens are counted
// as one for every three characters on both sides, prices are those of Haiku 5.5.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LogEvent, openAnnals } from '../../src/index.ts';
import { costOf, pricesOf } from '../../src/observer/providers/prices.ts';
import { SERVER_KEY, startModelServer } from '../../tests/observer/model-server.ts';
import { plausibleAnswer } from '../../tests/observer/plausible-reply.ts';
import { tenSessions } from '../../tests/observer/real-sessions.ts';
import { inFolder } from '../harness/process.ts';
import { type Figure, print } from '../harness/report.ts';
import { historySentAgain } from './history-sent-again.ts';

const KEY = 'ANNALS_BENCH_KEY';
const prices = pricesOf('claude-haiku-5-5')!;

if (tenSessions === null) console.log('Not measured: this machine does not have the real sessions.');
else await inFolder((folder) => measure(folder, tenSessions!));

interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

interface Run {
  readonly events: readonly LogEvent[];
  readonly usages: readonly Usage[];
  readonly usd: number;
}

async function measure(folder: string, files: readonly string[]): Promise<void> {
  const history = await observed(join(folder, 'history'), files, null);
  const live = await observed(join(folder, 'live'), files, endsOfRequests(history.events));
  const other = historySentAgain(history.events, prices);
  const tokens = (one: keyof Usage, { usages }: Run) => usages.reduce((sum, usage) => sum + usage[one], 0);
  const prompt = (run: Run) => tokens('input', run) + tokens('cacheRead', run) + tokens('cacheWrite', run);
  const percent = (part: number, whole: number) => (100 * part) / whole;
  const usd = (name: string, value: number): Figure => ({ name, value: 100 * value, unit: 'cents' });
  const figures: Figure[] = [
    { name: 'tool uses', value: other.calls, unit: '' },
    { name: 'requests', value: history.usages.length, unit: 'calls' },
    { name: 'prompt', value: prompt(history), unit: 'tokens' },
    { name: 'replies', value: tokens('output', history), unit: 'tokens' },
    {
      name: 'read from the cache, one after the other',
      ...share(percent(tokens('cacheRead', history), prompt(history))),
    },
    {
      name: 'read from the cache, as the turns ended',
      ...share(percent(tokens('cacheRead', live), prompt(live))),
    },
    usd('cost, one after the other', history.usd),
    usd('cost, as the turns ended', live.usd),
    usd('cost without a cache', withoutCache(history)),
    { name: 'history sent again: requests', value: other.calls, unit: 'calls' },
    { name: 'history sent again: prompt', value: other.promptTokens, unit: 'tokens' },
    usd('history sent again: cost', other.usd),
    usd('history sent again: cost, all of it cached', other.usdCached),
    { name: 'calls, of those', ...share(percent(history.usages.length, other.calls)) },
    { name: 'tokens, of those', ...share(percent(prompt(history), other.promptTokens)), goal: '≤ 3' },
    { name: 'cost, of that', ...share(percent(live.usd, other.usd)), goal: '≤ 3' },
    { name: 'cost, of that with all of it cached', ...share(percent(live.usd, other.usdCached)) },
  ];
  const digest = createHash('sha256')
    .update(JSON.stringify([history.usages, other]))
    .digest('hex');
  const notes = [
    'as the turns ended: a prefix is cached for five minutes after its last use, at the times of the sessions',
  ];
  print([{ bench: 'observer/cost', data: 'ten real sessions', figures, digest: digest.slice(0, 16), notes }]);
}

function share(value: number) {
  return { value, unit: '%' };
}

/** @param times when each request is sent, Unix ms; null: one after the other, within the lifetime of the cache */
async function observed(
  home: string,
  files: readonly string[],
  times: readonly number[] | null,
): Promise<Run> {
  const server = await startModelServer();
  server.answer = plausibleAnswer;
  if (times !== null) server.now = () => times[server.requests.length - 1] ?? 0;
  mkdirSync(home, { mode: 0o700 });
  const settings = { 'observer.url': server.url, 'observer.keyVariable': KEY, 'observer.usdPerDay': 10 };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings));
  process.env[KEY] = SERVER_KEY;
  const annals = await openAnnals({ home });
  try {
    await annals.import(files);
    const report = await annals.observe();
    if (report.problem !== null || report.read !== report.asked) throw new Error(JSON.stringify(report));
    const events: LogEvent[] = [];
    for await (const event of annals.log()) events.push(event);
    const usages = events.flatMap((event) =>
      event.type === 'observer.replied' ? [event.body.usage as Usage] : [],
    );
    return { events, usages, usd: report.usd };
  } finally {
    await annals.close();
    await server.close();
    delete process.env[KEY];
  }
}

/** When the turn of each request ended, in the order of the requests. */
function endsOfRequests(events: readonly LogEvent[]): number[] {
  const times = new Map(events.map(({ id, occurredAt }) => [id, occurredAt ?? 0]));
  return events.flatMap((event) =>
    event.type === 'observer.asked' ? [Math.max(...event.body.covers.map((id) => times.get(id) ?? 0))] : [],
  );
}

function withoutCache({ usages }: Run): number {
  const costs = usages.map(({ input, output, cacheRead, cacheWrite }) =>
    costOf({ input: input + cacheRead + cacheWrite, output, cacheRead: 0, cacheWrite: 0 }, prices),
  );
  return costs.reduce((sum, usd) => sum + usd, 0);
}
