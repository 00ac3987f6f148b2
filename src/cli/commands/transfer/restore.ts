import type { RestoreStep } from '../../../api.ts';
import { givenPath } from '../../../platform/path-inside.ts';
import { duration } from '../../../terminal-text/time-text.ts';
import { defineCommand } from '../../command/command.ts';
import { counted } from '../../output/amount.ts';
import { createProgress, percent } from '../../output/progress-line.ts';
import { printViews } from '../../output/views-table.ts';
import { passphraseOf } from '../../passphrase.ts';

const LOCK_TIMEOUT_MS = 60_000;
const STEP_TEXTS: Readonly<Record<RestoreStep, string>> = {
  checking: 'Checking the export',
  writing: 'Writing the log',
  replaying: 'Building the views',
};

interface Options {
  readonly passphraseFile?: string;
}

export const command = defineCommand<Options>({
  description:
    "Creates a home from an export: the same events with the same ids and positions. The export's hashes and chain are " +
    'checked before anything is written; then the views are built. The home must hold no events. To merge an export ' +
    'into a log that has events, use `annals import <export>`.',
  shape: (command) =>
    command
      .argument('<export>', 'a folder written by `annals export`')
      .option(
        '--passphrase-file <file>',
        'passphrase of an encrypted export (default: ANNALS_PASSPHRASE, or a prompt)',
      ),
  examples: [
    ['restore ~/backup/annals', 'into the default home, which must be empty'],
    ['restore ~/backup/annals --home ~/annals-of-may', 'into another home, to look at it'],
  ],
  async run({ restore, terminal, json, world }, { passphraseFile }, [folder = '']) {
    const progress = createProgress(terminal, world.now);
    const report = await restore(givenPath(folder, world.folder), {
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      passphrase: passphraseOf({ terminal, world }, passphraseFile, { twice: false }),
      onProgress: (step, done, total) =>
        progress.report(() => `${STEP_TEXTS[step]}: ${percent(done, total)}`),
    }).finally(() => progress.end());
    if (json) return terminal.json(report);
    const { style } = terminal;
    await terminal.line(
      `${style.bold(`Restored ${counted(report.events, 'event')}`)} in ${duration(report.ms)} into ${report.home}.`,
    );
    if (report.blanked > 0)
      await terminal.line(`${counted(report.blanked, 'event')} were forgotten and have no text.`);
    await printViews({ terminal }, report.views);
  },
});
