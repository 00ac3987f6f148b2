// Importing: files into the log, places looked at, views brought up and the text index built, so that what was
// imported is found by the very next search.
import type { ImportOptions, ImportReport } from '../api.ts';
import { importTranscripts, type TranscriptImportReport } from '../capture/import.ts';
import { countInput } from './counts.ts';
import type { Opened } from './opened.ts';
import { tellPlaces } from './places.ts';

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
  const report = await importTranscripts({
    log,
    paths,
    excluded,
    onPlaces: (cwds) => {
      for (const cwd of cwds) places.add(cwd);
    },
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(signal === undefined ? {} : { signal }),
  });
  await tellPlaces([...places], opened);
  await runner.catchUp();
  await runner.whileSteady((upstream) => text.settle(upstream(text.follows)));
  const spoken = report.files.flatMap((file) =>
    file.sessions.map(({ session, agentId }) => ({ agent: AGENT, session, agentId })),
  );
  const open = report.files.flatMap((file) => file.openToolUses);
  return {
    files: report.files.length,
    ...(await countInput(spoken, open, views.turns)),
    ...totals(report),
    ms: now() - began,
  };
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
