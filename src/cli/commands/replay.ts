import { defineCommand } from '../command/command.ts';
import { wholeNumber } from '../command/options.ts';
import { counted } from '../output/amount.ts';
import { createProgress, percent } from '../output/progress-line.ts';
import { printViews } from '../output/views-table.ts';

interface Options {
  readonly from?: number;
}

export const command = defineCommand<Options>({
  description:
    'Brings every view up to date with the log, as the next start after a crash does. With --from 0 it replays the ' +
    'whole log into new views and compares them with the current ones. Exits 1 when they differ.',
  shape: (command) =>
    command.option(
      '--from <position>',
      'only 0: replay from the beginning and compare',
      wholeNumber('--from', 0, 0),
    ),
  examples: [
    ['replay', 'catch up'],
    ['replay --from 0', 'check that the views match the log'],
  ],
  needsHome: true,
  async run(session, { from }) {
    const annals = await session.annals();
    const progress = createProgress(session.terminal, session.world.now);
    const { views } = await annals
      .replay({
        ...(from === undefined ? {} : { from: 0 as const }),
        onProgress: (done, total) => progress.report(() => `Replaying: ${percent(done, total)}`),
      })
      .finally(() => progress.end());
    const changed = views.filter((view) => view.changed);
    const failed = from === 0 && changed.length > 0;
    if (session.json) await session.terminal.json({ views });
    else {
      await printViews(session, views);
      if (from === 0 && !failed) await session.terminal.line('Nothing changed: the views match the log.');
      if (failed)
        session.terminal.note(
          `${counted(changed.length, 'view')} differed: ${changed.map(({ name }) => name).join(', ')}. ` +
            `\`${session.name} rebuild\` builds them again.`,
        );
    }
    return failed ? 1 : 0;
  },
});
