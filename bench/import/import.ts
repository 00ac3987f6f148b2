// Measures the time from a folder of transcripts to an answer: everything imported into an empty home through the
// library and found by a word search (vectors follow, and are measured separately). The baseline is the least that any
// import must do: read the same files and parse their lines. Then the same import again, which appends nothing. Then
// searches, warm in one process and cold as the command that a person types, compared with an empty Node and the
// command's own `--version`. Imports and commands run in their own processes, so that peak memory is theirs and nothing
// is warm.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAnnals } from '../../src/annals.ts';
import type { ImportReport, SearchAnswer } from '../../src/api.ts';
import { folderBytes, remove } from '../../src/platform/disk-files.ts';
import { homePaths } from '../../src/platform/home-paths.ts';
import { claudeCodeTranscripts } from '../../tests/helpers/shared-data.ts';
import { interleaved, measured, median, type Sample, stopwatch, timing } from '../harness/measure.ts';
import { builtCommand, type Ended, inFolder, REPOSITORY, runNode, withProgram } from '../harness/process.ts';
import { type Report, type Size, time } from '../harness/report.ts';

const EXAMPLE = join(REPOSITORY, 'examples/birdfeeder');
const QUERIES = [
  'why did the build fail',
  'permission denied',
  'README.md',
  'how are errors handled',
  'git push',
];
const IMPORT_ROUNDS = { small: 1, full: 5 } as const;
const COLD_ROUNDS = { small: 1, full: 15 } as const;
const WARM_ROUNDS = { small: 2, full: 40 } as const;

/** The duration of one import into an empty home, of the first search and of the same import again. */
export interface ImportRun {
  /** Until everything could be searched and the text index was on disk. */
  readonly import: Sample;
  /** All vectors, made after the first search. */
  readonly vectors: Sample;
  readonly firstSearch: Sample;
  readonly again: Sample;
  readonly report: Pick<ImportReport, 'files' | 'sessions' | 'prompts' | 'toolUses' | 'appended'>;
  readonly appendedAgain: number;
  readonly found: readonly string[];
}

export async function importBench(size: Size): Promise<Report[]> {
  const folder = size === 'full' ? (claudeCodeTranscripts ?? EXAMPLE) : EXAMPLE;
  return inFolder(async (workdir) => {
    const home = join(workdir, 'home');
    return [await imports(size, folder, home), await searches(size, home)];
  });
}

/** Imports a folder into a new home and searches it. */
export async function importInto(home: string, folder: string): Promise<ImportRun> {
  const annals = await openAnnals({ home });
  const elapsed = stopwatch();
  const marks: { searchable: Sample; search: Sample & { value: SearchAnswer }; vectors: () => Sample }[] = [];
  const report = await annals.import([folder], {
    async onSearchable() {
      const searchable = elapsed();
      marks.push({
        searchable,
        search: await measured(() => annals.search(QUERIES[0]!)),
        vectors: stopwatch(),
      });
    },
  });
  const { searchable, search, vectors } = marks[0]!;
  const made = vectors();
  const again = await measured(() => annals.import([folder]));
  await annals.close();
  const { files, sessions, prompts, toolUses, appended } = report;
  return {
    import: searchable,
    vectors: made,
    firstSearch: sampleOf(search),
    again: sampleOf(again),
    report: { files, sessions, prompts, toolUses, appended },
    appendedAgain: again.value.appended,
    found: search.value.results.map(({ id }) => id),
  };
}

/** The lower bound of every import: each line of the same files read and parsed. Returns the number of lines. */
export async function parseOnly(folder: string): Promise<Sample & { readonly value: number }> {
  return measured(async () => {
    let lines = 0;
    for (const name of filesIn(folder))
      for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
        if (line === '') continue;
        JSON.parse(line);
        lines++;
      }
    return lines;
  });
}

async function imports(size: Size, folder: string, home: string): Promise<Report> {
  const runs: (ImportRun & { readonly peakBytes: number })[] = [];
  const floors: Ended[] = [];
  await withProgram('bench/import/import-alone.ts', async (program) => {
    await interleaved(IMPORT_ROUNDS[size], {
      import: async (round) => {
        if (round > 0) await remove(home);
        const ended = await runNode([program, 'import', home, folder]);
        const run = JSON.parse(ended.stdout) as ImportRun;
        runs.push({ ...run, peakBytes: ended.peakBytes });
        return run.import;
      },
      parse: async () => {
        const ended = await runNode([program, 'parse', folder]);
        floors.push(ended);
        return ended;
      },
    });
  });
  const [one] = runs;
  const { appended, files, sessions, prompts, toolUses } = one!.report;
  const bytes = filesIn(folder).reduce((sum, name) => sum + readFileSync(join(folder, name)).length, 0);
  const paths = homePaths(home);
  const perEvent = async (path: string) => (await folderBytes(path)) / appended;
  const searchable = runs.map((run) => plus(run.import, run.firstSearch));
  const floor = timing(floors.map(({ stdout }) => JSON.parse(stdout) as Sample));
  return {
    bench: 'import',
    data: `${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${appended} events, ${sessions} sessions, ${prompts} prompts, ${toolUses} tool uses`,
    figures: [
      time('imported and searched, empty home', timing(searchable), size === 'full' ? '≤ 6,000' : undefined),
      time('of it the first search', timing(runs.map(({ firstSearch }) => firstSearch))),
      time('the vectors, made after it', timing(runs.map(({ vectors }) => vectors))),
      time('the same lines only read and parsed', floor),
      time('the same import again', timing(runs.map(({ again }) => again))),
      { name: 'appended by the import again', value: one!.appendedAgain, unit: 'events', goal: '0' },
      { name: 'peak memory, import and search', value: mebibytes(runs), unit: 'MiB' },
      { name: 'peak memory, read and parsed', value: mebibytes(floors), unit: 'MiB' },
      { name: 'log on disk', value: await perEvent(paths.log), unit: 'B/event' },
      {
        name: 'views on disk',
        value: (await perEvent(paths.views)) - (await perEvent(paths.text)),
        unit: 'B/event',
      },
      { name: 'text index on disk', value: await perEvent(paths.text), unit: 'B/event' },
    ],
    digest: digestOf([one!.report, one!.found]),
  };
}

async function searches(size: Size, home: string): Promise<Report> {
  const command = builtCommand();
  const answers: string[][] = [];
  const peaks: Ended[] = [];
  const cold = await interleaved(COLD_ROUNDS[size], {
    node: () => runNode(['-e', '0']),
    version: () => runNode([command, '--version']),
    search: async (round) => {
      const query = QUERIES[round % QUERIES.length]!;
      const ended = await runNode([command, 'search', query, '--json'], { ANNALS_HOME: home });
      const { results } = JSON.parse(ended.stdout) as {
        readonly results: readonly { readonly id: string }[];
      };
      answers.push(results.map(({ id }) => id));
      peaks.push(ended);
      return ended;
    },
  });
  const warm: Sample[] = [];
  const annals = await openAnnals({ home });
  // The first run loads what the others find loaded.
  for (const query of QUERIES) await annals.search(query);
  for (let round = 0; round < WARM_ROUNDS[size]; round++)
    for (const query of QUERIES) warm.push(sampleOf(await measured(() => annals.search(query))));
  await annals.close();
  return {
    bench: 'search',
    data: `the home of that import, ${QUERIES.length} queries in turn`,
    figures: [
      time('annals search, a process', timing(cold.search), size === 'full' ? '≤ 400' : undefined),
      time('annals --version, a process', timing(cold.version)),
      time('node -e 0, a process', timing(cold.node)),
      time('a search in an open library', timing(warm)),
      { name: 'peak memory of annals search', value: mebibytes(peaks), unit: 'MiB' },
    ],
    digest: digestOf(answers.slice(0, QUERIES.length)),
  };
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.jsonl')).sort();
}

function sampleOf({ ms, cpuMs }: Sample): Sample {
  return { ms, cpuMs };
}

function plus(one: Sample, other: Sample): Sample {
  return { ms: one.ms + other.ms, cpuMs: one.cpuMs + other.cpuMs };
}

function mebibytes(runs: readonly { readonly peakBytes: number }[]): number {
  return median(runs.map(({ peakBytes }) => peakBytes)) / 2 ** 20;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
