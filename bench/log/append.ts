// What the log costs above LevelDB, for calls of 1, 8, 64 and 512 events, as they happen: a `save` appends one, a
// hook's drain a handful, an import pages of hundreds. One call after the other, each acknowledged before the next,
// interleaved in one run with
//   put        one synced put of the same bytes: all keys and values of the call as one value
//   unhashed   the log's own code with hashes that cost nothing (unhashed.ts), which writes the same keys
//   … + 5 ms   the same on a disk whose sync takes 5 ms longer (a timer behind each write)
// A sync costs as much for one event as for hundreds, so small calls are mostly sync, and large ones mostly work:
// of those an import has two under way, so that one is prepared while the other is synced. At the end it is all
// read back, checked and parsed.
import { createHash, randomBytes } from 'node:crypto';
import { open as openFile } from 'node:fs/promises';
import { join } from 'node:path';
import { IDENTITY } from '../../log/format/keys.ts';
import { type Log, type LogWorld, type NewEvent, openLog } from '../../log/index.ts';
import { levelStore, type Store, SYNCED } from '../../log/store.ts';
import { testFiles } from '../../tests/helpers/world.ts';
import { interleaved, measured, median, peakBytes, type Sample, type Way } from '../harness/measure.ts';
import { inFolder } from '../harness/process.ts';
import type { Figure, Report, Size } from '../harness/report.ts';
import { type Entry, recording, slow } from './stores.ts';
import { mixedEvents } from './tellings.ts';
import { loadUnhashedLog } from './unhashed.ts';

const SLOW_SYNC_MS = 5;
const ROUNDS = { small: 1, full: 9 } as const;
/** Events of a call, and calls in a round. */
const CALLS = {
  small: [
    [1, 2],
    [8, 2],
  ],
  full: [
    [1, 40],
    [8, 40],
    [64, 16],
    [512, 4],
  ],
} as const;
/** From here on a call is a page of an import, which has two of them under way. */
const PAGE_EVENTS = 512;

/** The same calls, and what the log writes of each. */
interface Round {
  readonly calls: readonly (readonly NewEvent[])[];
  readonly written: readonly (readonly Entry[])[];
}

export function appendBench(size: Size): Promise<Report[]> {
  return inFolder(async (folder) => {
    const at = (name: string) => levelStore(join(folder, name));
    // The clock stands; salts are real ones, as they cost what they cost.
    const world: LogWorld = { now: () => 1_767_225_600_000, randomBytes };
    const open = (name: string, store: Store, opening = openLog): Promise<Log> => {
      const workdirs = { directory: join(folder, name), headFile: join(folder, `${name}.json`) };
      return opening({ ...workdirs, world, files: testFiles, store });
    };
    const noted: Entry[] = [];
    const { openLog: openUnhashed, ids } = await loadUnhashedLog();
    const recorder = await open('recorder', recording(at('recorder'), noted));
    const logs = {
      log: await open('log', at('log')),
      'log + 5 ms': await open('slow-log', slow(at('slow-log'), SLOW_SYNC_MS)),
      'log, two calls': await open('two', at('two')),
      unhashed: await open('unhashed', at('unhashed'), openUnhashed),
    };
    const puts = { put: at('put'), 'put + 5 ms': slow(at('slow-put'), SLOW_SYNC_MS) };
    for (const store of Object.values(puts)) await store.open();

    const figures: Figure[] = [];
    let told = 0;
    let bytes = 0;
    for (const [events, count] of CALLS[size]) {
      // Only the round at hand is kept: what a bench keeps, the garbage collector walks.
      let current: { readonly round: number; readonly given: Round } | null = null;
      const prepared = async (round: number): Promise<Round> => {
        if (current?.round === round) return current.given;
        const calls = Array.from({ length: count }, (_, call) => mixedEvents(events, told + call * events));
        told += events * count;
        const written: Entry[][] = [];
        for (const call of calls) {
          noted.length = 0;
          await recorder.append(call);
          written.push([...noted]);
          bytes += sizeOf(noted);
        }
        current = { round, given: { calls, written } };
        return current.given;
      };
      const oneByOne = async (log: Log, { calls }: Round) => {
        for (const call of calls) await log.append(call);
      };
      const putAll = async (store: Store, { written }: Round, round: number) => {
        const values = written.map((entries) => Buffer.concat(entries.flat()));
        for (const [call, value] of values.entries())
          await store.put(Buffer.from(`${events}/${round}/${call}`), value, SYNCED);
      };
      const way = (run: (given: Round, round: number) => Promise<unknown>) => async (round: number) => {
        const given = await prepared(round);
        return measured(() => run(given, round));
      };
      const ways: Record<string, Way> = {
        log: way((given) => oneByOne(logs.log, given)),
        put: way((given, round) => putAll(puts.put, given, round)),
        unhashed: async (round) => {
          const given = await prepared(round);
          ids.push(
            ...given.written.flat().flatMap(([key]) => (key[0] === IDENTITY ? [key.toString('hex', 1)] : [])),
          );
          return measured(() => oneByOne(logs.unhashed, given));
        },
        'log + 5 ms': way((given) => oneByOne(logs['log + 5 ms'], given)),
        'put + 5 ms': way((given, round) => putAll(puts['put + 5 ms'], given, round)),
      };
      if (events >= PAGE_EVENTS)
        ways['log, two calls'] = way((given) => twoUnderWay(logs['log, two calls'], given));
      const samples = await interleaved(ROUNDS[size], ways);
      figures.push(...figuresOf(events, count, samples));
    }
    const head = logs.log.head();
    const read = await measured(() => readAll(logs.log));
    figures.push(
      { name: 'read back, checked and parsed', value: (read.ms * 1000) / head.position, unit: 'µs/event' },
      { name: 'a sync here, after 4 KiB', value: await syncMs(folder), unit: 'ms' },
      { name: 'on disk', value: (await logs.log.bytes()) / head.position, unit: 'B/event' },
      { name: 'peak memory', value: peakBytes() / 2 ** 20, unit: 'MiB' },
    );
    for (const log of [recorder, ...Object.values(logs)]) await log.close();
    for (const store of Object.values(puts)) await store.close();
    const data = `${head.position} events of ${(bytes / told).toFixed(0)} B with their keys`;
    return [
      {
        bench: 'append',
        data,
        figures,
        digest: createHash('sha256').update(String(head.position)).digest('hex').slice(0, 16),
      },
    ];
  });
}

function figuresOf(
  events: number,
  count: number,
  samples: Readonly<Record<string, readonly Sample[]>>,
): Figure[] {
  const calls = `calls of ${events}`;
  const perEvent = (ms: number) => (ms * 1000) / (events * count);
  const rates = Object.entries(samples).map(
    ([name, runs]): Figure => ({
      name: `${calls}: ${name}`,
      value: perEvent(median(runs.map(({ ms }) => ms))),
      unit: 'µs/event',
      cpu: perEvent(median(runs.map(({ cpuMs }) => cpuMs))),
    }),
  );
  /** Of each round its own, because what disturbs one round disturbs all that stand in it. */
  const ratio = (one: string, other: string, goal?: string): Figure => ({
    name: `${calls}: ${one} / ${other}`,
    value: 100 * median((samples[one] ?? []).map((run, round) => samples[other]![round]!.ms / run.ms)),
    unit: '%',
    ...(goal === undefined ? {} : { goal }),
  });
  return [
    ...rates,
    ratio('log', 'put', '≥ 60'),
    ratio('log', 'unhashed', '≥ 90'),
    ratio('log + 5 ms', 'put + 5 ms'),
  ];
}

/** While one call is synced the next is prepared. */
async function twoUnderWay(log: Log, { calls }: Round): Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  for (const call of calls) {
    const now = log.append(call);
    await before;
    before = now;
  }
  await before;
}

async function readAll(log: Log): Promise<void> {
  for (let after = 0; ; ) {
    const { events, end } = await log.page({ after });
    if (events.length === 0) return;
    after = end.position;
  }
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0);
}

/** Median of 30. */
async function syncMs(folder: string): Promise<number> {
  const file = await openFile(join(folder, 'sync'), 'w');
  const times: number[] = [];
  for (let time = 0; time < 30; time++) {
    await file.write(Buffer.alloc(4096, time));
    times.push((await measured(() => file.datasync())).ms);
  }
  await file.close();
  return median(times);
}
