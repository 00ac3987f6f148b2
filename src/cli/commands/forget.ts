import { AnnalsError, isAnnalsError } from '../../../log/index.ts';
import type { Annals, ForgetOptions, ForgetSelection, SharedForgetting } from '../../api.ts';
import { parseTime } from '../../search/query/parse-time.ts';
import { plainLine } from '../../terminal-text/plain-text.ts';
import { shellWords } from '../../terminal-text/shell-words.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { insideAgent } from '../inside-agent.ts';
import { confirmsForgetting, printForgetReport, stepTexts } from '../output/forget-result.ts';
import { createProgress } from '../output/progress-line.ts';
import { forgettingLine } from '../output/shared-forgetting.ts';

interface Options {
  readonly session?: string;
  readonly project?: string;
  readonly query?: string;
  readonly before?: string;
  readonly withCopies?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'Deletes something for good from the log, every view, the indexes and the spool. Shows what will be deleted and ' +
    'what else shares text with it, then asks. It stays forgotten when its transcript is imported again. At the end it ' +
    'searches every file for the text and reports the result as proof. An agent can only propose this command.',
  shape: (command) =>
    command
      .argument('[id...]', 'ids of prompts, turns, tool uses, observations, memories, sessions or events')
      .option('--session <id>', 'a whole session, including events of it that arrive later')
      .option('--project <name>', 'all sessions and memories of a project')
      .option('--query <words>', 'everything that contains exactly this text')
      .option('--before <time>', 'everything older than this: 90d, 2026-01-31')
      .option('--with-copies', 'also forget other things that share a long word or a line with it')
      .option('--dry-run', 'only show what would be deleted')
      .option('--yes', 'do not ask'),
  examples: [
    ['forget p-4t0w8m2k9qza', 'one prompt; asks first'],
    ['forget --query "the old password" --with-copies --dry-run', 'show everything that contains this text'],
    ['forget --session 6f1d2c1e --yes', 'a session, from a script'],
  ],
  needsHome: true,
  async run(session, options, ids) {
    const { json, terminal, world } = session;
    const selection = selectionOf(options, ids);
    const { withCopies = false, dryRun = false } = options;
    if (!dryRun && insideAgent(world.environment)) return propose(session, options, ids);
    if (!dryRun && options.yes !== true && (json || !world.stdin.isTerminal)) {
      // What is wrong with the selection matters more.
      await (await session.annals()).forget(selection, { withCopies, dryRun: true });
      throw new AnnalsError('USAGE', 'There is no terminal to ask for confirmation. Nothing was forgotten.', {
        hint: 'Check with --dry-run, then add --yes.',
      });
    }
    if (
      !json &&
      options.before !== undefined &&
      parseTime(options.before, world.now(), 'before') > world.now()
    )
      terminal.note('The time of --before is in the future: this means everything up to now.');
    const progress = createProgress(terminal, world.now);
    const forgetOptions: ForgetOptions = {
      withCopies,
      dryRun,
      onStep: (step) => {
        const text = stepTexts[step];
        if (text !== undefined) progress.report(() => text);
      },
      confirm: (plan) => {
        progress.end();
        return confirmsForgetting(session, options.yes === true)(plan);
      },
    };
    const annals = await session.annals();
    const report = await annals.forget(selection, forgetOptions).finally(() => progress.end());
    const shared = report.id === null ? [] : await sharedAs(report.id, annals);
    if (json) await terminal.json(shared.length === 0 ? report : { ...report, shared });
    else {
      await printForgetReport(session, report);
      for (const one of shared) await terminal.line(plainLine(forgettingLine(one)));
      if (shared.length > 0)
        terminal.note(`\`${session.name} share status\` names the machines that have confirmed it.`);
    }
    const failed = report.outcome === 'declined' || report.proof?.ok === false;
    return failed ? 1 : 0;
  },
});

/** What of a forgetting concerns other machines. */
async function sharedAs(id: string, annals: Annals): Promise<readonly SharedForgetting[]> {
  return (await annals.shareForgettings()).filter((one) => one.id === id);
}

function selectionOf({ session, project, query, before }: Options, ids: readonly string[]): ForgetSelection {
  return {
    ...(ids.length === 0 ? {} : { ids }),
    ...(session === undefined ? {} : { session }),
    ...(project === undefined ? {} : { project }),
    ...(query === undefined ? {} : { query }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Stores a proposal, and prints the command for a person to run. */
async function propose(session: Session, options: Options, ids: readonly string[]): Promise<number> {
  const { json, terminal, name, chosenHome } = session;
  const proposal = await proposed(session, options, ids);
  const words = [
    ...ids,
    ...(['session', 'project', 'query', 'before'] as const).flatMap((option) =>
      options[option] === undefined ? [] : [`--${option}`, options[option]],
    ),
    ...(options.withCopies === true ? ['--with-copies'] : []),
    ...(chosenHome === null ? [] : ['--home', chosenHome]),
  ];
  const line = `${name} forget ${shellWords(words)}`;
  if (json) await terminal.json({ outcome: 'proposed', command: line, proposal });
  else {
    terminal.note(
      'Only a person can forget something. It was proposed, and nothing was changed. To do it, run this in a terminal:',
    );
    await terminal.line(line);
  }
  return 1;
}

/** The id of the proposal; null when it would keep a secret. */
async function proposed(session: Session, options: Options, ids: readonly string[]): Promise<string | null> {
  const { withCopies = false } = options;
  const selection = { ...selectionOf(options, ids), ...(withCopies ? { withCopies } : {}) };
  try {
    return (await (await session.annals()).act({ act: 'forget', selection, author: 'agent' })).proposal;
  } catch (error) {
    if (isAnnalsError(error) && error.code === 'INPUT_INVALID') return null;
    throw error;
  }
}
