import { homePath } from '../../../platform/home-paths.ts';
import { followFile, lastLines } from '../../../platform/text-file.ts';
import { plainLine } from '../../../terminal-text/plain-text.ts';
import { withLocalTimes } from '../../../terminal-text/time-text.ts';
import { workerLog } from '../../../worker/worker-files.ts';
import { defineCommand } from '../../command/command.ts';
import { wholeNumber } from '../../command/options.ts';

export interface LogsOptions {
  readonly follow?: boolean;
  readonly lines?: number;
}

const LINES_DEFAULT = 50;

export const command = defineCommand<LogsOptions>({
  description:
    "Prints the end of the worker's log, logs/worker.log in the home: starts, ends and what went wrong. It holds no text " +
    'of prompts or answers.',
  shape: (command) =>
    command
      .option('-f, --follow', 'go on printing what is added, until Ctrl-C')
      .option('-n, --lines <number>', 'how many lines, default 50', wholeNumber('--lines', 0)),
  examples: [
    ['logs', 'the last 50 lines'],
    ['logs -f', 'as it is written'],
  ],
  needsHome: true,
  async run({ chosenHome, world, terminal, json, name }, { follow = false, lines = LINES_DEFAULT }) {
    const path = workerLog(chosenHome ?? homePath(world.environment, world.userHome));
    const print = (line: string) =>
      json ? terminal.json(lineJson(line)) : terminal.line(withLocalTimes(plainLine(line)));
    const { text, end } = lastLines(path, lines);
    for (const line of text) await print(line);
    if (text.length === 0 && lines > 0 && !follow)
      terminal.note(`No worker has run here yet. Try: ${name} worker start`);
    if (!follow) return;
    await new Promise<void>((resolve) => {
      const stop = followFile(path, end, (line) => void print(line));
      world.onInterrupt(() => {
        stop();
        resolve();
      });
    });
  },
});

/** `2026-11-18T12:00:00.000Z The worker runs` */
function lineJson(line: string): { readonly at: string | null; readonly text: string } {
  const found = /^(\d{4}-\d\d-\d\dT[\d:.]+Z) (.*)$/s.exec(line);
  return found === null ? { at: null, text: line } : { at: found[1]!, text: found[2]! };
}
