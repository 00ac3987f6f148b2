import { AnnalsError, EVENT_TYPES, type EventType, type LogEvent } from '../../../log/index.ts';
import { EVENT_KINDS, type LogOptions } from '../../api.ts';
import { eventLine } from '../../terminal-text/event-line.ts';
import { cutToCells, toCells } from '../../terminal-text/plain-text.ts';
import { timeText } from '../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { optionOneOf, wholeNumber } from '../command/options.ts';
import { eventJson } from '../output/event-json.ts';

const LAST_DEFAULT = 20;
const POSITION_WIDTH = 7;
const TIME_WIDTH = 20;
const TYPE_WIDTH = Math.max(...EVENT_TYPES.map((type) => type.length));

interface Options {
  readonly session?: string;
  readonly kind?: string;
  readonly type?: EventType;
  readonly project?: string;
  readonly since?: string;
  readonly until?: string;
  readonly after?: number;
  readonly limit?: number;
  readonly all?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Prints events in the order of the log: the last 20, or as many as --limit says. With --after it begins there, and ' +
    'with --since, --until or --all it prints every event. With --json it prints every event, one per line, unless ' +
    '--limit is given. Only what is printed is read, and what has to be searched for it.',
  shape: (command) =>
    command
      .option('--session <id>', 'only this session')
      .addOption(
        optionOneOf('--kind <kind>', `only one family: ${EVENT_KINDS.join(', ')}`, EVENT_KINDS, String),
      )
      .addOption(optionOneOf('--type <type>', 'only this type, such as tool.used', EVENT_TYPES, eventType))
      .option('--project <name>', 'only this project')
      .option('--since <when>', 'not older than 7d, 12h, 30m, a date, yesterday, "last tuesday"')
      .option('--until <when>', 'not newer than this; same values as --since')
      .option('--after <position>', 'only events after this position', wholeNumber('--after', 0))
      .option(
        '-n, --limit <number>',
        'at most this many: the last ones; with --after the first after it',
        wholeNumber('--limit', 1),
      )
      .option('--all', 'every event, not only the last 20'),
  examples: [
    ['log', 'the last 20 events'],
    ['log --kind prompt --limit 5', 'the last five prompts'],
    ['log --project birdfeeder --since yesterday', 'what was recorded of a project since yesterday'],
    ['log --json --after 1000 > events.ndjson', 'for a script: events after a position'],
  ],
  needsHome: true,
  async run(session, { all, ...given }) {
    const annals = await session.annals();
    const options = rangeOf(given, all === true || session.json);
    if (session.json) return printJson(session, annals.log(options));
    let shown = 0;
    for await (const event of annals.log(options)) {
      shown += 1;
      await printEvent(session, event);
    }
    if (shown === 0) await explainEmpty(session, given);
  },
});

/** From the end, unless a beginning is given. */
function rangeOf({ limit, ...options }: Options, isWhole: boolean): LogOptions {
  const { after, since, until } = options;
  if (after !== undefined) return { ...options, ...(limit === undefined ? {} : { limit }) };
  if (limit !== undefined) return { ...options, last: limit };
  return isWhole || since !== undefined || until !== undefined ? options : { ...options, last: LAST_DEFAULT };
}

async function printJson(session: Session, events: AsyncIterable<LogEvent>): Promise<void> {
  for await (const event of events) await session.terminal.json(eventJson(event));
}

async function printEvent({ terminal }: Session, event: LogEvent): Promise<void> {
  const { style, width } = terminal;
  const time = event.occurredAt === null ? '' : timeText(event.occurredAt);
  const used = POSITION_WIDTH + TIME_WIDTH + TYPE_WIDTH + 6;
  await terminal.line(
    `${style.dim(String(event.position).padStart(POSITION_WIDTH))}  ${time.padStart(TIME_WIDTH)}  ` +
      `${style.green(toCells(event.type, TYPE_WIDTH))}  ${cutToCells(eventLine(event), Math.max(10, width - used))}`.trimEnd(),
  );
}

async function explainEmpty({ terminal, name, annals }: Session, options: LogOptions): Promise<void> {
  const { log } = await (await annals()).status();
  if (log.events === 0) terminal.note(`Nothing here yet. Try: ${name} import ~/.claude/projects`);
  else if (Object.keys(options).length > 0) terminal.note('No event matches these options.');
}

function eventType(word: string): EventType {
  const type = EVENT_TYPES.find((known) => known === word);
  if (type !== undefined) return type;
  throw new AnnalsError('USAGE', `There is no event type "${word}".`, {
    hint: `Types are ${EVENT_TYPES.join(', ')}.`,
  });
}
