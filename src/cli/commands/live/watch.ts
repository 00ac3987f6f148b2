import type { LogEvent } from '../../../../log/index.ts';
import { nameOfPath } from '../../../../projections/index.ts';
import type { RemoteAnnals } from '../../../remote/remote-annals.ts';
import { eventLine } from '../../../terminal-text/event-line.ts';
import { cutToCells, plainLine, toCells } from '../../../terminal-text/plain-text.ts';
import { clockText } from '../../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { wholeNumber } from '../../command/options.ts';
import { eventJson } from '../../output/event-json.ts';
import { connectedWorker } from './connected-worker.ts';

export interface WatchOptions {
  readonly last?: number;
}

const LAST_DEFAULT = 10;
const PROJECT_WIDTH = 16;
const TYPE_WIDTH = 17;
const TIME_WIDTH = 8;

export const command = defineCommand<WatchOptions>({
  description:
    'Prints what the worker records, as it happens: prompts, tool uses, answers, saved memories. Starts with the last ' +
    '10 events. Starts the worker if none runs, and keeps it running. Ctrl-C ends it.',
  shape: (command) =>
    command.option('--last <number>', 'how many earlier events to begin with', wholeNumber('--last', 0)),
  examples: [
    ['watch', 'in a second terminal'],
    ['watch --json --last 0', 'for a script: each new event as one line'],
  ],
  needsHome: true,
  async run(session, { last = LAST_DEFAULT }) {
    const annals = await connectedWorker(session, 'There is nothing to watch without a worker.');
    try {
      await follow(session, annals, last);
    } finally {
      await annals.close();
    }
  },
});

/** Until Ctrl-C, or until the worker ends. */
async function follow(session: Session, annals: RemoteAnnals, last: number): Promise<void> {
  const print = printer(session);
  let after = 0;
  const printed = async (events: AsyncIterable<LogEvent>): Promise<void> => {
    for await (const event of events) {
      await print(event);
      after = event.position;
    }
  };
  await new Promise<void>((resolve, reject) => {
    let isWanted = false;
    let reading = Promise.resolve();
    const news = (): void => {
      if (isWanted) return;
      isWanted = true;
      reading = reading
        .then(() => {
          isWanted = false;
          return printed(annals.log({ after }));
        })
        .catch(reject);
    };
    session.world.onInterrupt(resolve);
    annals.onDisconnect(() => {
      session.terminal.note('The worker has ended.');
      resolve();
    });
    const begin = async (): Promise<void> => {
      const { log } = await annals.status();
      after = log.head;
      if (last > 0) await printed(annals.log({ last }));
      after = Math.max(after, log.head);
      annals.onChange(news);
      news();
    };
    begin().catch(reject);
  });
}

function printer({ terminal, json }: Session): (event: LogEvent) => Promise<void> {
  if (json) return (event) => terminal.json(eventJson(event));
  const { style, width } = terminal;
  const room = Math.max(20, width - TIME_WIDTH - PROJECT_WIDTH - TYPE_WIDTH - 6);
  /** Not every event names its folder. */
  const folders = new Map<string, string>();
  return (event) => {
    const { cwd } = event.body as { readonly cwd?: unknown };
    if (typeof cwd === 'string' && event.session !== null) folders.set(event.session, cwd);
    const folder = event.session === null ? undefined : folders.get(event.session);
    const project = folder === undefined ? '' : plainLine(nameOfPath(folder));
    return terminal.line(
      `${style.dim(clockText(event.occurredAt ?? event.recordedAt))}  ${style.cyan(toCells(project, PROJECT_WIDTH))}  ` +
        `${style.green(toCells(event.type, TYPE_WIDTH))}  ${cutToCells(eventLine(event), room)}`.trimEnd(),
    );
  };
}
