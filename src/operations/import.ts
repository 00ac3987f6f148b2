// Importing: files into the log, places looked at, views brought up and the text index built, so that what was
// imported is found by the very next search. Vectors come last, project by project: they only put what words find
// in a better order, so nobody has to wait for them.
import { AnnalsError } from '../../log/index.ts';
import type { EmbedReport, ImportOptions, ImportReport } from '../api.ts';
import { importTranscripts, type TranscriptImportReport } from '../capture/import.ts';
import { embedWaiting } from '../embed/reactor.ts';
import { countInput } from './counts.ts';
import { isExport } from './export-folder.ts';
import type { Opened } from './opened.ts';
import { tellPlaces } from './places.ts';
import { projectPartitions } from './projects.ts';
import { type United, unite } from './unite.ts';

const AGENT = 'claude-code';
const PARKED_SHOWN_MAX = 100;

export async function importPaths(
  paths: readonly string[],
  options: ImportOptions,
  opened: Opened,
): Promise<ImportReport> {
  const { log, runner, text, views, excluded, now } = opened;
  const began = now();
  const { onProgress, signal } = options;
  const places = new Set<string>();
  const united: United[] = [];
  const transcripts: string[] = [];
  for (const path of paths)
    if (await isExport(path)) united.push(await unite(path, options, opened));
    else transcripts.push(path);
  const report = await importTranscripts({
    log,
    paths: transcripts,
    excluded,
    onPlaces: (cwds) => {
      for (const cwd of cwds) places.add(cwd);
    },
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (united.length === 0) refuseNothing(report);
  await tellPlaces([...places], opened);
  await runner.catchUp();
  await runner.whileSteady((upstream) => text.settle(upstream(text.follows)));
  const spoken = report.files.flatMap((file) =>
    file.sessions.map(({ session, agentId }) => ({ agent: AGENT, session, agentId })),
  );
  spoken.push(...united.flatMap((one) => one.spoken));
  const open = report.files.flatMap((file) => file.openToolUses);
  const whole = withUnited(
    {
      files: report.files.length,
      ...(await countInput(spoken, open, views.turns)),
      ...totals(report),
      ms: now() - began,
    },
    united,
  );
  await options.onSearchable?.(whole);
  const embedded = await makeVectors(options, opened);
  return embedded === null ? whole : { ...whole, vectors: embedded };
}

/** First the model's, where the settings name one. Between two projects whoever searches meanwhile has a turn. */
async function makeVectors(
  { onEmbedded, onVectors, signal }: ImportOptions,
  opened: Opened,
): Promise<EmbedReport | null> {
  const { runner, vectors, views, embedding } = opened;
  const embedded = embedding.usesModel
    ? await embedWaiting({ onProgress: onEmbedded, signal }, opened)
    : null;
  const projects = await projectPartitions(views);
  for (const [done, project] of projects.entries()) {
    if (signal?.aborted === true) break;
    onVectors?.(done, projects.length);
    await runner.whileSteady((upstream) => vectors.settle(upstream(vectors.follows), [project]));
  }
  return embedded;
}

function withUnited(report: ImportReport, united: readonly United[]): ImportReport {
  if (united.length === 0) return report;
  const sum = (of: (one: United) => number) => united.reduce((total, one) => total + of(one), 0);
  return {
    ...report,
    files: report.files + sum(({ segments }) => segments),
    appended: report.appended + sum(({ report: { appended } }) => appended),
    duplicates: report.duplicates + sum(({ report: { duplicates } }) => duplicates),
    exports: united.map((one) => one.report),
  };
}

/** @throws AnnalsError INPUT_UNREADABLE when nothing of what was named could be read */
function refuseNothing({ files, unreadable }: TranscriptImportReport): void {
  const first = unreadable[0];
  if (files.length > 0 || first === undefined) return;
  const others = unreadable.length === 1 ? '' : `, nor could ${unreadable.length - 1} more`;
  throw new AnnalsError(
    'INPUT_UNREADABLE',
    `${first.path} could not be imported: ${first.reason}${others}.`,
    {
      hint: 'Name a transcript (*.jsonl) of Claude Code, or a folder that holds some: they stand in ~/.claude/projects.',
      facts: { path: first.path, unreadable: unreadable.length },
    },
  );
}

function totals({
  files,
  unreadable,
}: TranscriptImportReport): Pick<
  ImportReport,
  'appended' | 'duplicates' | 'parked' | 'parkedLines' | 'unreadable'
> {
  const sum = (of: 'appended' | 'duplicates' | 'parked') =>
    files.reduce((total, file) => total + file[of], 0);
  const parkedLines = files.flatMap((file) => file.parkedLines.map((line) => ({ file: file.path, ...line })));
  return {
    appended: sum('appended'),
    duplicates: sum('duplicates'),
    parked: sum('parked'),
    parkedLines: parkedLines.slice(0, PARKED_SHOWN_MAX),
    unreadable,
  };
}
