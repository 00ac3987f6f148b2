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
  readonly after?: number;
  readonly limit?: number;
  readonly all?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Prints events in the order of the log. Prints the last 20, unless --all, --after or --limit is given. With ' +
    '--json prints every event, one per line.',
  shape: (command) =>
    command
      .option('--session <id>', 'only this session')
      .addOption(
        optionOneOf('--kind <kind>', `only one family: ${EVENT_KINDS.join(', ')}`, EVENT_KINDS, String),
      )
      .addOption(optionOneOf('--type <type>', 'only this type, such as tool.used', EVENT_TYPES, eventType))
      .option('--after <position>', 'only events after this position', wholeNumber('--after', 0))
      .option('--limit <number>', 'at most this many', wholeNumber('--limit', 1))
      .option('--all', 'every event, not only the last 20'),
  examples: [
    ['log', 'the last 20 events'],
    ['log --kind prompt --all', 'every prompt'],
    ['log --json --after 1000 > events.ndjson', 'for a script: events after a position'],
  ],
  async run(session, { all, ...options }) {
    const annals = await session.annals();
    if (session.json) return printJson(session, annals.log(options));
    const bounded = all === true || options.after !== undefined || options.limit !== undefined;
    let shown = 0;
    for await (const event of annals.log({
      ...options,
      ...(bounded ? {} : { last: LAST_DEFAULT }),
    })) {
      shown += 1;
      await printEvent(session, event);
    }
    if (shown === 0) await explainEmpty(session, options);
  },
});

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
