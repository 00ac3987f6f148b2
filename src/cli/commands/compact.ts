import { duration } from '../../terminal-text/time-text.ts';
import { defineCommand } from '../command/command.ts';
import { bytes } from '../output/amount.ts';

export const command = defineCommand<object>({
  description:
    'Writes the log and the views into new folders, which then replace the old ones. Overwritten and removed data ' +
    'leaves the disk; nothing else changes. If the command is killed, either the old or the new folders remain.',
  shape: (command) => command,
  examples: [['compact', 'after many rebuilds, imports or deletions']],
  needsHome: true,
  async run(session) {
    const { terminal } = session;
    const report = await (await session.annals()).compact();
    if (session.json) return terminal.json(report);
    const { bytesBefore, bytesAfter, ms } = report;
    await terminal.line(`The log was ${bytes(bytesBefore)} and is ${bytes(bytesAfter)}, in ${duration(ms)}.`);
  },
});
