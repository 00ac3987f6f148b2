import { AnnalsError } from '../../../../log/index.ts';
import type { Proposal } from '../../../api.ts';
import { cutToCells, plainLine, plainText, wrap } from '../../../terminal-text/plain-text.ts';
import { timeText } from '../../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf } from '../../command/options.ts';
import { insideAgent } from '../../inside-agent.ts';
import { counted } from '../../output/amount.ts';
import { confirmsForgetting, printForgetReport } from '../../output/forget-result.ts';
import { PROPOSAL_CHARS } from './act-result.ts';

const ACTIONS = ['list', 'confirm', 'refuse'] as const;
/** Of the text of an edit or a note. */
const LINES_MAX = 12;

interface Options {
  readonly yes?: boolean;
}

export const command = defineCommand<Options>({
  description:
    'What agents proposed and only a person may do: pin, edit, supersede, note, forget. Nothing changes until it is confirmed. ' +
    'Confirming what forgets something shows what goes, and asks. Inside an agent this command only lists.',
  shape: (command) =>
    command
      .addArgument(oneOf('[action]', 'list (default), confirm or refuse', ACTIONS).argOptional())
      .argument('[id]', 'the id of a proposal')
      .option('--yes', 'do not ask before something is forgotten'),
  examples: [
    ['proposals', 'what waits'],
    ['proposals confirm 3f0c1c2a7b1d', 'do it'],
    ['proposals refuse 3f0c1c2a7b1d', 'do not'],
  ],
  needsHome: true,
  async run(session, { yes = false }, [action = 'list', id]) {
    const { json, terminal, world } = session;
    const annals = await session.annals();
    const waiting = await annals.proposals();
    if (action === 'list') {
      if (json) await terminal.json({ proposals: waiting });
      else await printProposals(session, waiting);
      return 0;
    }
    if (action !== 'confirm' && action !== 'refuse')
      throw new AnnalsError('USAGE', `There is no action “${action}”.`, {
        hint: `One of: ${ACTIONS.join(', ')}.`,
      });
    if (id === undefined) throw new AnnalsError('USAGE', `Give the id of the proposal to ${action}.`);
    if (insideAgent(world.environment))
      throw new AnnalsError('USAGE', 'Only a person can answer a proposal, in a terminal.');
    const confirmed = action === 'confirm';
    const named = waiting.filter((one) => one.id.startsWith(id));
    const forgets = confirmed && named.length === 1 && named[0]!.selection !== null;
    if (forgets && !yes && (json || !world.stdin.isTerminal))
      throw new AnnalsError('USAGE', 'There is no terminal to ask for confirmation. Nothing was forgotten.', {
        hint: 'Look at `annals proposals`, then add --yes.',
      });
    const report = await annals.decide(named.length === 1 ? named[0]!.id : id, {
      confirmed,
      ...(forgets ? { confirm: confirmsForgetting(session, yes) } : {}),
    });
    const { outcome, proposal, forgetting } = report;
    if (json) await terminal.json(report);
    else {
      if (forgetting !== null) await printForgetReport(session, forgetting);
      if (outcome !== 'declined')
        await terminal.line(`${outcome === 'confirmed' ? 'Confirmed' : 'Refused'}: ${sentence(proposal)}`);
    }
    return outcome === 'declined' || forgetting?.proof?.ok === false ? 1 : 0;
  },
});

async function printProposals({ terminal, name }: Session, proposals: readonly Proposal[]): Promise<void> {
  const { style } = terminal;
  if (proposals.length === 0) return terminal.note('No proposal waits.');
  await terminal.line(style.bold(`${counted(proposals.length, 'proposal')} from agents`));
  for (const proposal of proposals) {
    const { id, at, client, title, text } = proposal;
    await terminal.line();
    await terminal.line(
      `${style.bold(id.slice(0, PROPOSAL_CHARS))}  ${cutToCells(sentence(proposal), terminal.width - PROPOSAL_CHARS - 2)}`,
    );
    const by = [
      client === null ? 'an agent' : plainLine(client),
      at === null ? null : timeText(Date.parse(at)),
    ];
    await terminal.line(style.dim(`  by ${by.filter((part) => part !== null).join(', ')}`));
    const words = [title, text].filter((part) => part !== null).join('\n');
    const lines = words === '' ? [] : wrap(plainText(words), terminal.width - 4);
    for (const line of lines.slice(0, LINES_MAX)) await terminal.line(`    ${line}`);
    if (lines.length > LINES_MAX)
      await terminal.line(style.dim(`    … ${lines.length - LINES_MAX} more lines`));
  }
  terminal.tip(`\n${name} proposals confirm <id>, or refuse <id>`);
}

function sentence({ act, item, by, selection, items }: Proposal): string {
  const what = selection === null ? nameOf(item) : selectionText(selection, items);
  return [act, what, by === null ? '' : `by ${nameOf(by)}`].filter((part) => part !== '').join(' ');
}

function nameOf(one: Proposal['item']): string {
  if (one === null) return '';
  const { id, kind, title } = one;
  return title === '' ? `${plainLine(id)} (${kind})` : `${kind} ${id} “${plainLine(title)}”`;
}

function selectionText(
  { project, query, before, withCopies }: NonNullable<Proposal['selection']>,
  items: Proposal['items'],
): string {
  const what =
    items.length > 0
      ? items.map(nameOf).join(', ')
      : project !== undefined
        ? `project ${plainLine(project)}`
        : query !== undefined
          ? `everything that contains “${plainLine(query)}”`
          : `everything before ${before}`;
  return withCopies === true ? `${what}, with copies` : what;
}
