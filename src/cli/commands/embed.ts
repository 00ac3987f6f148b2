import { defineCommand } from '../command/command.ts';
import { embeddingText, printEmbedded } from '../output/embed-result.ts';
import { createProgress } from '../output/progress-line.ts';

const INTERRUPTED = 130;

interface Options {
  readonly again?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Asks the embedding model that the settings name (`annals config set embedder minilm` or `remote`) for the vectors ' +
    'of every document that has none of it yet. They are kept in the log, so that nothing is asked for twice, also not ' +
    'after `rebuild`. `import` does the same at its end. Until all have one, the table that ships serves searches. What was stopped ' +
    'goes on where it was.',
  shape: (command) =>
    command.option('--again', 'the model has vectors of another length now: embed everything once more'),
  examples: [
    ['embed', 'what has no vector yet'],
    ['embed --json', 'counts as JSON'],
  ],
  async run(session, options) {
    const { terminal, world } = session;
    const annals = await session.annals();
    const controller = new AbortController();
    const progress = createProgress(terminal, world.now);
    const stopListening = world.onInterrupt(() => {
      progress.end();
      terminal.note('Stopping after this batch; once more to leave at once.');
      controller.abort();
    });
    const report = await annals
      .embed({
        again: options.again === true,
        signal: controller.signal,
        onProgress: (done, total) => progress.report(() => embeddingText(done, total)),
      })
      .finally(() => {
        progress.end();
        stopListening();
      });
    if (session.json) await terminal.json(report);
    else if (report.embedder === 'static' || report.embedder === 'none')
      await terminal.line(
        report.embedder === 'static'
          ? 'Nothing to do: the table that ships makes vectors by itself.'
          : 'Nothing to do: the settings want no vectors (embedder is none).',
      );
    else await printEmbedded(terminal, report);
    if (controller.signal.aborted) {
      terminal.note(`Stopped. What was embedded is kept; \`${session.name} embed\` goes on from here.`);
      return INTERRUPTED;
    }
    return report.problem === null ? 0 : 1;
  },
});
