// Search at size: words alone and words with vectors through the product's search, beside SQLite's FTS5 on the same
// records and queries; memory of each, and what is left after unloading; edited and forgotten records live beside
// rebuilt; and the first answer of a new process. Each side is a process of its own.
import { join } from 'node:path';
import { openAnnals } from '../../src/annals.ts';
import { interleaved, type Sample, timing } from '../harness/measure.ts';
import { builtCommand, inFolder, runNode, withProgram } from '../harness/process.ts';
import { type Figure, type Report, type Size, time } from '../harness/report.ts';
import { SyntheticRecords } from './records.ts';

const SHAPES = {
  small: [{ records: 300, projects: 1 }],
  full: [
    { records: 10_000, projects: 1 },
    { records: 10_000, projects: 20 },
    { records: 100_000, projects: 1 },
    { records: 100_000, projects: 20 },
  ],
} as const;
const EDITED = { small: 300, full: 50_000 } as const;
const COLD = { small: { records: 50, rounds: 1 }, full: { records: 10_000, rounds: 10 } } as const;
const SAVED_AT_ONCE = 500;

interface Searched {
  readonly first: Sample;
  readonly lexical: readonly Sample[];
  readonly hybrid: readonly Sample[];
  readonly before: number;
  readonly loaded: number;
  readonly bytes: number;
  readonly unloaded: number;
}

interface Edited {
  readonly told: number;
  readonly text: number;
  readonly vectors: number;
  readonly queries: number;
  readonly equal: number;
  readonly forgotten: number;
  readonly sameBytes: boolean;
}

export async function scaleBench(size: Size): Promise<Report[]> {
  return withProgram('bench/scale/scale-alone.ts', async (program) => {
    const alone = async <T>(...words: readonly (string | number)[]) =>
      JSON.parse((await runNode(['--expose-gc', program, ...words.map(String)])).stdout) as T;
    const reports: Report[] = [];
    for (const { records, projects } of SHAPES[size])
      reports.push(
        await inFolder(async (folder) => {
          const built = await alone<{ text: number; vectors: number; bytes: number }>(
            'build',
            folder,
            records,
            projects,
          );
          const ours = await alone<Searched>('search', folder, records, projects);
          const rival =
            projects === 1
              ? await alone<{ fts5: readonly Sample[]; before: number; loaded: number }>('fts5', records)
              : null;
          return searchReport({ records, projects }, built, ours, rival);
        }),
      );
    reports.push(
      await inFolder(async (folder) =>
        editedReport(await alone('edited', folder, EDITED[size]), EDITED[size]),
      ),
    );
    reports.push(await inFolder((folder) => coldReport(size, join(folder, 'home'))));
    return reports;
  });
}

function searchReport(
  { records, projects }: { readonly records: number; readonly projects: number },
  built: { readonly text: number; readonly vectors: number; readonly bytes: number },
  ours: Searched,
  rival: { readonly fts5: readonly Sample[]; readonly before: number; readonly loaded: number } | null,
): Report {
  const goal = records > 10_000 ? '≤ 25 / 60' : '≤ 5 / 12';
  const figures: Figure[] = [
    time('words alone', timing(ours.lexical)),
    time('words and vectors', timing(ours.hybrid), goal),
    ...(rival === null ? [] : [time('SQLite FTS5, porter', timing(rival.fts5))]),
    time('first search, indexes read from disk', timing([ours.first])),
    { name: 'memory of the loaded indexes, as counted', value: ours.bytes / 2 ** 20, unit: 'MiB' },
    {
      name: 'resident: loaded and asked / before',
      value: (ours.loaded - ours.before) / 2 ** 20,
      unit: 'MiB',
    },
    { name: 'resident: unloaded / before', value: (ours.unloaded - ours.before) / 2 ** 20, unit: 'MiB' },
    ...(rival === null
      ? []
      : [{ name: 'resident: FTS5 / before', value: (rival.loaded - rival.before) / 2 ** 20, unit: 'MiB' }]),
    { name: 'on disk', value: built.bytes / records, unit: 'B/record' },
    { name: 'text indexed, processor time', value: built.text / records, unit: 'ms/record' },
    { name: 'vectors made, processor time', value: built.vectors / records, unit: 'ms/record' },
  ];
  const data = `${records.toLocaleString('en')} synthetic records in ${projects} project${projects === 1 ? '' : 's'}, 200 queries`;
  return { bench: 'scale', data, figures, digest: String(built.bytes) };
}

function editedReport(edited: Edited, records: number): Report {
  return {
    bench: 'scale, rebuilt',
    data: `${records.toLocaleString('en')} records in one project, 25 % edited, 10 % forgotten`,
    figures: [
      {
        name: 'equal answers, live and rebuilt',
        value: edited.equal,
        unit: 'queries',
        goal: `${edited.queries}`,
      },
      { name: 'forgotten records found', value: edited.forgotten, unit: 'records', goal: '0' },
      { name: 'vectors of equal bytes', value: edited.sameBytes ? 1 : 0, unit: '', goal: '1' },
      { name: 'changes taken in, processor time', value: edited.told, unit: 'ms' },
      { name: 'text indexed again, processor time', value: edited.text, unit: 'ms' },
      { name: 'vectors made again from the table, processor time', value: edited.vectors, unit: 'ms' },
    ],
    digest: `${edited.equal} ${edited.forgotten} ${edited.sameBytes}`,
  };
}

/** The command as a person types it, on a home with that many saved memories of one project. */
async function coldReport(size: Size, home: string): Promise<Report> {
  const { records, rounds } = COLD[size];
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
