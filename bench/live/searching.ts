// Searches one open library, which imports in a thread of its own, every 50 ms: idle, during an import, and idle again after it. Every other search is limited to
// one project, the others search all. Besides the elapsed time it measures the processor time of the main thread from question
// to answer, and how long that thread waited for a processor: on a busy machine that is most of the elapsed time. The
// longest pause of the event loop is how long any other user of the process could have waited. The same searches while two
// other programs keep two processors busy show how much of the rest is only that.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openAnnals } from '../../src/annals.ts';
import type { Annals } from '../../src/api.ts';
import { type Sample, stopwatch } from '../harness/measure.ts';
import { SyntheticRecords } from '../scale/records.ts';
import { cwdOf } from './transcripts.ts';

const EVERY_MS = 50;
const WARM_UP = 40;
const TEXTS = 20_000;
/** Keeps a processor and its memory busy, as a program that reads transcripts does. */
const BUSY = 'for (let some = []; ; ) if (some.push(JSON.stringify({ n: Math.random() })) > 1e5) some = [];';
const BUSY_PROGRAMS = 2;

/** One search. The processor time is that of the main thread. */
export interface SearchSample extends Sample {
  /** How long the main thread waited for a processor. */
  readonly waitedMs: number;
}

/** The searches of one phase. */
export interface Asked {
  readonly project: readonly SearchSample[];
  readonly everything: readonly SearchSample[];
  /** The longest pause of the event loop, ms. */
  readonly pauseMs: number;
  /** The longest stretch of the main thread's own work, ms of processor time: a pause without waiting for a processor. */
  readonly stretchMs: number;
  /** Searches that reported a running import. */
  readonly behind: number;
  /** Number of results of all searches. */
  readonly found: number;
}

export interface Outcome {
  readonly idle: Asked;
  /** While other programs keep two processors busy, and nothing is imported. */
  readonly busy: Asked;
  /** Until everything imported can be searched. */
  readonly importing: Asked;
  /** While the vectors are made. */
  readonly vectors: Asked;
  readonly after: Asked;
  /** The import with its vectors. */
  readonly import: Sample;
  readonly events: number;
}

/** Imports without any searches. */
export async function fill(home: string, folder: string): Promise<Sample & { readonly events: number }> {
  const annals = await openAnnals({ home });
  const elapsed = stopwatch();
  await annals.import([folder]);
  const { ms, cpuMs } = elapsed();
  const { log } = await annals.status();
  await annals.close();
  return { ms, cpuMs, events: log.events };
}

export async function searchWhileImporting(home: string, folder: string, searches: number): Promise<Outcome> {
  const annals = await openAnnals({ home, thread: true });
  const ask = asking(annals);
  await ask(WARM_UP, 0);
  const idle = await ask(searches, WARM_UP);
  const busy = await whileBusy(() => ask(searches, WARM_UP));
  const elapsed = stopwatch();
  let isSearchable = false;
  let isDone = false;
  const imported = annals
    .import([folder], {
      onSearchable: () => {
        isSearchable = true;
      },
    })
    .finally(() => {
      isDone = true;
    });
  const importing = await ask(Number.POSITIVE_INFINITY, WARM_UP, () => isSearchable || isDone);
  const vectors = await ask(Number.POSITIVE_INFINITY, WARM_UP, () => isDone);
  await imported;
  const sample = elapsed();
  await ask(WARM_UP, 0);
  const after = await ask(searches, WARM_UP);
  const { log } = await annals.status();
  await annals.close();
  return { idle, busy, importing, vectors, after, import: sample, events: log.events };
}

async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  const programs = Array.from({ length: BUSY_PROGRAMS }, () => spawn(process.execPath, ['-e', BUSY]));
  try {
    return await work();
  } finally {
    for (const program of programs) program.kill('SIGKILL');
  }
}

/** Runs one query after the other, starting with `first`, each 50 ms after the one before, or when that is answered. */
function asking(annals: Annals) {
  const queries = new SyntheticRecords(TEXTS, 1).queries(2_000);
  const project = basename(cwdOf(0));
  return async (count: number, first: number, isOver = () => false): Promise<Asked> => {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const stretch = longestStretch();
    const samples: Record<'project' | 'everything', SearchSample[]> = { project: [], everything: [] };
    let behind = 0;
    let found = 0;
    for (let asked = 0; asked < count && !isOver(); asked++) {
      const where = asked % 2 === 0 ? 'project' : 'everything';
      const query = queries[(first + asked) % queries.length]!;
      const began = performance.now();
      const [cpuBefore, waitedBefore] = ownThread();
      const value = await annals.search(query, where === 'project' ? { project } : {});
      const ms = performance.now() - began;
      const [cpu, waited] = ownThread();
      samples[where].push({ ms, cpuMs: cpu - cpuBefore, waitedMs: waited - waitedBefore });
      found += value.results.length;
      if (value.degraded.some((sentence) => sentence.startsWith('An import is running'))) behind++;
      await sleep(Math.max(0, EVERY_MS - ms));
    }
    loop.disable();
    return { ...samples, pauseMs: loop.max / 1e6, stretchMs: stretch(), behind, found };
  };
}

/** Looks at every turn of the event loop. Returns a function that ends it and gives the longest one. */
function longestStretch(): () => number {
  let [before] = ownThread();
  let longest = 0;
  const timer = setInterval(() => {
    const [now] = ownThread();
    longest = Math.max(longest, now - before);
    before = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

/** Processor time of this thread, and how long it waited for a processor, ms. Linux only. */
function ownThread(): readonly [number, number] {
  const [ran, waited] = readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ').map(Number);
  return [ran! / 1e6, waited! / 1e6];
}
