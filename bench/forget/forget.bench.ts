// `npm run bench forget`: one prompt is forgotten out of many events, step by step; then the log alone is rewritten
// beside a plain copy of the same entries. `--events=20000` for less.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { openAnnals } from '../../src/index.ts';
import { syntheticSessions } from '../data/sessions.ts';

const EVENTS_PER_SESSION = 200;
const chosen = process.argv.find((word) => word.startsWith('--events='));
const events = Number(chosen?.split('=')[1] ?? 100_000);
const ms = (since: number) => `${Math.round(performance.now() - since).toLocaleString('en-US')} ms`;

const home = mkdtempSync(join(tmpdir(), 'annals-bench-forget-'));
try {
  let annals = await openAnnals({ home });
  const tellings = syntheticSessions({
    sessions: events / EVENTS_PER_SESSION,
    eventsPerSession: EVENTS_PER_SESSION,
  });
  await annals.append(tellings);
  await annals.save({ title: 'The key', text: 'under the qzxvkjwpmbtrnl, as ever', cwd: '/srv/work/ledger' });
  const middle = tellings.filter(({ type }) => type === 'prompt.submitted')[(events / 40) | 0]!;
  await annals.replay();
  await annals.search('reader');
  await annals.close();

  let since = performance.now();
  annals = await openAnnals({ home });
  console.log(`opened: ${ms(since)}`);
  const whole = performance.now();
  since = whole;
  const { results } = await annals.search('qzxvkjwpmbtrnl');
  console.log(`search: ${ms(since)}`);
  const begun = performance.now();
  since = begun;
  const report = await annals.forget(
    { ids: [(await annals.why(results[0]!.id)).events[0]!.id] },
    {
      onStep: (step) => {
        console.log(`  ${step}: ${ms(since)}`);
        since = performance.now();
      },
    },
  );
  console.log(
    `  proof: ${ms(since)} (${report.proof!.files} files, ${Math.round(report.proof!.bytes / 1e6)} MB, ok ${report.proof!.ok})`,
  );
  console.log(`a memory of ${events.toLocaleString('en-US')} events forgotten: ${ms(begun)}`);
  since = performance.now();
  const again = performance.now();
  const prompt = await annals.forget(
    {
      ids: [
        (await annals.search((middle.body as { text: string }).text, { kind: 'prompt', limit: 1 }))
          .results[0]!.id,
      ],
    },
    {
      onStep: (step) => {
        console.log(`  ${step}: ${ms(since)}`);
        since = performance.now();
      },
    },
  );
  console.log(`  proof: ${ms(since)} (ok ${prompt.proof!.ok}, copies ${prompt.plan.copies.events})`);
  console.log(`a prompt of ${events.toLocaleString('en-US')} events forgotten: ${ms(again)}`);
  since = performance.now();
  console.log('verify', (await annals.verify()).ok, ms(since));
  await annals.close();

  since = performance.now();
  const from = new Level<Buffer, Buffer>(join(home, 'log'), {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
  });
  const to = new Level<Buffer, Buffer>(join(home, 'copy'), {
    keyEncoding: 'buffer',
    valueEncoding: 'buffer',
  });
  const iterator = from.iterator({ highWaterMarkBytes: 1024 * 1024 } as object);
  for (let entries = await iterator.nextv(2_000); entries.length > 0; entries = await iterator.nextv(2_000))
    await to.batch(entries.map(([key, value]) => ({ type: 'put', key, value })));
  await iterator.close();
  await from.close();
  await to.close();
  console.log(`a plain copy of the log's entries: ${ms(since)}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}
