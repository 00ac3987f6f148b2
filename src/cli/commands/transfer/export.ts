import { givenPath } from '../../../platform/path-inside.ts';
import { duration } from '../../../terminal-text/time-text.ts';
import { defineCommand } from '../../command/command.ts';
import { wholeNumber } from '../../command/options.ts';
import { bytes, count, counted } from '../../output/amount.ts';
import { createProgress, percent } from '../../output/progress-line.ts';
import { passphraseOf } from '../../passphrase.ts';

interface Options {
  readonly since?: number;
  readonly encrypt?: boolean;
  readonly passphraseFile?: string;
}

export const command = defineCommand<Options>({
  description:
    'Writes the log to a folder as lines of JSON, with a manifest of counts, hashes and the chain. Use it as a backup ' +
    'or to move to another machine. If the folder already holds an export of this log, only new events are added. ' +
    'Forgotten events are exported without their text. Without --encrypt, anyone who can read the folder can read the export.',
  shape: (command) =>
    command
      .argument('<folder>', 'a new or empty folder, or an earlier export of this log')
      .option('--since <position>', 'only events after this position', wholeNumber('--since', 0))
      .option('--encrypt', 'encrypt with a passphrase: ANNALS_PASSPHRASE, or typed at a prompt')
      .option('--passphrase-file <file>', 'encrypt with the first line of this file as passphrase'),
  examples: [
    ['export ~/backup/annals', 'everything; next time only new events'],
    ['export /media/stick/annals --encrypt', 'encrypted; without the passphrase the export cannot be read'],
    ['export /tmp/new-ones --since 12000', 'only events after position 12,000'],
  ],
  needsHome: true,
  async run({ annals, terminal, json, name, world }, { since, encrypt, passphraseFile }, [folder = '']) {
    const path = givenPath(folder, world.folder);
    const isEncrypted = encrypt === true || passphraseFile !== undefined;
    const progress = createProgress(terminal, world.now);
    const report = await (await annals())
      .export(path, {
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
      await terminal.line(`${counted(report.blanked, 'event')} were forgotten and have no text.`);
    terminal.tip(style.dim(`${name} restore <folder> --home <new home> restores it`));
  },
});
