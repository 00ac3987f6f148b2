import { resolve } from 'node:path';
import { duration } from '../../terminal-text/time-text.ts';
import { defineCommand } from '../command/command.ts';
import { wholeNumber } from '../command/options.ts';
import { bytes, count, counted } from '../output/amount.ts';
import { createProgress, percent } from '../output/progress-line.ts';
import { passphraseOf } from '../passphrase.ts';

interface Options {
  readonly since?: number;
  readonly encrypt?: boolean;
  readonly passphraseFile?: string;
}

export const command = defineCommand<Options>({
  description:
    'Writes the log into a folder as lines of JSON, with a manifest that holds counts, hashes and the chain: a ' +
    'backup, or a way to another machine. A folder that holds an export of this log already is continued: only ' +
    'what is new is written. Without --encrypt readable by whoever may read the folder; what was forgotten is not in it.',
  shape: (command) =>
    command
      .argument('<folder>', 'a new or empty folder, or an earlier export of this log')
      .option('--since <position>', 'only events after this position', wholeNumber('--since', 0))
      .option('--encrypt', 'under a passphrase, which is asked for; ANNALS_PASSPHRASE is taken instead')
      .option('--passphrase-file <file>', 'its first line is the passphrase; as --encrypt'),
  examples: [
    ['export ~/backup/annals', 'everything; the next time, what is new since'],
    ['export /media/stick/annals --encrypt', 'under a passphrase; without it the export is lost'],
    ['export /tmp/new-ones --since 12000', 'only what came after position 12,000'],
  ],
  async run({ annals, terminal, json, name, world }, { since, encrypt, passphraseFile }, [folder = '']) {
    const isEncrypted = encrypt === true || passphraseFile !== undefined;
    const progress = createProgress(terminal, world.now);
    const report = await (await annals())
      .export(resolve(world.folder, folder), {
        ...(since === undefined ? {} : { since }),
        ...(isEncrypted && {
          passphrase: passphraseOf({ terminal, world }, passphraseFile, { twice: true }),
        }),
        onProgress: (done, total) =>
          progress.report(
            () => `Exporting: ${percent(done, total)}, ${count(done)} of ${counted(total, 'event')}`,
          ),
      })
      .finally(() => progress.end());
    if (json) return terminal.json(report);
    const { style } = terminal;
    await terminal.line(
      `${style.bold(`Wrote ${counted(report.written, 'event')}`)} in ${duration(report.ms)} to ${report.folder}.`,
    );
    await terminal.line(
      `It now holds ${counted(report.events, 'event')}, positions ${count(report.after + 1)} to ${count(report.head)}, in ` +
        `${counted(report.segments, 'segment')} of ${bytes(report.bytes)}.`,
    );
    if (report.blanked > 0)
      await terminal.line(`${counted(report.blanked, 'event')} were forgotten and are without their bodies.`);
    terminal.tip(style.dim(`${name} restore <folder> --home <new home> brings it back`));
  },
});
