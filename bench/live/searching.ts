// One open library that is asked something every 50 ms: with nothing else to do, while it imports, and again with
// nothing to do and all that was imported. Every other search asks one project, the others ask all. How long the
// event loop was held up at most says what every other user of the process had to wait for.
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

/** Milliseconds of each search of a time, and the longest pause of the event loop in it. */
export interface Asked {
  readonly project: readonly number[];
  readonly everything: readonly number[];
  readonly pauseMs: number;
  /** Searches that said how far behind they were. */
  readonly behind: number;
  readonly found: number;
}

export interface Outcome {
  readonly idle: Asked;
  /** Until what is imported can be searched. */
  readonly importing: Asked;
  /** While the vectors are made. */
  readonly vectors: Asked;
  readonly after: Asked;
  readonly import: Sample;
  readonly events: number;
}

export async function fill(home: string, folder: string): Promise<Sample & { readonly events: number }> {
  const annals = await openAnnals({ home });
  const elapsed = stopwatch();
  await annals.import([folder]);
  const sample = elapsed();
  const { log } = await annals.status();
  await annals.close();
  return { ...sample, events: log.events };
}

export async function searchWhileImporting(home: string, folder: string, searches: number): Promise<Outcome> {
  const annals = await openAnnals({ home });
  const ask = asking(annals);
  await ask(WARM_UP, () => false);
  const idle = await ask(searches, () => false);
  const elapsed = stopwatch();
  let isSearchable = false;
  let isDone = false;
  const importing = annals
    .import([folder], {
      onSearchable: () => {
        isSearchable = true;
      },
    })
    .finally(() => {
      isDone = true;
    });
  const during = await ask(Number.POSITIVE_INFINITY, () => isSearchable || isDone);
  const vectors = await ask(Number.POSITIVE_INFINITY, () => isDone);
  await importing;
  const sample = elapsed();
  await ask(WARM_UP, () => false);
  const after = await ask(searches, () => false);
  const { log } = await annals.status();
  await annals.close();
  return { idle, importing: during, vectors, after, import: sample, events: log.events };
}

/** Asks one query after the other, each 50 ms after the one before began, or when that is answered. */
function asking(annals: Annals) {
  const queries = new SyntheticRecords(TEXTS, 1).queries(2_000);
  const project = basename(cwdOf(0));
  let next = 0;
  return async (count: number, isOver: () => boolean): Promise<Asked> => {
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const times: Record<'project' | 'everything', number[]> = { project: [], everything: [] };
    let behind = 0;
    let found = 0;
    for (let asked = 0; asked < count && !isOver(); asked++) {
      const began = performance.now();
      const where = next % 2 === 0 ? 'project' : 'everything';
      const query = queries[next++ % queries.length]!;
      const answer = await annals.search(query, where === 'project' ? { project } : {});
      const ms = performance.now() - began;
      times[where].push(ms);
      found += answer.results.length;
      if (answer.degraded.some((sentence) => sentence.includes('import'))) behind++;
      await sleep(Math.max(0, EVERY_MS - ms));
    }
    loop.disable();
    return { ...times, pauseMs: loop.max / 1e6, behind, found };
  };
}
