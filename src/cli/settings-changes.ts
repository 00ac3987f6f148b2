// Changes settings files of several agents: shows what would change, asks once, then changes them.
import { AnnalsError } from '../../log/index.ts';
import {
  afterInstall,
  applyAll,
  type ChangeAct,
  diffOf,
  type FileChange,
  planAll,
} from '../install/change-agents.ts';
import { type HookedAgent, isChange, isServerTaken, type Plan } from '../install/installation.ts';
import { plainText } from '../terminal-text/plain-text.ts';
import type { Session } from './command/command.ts';
import { counted } from './output/amount.ts';

export interface ChangeOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Returns the exit code: 1 if a file could not be changed. */
export async function changeSettings(
  session: Session,
  { dryRun = false, yes = false }: ChangeOptions,
  agents: readonly HookedAgent[],
  act: ChangeAct,
): Promise<number> {
  const changes = await planAll(await act.targets(agents), act);
  for (const { plan } of changes) {
    if (act.installs) noteTaken(session, plan);
    noteLink(session, plan);
  }
  const count = changes.filter(({ plan }) => plan !== null && isChange(plan)).length;
  const asks = !dryRun && !yes && count > 0;
  if (asks && (session.json || !session.world.stdin.isTerminal))
    throw new AnnalsError('USAGE', 'Nothing was changed: there is no terminal to ask.', {
      hint: 'Add --yes, or look first with --dry-run.',
    });
  if (dryRun || asks) await showPlans(session, changes);
  if (dryRun || (asks && !(await agreed(session, count, act)))) return exitCode(changes);
  const shown = new Set(asks ? changes.map(({ error }) => error) : []);
  const applied = await applyAll(changes, act);
  await reportAll(session, applied, act.installs, shown);
  return exitCode(applied.changes);
}

/** @param shown errors that the person has seen */
async function reportAll(
  session: Session,
  { changes, sentence }: Awaited<ReturnType<typeof applyAll>>,
  installs: boolean,
  shown: ReadonlySet<AnnalsError | null>,
): Promise<void> {
  if (session.json)
    return session.terminal.json({ files: changes.map((change) => jsonOf(change, installs)) });
  for (const change of changes)
    if (change.error === null || !shown.has(change.error)) await report(session, change, installs);
  if (sentence !== null) await session.terminal.line(sentence);
}

function exitCode(changes: readonly FileChange[]): number {
  return changes.some(({ error }) => error !== null) ? 1 : 0;
}

async function agreed(
  { terminal, world }: Session,
  count: number,
  { installs }: ChangeAct,
): Promise<boolean> {
  const what = count === 1 ? 'this file' : `these ${counted(count, 'file')}`;
  terminal.note(terminal.style.bold(`Change ${what}? [y/N]`));
  if (/^y(es)?$/i.test((await world.stdin.readLine()).trim())) return true;
  terminal.note(`Nothing was ${installs ? 'installed' : 'uninstalled'}.`);
  return false;
}

async function showPlans(session: Session, changes: readonly FileChange[]): Promise<void> {
  const { terminal, json } = session;
  if (json) return terminal.json({ files: changes.map(dryRunJson) });
  const { style } = terminal;
  for (const { target, plan, error } of changes) {
    const { agent } = target;
    if (plan === null) showError(session, agent, error);
    else if (!isChange(plan)) await terminal.line(`${agent.title}: ${plan.settings.path} needs no change.`);
    else {
      const fate = plan.text === null ? ' is removed' : plan.settings.exists ? '' : ' is new';
      await terminal.line(style.bold(`${agent.title}: ${plan.settings.target}${fate}`));
      for (const line of diffOf(plan)) {
        const shown = plainText(line);
        await terminal.line(
          line.startsWith('+') ? style.green(shown) : line.startsWith('-') ? style.red(shown) : shown,
        );
      }
    }
  }
}

async function report(
  session: Session,
  { target, plan, backup, error }: FileChange,
  installs: boolean,
): Promise<void> {
  const { terminal } = session;
  const { agent } = target;
  if (plan === null) return showError(session, agent, error);
  const what = plan.text === null ? 'was removed' : plan.settings.exists ? 'was changed' : 'was made';
  await terminal.line(
    `${agent.title}: ${plan.settings.target} ${isChange(plan) ? what : 'needed no change'}.`,
  );
  const why = installs ? 'Backup of the old file' : 'A backup stays, because it differs from the file';
  if (backup !== null) await terminal.line(`  ${why}: ${backup}`);
  const sentence = installs ? afterInstall(target) : null;
  if (sentence !== null) await terminal.line(`  ${sentence}`);
}

function showError({ terminal }: Session, { title }: HookedAgent, error: AnnalsError | null): void {
  terminal.note(`${terminal.style.red('error:')} ${title}: ${plainText(error?.message ?? '')}`);
  if (error?.hint != null) terminal.note(plainText(error.hint));
}

function noteTaken({ terminal }: Session, plan: Plan | null): void {
  if (plan !== null && isServerTaken(plan))
    terminal.note(
      `${plan.agent.title}: ${plan.path} has an MCP server named annals that \`annals install\` did not write. It was left alone.`,
    );
}

function noteLink({ terminal }: Session, plan: Plan | null): void {
  if (plan?.settings.isLink === true && plan.settings.target !== plan.settings.path)
    terminal.note(`${plan.settings.path} is a link; the edited file is ${plan.settings.target}.`);
}

function jsonOf(change: FileChange, installs: boolean) {
  const { target, plan, backup } = change;
  return {
    ...placeJson(change),
    installed: plan === null ? null : installs,
    backup,
    afterInstall: installs ? afterInstall(target) : null,
  };
}

function dryRunJson(change: FileChange) {
  return { ...placeJson(change), diff: change.plan === null ? [] : diffOf(change.plan) };
}

function placeJson({ target: { agent, holds }, plan, error }: FileChange) {
  return {
    agent: agent.name,
    holds,
    settings: plan?.settings.path ?? null,
    target: plan?.settings.target ?? null,
    changed: plan !== null && isChange(plan),
    error: error === null ? null : { code: error.code, message: error.message, hint: error.hint },
  };
}
