import { duration } from '../../terminal-text/time-text.ts';
import { defineCommand } from '../command/command.ts';
import { bytes } from '../output/amount.ts';

export const command = defineCommand<object>({
  description:
    'Writes the log and the views into fresh folders and puts those in the place of the old ones. What was ' +
    'overwritten or removed leaves the disk; nothing that is there changes. A kill at any moment leaves the old or the new.',
  shape: (command) => command,
  examples: [['compact', 'after much was rebuilt, imported again or forgotten']],
  async run(session) {
    const { terminal } = session;
    const report = await (await session.annals()).compact();
    if (session.json) return terminal.json(report);
    const { bytesBefore, bytesAfter, ms } = report;
    await terminal.line(`The log was ${bytes(bytesBefore)} and is ${bytes(bytesAfter)}, in ${duration(ms)}.`);
  },
});
