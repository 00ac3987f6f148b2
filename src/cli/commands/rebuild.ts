import { defineCommand } from '../command/command.ts';
import { createProgress, percent } from '../output/progress-line.ts';
import { printViews } from '../output/views-table.ts';

export const command = defineCommand<object>({
  description:
    'Makes views again from the log alone: each is filled aside from the first event on and then takes the place ' +
    'of the old one. Nothing is lost by it; equal digests before and after show that nothing changed.',
  shape: (command) => command.argument('[view...]', 'names of views (default: all)'),
  examples: [
    ['rebuild', 'all views'],
    ['rebuild text', 'only the full-text index'],
    ['rebuild --json', 'with whole digests'],
  ],
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
