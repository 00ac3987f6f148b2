import { defineCommand } from '../command/command.ts';
import { embeddingText, printEmbedded } from '../output/embed-result.ts';
import { createProgress } from '../output/progress-line.ts';

const INTERRUPTED = 130;

interface Options {
  readonly again?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Computes a vector for every document that has none yet, with the embedding model from the settings ' +
    '(`annals config set embedder minilm` or `remote`). Vectors are stored in the log, so no text is sent twice, even ' +
    'after `rebuild`. `import` does the same when it ends. Until all documents have a vector, searches use the built-in ' +
    'table. If it is stopped, the next call continues.',
  shape: (command) =>
    command.option(
      '--again',
      'embed everything again, because the model now makes vectors of another length',
    ),
  examples: [
    ['embed', 'compute the missing vectors'],
    ['embed --json', 'counts as JSON'],
  ],
  needsHome: true,
  async run(session, options) {
    const { terminal, world } = session;
    const annals = await session.annals();
    const controller = new AbortController();
    const progress = createProgress(terminal, world.now);
    const stopListening = world.onInterrupt(() => {
      progress.end();
      terminal.note('Stopping after this batch; press Ctrl-C again to stop now.');
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
          ? 'Nothing to do: the built-in table needs no model.'
          : 'Nothing to do: the setting embedder is none.',
      );
    else await printEmbedded(terminal, report);
    if (controller.signal.aborted) {
      terminal.note(`Stopped. The vectors so far are kept; \`${session.name} embed\` continues from here.`);
      return INTERRUPTED;
    }
    return report.problem === null ? 0 : 1;
  },
});
