// Says what an act did. Inside an agent it is a proposal, which a person answers.
import type { ActInput, ActReport } from '../../../api.ts';
import { plainLine } from '../../../terminal-text/plain-text.ts';
import type { Session } from '../../command/command.ts';
import { insideAgent } from '../../inside-agent.ts';

/** Enough of a proposal's id to answer it. */
export const PROPOSAL_CHARS = 12;

/** Does it as a person, or proposes it as an agent. */
export async function doAct(session: Session, input: ActInput, done: string): Promise<ActReport> {
  const author = insideAgent(session.world.environment) ? 'agent' : 'user';
  const report = await (await session.annals()).act({ ...input, author });
  if (session.json) await session.terminal.json(report);
  else await printAct(session, report, done);
  return report;
}

/** `done`: what happened, as the beginning of a sentence about the item: “Pinned”. */
async function printAct({ terminal, name }: Session, report: ActReport, done: string): Promise<void> {
  const { style } = terminal;
  const item = [report.id, plainLine(report.title)].filter((part) => part !== null && part !== '').join('  ');
  if (report.outcome === 'unchanged') return terminal.line(`Nothing changed: it is so already. ${item}`);
  if (report.outcome === 'done') return terminal.line(`${style.bold(done)} ${item}`);
  const id = report.proposal!.slice(0, PROPOSAL_CHARS);
  await terminal.line(`Proposed as ${style.bold(id)}; nothing changed. ${item}`);
  terminal.note(`Only a person can confirm it, in a terminal: ${name} proposals confirm ${id}`);
}
