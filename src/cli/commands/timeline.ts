import type { TimelineAnswer, TimelineRow } from '../../api.ts';
import { cutToCells, plainLine, toCells, width } from '../../terminal-text/plain-text.ts';
import { dayText } from '../../terminal-text/time-text.ts';
import { askAsOf, printAsOf, withAsOf } from '../as-of.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { wholeNumber } from '../command/options.ts';
import { TEXT_CELLS_MIN } from '../command/terminal.ts';
import { counted } from '../output/amount.ts';
import { shortMarks } from '../output/marks-text.ts';

const LIMIT_MAX = 1_000;
const KIND_WIDTH = 9;
const ID_WIDTH = 14;
/** Before the title in a narrow terminal, below the id. */
const BELOW = ' '.repeat(9);

interface Options {
  readonly asOf?: string;
  readonly project?: string;
  readonly session?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly before?: number;
  readonly after?: number;
}

export const command = defineCommand<Options>({
  description:
    'Lists prompts, observations, summaries and memories in the order in which they happened: the newest, or, with ' +
    'an id, those before and after it in its project.',
  shape: (command) =>
    withAsOf(command)
      .argument('[id]', 'the thing in the middle: an id, or the beginning of one')
      .option('--project <name>', 'only this project')
      .option('--session <id>', 'only this session')
      .option('--since <when>', 'not older than 7d, 12h, 30m, a date, yesterday, "last tuesday"')
      .option('--until <when>', 'not newer than this; same values as --since')
      .option(
        '-n, --limit <number>',
        'at most this many rows (default: 20)',
        wholeNumber('--limit', 1, LIMIT_MAX),
      )
      .option('--before <number>', 'with an id: rows before it', wholeNumber('--before', 0, LIMIT_MAX))
      .option('--after <number>', 'with an id: rows after it', wholeNumber('--after', 0, LIMIT_MAX)),
  examples: [
    ['timeline', 'the last 20 things, in all projects'],
    ['timeline o-q4m2x7c3n5pa --limit 10', 'what happened around this observation'],
    ['timeline o-q4m2x7c3n5pa --before 5 --after 2', 'what led to it, and what came next'],
    ['timeline --project birdfeeder --since 7d', 'a week of one project'],
    ['timeline --as-of 2026-03-25T14:00', 'the last 20 things as of then'],
    ['timeline --session 6f1d2c1e --json', 'for a script'],
  ],
  needsHome: true,
  async run(session, { asOf, ...options }, [around]) {
    const { terminal } = session;
    const annals = await session.annals();
    const answer = await askAsOf(session, asOf, (past) =>
      annals.timeline({ ...options, ...(around === undefined ? {} : { around }), ...past }),
    );
    if (session.json) return terminal.json(answer);
    printAsOf(session, answer.asOf);
    if (answer.rows.length === 0) terminal.note('Nothing happened in this time.');
    else await printRows(session, answer.rows, around);
    for (const sentence of answer.degraded) terminal.note(terminal.style.yellow(plainLine(sentence)));
    terminal.tip(
      terminal.style.dim(`${counted(answer.rows.length, 'row')} · ${nextStep(session, answer, around)}`),
    );
  },
});

/** Suggests what to do next: open the thing in the middle, or show what happened around the newest row. */
function nextStep({ name }: Session, { rows }: TimelineAnswer, middle: string | undefined): string {
  const shown = rows.find(({ id }) => middle !== undefined && id.startsWith(middle))?.id;
  if (shown !== undefined) return `${name} show ${shown} opens it`;
  const newest = rows.at(-1)?.id;
  return newest === undefined
    ? `${name} search <words> looks everywhere`
    : `${name} timeline ${newest} shows what is around it, ${name} show ${newest} opens it`;
}

/** Prints a heading for each day and project, and one line per row below it. */
async function printRows(
  { terminal, world }: Session,
  rows: readonly TimelineRow[],
  middle: string | undefined,
): Promise<void> {
  const { style } = terminal;
  const now = world.now();
  let heading = '';
  for (const row of rows) {
    const time = row.at === null ? null : Date.parse(row.at);
    const above = `${time === null ? 'time unknown' : dayText(time, now)} · ${plainLine(row.project)}`;
    if (above !== heading) await terminal.line(style.bold(cutToCells(above, terminal.width)));
    heading = above;
    const clock = time === null ? '     ' : clockOf(time);
    const kind = row.kind === 'observation' ? (row.type ?? row.kind) : row.kind;
    const id = toCells(row.id, Math.max(ID_WIDTH, width(row.id)));
    const alongside = terminal.width - width(id) - KIND_WIDTH - 12;
    const words = shortMarks(row.marks);
    const marks = words === '' ? '' : `[${words}] `;
    const isNarrow = alongside - width(marks) < TEXT_CELLS_MIN;
    const room = isNarrow ? terminal.width - BELOW.length : alongside - width(marks);
    const title = cutToCells(plainLine(row.title), room);
    const isMiddle = middle !== undefined && row.id.startsWith(middle);
    const left = `${isMiddle ? '>' : ' '} ${style.dim(clock)}  ${style.dim(id)}  ${style.green(toCells(plainLine(kind), KIND_WIDTH))} `;
    const shown = isMiddle ? style.bold(title) : title;
    const painted = marks === '' ? '' : `${style.yellow(marks.trimEnd())} `;
    await terminal.line(
      (isNarrow ? `${left.trimEnd()}\n${BELOW}${shown}` : `${left}${painted}${shown}`).trimEnd(),
    );
    if (isNarrow && marks !== '') await terminal.line(`${BELOW}${painted.trimEnd()}`);
  }
}

function clockOf(at: number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
