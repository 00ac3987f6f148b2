import type { Why } from '../../api.ts';
import { cutToCells, plainLine, wrap } from '../../terminal-text/plain-text.ts';
import { timeText } from '../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { counted } from '../output/amount.ts';
import { eventLine } from '../output/event-line.ts';

export const command = defineCommand<object>({
  description:
    'Goes from a thing to the exact events it came from: who told what, when, and which rules made this of it.',
  shape: (command) => command.argument('<id>', 'an id, or the beginning of one'),
  examples: [
    ['why t-q4m2x7c3n5pa', 'where this tool use is known from'],
    ['why t-q4m2x7c3n5pa --json', 'the same with the whole events'],
  ],
  async run(session, _options, [id = '']) {
    const answer = await (await session.annals()).why(id);
    if (session.json) return session.terminal.json(answer);
    await printPath(session, answer);
  },
});

/** The thing on top, the steps on a line down from it, the events as its roots. */
async function printPath({ terminal }: Session, why: Why): Promise<void> {
  const { style, width } = terminal;
  await terminal.line(`${style.bold(cutToCells(plainLine(why.title) || why.id, width))}`);
  await terminal.line(style.dim(`${plainLine(why.kind)} · ${why.id}`));
  for (const step of why.steps) {
    await terminal.line(style.dim('│'));
    const [first = '', ...rest] = wrap(plainLine(step), width - 3);
    await terminal.line(`${style.dim('├─')} ${first}`);
    for (const line of rest) await terminal.line(`${style.dim('│')}  ${line}`);
  }
  await terminal.line(style.dim('│'));
  if (why.events.length === 0)
    return terminal.line(`${style.dim('└─')} no event: nothing in the log says this`);
  await terminal.line(`${style.dim('└─')} ${counted(why.events.length, 'event')} in the log:`);
  for (const [index, event] of why.events.entries()) {
    const last = index === why.events.length - 1;
    const time = event.occurredAt === null ? 'time unknown' : timeText(event.occurredAt);
    await terminal.line(
      `   ${style.dim(last ? '└─' : '├─')} ${style.green(event.type)} told by ${event.channel}, ${time}`,
    );
    const below = `   ${style.dim(last ? '  ' : '│ ')}   `;
    await terminal.line(below + cutToCells(eventLine(event), width - 8));
    await terminal.line(below + style.dim(`#${event.position}  ${event.id}`));
  }
}
