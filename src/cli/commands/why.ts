import type { Why } from '../../api.ts';
import { eventLine } from '../../terminal-text/event-line.ts';
import { cutToCells, plainLine, wrap } from '../../terminal-text/plain-text.ts';
import { timeText, withLocalTimes } from '../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { counted } from '../output/amount.ts';

export const command = defineCommand<object>({
  description:
    'Traces a thing back to the exact events it came from: what each event reported, when, and which rules were used.',
  shape: (command) => command.argument('<id>', 'an id, or the beginning of one'),
  examples: [
    ['why t-q4m2x7c3n5pa', 'the events behind this tool use'],
    ['why t-q4m2x7c3n5pa --json', 'the same with full events'],
  ],
  needsHome: true,
  async run(session, _options, [id = '']) {
    const answer = await (await session.annals()).why(id);
    if (session.json) return session.terminal.json(answer);
    await printPath(session, answer);
  },
});

/** Prints the thing, the steps below it, and the events at the end. */
async function printPath({ terminal }: Session, why: Why): Promise<void> {
  const { style, width } = terminal;
  await terminal.line(`${style.bold(cutToCells(plainLine(why.title) || why.id, width))}`);
  await terminal.line(style.dim(`${plainLine(why.kind)} · ${why.id}`));
  for (const step of why.steps) {
    await terminal.line(style.dim('│'));
    const [first = '', ...rest] = wrap(withLocalTimes(plainLine(step)), width - 3);
    await terminal.line(`${style.dim('├─')} ${first}`);
    for (const line of rest) await terminal.line(`${style.dim('│')}  ${line}`);
  }
  await terminal.line(style.dim('│'));
  if (why.events.length === 0) return terminal.line(`${style.dim('└─')} no event in the log supports this`);
  await terminal.line(`${style.dim('└─')} ${counted(why.events.length, 'event')} in the log:`);
  for (const [index, event] of why.events.entries()) {
    const last = index === why.events.length - 1;
    const time = event.occurredAt === null ? 'time unknown' : timeText(event.occurredAt);
    await terminal.line(
      `   ${style.dim(last ? '└─' : '├─')} ${style.green(event.type)} from ${event.channel}, ${time}`,
    );
    const below = `   ${style.dim(last ? '  ' : '│ ')}   `;
    await terminal.line(below + cutToCells(eventLine(event), width - 8));
    await terminal.line(below + style.dim(`#${event.position}  ${event.id}`));
  }
}
