import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ImportReport, Status } from '../../api.ts';
import { hookStates, lacksHooks } from '../../install/hook-status.ts';
import { cutToCells, plainLine } from '../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { installRequest } from '../install-request.ts';
import { counted } from '../output/amount.ts';
import { observerLines } from '../output/observer-lines.ts';
import { type Suggestion, suggest } from '../output/suggest.ts';
import { ownTranscripts, pathsOf } from '../own-transcripts.ts';
import { packageRoot } from '../package.ts';
import { defaultPlace, importPaths } from './import.ts';
import { runWorkerHere } from './worker.ts';

const INTERRUPTED = 130;
const PROJECTS_SHOWN = 5;

export const command = defineCommand<{ readonly foreground?: boolean }>({
  description:
    'Imports the transcripts that agents keep on this machine, such as those of Claude Code in ~/.claude/projects. If ' +
    'there are none, it imports the example that comes with Annals. Then prints what it found and suggests commands ' +
    "to try, and starts the worker, which records from then on. Asks no questions and never changes an agent's files.",
  shape: (command) =>
    command.option('--foreground', 'run the worker here until Ctrl-C, not in the background'),
  examples: [
    ['up', 'the first command to run'],
    ['up --home /tmp/annals', 'try it without writing to ~/.annals'],
  ],
  async run(session, { foreground }) {
    const { terminal } = session;
    const own = await ownTranscripts(session);
    const examples = join(packageRoot(), 'examples');
    if (own.length === 0 && !session.json)
      terminal.note('No transcripts of an agent found: importing the example.');
    const { interrupted } = await importPaths(
      session,
      own.length === 0 ? [examples] : pathsOf(own),
      async (report) => {
        const annals = await session.annals();
        const status = await annals.status();
        const suggestions = await suggest(annals, status);
        if (session.json)
          await terminal.json({
            sources: own.map(({ agent, folders, files }) => ({
              agent: agent.name,
              folders,
              files: files.length,
            })),
            example: own.length === 0,
            imported: report,
            projects: status.projects,
            suggestions,
          });
        else await printFound(session, report, status, suggestions);
      },
    );
    if (!interrupted) {
      await offerModel(session);
      offerMemories(session);
      await offerHooks(session);
      await session.closeAnnals();
      return foreground === true ? runHere(session) : startWorker(session);
    }
    terminal.note(`Stopped. Everything read so far is kept; \`${session.name} up\` continues from here.`);
    return INTERRUPTED;
  },
});

/** A key in the environment may be there for something else, so nothing is sent unasked. */
async function offerModel(session: Session): Promise<void> {
  if (session.json) return;
  const { observer } = await (await session.annals()).status();
  if (observer.auto !== 'off' || observer.provider === null) return;
  const [, offer] = observerLines(observer, session.name);
  session.terminal.note(`\nRules write observations; ${offer}.`);
}

/** Says which agents have no hooks. They are not installed unasked. */
async function offerHooks(session: Session): Promise<void> {
  if (session.json) return;
  const states = await hookStates(installRequest(session));
  const titles = states.filter(lacksHooks).map(({ agent }) => agent.title);
  if (titles.length > 0)
    session.terminal.note(
      `\nWithout hooks: ${titles.join(', ')}. To record their sessions as they happen, and to let them use the memory: ${session.name} install`,
    );
}

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
