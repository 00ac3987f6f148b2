// The cost of the log over LevelDB, for calls of 1, 8, 64 and 512 events: a `save` appends one event, a drain of hook
// files a few, an import pages of hundreds. One call after the other, each acknowledged before the next, interleaved
// in one run with
//   put        one synced put of the same bytes: all keys and values of the call as one value
//   unhashed   the log's own code with hashes that cost nothing (unhashed.ts), which writes the same keys
//   … + 5 ms   the same on a disk whose sync takes 5 ms longer (a timer behind each write)
// A sync costs the same for one event as for hundreds, so small calls are mostly sync and large ones mostly work.
// An import has two large calls in flight, so that one is prepared while the other is synced. At the end all events are
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
import { mixedEvents } from './mixed-events.ts';
import { type Entry, recording, slow } from './stores.ts';
import { loadUnhashedLog } from './unhashed.ts';

const SLOW_SYNC_MS = 5;
const ROUNDS = { small: 1, full: 9 } as const;
/** Events a call, and calls a round. */
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
/** From this size on, a call is a page of an import, which has two of them in flight. */
const PAGE_EVENTS = 512;

/** The same calls, and what the log writes for each. */
interface Round {
  readonly calls: readonly (readonly NewEvent[])[];
  readonly written: readonly (readonly Entry[])[];
}

export function appendBench(size: Size): Promise<Report[]> {
  return inFolder(async (folder) => {
    const at = (name: string) => levelStore(join(folder, name));
    // A fixed clock; the salts are real, because generating them is part of the cost.
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
    let made = 0;
    let bytes = 0;
    for (const [events, count] of CALLS[size]) {
      // Only the current round is kept, because the garbage collector walks everything that is kept.
      let current: { readonly round: number; readonly input: Round } | null = null;
      const prepared = async (round: number): Promise<Round> => {
        if (current?.round === round) return current.input;
        const calls = Array.from({ length: count }, (_, call) => mixedEvents(events, made + call * events));
        made += events * count;
        const written: Entry[][] = [];
        for (const call of calls) {
          noted.length = 0;
          await recorder.append(call);
          written.push([...noted]);
          bytes += sizeOf(noted);
        }
        current = { round, input: { calls, written } };
        return current.input;
      };
      const oneByOne = async (log: Log, { calls }: Round) => {
        for (const call of calls) await log.append(call);
      };
      const putAll = async (store: Store, { written }: Round, round: number) => {
        const values = written.map((entries) => Buffer.concat(entries.flat()));
        for (const [call, value] of values.entries())
          await store.put(Buffer.from(`${events}/${round}/${call}`), value, SYNCED);
      };
      const way = (run: (input: Round, round: number) => Promise<unknown>) => async (round: number) => {
        const input = await prepared(round);
        return measured(() => run(input, round));
      };
      const ways: Record<string, Way> = {
        log: way((input) => oneByOne(logs.log, input)),
        put: way((input, round) => putAll(puts.put, input, round)),
        unhashed: async (round) => {
          const input = await prepared(round);
          ids.push(
            ...input.written.flat().flatMap(([key]) => (key[0] === IDENTITY ? [key.toString('hex', 1)] : [])),
          );
          return measured(() => oneByOne(logs.unhashed, input));
        },
        'log + 5 ms': way((input) => oneByOne(logs['log + 5 ms'], input)),
        'put + 5 ms': way((input, round) => putAll(puts['put + 5 ms'], input, round)),
      };
      if (events >= PAGE_EVENTS)
        ways['log, two calls'] = way((input) => twoInFlight(logs['log, two calls'], input));
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
    const data = `${head.position} events of ${(bytes / made).toFixed(0)} B with their keys`;
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
  /** Each round has its own ratio, because a disturbance affects all variants of its round. */
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

/** While one call is being synced the next is prepared. */
async function twoInFlight(log: Log, { calls }: Round): Promise<void> {
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
