// Prints the plan and the result of forgetting for a person.
import type {
  ForgetGroup,
  ForgetMatch,
  ForgetPlan,
  ForgetReport,
  ForgetStep,
  ForgetThing,
} from '../../api.ts';
import { cutToCells, plainLine, toCells } from '../../terminal-text/plain-text.ts';
import { duration } from '../../terminal-text/time-text.ts';
import type { Session } from '../command/command.ts';
import { bytes, counted } from './amount.ts';
import { emphasise } from './emphasise.ts';

const THINGS_SHOWN = 20;
const COPIES_SHOWN = 8;
const NEEDLES_SHOWN = 5;
const ID_WIDTH = 14;
const KIND_WIDTH = 14;
/** Of what is before the matched words. */
const LEAD_CHARS = 24;

/** The text shown while the next step runs, by the step that has ended. */
export const stepTexts: Partial<Record<ForgetStep, string>> = {
  forgotten: 'Forgotten; removing it from the views',
  projected: 'Rewriting the views',
  scrubbed: 'Rewriting the log',
  rewritten: 'Searching every file for the text',
};

export async function printForgetPlan(session: Session, plan: ForgetPlan): Promise<void> {
  const { terminal } = session;
  const { style } = terminal;
  if (plan.events === 0) return terminal.line('Nothing matches.');
  const sessions =
    plan.sessions === 0 ? '' : plan.sessions === 1 ? ' in one session' : ` in ${plan.sessions} sessions`;
  await terminal.line(
    `${style.bold('To be forgotten:')} ${kindsText(plan.kinds)}; ${counted(plan.events, 'event')}${sessions}, ${bytes(plan.bytes)}`,
  );
  await printThings(session, plan, THINGS_SHOWN);
  if (plan.derived > 0)
    await terminal.line(
      `  ${counted(plan.derived, 'observation or summary', 'observations or summaries')} made from it will be deleted, or made again from the rest.`,
    );
  if (plan.spoolFiles > 0)
    await terminal.line(`  ${counted(plan.spoolFiles, 'waiting file')} of hooks will be deleted too.`);
  const { same, copies } = plan;
  if (same.events > 0)
    await terminal.line(
      same.included
        ? `  ${counted(same.events, 'more event')} that report the same (forks, other channels) will be forgotten too.`
        : `  ${counted(same.events, 'event')} of other sessions (forks) report the same and stay; --with-copies includes them.`,
    );
  if (copies.events === 0) return;
  await terminal.line(
    `${style.bold('Share a long word or a line with it:')} ${kindsText(copies.kinds)}. ${copies.included ? 'They will be forgotten too.' : style.yellow('They stay; --with-copies includes them.')}`,
  );
  await printThings(session, copies, COPIES_SHOWN);
}

/** Shows the plan, and asks. */
export function confirmsForgetting(session: Session, yes: boolean): (plan: ForgetPlan) => Promise<boolean> {
  const { json, terminal, world } = session;
  return async (plan) => {
    if (!json) await printForgetPlan(session, plan);
    if (yes) return true;
    terminal.note('Forget this for good? It cannot be undone. [y/N]');
    return /^y(es)?$/i.test((await world.stdin.readLine()).trim());
  };
}

export async function printForgetReport(session: Session, report: ForgetReport): Promise<void> {
  const { terminal } = session;
  const { style } = terminal;
  switch (report.outcome) {
    case 'nothing':
      return terminal.line('Nothing matches; nothing was changed.');
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
  const searched = `${counted(proof.needles.length, 'piece')} of it searched in ${counted(proof.files, 'file')} (${bytes(proof.bytes)}, decompressed too)`;
  await terminal.line(
    `${style.bold('Proof:')} ${searched}: ${proof.ok === null ? style.yellow('nothing could be proved') : proof.ok ? style.green('found 0 times') : style.red(`found ${proof.found.length} times, or not everything could be searched`)}.`,
  );
  for (const needle of proof.needles.slice(0, NEEDLES_SHOWN))
    await terminal.line(style.dim(`  “${cutToCells(plainLine(needle), 70)}”`));
  if (proof.needles.length > NEEDLES_SHOWN)
    await terminal.line(style.dim(`  and ${proof.needles.length - NEEDLES_SHOWN} more (--json lists them)`));
  if (proof.needles.length === 0)
    await terminal.line(
      style.dim(
        '  The text is too short, or all of it also occurs in something that stays: there was nothing to search for.',
      ),
    );
  for (const { needle, file } of proof.found)
    await terminal.line(style.red(`  ${file} holds “${cutToCells(plainLine(needle), 50)}”`));
  if (proof.unreadable > 0)
    await terminal.line(style.red(`  ${counted(proof.unreadable, 'table')} could not be decompressed`));
  if (!proof.control.found)
    await terminal.line(
      style.red('  The control text, which is on disk, was not found either: this search proves nothing.'),
    );
}

interface Named {
  readonly items: number;
  readonly things: readonly ForgetThing[];
}

async function printThings({ terminal }: Session, { items, things }: Named, shown: number): Promise<void> {
  const { style, width } = terminal;
  const cells = Math.max(20, width - ID_WIDTH - KIND_WIDTH - 6);
  const indent = ' '.repeat(ID_WIDTH + KIND_WIDTH + 6);
  for (const { id, kind, title, matched } of things.slice(0, shown)) {
    const line = cutToCells(plainLine(title), cells);
    await terminal.line(
      `  ${style.dim(toCells(cutToCells(id, ID_WIDTH), ID_WIDTH))}  ${style.green(toCells(kind, KIND_WIDTH))}  ${line}`,
    );
    if (matched !== null && !line.toLowerCase().includes(matched.text.toLowerCase()))
      await terminal.line(`${indent}${emphasise(matchLine(matched, cells), matched.text, style)}`);
  }
  if (items <= shown) return;
  const listed = items <= things.length ? 'them' : `the first ${things.length}`;
  await terminal.line(style.dim(`  and ${items - shown} more (--dry-run --json lists ${listed})`));
}

/** The words for which an item is named, with what is around them. */
function matchLine({ before, text, after }: ForgetMatch, cells: number): string {
  const lead = before.length > LEAD_CHARS ? `…${before.slice(1 - LEAD_CHARS).toWellFormed()}` : before;
  return cutToCells(plainLine(`${lead}${text}${after}`), cells);
}

const PLURALS: Readonly<Record<string, string>> = {
  corpus: 'corpora',
  'reply of a model': 'replies of models',
};

function kindsText(kinds: readonly ForgetGroup[]): string {
  return kinds
    .map(({ kind, count }) =>
      counted(count, kind, PLURALS[kind] ?? (kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`)),
    )
    .join(', ');
}
