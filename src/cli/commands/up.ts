import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportReport, Status } from '../../api.ts';
import { cutToCells, plainLine } from '../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { counted } from '../output/amount.ts';
import { type Suggestion, suggest } from '../output/suggest.ts';
import { packageRoot } from '../package.ts';
import { defaultPlace, importPaths } from './import.ts';
import { runWorkerHere } from './worker.ts';

const INTERRUPTED = 130;
const PROJECTS_SHOWN = 5;
const FOLDER_DEPTH = 4;

export const command = defineCommand<{ readonly foreground?: boolean }>({
  description:
    'Imports the transcripts that Claude Code keeps on this machine ($CLAUDE_CONFIG_DIR/projects or ' +
    '~/.claude/projects). If there are none, it imports the example that comes with Annals. Then prints what it found ' +
    'and suggests commands to try, and starts the worker, which records from then on. Asks no questions and never ' +
    "changes Claude Code's files.",
  shape: (command) =>
    command.option('--foreground', 'run the worker here until Ctrl-C, not in the background'),
  examples: [
    ['up', 'the first command to run'],
    ['up --home /tmp/annals', 'try it without writing to ~/.annals'],
  ],
  async run(session, { foreground }) {
    const { terminal } = session;
    const own = transcriptsFolder(session.world);
    const source = own ?? join(packageRoot(), 'examples');
    if (!session.json)
      terminal.note(
        own === null ? 'No Claude Code transcripts found: importing the example.' : `Reading ${own}`,
      );
    const { interrupted } = await importPaths(session, [source], async (report) => {
      const annals = await session.annals();
      const status = await annals.status();
      const suggestions = await suggest(annals, status);
      if (session.json)
        await terminal.json({
          source,
          example: own === null,
          imported: report,
          projects: status.projects,
          suggestions,
        });
      else await printFound(session, report, status, suggestions);
    });
    if (!interrupted) {
      offerMemories(session);
      await session.closeAnnals();
      return foreground === true ? runHere(session) : startWorker(session);
    }
    terminal.note(`Stopped. Everything read so far is kept; \`${session.name} up\` continues from here.`);
    return INTERRUPTED;
  },
});

/** Says how to import what other tools remember. Nothing of it is imported unasked. */
function offerMemories({ terminal, world, name, json }: Session): void {
  const database = defaultPlace('claude-mem', world)!;
  const projects = defaultPlace('claude-memory', world)!;
  if (json) return;
  if (existsSync(database))
    terminal.note(`\nclaude-mem's memory is on this machine. To import it: ${name} import --from claude-mem`);
  if (holdsAutoMemory(projects))
    terminal.note(
      `\nClaude Code's auto memory is on this machine. To import it: ${name} import --from claude-memory`,
    );
}

function holdsAutoMemory(projects: string): boolean {
  try {
    return list(projects).some((project) => existsSync(join(projects, project.name, 'memory')));
  } catch {
    // It does not exist, or cannot be read.
    return false;
  }
}

/** The import is done: that the worker does not start is no failure of it. */
async function startWorker({ terminal, worker, name }: Session): Promise<number> {
  try {
    const started = await worker.start();
    if (started.outcome === 'off') return 0;
    terminal.tip(
      `\nThe worker records from now on. \`${name} worker\` shows it, \`${name} worker stop\` ends it.`,
    );
  } catch (error) {
    terminal.note(`The worker was not started: ${plainLine((error as Error).message)}`);
  }
  return 0;
}

async function runHere(session: Session): Promise<number> {
  const { terminal, worker, name } = session;
  if (!(await worker.isWanted())) return 0;
  const { state } = await worker.status();
  if (state === null) return runWorkerHere(session);
  terminal.note(`\nA worker runs already: process ${state.pid}. \`${name} worker stop\` ends it.`);
  return 0;
}

/** The folder of Claude Code's transcripts, or null if it does not exist or holds no transcript. */
function transcriptsFolder(world: Session['world']): string | null {
  const folder = join(world.environment.CLAUDE_CONFIG_DIR || join(world.userHome, '.claude'), 'projects');
  return existsSync(folder) && holdsTranscripts(folder, FOLDER_DEPTH) ? folder : null;
}

function holdsTranscripts(folder: string, depth: number): boolean {
  let entries: ReturnType<typeof list>;
  try {
    entries = list(folder);
  } catch {
    // A folder that cannot be read. The import reports it; here it counts as empty.
    return false;
  }
  if (entries.some((entry) => entry.isFile() && entry.name.endsWith('.jsonl'))) return true;
  return (
    depth > 1 &&
    entries.some((entry) => entry.isDirectory() && holdsTranscripts(join(folder, entry.name), depth - 1))
  );
}

function list(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

async function printFound(
  { terminal, name }: Session,
  report: ImportReport,
  status: Status,
  suggestions: readonly Suggestion[],
): Promise<void> {
  const { style } = terminal;
  const what = [
    counted(report.sessions, 'session'),
    counted(report.prompts, 'prompt'),
    counted(report.toolUses, 'tool use'),
  ].join(', ');
  await terminal.line(`${style.bold(`Found ${counted(report.files, 'file')}`)}: ${what}.`);
  const projects = [...status.projects]
    .sort((a, b) => b.sessions - a.sessions)
    .map(({ name }) => plainLine(name));
  const more = projects.length > PROJECTS_SHOWN ? ` and ${projects.length - PROJECTS_SHOWN} more` : '';
  if (projects.length > 0)
    await terminal.line(
      cutToCells(
        `${counted(projects.length, 'project')}: ${projects.slice(0, PROJECTS_SHOWN).join(', ')}${more}`,
        terminal.width,
      ),
    );
  if (report.unreadable.length > 0)
    terminal.note(
      `${counted(report.unreadable.length, 'file or folder', 'files or folders')} could not be read.`,
    );
  await terminal.line(`\n${style.bold('Try')}`);
  for (const { line, what: reason } of suggestions) {
    await terminal.line(`  ${style.cyan(`${name} ${line}`)}`);
    await terminal.line(style.dim(`      ${reason}`));
  }
}
