import { defineCommand } from '../command/command.ts';
import { createProgress, percent } from '../output/progress-line.ts';
import { printViews } from '../output/views-table.ts';

export const command = defineCommand<object>({
  description:
    'Builds the views again from the log, next to the old ones, and then replaces those. Only the indexes (text, ' +
    'vectors) can be built alone; the name of any other view builds everything. Nothing is lost. Equal digests before and after show that nothing changed.',
  shape: (command) => command.argument('[view...]', 'names of views (default: all)'),
  examples: [
    ['rebuild', 'all views'],
    ['rebuild text', 'only the full-text index'],
    ['rebuild --json', 'with full digests'],
  ],
  needsHome: true,
  async run(session, _options, names) {
    const annals = await session.annals();
    const progress = createProgress(session.terminal, session.world.now);
    const { views } = await annals
      .rebuild(names.length === 0 ? undefined : names, {
        onProgress: (done, total) => progress.report(() => `Rebuilding: ${percent(done, total)}`),
      })
      .finally(() => progress.end());
    if (session.json) return session.terminal.json({ views });
    await printViews(session, views);
  },
});
