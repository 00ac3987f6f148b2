// What the log costs above LevelDB. Several ways to put the same events on disk, interleaved in one run:
//   log         openLog().append, 256 a call, two calls waiting: checked, hashed, chained, all keys
//   log-alone   the same, one call at a time
//   put         one synced put of the same bytes a batch
//   unhashed    the log's own code with hashes that cost nothing (unhashed.ts): the same keys; pipelined like it
//   keys        the same keys and values, made beforehand, in one synced batch: no work at all
//   …-5ms       the same on a disk whose sync takes 5 ms longer (a timer behind each write): a laptop's or a
//               rented disk. Where a sync costs nothing, put is a copy of memory and nothing compares to it.
//   page        reading it all back, checked and parsed
// Prints medians of events/s and of processor time, the ratios, what a sync costs here, peak memory and bytes
// on disk. `npm run bench append`; BENCH_ROUNDS and BENCH_BATCHES make it longer or shorter.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, open as openFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { type Log, type LogWorld, openLog, type Telling } from '../../log/index.ts';
import { IDENTITY } from '../../log/keys.ts';
import { levelStore, type Store, SYNCED } from '../../log/store.ts';
import { testFiles } from '../../tests/helpers/world.ts';
import { mixedTellings } from './tellings.ts';
import { loadUnhashedLog } from './unhashed.ts';

const BATCH = 256;
/** What a sync takes longer on a disk that has no battery: ms. */
const SLOW_SYNC_MS = 5;
const rounds = Number(process.env.BENCH_ROUNDS ?? 9);
const batches = Number(process.env.BENCH_BATCHES ?? 12);

const folder = await mkdtemp(join(tmpdir(), 'annals-bench-'));

/** The clock stands; salts are real ones, as they cost what they cost. */
const world: LogWorld = { now: () => 1_767_225_600_000, randomBytes };
const open = (name: string, store = levelStore(join(folder, name)), opening = openLog): Promise<Log> =>
  opening({
    ...{ directory: join(folder, name), headFile: join(folder, `${name}.json`) },
    ...{ world, files: testFiles, store },
  });
const plain = async (name: string): Promise<Store> => {
  const store = levelStore(join(folder, name));
  await store.open();
  return store;
};
const log = await open('log');
const alone = await open('log-alone');
const slowLog = await open('slow-log', slow(levelStore(join(folder, 'slow-log'))));
const [put, keys, slowPut] = [await plain('put'), await plain('keys'), slow(await plain('slow-put'))];
const { openLog: openUnhashed, ids: idsToCome } = await loadUnhashedLog();
const unhashed = await open('unhashed', levelStore(join(folder, 'unhashed')), openUnhashed);
const slowUnhashed = await open(
  'slow-unhashed',
  slow(levelStore(join(folder, 'slow-unhashed'))),
  openUnhashed,
);
const made: [Buffer, Buffer][][] = [];
const recorder = await open('records', recording(levelStore(join(folder, 'records')), made));

const rates = new Map<string, number[]>();
/** Processor time of all threads, µs an event: says the same on a busy machine. */
const work = new Map<string, number[]>();
let rawBytes = 0;
for (let round = 0; round < rounds; round++) {
  // Made anew in each round, outside the measured time: what a bench keeps, the garbage collector walks.
  const calls = Array.from({ length: batches }, (_, at) =>
    mixedTellings(BATCH, (round * batches + at) * BATCH),
  );
  made.length = 0;
  for (const call of calls) await recorder.append(call);
  const raw = [...made];
  const ids = raw.flat().flatMap(([key]) => (key[0] === IDENTITY ? [key.toString('hex', 1)] : []));
  rawBytes += raw.flat().reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  const ways: [string, () => Promise<void>][] = [
    ['log', () => pipelined(calls.map((call) => () => log.append(call)))],
    ['put', () => putWhole(put, raw, round)],
    ['log-alone', () => oneByOne(calls.map((call) => () => alone.append(call)))],
    ['unhashed', () => appendUnhashed(unhashed, calls, ids)],
    ['keys', () => putKeys(raw)],
    ['log-5ms', () => pipelined(calls.map((call) => () => slowLog.append(call)))],
    ['put-5ms', () => putWhole(slowPut, raw, round)],
    ['unhashed-5ms', () => appendUnhashed(slowUnhashed, calls, ids)],
    ['page', () => readLast(batches * BATCH)],
  ];
  // Another one begins in each round, so that none always follows the same other.
  const first = round % ways.length;
  for (const [name, run] of [...ways.slice(first), ...ways.slice(0, first)]) {
    const cpu = process.cpuUsage();
    const start = process.hrtime.bigint();
    await run();
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const { user, system } = process.cpuUsage(cpu);
    work.set(name, [...(work.get(name) ?? []), (user + system) / (batches * BATCH)]);
    rates.set(name, [...(rates.get(name) ?? []), (batches * BATCH) / seconds]);
  }
}

const events = log.head().position;
const rate = (name: string): number => median(rates.get(name) ?? []);
/** Of each round its own, because what disturbs one round disturbs all that stand in it. */
const ratio = (one: string, other: string): string => {
  const others = rates.get(other) ?? [];
  return median((rates.get(one) ?? []).map((value, round) => value / others[round]!)).toFixed(2);
};
/** The same in processor time: what is left of the machine for others. */
const workRatio = (one: string, other: string): string =>
  (median(work.get(other) ?? []) / median(work.get(one) ?? [])).toFixed(2);
console.log(
  `append: ${events} events in batches of ${BATCH}, ${rounds} rounds, ${(rawBytes / events).toFixed(0)} bytes each`,
);
for (const name of rates.keys()) {
  const cost = median(work.get(name) ?? []).toFixed(1);
  console.log(
    `  ${name.padEnd(13)} ${rate(name).toFixed(0).padStart(8)} events/s ${cost.padStart(7)} µs of processor an event`,
  );
}
console.log(`  a sync of a batch here: ${(await syncCost(rawBytes / rounds / batches)).toFixed(2)} ms`);
console.log(
  `  log / put       ${ratio('log', 'put')}, with 5 ms more ${ratio('log-5ms', 'put-5ms')}, in processor time ${workRatio('log', 'put')}  (wanted: 0.60)`,
);
console.log(
  `  log / unhashed  ${ratio('log', 'unhashed')}, with 5 ms more ${ratio('log-5ms', 'unhashed-5ms')}, in processor time ${workRatio('log', 'unhashed')}  (wanted: 0.90)`,
);
console.log(`  log / keys      ${ratio('log', 'keys')}`);
console.log(`  peak memory     ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);
console.log(`  on disk         ${((await log.bytes()) / events).toFixed(0)} bytes an event`);
console.log(`  chain           ${createHash('sha256').update(log.head().chain).digest('hex').slice(0, 16)}`);
await Promise.all([log, alone, slowLog, recorder, unhashed, slowUnhashed].map((one) => one.close()));
await Promise.all([put, keys, slowPut].map((one) => one.close()));
await rm(folder, { recursive: true });

/** Two calls wait at a time: while one is synced the next is prepared. */
async function pipelined(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  for (const start of work) {
    const now = start();
    await before;
    before = now;
  }
  await before;
}

async function oneByOne(work: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const start of work) await start();
}

async function putWhole(
  store: Store,
  raw: readonly (readonly [Buffer, Buffer][])[],
  round: number,
): Promise<void> {
  const values = raw.map((batch) => Buffer.concat(batch.flat()));
  for (const [at, value] of values.entries()) await store.put(Buffer.from(`${round}/${at}`), value, SYNCED);
}

async function appendUnhashed(
  into: Log,
  calls: readonly (readonly Telling[])[],
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) idsToCome.push(id);
  await pipelined(calls.map((call) => () => into.append(call)));
}

/** Pages through the newest events of the log, as many as a round appends. */
async function readLast(count: number): Promise<void> {
  for (let after = Math.max(0, log.head().position - count); ; ) {
    const { events: read, end } = await log.page({ after });
    if (read.length === 0) return;
    after = end.position;
  }
}

/** Milliseconds, median of 30, to sync as many bytes as a batch holds, without writing them. */
async function syncCost(bytes: number): Promise<number> {
  const file = await openFile(join(folder, 'sync'), 'w');
  const times: number[] = [];
  for (let time = 0; time < 30; time++) {
    await file.write(Buffer.alloc(Math.round(bytes), time));
    const start = process.hrtime.bigint();
    await file.datasync();
    times.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
  await file.close();
  return median(times);
}

/** Like the log, lays out the next batch while the one before is synced. */
async function putKeys(raw: readonly (readonly [Buffer, Buffer][])[]): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  for (const entries of raw) {
    const batch = keys.batch();
    for (const [key, value] of entries) batch.put(key, value);
    await writing;
    writing = batch.write(SYNCED);
  }
  await writing;
}

/** A store whose writes end some milliseconds later than they do. */
function slow(store: Store): Store {
  const putOne = store.put.bind(store) as (...given: unknown[]) => Promise<void>;
  const begin = store.batch.bind(store) as unknown as (...given: unknown[]) => ReturnType<Store['batch']>;
  return Object.assign(store, {
    async put(...given: unknown[]) {
      await putOne(...given);
      await later(SLOW_SYNC_MS);
    },
    batch(...given: unknown[]) {
      const batch = begin(...given);
      if (given.length > 0) return batch;
      const write = batch.write.bind(batch) as (options: object) => Promise<void>;
      return Object.assign(batch, {
        async write(options: object) {
          await write(options);
          await later(SLOW_SYNC_MS);
        },
      });
    },
  }) as Store;
}

/** Notes every key and value that is written, batch by batch, in the order it is written. */
function recording(store: Store, noted: [Buffer, Buffer][][]): Store {
  const original = store.batch.bind(store) as unknown as (...given: unknown[]) => ReturnType<Store['batch']>;
  const spy = (...given: unknown[]): unknown => {
    const batch = original(...given);
    if (given.length > 0) return batch;
    const entries: [Buffer, Buffer][] = [];
    noted.push(entries);
    const put = batch.put.bind(batch) as (key: Buffer, value: Buffer) => typeof batch;
    return Object.assign(batch, {
      put(key: Buffer, value: Buffer) {
        entries.push([key, value]);
        return put(key, value);
      },
    });
  };
  return Object.assign(store, { batch: spy }) as Store;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
