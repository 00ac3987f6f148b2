// `npm run bench verify`: verifies and rewrites the log, alternating with the lower bound of each: a plain scan of every
// entry, and a plain copy of every entry into another store. `--events=20000` for fewer events.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Log, openLog } from '../../log/index.ts';
import { levelStore, type Store } from '../../log/store.ts';
import { readText, writeAtomically } from '../../src/platform/atomic-file.ts';
import { now } from '../../src/platform/clock.ts';
import {
  exists,
  folderBytes,
  identity,
  list,
  move,
  remove,
  wholeFiles,
} from '../../src/platform/disk-files.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';
import { startThread } from '../../src/platform/threads.ts';
import { syntheticSessions } from '../data/sessions.ts';
import { interleaved, measured, median, type Sample, timing } from '../harness/measure.ts';
import { builtCommand } from '../harness/process.ts';

const EVENTS_PER_SESSION = 200;
const ROUNDS = 3;
const ENTRIES_PER_READ = 2_000;
const READ_ALL: object = { highWaterMarkBytes: 1024 * 1024, fillCache: false };
const chosen = process.argv.find((word) => word.startsWith('--events='));
const events = Number(chosen?.split('=')[1] ?? 100_000);
const rounded = (value: number) => Math.round(value).toLocaleString('en-US');

// The second thread's program is next to this file.
builtCommand();
const folder = mkdtempSync(join(tmpdir(), 'annals-bench-verify-'));
const directory = join(folder, 'log');
try {
  await withLog(fill);
  const samples = await interleaved(ROUNDS, {
    scan: () => measured(() => withStore(directory, (store) => eachPage(store, async () => {}))),
    verify: () => measured(() => withLog(verified)),
    copy: () => measured(copied),
    rewrite: () => measured(() => withLog((log) => log.rewrite())),
  });
  for (const [name, taken] of Object.entries(samples)) {
    const { ms, p95Ms, cpuMs } = timing(taken);
    console.log(
      `${name.padEnd(8)}${rounded(ms).padStart(7)} ms, p95 ${rounded(p95Ms)}, processor ${rounded(cpuMs)}; ` +
        `${rounded((events / ms) * 1_000)} events/s, ${rounded((events / cpuMs) * 1_000)} a second of processor`,
    );
  }
  compare('verify / scan', samples.verify, samples.scan);
  compare('rewrite / copy', samples.rewrite, samples.copy);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Medians of the ratios within each round. */
function compare(name: string, ours: readonly Sample[], plain: readonly Sample[]): void {
  const ratio = (of: (sample: Sample) => number) =>
    median(ours.map((sample, round) => of(sample) / of(plain[round]!))).toFixed(2);
  console.log(`${name}: ${ratio(({ ms }) => ms)} of the time, ${ratio(({ cpuMs }) => cpuMs)} of processor`);
}

async function withLog<T>(use: (log: Log) => Promise<T>): Promise<T> {
  const log = await openLog({
    directory,
    headFile: join(folder, 'head.json'),
    world: { now, randomBytes },
    files: { readText, writeAtomically, folderBytes, wholeFiles, startThread },
    swap: { exists, list, rename: move, remove, identity },
  });
  try {
    return await use(log);
  } finally {
    await log.close();
  }
}

async function fill(log: Log): Promise<void> {
  const sizes = { sessions: events / EVENTS_PER_SESSION, eventsPerSession: EVENTS_PER_SESSION };
  const newEvents = syntheticSessions(sizes);
  for (let from = 0; from < newEvents.length; from += 5_000)
    await log.append(newEvents.slice(from, from + 5_000));
}

async function verified(log: Log): Promise<void> {
  const report = await log.verify();
  if (!report.ok || report.events !== events) throw new Error('The log does not verify.');
}

async function withStore<T>(path: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = levelStore(path);
  await store.open();
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function eachPage(
  store: Store,
  use: (page: readonly [Buffer, Buffer][]) => Promise<void>,
): Promise<void> {
  const iterator = store.iterator(READ_ALL);
  for (let page = await iterator.nextv(ENTRIES_PER_READ); page.length > 0; ) {
    const coming = iterator.nextv(ENTRIES_PER_READ);
    await use(page);
    page = await coming;
  }
  await iterator.close();
}

/** Synced once at the end, like the rewrite. */
async function copied(): Promise<void> {
  const path = join(folder, 'copy');
  await withStore(directory, (from) =>
    withStore(path, async (to) => {
      await eachPage(from, (page) =>
        to.batch(page.map(([key, value]) => ({ type: 'put' as const, key, value }))),
      );
      await to.batch([{ type: 'put', key: Buffer.from('m'), value: Buffer.alloc(0) }], {
        sync: true,
      } as object);
    }),
  );
  rmSync(path, { recursive: true });
}
