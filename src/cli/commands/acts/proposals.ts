import { AnnalsError } from '../../../../log/index.ts';
import type { Proposal } from '../../../api.ts';
import { cutToCells, plainLine, plainText, wrap } from '../../../terminal-text/plain-text.ts';
import { timeText } from '../../../terminal-text/time-text.ts';
import { defineCommand, type Session } from '../../command/command.ts';
import { oneOf } from '../../command/options.ts';
import { insideAgent } from '../../inside-agent.ts';
import { counted } from '../../output/amount.ts';
import { printForgetPlan, printForgetReport } from '../../output/forget-result.ts';
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
    const named = waiting.filter((one) => one.id.startsWith(id));
    if (action === 'confirm' && named.length === 1 && named[0]!.selection !== null)
      if (!(await forgets(session, named[0]!, yes))) return 1;
    const proposal = named.length === 1 ? named[0]! : null;
    // What was forgotten by its words took the proposal, which holds them, with it.
    const isGone = proposal !== null && !(await annals.proposals()).some((one) => one.id === proposal.id);
    const report = isGone
      ? { outcome: 'confirmed' as const, proposal }
      : await annals.decide(proposal?.id ?? id, { confirmed: action === 'confirm' });
    if (json) await terminal.json(report);
    else {
      const done = report.outcome === 'confirmed' ? 'Confirmed' : 'Refused';
      await terminal.line(`${done}: ${sentence(report.proposal)}`);
    }
    return 0;
  },
});

/** Shows the plan, asks, and forgets. False when that was declined. */
async function forgets(session: Session, { selection }: Proposal, yes: boolean): Promise<boolean> {
  const { json, terminal, world } = session;
  if (!yes && (json || !world.stdin.isTerminal))
    throw new AnnalsError('USAGE', 'There is no terminal to ask for confirmation. Nothing was forgotten.', {
      hint: 'Look at `annals proposals`, then add --yes.',
    });
  const { withCopies = false, ...what } = selection!;
  const report = await (await session.annals()).forget(what, {
    withCopies,
    confirm: async (plan) => {
      if (!json) await printForgetPlan(session, plan);
      if (yes) return true;
      terminal.note('Forget this for good? It cannot be undone. [y/N]');
      return /^y(es)?$/i.test((await world.stdin.readLine()).trim());
    },
  });
  if (!json) await printForgetReport(session, report);
  return report.outcome !== 'declined' && report.proof?.ok !== false;
}

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

function sentence({ act, item, by, selection }: Proposal): string {
  const of = (one: Proposal['item']) =>
    one === null ? '' : `${one.kind} ${one.id} “${plainLine(one.title)}”`;
  const what = selection === null ? of(item) : plainLine(selectionText(selection));
  return [act, what, by === null ? '' : `by ${of(by)}`].filter((part) => part !== '').join(' ');
}

function selectionText({ ids, session, project, query, before }: NonNullable<Proposal['selection']>): string {
  if (ids !== undefined) return ids.join(' ');
  if (session !== undefined) return `session ${session}`;
  if (project !== undefined) return `project ${project}`;
  return query === undefined ? `before ${before}` : `everything with “${query}”`;
}
