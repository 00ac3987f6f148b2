import { resolve } from 'node:path';
import type { RestoreStep } from '../../api.ts';
import { duration } from '../../terminal-text/time-text.ts';
import { defineCommand } from '../command/command.ts';
import { counted } from '../output/amount.ts';
import { createProgress, percent } from '../output/progress-line.ts';
import { printViews } from '../output/views-table.ts';
import { passphraseOf } from '../passphrase.ts';

const LOCK_TIMEOUT_MS = 60_000;
const DOING: Readonly<Record<RestoreStep, string>> = {
  checking: 'Checking the export',
  writing: 'Writing the log',
  replaying: 'Building the views',
};

interface Options {
  readonly passphraseFile?: string;
}

export const command = defineCommand<Options>({
  description:
    'Makes a home again from an export: the same events under the same ids and positions, checked against the ' +
    "export's hashes and chain before anything is written, and the views from them. The home must hold no events; " +
    '`annals import <export>` unites an export with what is there already.',
  shape: (command) =>
    command
      .argument('<export>', 'a folder that `annals export` made')
      .option(
        '--passphrase-file <file>',
        'of an encrypted export; else ANNALS_PASSPHRASE, or it is asked for',
      ),
  examples: [
    ['restore ~/backup/annals', 'into the empty home'],
    ['restore ~/backup/annals --home ~/annals-of-may', 'into another one, to look at it'],
  ],
  async run({ restore, terminal, json, world }, { passphraseFile }, [folder = '']) {
    const progress = createProgress(terminal, world.now);
    const report = await restore(resolve(world.folder, folder), {
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      passphrase: passphraseOf({ terminal, world }, passphraseFile, { twice: false }),
      onProgress: (step, done, total) => progress.report(() => `${DOING[step]}: ${percent(done, total)}`),
    }).finally(() => progress.end());
    if (json) return terminal.json(report);
    const { style } = terminal;
    await terminal.line(
      `${style.bold(`Restored ${counted(report.events, 'event')}`)} in ${duration(report.ms)} into ${report.home}.`,
    );
    if (report.blanked > 0)
      await terminal.line(`${counted(report.blanked, 'event')} were forgotten and are without their bodies.`);
    await printViews({ terminal }, report.views);
  },
});
