// Search at scale: words alone and words with vectors through the product's search, compared with SQLite's FTS5 on the
// same records and queries, with the memory of each; edited and forgotten records live and rebuilt; and the first answer of
// a new process. Each side has its own process.
import { join } from 'node:path';
import { openAnnals } from '../../src/annals.ts';
import { interleaved, type Sample, timing } from '../harness/measure.ts';
import { builtCommand, inFolder, runNode, withProgram } from '../harness/process.ts';
import { type Figure, type Report, type Size, time } from '../harness/report.ts';
import { SyntheticRecords } from './records.ts';

const PROJECTS = { small: [1], full: [1, 20] } as const;
const QUERIES = { small: 20, full: 200 } as const;
const RECORDS = { small: [200], full: [10_000, 100_000] } as const;
const EDITED = { small: 200, full: 10_000 } as const;
const COLD: Readonly<Record<Size, Cold>> = {
  small: { records: 50, rounds: 1 },
  full: { records: 10_000, rounds: 5 },
};
const SAVED_AT_ONCE = 500;

interface Cold {
  readonly records: number;
  readonly rounds: number;
}

interface Searched {
  readonly first: Sample;
  readonly lexical: readonly Sample[];
  readonly hybrid: readonly Sample[];
  /** The vectors of one edited record. */
  readonly changed: readonly Sample[];
  readonly before: number;
  readonly loaded: number;
  readonly unloaded: number;
  /** Of everything found. */
  readonly digest: string;
}

interface Built {
  /** Processor time, ms. */
  readonly text: number;
  readonly vectors: number;
  readonly bytes: number;
}

interface Rival {
  readonly before: number;
  readonly loaded: number;
  readonly fts5: readonly Sample[];
}

interface Edited {
  readonly applied: number;
  readonly text: number;
  readonly vectors: number;
  readonly queries: number;
  readonly equal: number;
  readonly forgotten: number;
  readonly isSame: boolean;
  /** Of the graph; null if its library is not installed. */
  readonly recall: { readonly found: readonly number[]; readonly forgotten: number } | null;
}

export interface Wanted {
  /** This many instead of the number that the size implies. */
  readonly records?: number;
  /** The same for edited and forgotten records. */
  readonly edited?: number;
}

/** Indexes and records to search. */
interface World {
  readonly records: number;
  readonly projects: number;
  readonly folder: string;
}

export async function scaleBench(size: Size, wanted: Wanted = {}): Promise<Report[]> {
  const queries = QUERIES[size];
  const sizes: readonly number[] = wanted.records === undefined ? RECORDS[size] : [wanted.records];
  return withProgram('bench/scale/scale-alone.ts', async (program) => {
    const alone = async <T>(...words: readonly (string | number)[]) =>
      JSON.parse((await runNode(['--expose-gc', program, ...words.map(String)])).stdout) as T;
    return inFolder(async (folder) => {
      const worlds = sizes.flatMap((records) =>
        PROJECTS[size].map((projects): World => {
          return { records, projects, folder: join(folder, `${records}-${projects}`) };
        }),
      );
      const edited = wanted.edited ?? EDITED[size];
      // Sides that are not timed may run in parallel.
      const [built, changed] = await Promise.all([
        inTurn(worlds, (world) => alone<Built>('build', world.folder, world.records, world.projects)),
        alone<Edited>('edited', join(folder, 'edited'), edited, 1, queries),
      ]);
      const rivals = await inTurn(sizes, (records) => alone<Rival>('fts5', '', records, 1, queries));
      const ours = await inTurn(worlds, (world) =>
        alone<Searched>('search', world.folder, world.records, world.projects, queries),
      );
      return [
        ...worlds.map(({ records, projects }, index) =>
          searchReport(records, projects, built[index]!, ours[index]!, rivals[sizes.indexOf(records)]!),
        ),
        editedReport(changed, edited),
        await coldReport(COLD[size], join(folder, 'home')),
      ];
    });
  });
}

async function inTurn<One, Made>(all: readonly One[], make: (one: One) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (const one of all) made.push(await make(one));
  return made;
}

function searchReport(records: number, projects: number, built: Built, ours: Searched, rival: Rival): Report {
  const goals = records > 10_000 ? ['≤ 12', '≤ 30'] : ['≤ 3', '≤ 6'];
  const mebibytes = (later: number, before: number) => (later - before) / 2 ** 20;
  const figures: Figure[] = [
    time('words alone', timing(ours.lexical)),
    time('words and vectors', timing(ours.hybrid), `${goals[0]}, p95 ${goals[1]}`),
    time('SQLite FTS5, porter', timing(rival.fts5)),
    time('first search, indexes read from disk', timing([ours.first])),
    time('vectors of one edited record', timing(ours.changed)),
    { name: 'resident memory more than before', value: mebibytes(ours.loaded, ours.before), unit: 'MiB' },
    { name: '— after unloading', value: mebibytes(ours.unloaded, ours.before), unit: 'MiB' },
    { name: '— of SQLite FTS5', value: mebibytes(rival.loaded, rival.before), unit: 'MiB' },
    { name: 'on disk', value: built.bytes / records, unit: 'B/record' },
    { name: 'text indexed, processor time', value: built.text / records, unit: 'ms/record' },
    { name: 'vectors made, processor time', value: built.vectors / records, unit: 'ms/record' },
  ];
  const workdirs = projects === 1 ? 'one project' : `${projects} projects`;
  const data = `${records.toLocaleString('en')} synthetic records in ${workdirs}, ${ours.hybrid.length} queries`;
  return { bench: 'scale', data, figures, digest: ours.digest };
}

function editedReport(edited: Edited, records: number): Report {
  const { equal, queries, forgotten, isSame, applied, text, vectors, recall } = edited;
  const graph = (recall?.found ?? []).map((found, index): Figure => {
    const name = `recall@10 of the graph, ${index === 0 ? 'live' : 'rebuilt'}`;
    return { name, value: 100 * found, unit: '%', goal: '≥ 98' };
  });
  return {
    bench: 'scale, rebuilt',
    data: `${records.toLocaleString('en')} records in one project, 25 % edited, 10 % forgotten`,
    figures: [
      { name: 'equal answers, live and rebuilt', value: equal, unit: 'queries', goal: `${queries}` },
      {
        name: 'forgotten records found',
        value: forgotten + (recall?.forgotten ?? 0),
        unit: 'records',
        goal: '0',
      },
      { name: 'equal digests, live and rebuilt', value: isSame ? 1 : 0, unit: '', goal: '1' },
      ...graph,
      { name: 'changes applied, processor time', value: applied, unit: 'ms' },
      { name: 'text indexed again, processor time', value: text, unit: 'ms' },
      { name: 'vectors made again from the table, processor time', value: vectors, unit: 'ms' },
    ],
    digest: `${equal} ${forgotten} ${isSame}`,
    ...(recall === null
      ? { notes: ['hnswlib-node is not installed: nothing was searched by a graph.'] }
      : {}),
  };
}

/** The command as a person types it, on a home with that many saved memories of one project. */
async function coldReport({ records, rounds }: Cold, home: string): Promise<Report> {
  const source = new SyntheticRecords(records, 1);
  const annals = await openAnnals({ home });
  for (let from = 0; from < records; from += SAVED_AT_ONCE)
    await annals.save(
      Array.from({ length: Math.min(SAVED_AT_ONCE, records - from) }, (_, index) => {
        const { title, body } = source.record(from + index)!;
        return { title, text: body, project: 'birdfeeder' };
      }),
    );
  const queries = source.queries(10);
  await annals.search(queries[0]!);
  await annals.close();
  const command = builtCommand();
  const { search, node } = await interleaved(rounds, {
    node: () => runNode(['-e', '0'], {}),
    search: (round) =>
      runNode([command, 'search', queries[round % queries.length]!, '--json'], { ANNALS_HOME: home }),
  });
  return {
    bench: 'scale, cold',
    data: `a home with ${records.toLocaleString('en')} memories of one project`,
    figures: [time('annals search, a process', timing(search), '≤ 400'), time('node -e 0', timing(node))],
    digest: String(records),
  };
}
