// Imports files into the log, projects the views page by page, records workdirs and builds the text index, so that the
// next search finds what was imported. Vectors come last, project by project: they only improve the order of results,
// so nobody has to wait for them.
import { AnnalsError } from '../../log/index.ts';
import { sessionKeys, type ViewReader } from '../../projections/index.ts';
import { agentsAt } from '../agents/index.ts';
import type { ImportOptions, ImportReport } from '../api.ts';
import { EMPTY } from '../capture/transcripts/discover.ts';
import { forgetPrivateTurns } from '../forget/private-turns.ts';
import type { Home } from '../home/home.ts';
import type { HomeState } from '../home/home-state.ts';
import { countInput } from '../home/input-counts.ts';
import { recordWorkdirs } from '../home/record-workdirs.ts';
import { thisMachine } from '../platform/machine.ts';
import { isExport } from '../transfer/export-folder.ts';
import { type MergedLog, mergeExport } from '../transfer/merge-export.ts';
import {
  importTranscripts,
  type TranscriptImport,
  type TranscriptImportReport,
} from './import-transcripts.ts';
import { makeSearchable, makeVectors } from './make-indexes.ts';

const PARKED_SHOWN_MAX = 100;

export async function importIntoHome(
  paths: readonly string[],
  options: ImportOptions,
  home: Home,
): Promise<ImportReport> {
  const { imports, log, now } = home;
  const began = now();
  // Only what is read from here on may be found later.
  imports.noteAppended(log.head().position);
  const running = imports.begin();
  try {
    const taken = await takeIn(paths, options, home, running.read);
    await forgetPrivateTurns(home);
    const report = { ...taken, ms: now() - began };
    await options.onSearchable?.(report);
    const embedded = await makeVectors(options, home);
    return embedded === null ? report : { ...report, vectors: embedded };
  } finally {
    running.end();
  }
}

type Counted = Omit<ImportReport, 'ms'>;

/** Imports until everything can be found by its words. */
async function takeIn(
  paths: readonly string[],
  options: ImportOptions,
  home: Home,
  noteRead: (files: HomeState['reading']) => void,
): Promise<Counted> {
  const { log, runner, views, excluded, imports, privateWork } = home;
  const { onProgress, signal } = options;
  const merged: MergedLog[] = [];
  const transcripts: string[] = [];
  noteRead({ filesDone: 0, filesTotal: 0 });
  const endReading = privateWork.beginImport();
  try {
    for (const path of paths)
      if (await isExport(path)) merged.push(await mergeExport(path, options, home));
      else transcripts.push(path);
    const { agents } = await agentsAt(home.paths.agents, thisMachine());
    const report = await importTranscripts({
      log: logWithViews(home),
      agents,
      paths: transcripts,
      launchers: imports.launchers,
      excluded,
      onProgress: (progress) => {
        noteRead(progress);
        onProgress?.(progress);
      },
      ...(signal === undefined ? {} : { signal }),
    });
    if (merged.length === 0) refuseNothing(report);
    await runner.catchUp();
    const cwds = await workdirsIn(report, views.turns);
    await recordWorkdirs(
      // A session may have been in an excluded folder for a time.
      cwds.filter((cwd) => !excluded(cwd)),
      home,
    );
    await runner.catchUp();
    await makeSearchable(home);
    const sessions = report.files.flatMap(({ agent, sessions }) =>
      sessions.map(({ session }) => ({ agent, session })),
    );
    sessions.push(...merged.flatMap((one) => one.sessions));
    const open = report.files.flatMap(({ agent, openToolUses }) => openToolUses.map((id) => ({ agent, id })));
    const counts = await countInput(sessions, open, views.turns);
    return withMerged({ files: report.files.length, ...counts, ...totals(report) }, merged);
  } catch (error) {
    // Nobody else projects what was appended so far, so readers must do it.
    imports.noteAppended(log.head().position);
    throw error;
  } finally {
    noteRead(null);
    endReading();
  }
}

/** The folders of sessions in the log. The folder of a forgotten session must not be recorded again. */
async function workdirsIn({ files }: TranscriptImportReport, turns: ViewReader): Promise<string[]> {
  const sessions = files.flatMap(({ agent, sessions }) => sessions.map((one) => ({ agent, ...one })));
  const rows = await turns.getMany(sessions.map(({ agent, session }) => sessionKeys.session(agent, session)));
  return sessions.flatMap(({ cwds }, index) => (rows[index] === undefined ? [] : cwds));
}

/**
 * The log with views that follow each append, so that events are found during the import and at most a few pages wait.
 * Each append waits for the views of the append before.
 */
function logWithViews({ log, runner }: Home): TranscriptImport['log'] {
  let projecting: Promise<void> = Promise.resolve();
  return {
    cursor: (key) => log.cursor(key),
    cursors: (prefix) => log.cursors(prefix),
    scan: (look) => log.scan(look),
    pageBySession: (request) => log.pageBySession(request),
    forgettings: () => log.forgettings(),
    append: async (newEvents, options) => {
      const outcomes = await log.append(newEvents, options);
      await projecting;
      projecting = runner.advance();
      // The next append or catchUp awaits it.
      projecting.catch(() => undefined);
      return outcomes;
    },
  };
}

function withMerged(report: Counted, merged: readonly MergedLog[]): Counted {
  if (merged.length === 0) return report;
  const sum = (of: (one: MergedLog) => number) => merged.reduce((total, one) => total + of(one), 0);
  return {
    ...report,
    files: report.files + sum(({ segments }) => segments),
    appended: report.appended + sum(({ report: { appended } }) => appended),
    duplicates: report.duplicates + sum(({ report: { duplicates } }) => duplicates),
    exports: merged.map((one) => one.report),
  };
}

/**
 * An empty file is no failure: its agent may write into it in the next moment.
 * @throws AnnalsError INPUT_UNREADABLE when none of the given paths could be read
 */
function refuseNothing({ files, unreadable }: TranscriptImportReport): void {
  const first = unreadable.find(({ reason }) => reason !== EMPTY);
  if (files.length > 0 || first === undefined) return;
  const others = unreadable.length === 1 ? '' : `, nor could ${unreadable.length - 1} more`;
  throw new AnnalsError(
    'INPUT_UNREADABLE',
    `${first.path} could not be imported: ${first.reason}${others}.`,
    {
      hint: 'Name a transcript of an agent, or a folder with transcripts, such as ~/.claude/projects.',
      facts: { path: first.path, unreadable: unreadable.length },
    },
  );
}

function totals({
  files,
  unreadable,
}: TranscriptImportReport): Pick<
  ImportReport,
  'appended' | 'duplicates' | 'forgotten' | 'parked' | 'parkedLines' | 'unknown' | 'notPrompts' | 'unreadable'
> {
  const sum = (of: 'appended' | 'duplicates' | 'forgotten' | 'parked') =>
    files.reduce((total, file) => total + file[of], 0);
  const parkedLines = files.flatMap((file) => file.parkedLines.map((line) => ({ file: file.path, ...line })));
  return {
    appended: sum('appended'),
    duplicates: sum('duplicates'),
    forgotten: sum('forgotten'),
    parked: sum('parked'),
    parkedLines: parkedLines.slice(0, PARKED_SHOWN_MAX),
    unknown: {
      lines: summed(files.map((file) => file.unknownLines)),
      subtypes: summed(files.map((file) => file.unknownSubtypes)),
      attachments: summed(files.map((file) => file.unknownAttachments)),
    },
    notPrompts: summed(files.map((file) => file.notPrompts)),
    unreadable,
  };
}

/** The total of each name, largest first. */
function summed(counts: readonly { readonly [name: string]: number }[]): { readonly [name: string]: number } {
  const sums = new Map<string, number>();
  for (const count of counts)
    for (const [name, number] of Object.entries(count)) sums.set(name, (sums.get(name) ?? 0) + number);
  return Object.fromEntries([...sums].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}
