// `npm run bench forget`: forgets a memory and a prompt among many events, times each step, and compares both with a plain
// copy of the log's entries. `--events=20000` for a smaller run.
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

interface Instant {
  readonly at: number;
  readonly cpu: NodeJS.CpuUsage;
}
const instant = (): Instant => ({ at: performance.now(), cpu: process.cpuUsage() });

function since(begin: Instant): { ms: number; cpuMs: number } {
  const { user, system } = process.cpuUsage(begin.cpu);
  return { ms: performance.now() - begin.at, cpuMs: (user + system) / 1_000 };
}

/** Wall and processor time since the last call. */
function lap(): string {
  const { ms, cpuMs } = since(last);
  last = instant();
  return `${integer(ms)} ms, ${integer(cpuMs)} ms of processor`;
}
let last = instant();

const home = mkdtempSync(join(tmpdir(), 'annals-bench-forget-'));
try {
  await prepare();
  const begin = instant();
  await plainCopy();
  const copy = since(begin);
  lap();
  const annals = await openAnnals({ home });
  console.log(`opened: ${lap()}`);
  for (const what of ['memory', 'prompt'] as const) {
    const words = what === 'memory' ? 'qzxvkjwpmbtrnl' : 'reader fails when a line is cut';
    const { results } = await annals.search(words, { kind: what, limit: 1 });
    console.log(`found by search: ${lap()}`);
    const began = instant();
    const report = await annals.forget(
      { ids: [results[0]!.id] },
      { onStep: (step) => console.log(`  ${step}: ${lap()}`) },
    );
    const { ok, files, bytes } = report.proof!;
    console.log(`  proof: ${lap()} (ok ${ok}, ${files} files, ${integer(bytes / 1e6)} MB)`);
    const { ms, cpuMs } = since(began);
    const ratios = `${(ms / copy.ms).toFixed(1)} of the copy, ${(cpuMs / copy.cpuMs).toFixed(1)} of its processor time`;
    console.log(`a ${what} of ${integer(events)} events forgotten: ${integer(ms)} ms, ${ratios}`);
  }
  console.log(`verified: ${(await annals.verify()).ok}, ${lap()}`);
  await annals.close();
  console.log(
    `the plain copy of the log's entries: ${integer(copy.ms)} ms, ${integer(copy.cpuMs)} ms of processor`,
  );
} finally {
  for (const folder of [home, `${home}-copy`]) rmSync(folder, { recursive: true, force: true });
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
  // Not below the home, where the proof would find it.
  const to = new Level<Buffer, Buffer>(`${home}-copy`, buffers);
  const iterator = from.iterator({ highWaterMarkBytes: 1024 * 1024 } as object);
  for (let page = await iterator.nextv(2_000); page.length > 0; page = await iterator.nextv(2_000))
    await to.batch(page.map(([key, value]) => ({ type: 'put', key, value })));
  await iterator.close();
  await from.close();
  await to.close();
}
