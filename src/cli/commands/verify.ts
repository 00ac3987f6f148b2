import type { VerifyProblem } from '../../../log/index.ts';
import type { ShareDigest, Verification } from '../../api.ts';
import { plainLine, toCells } from '../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { counted } from '../output/amount.ts';
import { createProgress, percent } from '../output/progress-line.ts';
import { forgettingLine } from '../output/shared-forgetting.ts';

const SHOWN_PROBLEMS = 20;

/** What is beside the log: the log itself may be intact. */
const BESIDE_LOG: ReadonlySet<VerifyProblem['kind']> = new Set(['checkpoint', 'head', 'view']);

interface Options {
  readonly rebuilt?: boolean;
  readonly shared?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Reads the whole log and checks it against its own hashes, chain and indexes. With --rebuilt it also builds every ' +
    'view again and compares it with the one in use. With --shared it prints a digest of each shared project: machines that ' +
    'hold the same events of it print the same, and which machines have confirmed what was forgotten here. Changes nothing. Exits 1 when anything is wrong.',
  shape: (command) =>
    command
      .option('--rebuilt', 'also build every view again and compare')
      .option('--shared', 'also print what this machine has of each shared project'),
  examples: [
    ['verify', 'check the log'],
    ['verify --rebuilt', 'check the log and the views'],
  ],
  needsHome: true,
  async run(session, { rebuilt = false, shared = false }) {
    const annals = await session.annals();
    const progress = createProgress(session.terminal, session.world.now);
    const found = await annals
      .verify({
        rebuilt,
        onProgress: (done, total) => progress.report(() => `Verifying: ${percent(done, total)}`),
      })
      .finally(() => progress.end());
    const digests = shared ? await annals.shareDigests() : null;
    const forgettings = shared ? await annals.shareForgettings() : [];
    if (session.json)
      await session.terminal.json(digests === null ? found : { ...found, shared: digests, forgettings });
    else {
      await printVerification(session, found);
      for (const digest of digests ?? []) await session.terminal.line(digestLine(digest));
      for (const forgetting of forgettings)
        await session.terminal.line(`  ${plainLine(forgettingLine(forgetting))}`);
    }
    return found.ok ? 0 : 1;
  },
});

function digestLine({ key, events, digest }: ShareDigest): string {
  return `  ${plainLine(key)}  ${counted(events, 'shared event')}, digest ${digest}`;
}

async function printVerification({ terminal, name }: Session, found: Verification): Promise<void> {
  const { style } = terminal;
  const heading = found.ok ? style.green('All is well:') : style.red('Something is wrong:');
  const problems = found.problems.length === 0 ? 'no problem' : counted(found.problems.length, 'problem');
  await terminal.line(`${heading} ${counted(found.events, 'event')} checked, ${problems}.`);
  for (const { kind, position, message } of found.problems.slice(0, SHOWN_PROBLEMS)) {
    const place = position === null ? '' : ` at ${position}`;
    await terminal.line(`  ${style.yellow(`${kind}${place}:`)} ${plainLine(message)}`);
  }
  const more = found.problems.length - SHOWN_PROBLEMS;
  if (more > 0) await terminal.line(`  and ${counted(more, 'more problem')} (--json lists them)`);
  if (found.problems.some(({ kind }) => !BESIDE_LOG.has(kind)))
    terminal.note(
      `Keep a copy of the home, then make a new one: \`${name} restore <export> --home <new home>\`, or without an export ` +
        `\`${name} import --home <new home>\`, which reads the transcripts again, but not what was saved by hand.`,
    );
  const views = found.views ?? [];
  const names = Math.max(0, ...views.map((view) => view.name.length));
  for (const view of views)
    await terminal.line(
      `  ${toCells(view.name, names)}  ${view.equal ? 'equal to its rebuild' : style.red('differs from its rebuild')}`,
    );
  if (views.some((view) => !view.equal))
    terminal.note(`\`${name} rebuild\` builds the views again from the log.`);
}
