// Compares a replay of the key-value views with loops without logic, on the same log, interleaved:
//   replay  all views from zero, through the product's own runner
//   rows    reads the same pages of the log and writes the final rows of the views, already serialized
//   objects the same, but the rows are objects that have to be serialized as JSON
//   writes  as `rows`, but writes the batches that a replay wrote, including overwritten rows and checkpoints
//   array   as `rows`, but with LevelDB's array of operations, the naive way to write a batch
// All use one LevelDB with the product's options, and all but the last write through a chained batch, as the product does. The
// rows and batches of the loops are in memory before the clock starts; afterwards the runner's views are compared with the
// loops' by digest.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Log, openLog } from '../../log/index.ts';
import { digestRows } from '../../projections/engine/store/row-digest.ts';
import {
  END,
  openLevelStore,
  ROWS,
  rowsOf,
  type ViewStore,
  writeBatch,
} from '../../projections/engine/store/view-store.ts';
import {
  contextProjector,
  directoryGenerations,
  type GenerationStore,
  memoryProjector,
  openRunner,
  projectsProjector,
  turnsProjector,
} from '../../projections/index.ts';
import { openAnnals } from '../../src/annals.ts';
import { readText, writeAtomically } from '../../src/platform/atomic-file.ts';
import { now } from '../../src/platform/clock.ts';
import { folderBytes, list, makeFolder, remove } from '../../src/platform/disk-files.ts';
import { homePaths } from '../../src/platform/home-paths.ts';
import { randomBytes } from '../../src/platform/random-bytes.ts';
import { claudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { syntheticSessions } from '../data/sessions.ts';
import { interleaved, measured, median, peakBytes, type Sample, timing } from '../harness/measure.ts';
import { inFolder, runNode, withProgram } from '../harness/process.ts';
import { type Report, type Size, time } from '../harness/report.ts';

const PROJECTORS = [turnsProjector, projectsProjector, memoryProjector, contextProjector];
const VIEWS = PROJECTORS.map(({ name }) => name);
/** The same page size as the runner's. */
const PAGE_EVENTS = 1_000;
const ROUNDS = { small: 1, full: 5 } as const;
const SESSIONS = {
  small: { sessions: 3, eventsPerSession: 50 },
  full: { sessions: 100, eventsPerSession: 200 },
} as const;

/** One write of a batch. */
type StoreOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

type Way = 'replay' | 'rows' | 'objects' | 'writes' | 'array';

/** The operations of each page of the log. */
type Script = readonly (readonly StoreOperation[])[];

/** One run: its cost and its result. */
interface Run extends Sample {
  readonly digest: string;
  readonly bytes: number;
}

export async function replayBench(size: Size): Promise<Report[]> {
  const sizes = SESSIONS[size];
  const reports = [
    await onHome(size, `${sizes.sessions} synthetic sessions of ${sizes.eventsPerSession} events`, (home) =>
      tell(home, size),
    ),
  ];
  const transcripts = claudeCodeTranscripts;
  if (transcripts !== null && size === 'full')
    reports.push(await onHome(size, 'real transcripts', (home) => importFolder(home, transcripts)));
  return reports;
}

/** The log of a home, for this bench and its program. */
export async function openHomeLog(home: string): Promise<Log> {
  return openLog({
    directory: homePaths(home).log,
    headFile: null,
    world: { now, randomBytes },
    files: { readText, writeAtomically, folderBytes },
  });
}

/** Builds the views from zero in an empty folder; measures only catching up. */
export async function replayInto(folder: string, log: Log, noted?: StoreOperation[][]): Promise<Run> {
  const onDisk = directoryGenerations(folder, { readText, writeAtomically, list, makeFolder, remove });
  const generations = noted === undefined ? onDisk : noting(onDisk, noted);
  const runner = await openRunner({ log, generations, projectors: PROJECTORS, randomBytes, now });
  const { ms, cpuMs } = await measured(() => runner.catchUp());
  const digests = [];
  for (const name of VIEWS) digests.push(await runner.digest(name));
  await runner.close();
  return { ms, cpuMs, digest: joined(digests), bytes: await folderBytes(folder) };
}

async function onHome(size: Size, what: string, fill: (home: string) => Promise<void>): Promise<Report> {
  return inFolder(async (folder) => {
    const home = join(folder, 'home');
    await fill(home);
    // In a process of its own, while this one does not have the log open.
    const alone = size === 'full' ? await replayAlone(home, join(folder, 'alone')) : null;
    const log = await openHomeLog(home);
    try {
      const logBytes = await folderBytes(homePaths(home).log);
      const data = (events: number) =>
        `${what}, ${events} events, ${(logBytes / events).toFixed(0)} bytes each on disk`;
      return await compare(folder, log, data(log.head().position), ROUNDS[size], alone);
    } finally {
      await log.close();
    }
  });
}

async function compare(
  folder: string,
  log: Log,
  data: string,
  rounds: number,
  alone: Alone | null,
): Promise<Report> {
  const noted: StoreOperation[][] = [];
  const first = await replayInto(join(folder, 'first'), log, noted);
  const pages = Math.ceil(log.head().position / PAGE_EVENTS);
  const rows = await rowScript(join(folder, 'first'), pages);
  const writes = spread(noted, pages);
  const runs: Record<Way, Run[]> = { replay: [], rows: [], objects: [], writes: [], array: [] };
  const keep = (name: keyof typeof runs, run: (folder: string) => Promise<Run>) => async (round: number) => {
    const workdir = join(folder, `${name}-${round}`);
    const outcome = await run(workdir);
    await remove(workdir);
    runs[name].push(outcome);
    return outcome;
  };
  const samples = await interleaved(rounds, {
    replay: keep('replay', (workdir) => replayInto(workdir, log)),
    rows: keep('rows', (workdir) => loopInto(workdir, log, rows, chained)),
    objects: keep('objects', (workdir) => loopInto(workdir, log, parsed(rows), written)),
    writes: keep('writes', (workdir) => loopInto(workdir, log, writes, chained)),
    array: keep('array', (workdir) => loopInto(workdir, log, rows, asArray)),
  });
  const different = Object.values(runs)
    .flat()
    .filter(({ digest }) => digest !== first.digest);
  if (different.length > 0) throw new Error(`${different.length} of the runs made other rows.`);
  const events = log.head().position;
  const perSecond = (name: keyof typeof runs) => (1000 * events) / timing(samples[name]).ms;
  // Paired by round, so that a disturbance affects both sides of the ratio.
  const ratio = (name: Exclude<Way, 'replay'>, of: keyof Sample) =>
    100 * median(samples[name].map((loop, round) => loop[of] / samples.replay[round]![of]));
  const stateBytes = (name: keyof typeof runs) => median(runs[name].map(({ bytes }) => bytes)) / events;
  return {
    bench: 'replay',
    data,
    figures: [
      { name: 'replay, all views together', value: perSecond('replay'), unit: 'events/s', goal: '≥ 20,000' },
      time('replay', timing(samples.replay)),
      time('loop that writes the same rows', timing(samples.rows)),
      time('loop that writes them out as JSON first', timing(samples.objects)),
      time('loop that writes the same batches', timing(samples.writes)),
      time('loop through arrays of operations', timing(samples.array)),
      { name: 'replay / same rows', value: ratio('rows', 'ms'), unit: '%', goal: '≥ 70' },
      { name: 'replay / same rows, processor time', value: ratio('rows', 'cpuMs'), unit: '%' },
      { name: 'replay / same rows from objects', value: ratio('objects', 'ms'), unit: '%' },
      {
        name: 'replay / same rows from objects, processor time',
        value: ratio('objects', 'cpuMs'),
        unit: '%',
      },
      { name: 'replay / same rows through arrays', value: ratio('array', 'ms'), unit: '%' },
      {
        name: 'replay / same rows through arrays, processor time',
        value: ratio('array', 'cpuMs'),
        unit: '%',
      },
      { name: 'replay / same batches', value: ratio('writes', 'ms'), unit: '%' },
      { name: 'replay / same batches, processor time', value: ratio('writes', 'cpuMs'), unit: '%' },
      { name: 'state of the replay', value: stateBytes('replay'), unit: 'B/event' },
      { name: 'state of the same rows', value: stateBytes('rows'), unit: 'B/event' },
      ...(alone === null
        ? []
        : [
            { name: 'replay, first of a process', value: (1000 * events) / alone.ms, unit: 'events/s' },
            { name: 'peak memory of that process', value: alone.peakBytes / 2 ** 20, unit: 'MiB' },
            { name: 'memory before the replay', value: alone.peakBytesBefore / 2 ** 20, unit: 'MiB' },
          ]),
    ],
    digest: first.digest,
  };
}

/** Reads the log page by page, the next one while this one is written, and writes the operations of the script. */
async function loopInto<Operation>(
  folder: string,
  log: Log,
  script: readonly (readonly Operation[])[],
  write: (store: ViewStore, operations: readonly Operation[]) => Promise<void>,
): Promise<Run> {
  await makeFolder(folder);
  const store = await openLevelStore(folder);
  const { ms, cpuMs } = await measured(async () => {
    let coming = log.page({ after: 0, limit: PAGE_EVENTS });
    for (let number = 0; ; number++) {
      const page = await coming;
      if (page.events.length === 0) break;
      coming = log.page({ after: page.end.position, limit: PAGE_EVENTS });
      await write(store, script[number] ?? []);
    }
  });
  const digests = [];
  for (const name of VIEWS) digests.push(await digestRows(store, rowsOf(name), { everyWay: true }));
  await store.close();
  return { ms, cpuMs, digest: joined(digests), bytes: await folderBytes(folder) };
}

const chained = (store: ViewStore, operations: readonly StoreOperation[]): Promise<void> =>
  writeBatch(
    store,
    (batch) => {
      for (const operation of operations)
        if (operation.type === 'put') batch.put(operation.key, operation.value);
        else batch.del(operation.key);
    },
    false,
  );

/** A row of a script, before serialization. */
interface RowObject {
  readonly key: string;
  readonly row: unknown;
}

const written = (store: ViewStore, rows: readonly RowObject[]): Promise<void> =>
  writeBatch(
    store,
    (batch) => {
      for (const { key, row } of rows) batch.put(key, JSON.stringify(row));
    },
    false,
  );

const asArray = (store: ViewStore, operations: readonly StoreOperation[]): Promise<void> =>
  store.batch([...operations], { sync: false } as object);

function parsed(script: Script): readonly (readonly RowObject[])[] {
  const rowOf = (operation: StoreOperation): RowObject[] =>
    operation.type === 'put' ? [{ key: operation.key, row: JSON.parse(operation.value) }] : [];
  return script.map((page) => page.flatMap(rowOf));
}

/** The final rows of the views, in key order, in as many parts as the log has pages. */
async function rowScript(folder: string, pages: number): Promise<Script> {
  const generation = (await list(folder)).find((entry) => entry !== 'CURRENT');
  const store = await openLevelStore(join(folder, generation!));
  const rows = await store.iterator({ gte: ROWS, lt: END }).all();
  await store.close();
  const puts = rows.map(([key, value]): StoreOperation => ({ type: 'put', key, value }));
  const size = Math.max(1, Math.ceil(puts.length / pages));
  return Array.from({ length: pages }, (_, page) => puts.slice(page * size, (page + 1) * size));
}

/** Batches distributed over the pages in order: there may be more or fewer of them than the log has pages. */
function spread(batches: readonly (readonly StoreOperation[])[], pages: number): StoreOperation[][] {
  return Array.from({ length: pages }, (_, page) => {
    const from = Math.floor((page * batches.length) / pages);
    return batches.slice(from, Math.floor(((page + 1) * batches.length) / pages)).flat();
  });
}

/** A generation store that records what is written. */
function noting(generations: GenerationStore, batches: StoreOperation[][]): GenerationStore {
  return {
    ...generations,
    async open(folder) {
      const store = await generations.open(folder);
      const begin = store.batch.bind(store) as () => ReturnType<ViewStore['batch']>;
      const noter = (): ReturnType<ViewStore['batch']> => {
        const batch = begin();
        const operations: StoreOperation[] = [];
        const [put, del, write] = [batch.put.bind(batch), batch.del.bind(batch), batch.write.bind(batch)];
        return Object.assign(batch, {
          put: (key: string, value: string) => {
            operations.push({ type: 'put', key, value });
            return put(key, value);
          },
          del: (key: string) => {
            operations.push({ type: 'del', key });
            return del(key);
          },
          write: (options: object) => {
            batches.push(operations);
            return write(options);
          },
        });
      };
      return Object.assign(store, { batch: noter }) as ViewStore;
    },
  };
}

interface Alone extends Sample {
  readonly peakBytes: number;
  readonly peakBytesBefore: number;
}

/** One replay in a process of its own: the time of the first run, and its memory. */
function replayAlone(home: string, folder: string): Promise<Alone> {
  return withProgram('bench/projections/replay-alone.ts', async (program) => {
    const { stdout, peakBytes } = await runNode([program, home, folder]);
    return { ...(JSON.parse(stdout) as Omit<Alone, 'peakBytes'>), peakBytes };
  });
}

/** The program's report about one replay. */
export async function oneReplay(home: string, folder: string): Promise<Omit<Alone, 'peakBytes'>> {
  const log = await openHomeLog(home);
  const peakBytesBefore = peakBytes();
  const { ms, cpuMs } = await replayInto(folder, log);
  await log.close();
  return { ms, cpuMs, peakBytesBefore };
}

async function tell(home: string, size: Size): Promise<void> {
  const annals = await openAnnals({ home });
  await annals.append(syntheticSessions(SESSIONS[size]));
  await annals.close();
}

async function importFolder(home: string, transcripts: string): Promise<void> {
  const annals = await openAnnals({ home });
  await annals.import([transcripts]);
  await annals.close();
}

function joined(digests: readonly string[]): string {
  return createHash('sha256').update(digests.join('\n')).digest('hex').slice(0, 16);
}
