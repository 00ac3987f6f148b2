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
    'Catches every view up with the log from where it stands: what a start after a crash does. With --from 0 the ' +
    'whole log is run through again, aside, and compared: nothing may have changed. Exits 1 when something has.',
  shape: (command) =>
    command.option(
      '--from <position>',
      'only 0: from the beginning, and compare',
      wholeNumber('--from', 0, 0),
    ),
  examples: [
    ['replay', 'catch up'],
    ['replay --from 0', 'show that the views are what the log says'],
  ],
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
      if (from === 0 && !failed)
        await session.terminal.line('Nothing changed: the views are what the log says.');
      if (failed)
        session.terminal.note(
          `${counted(changed.length, 'view')} differed: ${changed.map(({ name }) => name).join(', ')}. ` +
            `\`${session.name} rebuild\` makes them again.`,
        );
    }
    return failed ? 1 : 0;
  },
});
