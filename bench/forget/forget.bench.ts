// `npm run bench forget`: forgets one prompt among many events and times each step; then rewrites the log alone, next to a
// plain copy of the same entries. `--events=20000` for a smaller run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { openAnnals } from '../../src/index.ts';
import { syntheticSessions } from '../data/sessions.ts';

const EVENTS_PER_SESSION = 200;
const chosen = process.argv.find((word) => word.startsWith('--events='));
const events = Number(chosen?.split('=')[1] ?? 100_000);
const integer = (value: number) => Math.round(value).toLocaleString('en-US');

/** Wall and processor time since the last call. */
function lap(): string {
  const { user, system } = process.cpuUsage(last.cpu);
  const text = `${integer(performance.now() - last.at)} ms, ${integer((user + system) / 1_000)} ms of processor`;
  last = { at: performance.now(), cpu: process.cpuUsage() };
  return text;
}
let last = { at: performance.now(), cpu: process.cpuUsage() };

const home = mkdtempSync(join(tmpdir(), 'annals-bench-forget-'));
try {
  await prepare();
  lap();
  const annals = await openAnnals({ home });
  console.log(`opened: ${lap()}`);
  for (const what of ['memory', 'prompt'] as const) {
    const words = what === 'memory' ? 'qzxvkjwpmbtrnl' : 'reader fails when a line is cut';
    const { results } = await annals.search(words, { kind: what, limit: 1 });
    console.log(`found by search: ${lap()}`);
    const began = performance.now();
    const report = await annals.forget(
      { ids: [results[0]!.id] },
      { onStep: (step) => console.log(`  ${step}: ${lap()}`) },
    );
    const { ok, files, bytes } = report.proof!;
    console.log(`  proof: ${lap()} (ok ${ok}, ${files} files, ${integer(bytes / 1e6)} MB)`);
    console.log(`a ${what} of ${integer(events)} events forgotten: ${integer(performance.now() - began)} ms`);
  }
  console.log(`verified: ${(await annals.verify()).ok}, ${lap()}`);
  await annals.close();
  lap();
  await plainCopy();
  console.log(`a plain copy of the log's entries: ${lap()}`);
} finally {
  rmSync(home, { recursive: true, force: true });
}

async function prepare(): Promise<void> {
  const annals = await openAnnals({ home });
  const newEvents = syntheticSessions({
    sessions: events / EVENTS_PER_SESSION,
    eventsPerSession: EVENTS_PER_SESSION,
  });
  for (let from = 0; from < newEvents.length; from += 5_000)
    await annals.append(newEvents.slice(from, from + 5_000));
  await annals.save({ title: 'The key', text: 'under the qzxvkjwpmbtrnl, as ever', cwd: '/srv/work/ledger' });
  await annals.search('reader');
  await annals.close();
}

async function plainCopy(): Promise<void> {
  const buffers = { keyEncoding: 'buffer', valueEncoding: 'buffer' } as const;
  const from = new Level<Buffer, Buffer>(join(home, 'log'), buffers);
  const to = new Level<Buffer, Buffer>(join(home, 'copy'), buffers);
  const iterator = from.iterator({ highWaterMarkBytes: 1024 * 1024 } as object);
  for (let page = await iterator.nextv(2_000); page.length > 0; page = await iterator.nextv(2_000))
    await to.batch(page.map(([key, value]) => ({ type: 'put', key, value })));
  await iterator.close();
  await from.close();
  await to.close();
}
