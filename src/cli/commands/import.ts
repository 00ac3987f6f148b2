import { join } from 'node:path';
import { AnnalsError } from '../../../log/index.ts';
import {
  type ImportProgress,
  type ImportReport,
  MEMORY_SOURCES,
  type MemorySource,
  type UnknownKinds,
} from '../../api.ts';
import { givenPath } from '../../platform/path-inside.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { duration } from '../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { optionOneOf } from '../command/options.ts';
import { bytes, count, counted } from '../output/amount.ts';
import { embeddingText, printEmbedded } from '../output/embed-result.ts';
import { printImportedFrom } from '../output/import-from-result.ts';
import { createProgress, percent } from '../output/progress-line.ts';
import { ownTranscripts, pathsOf } from '../own-transcripts.ts';
import { passphraseOf } from '../passphrase.ts';

const INTERRUPTED = 130;
const LOCK_TIMEOUT_MS = 60_000;
const SHOWN_PROBLEMS = 5;
const SHOWN_UNKNOWN = 8;

interface Options {
  readonly passphraseFile?: string;
  readonly from?: MemorySource;
  readonly project?: string;
}

export const command = defineCommand<Options>({
  description:
    'Reads transcripts of agents into the log: files, or folders with all files below them; without a path, those of ' +
    'every agent on this machine. Never changes the ' +
    'transcripts. Only new lines are added, so importing again is quick, and an import that was stopped continues ' +
    'where it was. Secrets and <private> text are removed before anything is stored. An export of another log ' +
    '(`annals export`) is merged into this one. With --from, what another tool remembered is imported: each memory with ' +
    'its origin, so that `annals why` shows where it comes from. Nothing is written into the folders of that tool.',
  shape: (command) =>
    command
      .argument('[path...]', 'transcript files, folders of them, or exports; with --from, see there')
      .addOption(
        optionOneOf(
          '--from <tool>',
          `import what another tool remembered: ${MEMORY_SOURCES.join(', ')}; without a path, claude-mem and claude-memory are read where they are by default`,
          MEMORY_SOURCES,
          sourceOf,
        ),
      )
      .option(
        '--project <name>',
        'with --from: the project of memories that name neither a folder nor a project',
      )
      .option(
        '--passphrase-file <file>',
        'passphrase of an encrypted export (default: ANNALS_PASSPHRASE, or a prompt)',
      ),
  examples: [
    ['import', 'every transcript that an agent on this machine still has'],
    ['import ~/.claude/projects', 'those of Claude Code'],
    ['import session.jsonl --json', 'one file; prints the counts as JSON'],
    ['import /mnt/laptop/annals-export', 'merge the export of another machine'],
    ['import --from claude-mem', 'the observations, summaries and prompts of claude-mem'],
    ['import --from claude-memory', "the notes of Claude Code's auto memory, of all projects"],
    ['import --from markdown CLAUDE.md docs/notes', 'a file and a folder of Markdown notes'],
    ['import --from jsonl export.jsonl --project birdfeeder', 'an export with one JSON object a line'],
  ],
  async run(session, { passphraseFile, from, project }, words) {
    const paths = words.map((word) => givenPath(word, session.world.folder));
    if (from !== undefined) return importFrom(session, from, paths, project);
    if (project !== undefined)
      throw new AnnalsError('USAGE', '--project belongs to --from: a session names its own folder.', {
        hint: `Leave it out, or name the tool: --from ${MEMORY_SOURCES.join(', ')}.`,
      });
    const sources = paths.length === 0 ? pathsOf(await ownTranscripts(session)) : paths;
    if (sources.length === 0)
      throw new AnnalsError('USAGE', 'There is nothing to import: no agent keeps transcripts here.', {
        hint: 'Name a file or a folder, such as ~/.claude/projects.',
      });
    const outcome = await importPaths(
      session,
      sources,
      async (report) => {
        if (!session.json) await printReport(session, report);
      },
      passphraseFile,
    );
    if (outcome.report !== null && session.json) await session.terminal.json(outcome.report);
    else if (outcome.report?.vectors) await printEmbedded(session.terminal, outcome.report.vectors);
    if (outcome.interrupted) {
      session.terminal.note(
        `Stopped. Everything read so far is kept; \`${session.name} import\` with the same paths continues from here.`,
      );
      return INTERRUPTED;
    }
    return outcome.report !== null && outcome.report.unreadable.length > 0 ? 1 : 0;
  },
});

function sourceOf(word: string): MemorySource {
  const source = MEMORY_SOURCES.find((known) => known === word);
  if (source !== undefined) return source;
  throw new AnnalsError('USAGE', `Nothing can be imported from “${word}”.`, {
    hint: `--from takes: ${MEMORY_SOURCES.join(', ')}.`,
  });
}

async function importFrom(
  session: Session,
  from: MemorySource,
  paths: readonly string[],
  project: string | undefined,
): Promise<number> {
  const { terminal, world } = session;
  const place = defaultPlace(from, world);
  if (paths.length === 0 && place === null)
    throw new AnnalsError('USAGE', `There is nothing to import from ${from}.`, {
      hint: `Name its file or folder: ${session.name} import --from ${from} <path>.`,
    });
  const annals = await session.annals({ lockTimeoutMs: LOCK_TIMEOUT_MS });
  const progress = createProgress(terminal, world.now);
  const controller = new AbortController();
  const stopListening = world.onInterrupt(() => controller.abort());
  try {
    const report = await annals.importFrom(from, paths.length === 0 && place !== null ? [place] : paths, {
      signal: controller.signal,
      onProgress: (read) => progress.report(() => `Importing: ${counted(read, 'memory', 'memories')}`),
      ...(project === undefined ? {} : { project }),
    });
    progress.end();
    if (session.json) await terminal.json(report);
    else await printImportedFrom(session, report);
    if (controller.signal.aborted) return INTERRUPTED;
    return report.unreadable.length > 0 ? 1 : 0;
  } finally {
    progress.end();
    stopListening();
  }
}

/** Where a tool keeps its memory unless told otherwise; null where that is not known. */
export function defaultPlace(from: MemorySource, { environment, userHome }: Session['world']): string | null {
  if (from === 'claude-mem')
    return join(environment.CLAUDE_MEM_DATA_DIR || join(userHome, '.claude-mem'), 'claude-mem.db');
  if (from === 'claude-memory')
    return join(environment.CLAUDE_CONFIG_DIR || join(userHome, '.claude'), 'projects');
  return null;
}

export interface ImportOutcome {
  /** null when the import was interrupted before it had a report. */
  readonly report: ImportReport | null;
  readonly interrupted: boolean;
}

/**
 * Imports and shows progress. The first Ctrl-C stops the import after the current page.
 * @param onSearchable called when the import can be searched, before vectors are computed
 */
export async function importPaths(
  session: Session,
  paths: readonly string[],
  onSearchable: (report: ImportReport) => Promise<void>,
  passphraseFile?: string,
): Promise<ImportOutcome> {
  const { terminal, world } = session;
  const annals = await session.annals({ lockTimeoutMs: LOCK_TIMEOUT_MS });
  const controller = new AbortController();
  let progress = createProgress(terminal, world.now);
  const stopListening = world.onInterrupt(() => {
    progress.end();
    terminal.note('Stopping as soon as it is safe; press Ctrl-C again to stop now.');
    controller.abort();
  });
  try {
    const report = await annals.import(paths, {
      signal: controller.signal,
      passphrase: passphraseOf(session, passphraseFile, { twice: false }),
      onProgress: (state) => progress.report(() => progressText(state)),
      onSearchable: async (found) => {
        progress.end();
        await onSearchable(found);
        // A new progress line is silent for its first second, so a small import prints nothing about vectors.
        progress = createProgress(terminal, world.now);
      },
      onVectors: (done, total) => progress.report(() => vectorsText(done, total)),
      onEmbedded: (done, total) => progress.report(() => embeddingText(done, total)),
    });
    if (!controller.signal.aborted) progress.end('The vectors are computed.');
    return { report, interrupted: controller.signal.aborted };
  } catch (error) {
    if (controller.signal.aborted) return { report: null, interrupted: true };
    throw error;
  } finally {
    progress.end();
    stopListening();
  }
}

function progressText({ filesDone, filesTotal, bytesDone, bytesTotal, file }: ImportProgress): string {
  const share = percent(bytesDone, bytesTotal);
  const files = `${count(filesDone)} of ${counted(filesTotal, 'file')}`;
  return `Importing: ${share}, ${files}, ${bytes(bytesDone)} of ${bytes(bytesTotal)}  ${plainLine(nameOf(file))}`;
}

function vectorsText(done: number, total: number): string {
  return `Ready to search. Computing vectors: ${percent(done, total)}, ${count(done)} of ${counted(total, 'project')}`;
}

/** The last folder and the file name: short enough for a progress line. */
function nameOf(path: string): string {
  return path.split(/[\\/]/).slice(-2).join('/');
}

async function printReport({ terminal, name }: Session, report: ImportReport): Promise<void> {
  const { style } = terminal;
  if (report.files === 0 && report.unreadable.length === 0) {
    terminal.note('No transcripts found: no file below these paths has the name of a transcript.');
    return;
  }
  const what = [
    counted(report.sessions, 'session'),
    counted(report.prompts, 'prompt'),
    counted(report.toolUses, 'tool use'),
  ].join(', ');
  await terminal.line(
    `${style.bold(`Read ${counted(report.files, 'file')}`)} in ${duration(report.ms)}: ${what}.`,
  );
  const old = report.duplicates > 0 ? `; ${counted(report.duplicates, 'event')} already stored` : '';
  const gone = report.forgotten > 0 ? `; ${counted(report.forgotten, 'forgotten event')} left out` : '';
  await terminal.line(`${counted(report.appended, 'new event')}${old}${gone}.`);
  for (const { path, logId, events, appended, differing, forgotten } of report.exports ?? []) {
    const what = appended === 0 ? ', none of them new' : ' merged into this one';
    await terminal.line(
      `${plainLine(path)}: ${counted(events, 'event')} of log ${logId.slice(0, 8)}${what}.`,
    );
    if (forgotten > 0)
      terminal.note(
        `  ${counted(forgotten, 'event')} of this log were forgotten there and are now forgotten here too.`,
      );
    if (differing > 0)
      terminal.note(`  ${counted(differing, 'event')} differ from this log; this log's version was kept.`);
  }
  await printProblems(terminal, report);
  if (report.appended > 0) terminal.tip(`Try: ${name} search "words that you remember"`);
}

async function printProblems(terminal: Session['terminal'], report: ImportReport): Promise<void> {
  for (const { path, reason } of report.unreadable)
    terminal.note(`${terminal.style.yellow('not read:')} ${plainLine(path)}: ${plainLine(reason)}`);
  for (const [what, kinds] of Object.entries(UNKNOWN) as [keyof UnknownKinds, readonly [string, string]][])
    noteUnknown(terminal, report.unknown[what], kinds);
  if (report.parked === 0) return;
  terminal.note(`${counted(report.parked, 'line')} could not be read:`);
  for (const { file, offset, length, reason } of report.parkedLines.slice(0, SHOWN_PROBLEMS))
    terminal.note(`  ${plainLine(file)} at byte ${count(offset)}, ${bytes(length)}: ${plainLine(reason)}`);
  const more = report.parked - Math.min(report.parkedLines.length, SHOWN_PROBLEMS);
  if (more > 0) terminal.note(`  and ${count(more)} more (--json lists them)`);
}

const UNKNOWN = {
  lines: ['kind of line', 'kinds of lines'],
  subtypes: ['kind of system line', 'kinds of system lines'],
  attachments: ['kind of attachment', 'kinds of attachments'],
} as const satisfies { readonly [what in keyof UnknownKinds]: readonly [string, string] };

/** Names what this version does not know and skipped: a newer agent may record more. */
function noteUnknown(
  terminal: Session['terminal'],
  counts: { readonly [name: string]: number },
  [one, many]: readonly [string, string],
): void {
  const names = Object.entries(counts);
  if (names.length === 0) return;
  const shown = names
    .slice(0, SHOWN_UNKNOWN)
    .map(([name, number]) => `${plainLine(name)} (${count(number)})`)
    .join(', ');
  const more =
    names.length > SHOWN_UNKNOWN
      ? ` and ${count(names.length - SHOWN_UNKNOWN)} more (--json lists them)`
      : '';
  const what = names.length === 1 ? `1 ${one}` : `${count(names.length)} ${many}`;
  terminal.note(`${what}, unknown to this version and skipped: ${shown}${more}`);
}
