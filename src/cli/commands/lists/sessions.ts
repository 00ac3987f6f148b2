import type { ListedSession } from '../../../api.ts';
import { cutToCells, plainLine, toCells, width } from '../../../terminal-text/plain-text.ts';
import { minuteText } from '../../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { wholeNumber } from '../../command/options.ts';
import { TEXT_CELLS_MIN } from '../../command/terminal.ts';
import { counted } from '../../output/amount.ts';

const LIMIT_MAX = 1_000;
const PROJECT_WIDTH_MAX = 24;
/** `2026-11-18 09:04`. */
const TIME_WIDTH = 16;

interface Options {
  readonly project?: string;
  readonly limit?: number;
}

export const command = defineCommand<Options>({
  description: 'Lists sessions with their ids, the newest first, by what happened last in them.',
  shape: (command) =>
    command
      .option('--project <name>', 'only this project')
      .option(
        '-n, --limit <number>',
        'at most this many sessions (default: 20)',
        wholeNumber('--limit', 1, LIMIT_MAX),
      ),
  examples: [
    ['sessions', 'the last 20, in all projects'],
    ['sessions --project birdfeeder --limit 5', 'the last five of a project'],
    ['sessions --json', 'for a script'],
  ],
  needsHome: true,
  async run(session, options) {
    const { terminal, name } = session;
    const { items, next } = await (await session.annals()).list('session', options);
    if (session.json) return terminal.json({ sessions: items });
    if (items.length === 0) return terminal.note(`No session is recorded. Try: ${name} import`);
    await printSessions(session, items);
    const more = next === null ? '' : ', --limit shows more';
    terminal.tip(
      terminal.style.dim(
        `${counted(items.length, 'session')}${more} · ${name} show ${items[0]!.id} opens the first`,
      ),
    );
  },
});

/** One line for each: id, last time, turns, project, title. Where there is no room for that, two or three lines. */
async function printSessions({ terminal }: Session, sessions: readonly ListedSession[]): Promise<void> {
  const { style } = terminal;
  const ids = Math.max(...sessions.map(({ id }) => width(plainLine(id))));
  const turns = Math.max(...sessions.map((one) => counted(one.turns, 'turn').length));
  const projects = sessions.map(({ project }) => cutToCells(plainLine(project), PROJECT_WIDTH_MAX));
  const projectWidth = Math.max(...projects.map(width));
  const below = 2 + TIME_WIDTH + 2 + turns + 2;
  const beside = ids + below + projectWidth + 2;
  const isNarrow = terminal.width - beside < TEXT_CELLS_MIN;
  for (const [index, one] of sessions.entries()) {
    const at = one.endedAt ?? one.startedAt;
    const when = (at === null ? 'time unknown' : minuteText(Date.parse(at))).padEnd(TIME_WIDTH);
    const count = counted(one.turns, 'turn').padStart(turns);
    const title = plainLine(one.title ?? '(no title)');
    const id = cutToCells(plainLine(one.id), terminal.width);
    if (!isNarrow) {
      const project = style.cyan(toCells(projects[index]!, projectWidth));
      await terminal.line(
        `${style.dim(toCells(id, ids))}  ${when}  ${count}  ${project}  ${cutToCells(title, terminal.width - beside)}`,
      );
      continue;
    }
    const room = terminal.width - width(id) - 2;
    const project = room < 4 ? '' : `  ${style.cyan(cutToCells(projects[index]!, room))}`;
    await terminal.line(`${style.dim(id)}${project}`);
    const left = `  ${when}  ${count}`;
    await terminal.line(
      terminal.width - below < TEXT_CELLS_MIN
        ? `${left}\n  ${cutToCells(title, terminal.width - 2)}`
        : `${left}  ${cutToCells(title, terminal.width - below)}`,
    );
  }
}
