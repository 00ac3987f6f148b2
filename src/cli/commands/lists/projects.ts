import type { ProjectStats } from '../../../api.ts';
import { cutToCells, plainLine, toCells, width, wrap } from '../../../terminal-text/plain-text.ts';
import { minuteText } from '../../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { wholeNumber } from '../../command/options.ts';
import { counted } from '../../output/amount.ts';

const NAME_WIDTH_MAX = 32;
/** `2026-11-18 09:04`. */
const TIME_WIDTH = 16;
/** `1,200 sessions, 34,567 observations, 120 saved memories`. */
const COUNTS_WIDTH = 54;

interface Options {
  readonly limit?: number;
}

export const command = defineCommand<Options>({
  description:
    'Lists projects with their keys, the one with the newest session first. --project takes a name, a key or a folder.',
  shape: (command) =>
    command.option('-n, --limit <number>', 'at most this many projects', wholeNumber('--limit', 1)),
  examples: [
    ['projects', 'all of them'],
    ['projects --json', 'for a script, with the folders of each'],
  ],
  needsHome: true,
  async run(session, { limit = Number.POSITIVE_INFINITY }) {
    const { terminal, name } = session;
    const all = [...(await (await session.annals()).stats()).projects].sort(newestFirst);
    const projects = all.slice(0, limit);
    if (session.json) return terminal.json({ projects });
    if (projects.length === 0) return terminal.note(`No project is recorded. Try: ${name} import`);
    await printProjects(session, projects);
    const more = all.length - projects.length;
    terminal.tip(
      terminal.style.dim(
        `${counted(projects.length, 'project')}${more === 0 ? '' : `, ${more} more without --limit`} · ${name} sessions --project <name> lists the sessions of one`,
      ),
    );
  },
});

/** The first line of each: name, last time, counts, which have a line of their own in a narrow terminal; then its key. */
async function printProjects({ terminal }: Session, projects: readonly ProjectStats[]): Promise<void> {
  const { style } = terminal;
  const room = Math.min(NAME_WIDTH_MAX, terminal.width - TIME_WIDTH - 2);
  const names = projects.map(({ name }) => cutToCells(plainLine(name), room));
  const nameWidth = Math.max(...names.map(width));
  const used = nameWidth + TIME_WIDTH + 4;
  const isNarrow = terminal.width - used < COUNTS_WIDTH;
  for (const [index, { key, sessions, documents, lastAt }] of projects.entries()) {
    const when = lastAt === null ? 'time unknown' : minuteText(Date.parse(lastAt));
    const counts = [
      counted(sessions, 'session'),
      counted(documents.observation, 'observation'),
      ...(documents.memory === 0 ? [] : [counted(documents.memory, 'saved memory', 'saved memories')]),
    ].join(', ');
    const left = `${style.cyan(toCells(names[index]!, nameWidth))}  ${when.padEnd(TIME_WIDTH)}`;
    await terminal.line(isNarrow ? left.trimEnd() : `${left}  ${counts}`);
    if (isNarrow) for (const line of wrap(counts, terminal.width - 2)) await terminal.line(`  ${line}`);
    await terminal.line(`  ${style.dim(cutToCells(plainLine(key), terminal.width - 2))}`);
  }
}

function newestFirst(one: ProjectStats, other: ProjectStats): number {
  const [a, b] = [one.lastAt ?? '', other.lastAt ?? ''];
  return a === b ? (one.name < other.name ? -1 : 1) : a > b ? -1 : 1;
}
