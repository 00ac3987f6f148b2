// What the log costs above LevelDB. Five ways to put the same events on disk, interleaved in one run:
//   log         openLog().append, 256 a call, two calls waiting: checked, hashed, chained, all keys
//   log-alone   the same, one call at a time
//   put         one synced put of the same bytes a batch
//   unhashed    the log's work without any hash: checked, looked up, laid out, all keys; pipelined like it
//   keys        the same keys and values, made beforehand, in one synced batch: no work at all
// Prints the median events/s of each, the ratios, peak memory and bytes on disk per event.
// `npm run bench append`
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CATALOG, type Log, openLog, type Telling } from '../../log/index.ts';
import { IDENTITY } from '../../log/keys.ts';
import { sealBody } from '../../log/record.ts';
import { levelStore, type Store, SYNCED } from '../../log/store.ts';
import { testFiles, testWorld } from '../../tests/helpers/world.ts';
import { mixedTellings } from './tellings.ts';

const BATCH = 256;
/** With the salt in front, as long as a chain and a body hash. */
const NO_HASHES = '\0'.repeat(48);
const NO_SALT = new Uint8Array(16);
const rounds = Number(process.argv[2] ?? 9);
const batches = Number(process.argv[3] ?? 12);

const folder = await mkdtemp(join(tmpdir(), 'annals-bench-'));

const open = (name: string): Promise<Log> =>
  openLog({
    directory: join(folder, name),
    headFile: join(folder, `${name}.json`),
    world: testWorld(),
    files: testFiles,
  });
const log = await open('log');
const alone = await open('log-alone');
const put = levelStore(join(folder, 'put'));
const keys = levelStore(join(folder, 'keys'));
const unhashed = levelStore(join(folder, 'unhashed'));
await Promise.all([put.open(), keys.open(), unhashed.open()]);
const made: [Buffer, Buffer][][] = [];
const recorder = await openRecorder(made);

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
  rawBytes += raw.flat().reduce((sum, [key, value]) => sum + key.length + value.length, 0);
  const ways: [string, () => Promise<void>][] = [
    ['log', () => pipelined(calls.map((call) => () => log.append(call)))],
    ['put', () => putWhole(raw, round)],
    ['log-alone', () => oneByOne(calls.map((call) => () => alone.append(call)))],
    ['unhashed', () => appendUnhashed(calls, raw)],
    ['keys', () => putKeys(raw)],
  ];
  // Another one begins in each round, so that none always follows the same other.
  for (const [name, run] of [...ways.slice(round % 5), ...ways.slice(0, round % 5)]) {
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
console.log(
  `append: ${events} events in batches of ${BATCH}, ${rounds} rounds, ${(rawBytes / events).toFixed(0)} bytes each`,
);
for (const name of rates.keys())
  console.log(
    `  ${name.padEnd(10)} ${rate(name).toFixed(0).padStart(8)} events/s ${median(work.get(name) ?? [])
      .toFixed(1)
      .padStart(8)} µs of processor an event`,
  );
console.log(`  log / put   ${(rate('log') / rate('put')).toFixed(2)}  (wanted: 0.60)`);
console.log(`  log / unhashed  ${(rate('log') / rate('unhashed')).toFixed(2)}  (wanted: 0.90)`);
console.log(`  log / keys  ${(rate('log') / rate('keys')).toFixed(2)}`);
console.log(`  peak memory ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);
console.log(`  on disk     ${((await log.bytes()) / events).toFixed(0)} bytes an event`);
console.log(`  chain       ${createHash('sha256').update(log.head().chain).digest('hex').slice(0, 16)}`);
await Promise.all([
  log.close(),
  alone.close(),
  put.close(),
  keys.close(),
  unhashed.close(),
  recorder.close(),
]);
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

async function putWhole(raw: readonly (readonly [Buffer, Buffer][])[], round: number): Promise<void> {
  const values = raw.map((batch) => Buffer.concat(batch.flat()));
  for (const [at, value] of values.entries()) await put.put(Buffer.from(`${round}/${at}`), value, SYNCED);
}

/** Keys and ids come made from `raw`: without hashes there are none. */
async function appendUnhashed(
  all: readonly (readonly Telling[])[],
  raw: readonly (readonly [Buffer, Buffer][])[],
): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  for (const [at, call] of all.entries()) {
    const entries = raw[at]!;
    const bodies = call.map(({ type, body }) => JSON.stringify(CATALOG[type].body.parse(body)));
    const known = await unhashed.getMany(entries.filter(([key]) => key[0] === IDENTITY).map(([key]) => key));
    const batch = unhashed.batch();
    for (const [index, telling] of call.entries()) {
      if (known[index] !== undefined) throw new Error('A bench telling was there before.');
      const { body: _, ...rest } = telling;
      const header = { ...rest, v: 1, origin: log.logId, originSeq: index, recordedAt: 0, causation: null };
      const [headerKey, bodyKey, identityKey, sessionKey] = entries.slice(4 * index, 4 * index + 4);
      batch.put(
        headerKey![0],
        sealBody(NO_SALT, NO_HASHES + JSON.stringify({ id: identityKey![0].toString('hex', 1), ...header })),
      );
      batch.put(bodyKey![0], sealBody(NO_SALT, bodies[index]!));
      batch.put(identityKey![0], identityKey![1]);
      batch.put(sessionKey![0], sessionKey![1]);
    }
    await writing;
    writing = batch.write(SYNCED);
  }
  await writing;
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

/** A log that notes every key and value it writes, batch by batch, in the order it writes them. */
function openRecorder(noted: [Buffer, Buffer][][]): Promise<Log> {
  const directory = join(folder, 'records');
  const store = recording(levelStore(directory), noted);
  return openLog({ directory, headFile: null, world: testWorld(), files: testFiles, store });
}

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
