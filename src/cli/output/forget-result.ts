// What is to be forgotten and what came of it, as a person reads it.
import type { ForgetGroup, ForgetPlan, ForgetReport, ForgetStep, ForgetThing } from '../../api.ts';
import { cutToCells, plainLine, toCells } from '../../terminal-text/plain-text.ts';
import { duration } from '../../terminal-text/time-text.ts';
import type { Session } from '../command/command.ts';
import { bytes, counted } from './amount.ts';

const COPIES_SHOWN = 8;
const NEEDLES_SHOWN = 5;
const ID_WIDTH = 14;
const KIND_WIDTH = 14;

/** What is under way after a step. */
export const stepTexts: Partial<Record<ForgetStep, string>> = {
  forgotten: 'Forgotten; taking it out of the views',
  projected: 'Writing the views anew',
  scrubbed: 'Writing the log anew',
  rewritten: 'Searching every file for it',
};

export async function printForgetPlan(session: Session, plan: ForgetPlan): Promise<void> {
  const { terminal, name } = session;
  const { style } = terminal;
  if (plan.events === 0) return terminal.line('Nothing that is here fits.');
  const sessions = plan.sessions === 1 ? 'one session' : `${plan.sessions} sessions`;
  await terminal.line(
    `${style.bold('To be forgotten:')} ${kindsText(plan.kinds)}; ${counted(plan.events, 'event')} in ${sessions}, ${bytes(plan.bytes)}`,
  );
  await printThings(session, plan.things);
  if (plan.derived > 0)
    await terminal.line(
      `  What was observed of it (${plan.derived}) goes too, or is made again from what is left.`,
    );
  if (plan.spoolFiles > 0)
    await terminal.line(`  ${counted(plan.spoolFiles, 'waiting file')} of hooks go with it.`);
  const { same, copies } = plan;
  if (same.events > 0)
    await terminal.line(
      same.included
        ? `  ${counted(same.events, 'more event')} that tell the same (forks, second witnesses): they go too.`
        : `  ${counted(same.events, 'event')} of other sessions (forks) tell the same and stay; --with-copies includes them.`,
    );
  if (copies.events === 0) return;
  await terminal.line(
    `${style.bold('Carry the same text:')} ${kindsText(copies.kinds)}. ${copies.included ? 'They go too.' : style.yellow('They stay; --with-copies includes them.')}`,
  );
  await printThings(session, copies.things.slice(0, COPIES_SHOWN));
  if (copies.events > COPIES_SHOWN)
    terminal.tip(`  \`${name} forget … --dry-run --json\` lists more of them.`);
}

export async function printForgetReport(session: Session, report: ForgetReport): Promise<void> {
  const { terminal } = session;
  const { style } = terminal;
  switch (report.outcome) {
    case 'nothing':
      return terminal.line('Nothing that is here fits; nothing was changed.');
    case 'shown':
      await printForgetPlan(session, report.plan);
      return terminal.note('Nothing was changed.');
    case 'declined':
      return terminal.note('Nothing was changed.');
    case 'forgotten':
      break;
  }
  const { proof } = report;
  await terminal.line(
    `${style.green('Forgotten:')} ${counted(report.plan.events, 'event')}, in ${duration(report.ms)}.`,
  );
  if (proof === null) return;
  const searched = `${counted(proof.needles.length, 'piece')} of it searched for in ${counted(proof.files, 'file')} (${bytes(proof.bytes)}, unpacked too)`;
  await terminal.line(
    `${style.bold('Proof:')} ${searched}: ${proof.ok === null ? style.yellow('nothing could be shown') : proof.ok ? style.green('found 0 times') : style.red(`found ${proof.found.length} times or not all could be searched`)}.`,
  );
  for (const needle of proof.needles.slice(0, NEEDLES_SHOWN))
    await terminal.line(style.dim(`  “${cutToCells(plainLine(needle), 70)}”`));
  if (proof.needles.length > NEEDLES_SHOWN)
    await terminal.line(style.dim(`  and ${proof.needles.length - NEEDLES_SHOWN} more (--json lists them)`));
  if (proof.needles.length === 0)
    await terminal.line(
      style.dim(
        '  It is too short, or every piece of it also stands in something that stays: there was nothing to search for.',
      ),
    );
  for (const { needle, file } of proof.found)
    await terminal.line(style.red(`  ${file} holds “${cutToCells(plainLine(needle), 50)}”`));
  if (proof.unreadable > 0)
    await terminal.line(style.red(`  ${counted(proof.unreadable, 'table')} could not be unpacked`));
  if (!proof.control.found)
    await terminal.line(style.red('  what has to be there was not found either: this search proves nothing'));
}

async function printThings({ terminal }: Session, things: readonly ForgetThing[]): Promise<void> {
  const { style, width } = terminal;
  for (const { id, kind, title } of things)
    await terminal.line(
      `  ${style.dim(toCells(cutToCells(id, ID_WIDTH), ID_WIDTH))}  ${style.green(toCells(kind, KIND_WIDTH))}  ${cutToCells(plainLine(title), Math.max(20, width - ID_WIDTH - KIND_WIDTH - 6))}`,
    );
}

function kindsText(kinds: readonly ForgetGroup[]): string {
  return kinds
    .map(({ kind, count }) =>
      counted(count, kind, kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`),
    )
    .join(', ');
}
