// Changes settings files of several agents: plans all, shows what would change, asks once, then changes one after the
// other. A file that cannot be used does not keep the others from being changed.
import { AnnalsError, isAnnalsError } from '../../log/index.ts';
import { AGENTS } from '../agents/index.ts';
import { type HookedAgent, hookedAgents, isChange, type Plan, type Target } from '../install/installation.ts';
import { lineDiff } from '../install/line-diff.ts';
import { plainText } from '../terminal-text/plain-text.ts';
import type { Session } from './command/command.ts';
import { counted } from './output/amount.ts';

export interface ChangeOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Installing, or uninstalling. */
export interface ChangeAct {
  readonly installs: boolean;
  plan(target: Target): Promise<Plan>;
  /** Called once, before the first change. */
  prepare(): Promise<void>;
  /** Resolves with the backup's path, if one was made. */
  apply(plan: Plan): Promise<string | null>;
  /** Called once, after the last change. Resolves with what to say then. */
  finish(): Promise<string>;
}

interface FileChange {
  readonly target: Target;
  readonly plan: Plan | null;
  readonly backup: string | null;
  readonly error: AnnalsError | null;
}

/** @throws AnnalsError USAGE for a name that is not known */
export function agentsNamed(names: readonly string[]): readonly HookedAgent[] {
  return [...new Set(names)].map((name) => {
    const agent = hookedAgents(AGENTS).find((known) => known.name === name);
    if (agent !== undefined) return agent;
    throw new AnnalsError('USAGE', `There are no hooks for an agent named "${name}".`, {
      hint: knownAgents(),
    });
  });
}

export function knownAgents(): string {
  const names = hookedAgents(AGENTS).map(({ name }) => name);
  return `Known: ${names.join(', ')}.`;
}

/** Returns the exit code: 1 if a file could not be changed. */
export async function changeSettings(
  session: Session,
  { dryRun = false, yes = false }: ChangeOptions,
  targets: readonly Target[],
  act: ChangeAct,
): Promise<number> {
  const changes: FileChange[] = [];
  for (const target of targets)
    changes.push(await attempt(target, async () => ({ plan: await act.plan(target), backup: null })));
  for (const { plan } of changes) noteLink(session, plan);
  const count = changes.filter(({ plan }) => plan !== null && isChange(plan)).length;
  const asks = !dryRun && !yes && count > 0;
  if (asks && (session.json || !session.world.stdin.isTerminal))
    throw new AnnalsError('USAGE', 'Nothing was changed: there is no terminal to ask.', {
      hint: 'Add --yes, or look first with --dry-run.',
    });
  if (dryRun || asks) await showPlans(session, changes);
  if (dryRun || (asks && !(await agreed(session, count, act)))) return exitCode(changes);
  await applyAll(session, changes, act, asks ? new Set(changes.map(({ error }) => error)) : new Set());
  return exitCode(changes);
}

/** @param shown errors that the person has seen */
async function applyAll(
  session: Session,
  changes: FileChange[],
  act: ChangeAct,
  shown: ReadonlySet<AnnalsError | null>,
): Promise<void> {
  const isPossible = changes.some(({ plan }) => plan !== null);
  if (isPossible) await act.prepare();
  for (const [index, { target, plan }] of changes.entries())
    if (plan !== null)
      changes[index] = await attempt(target, async () => ({ plan, backup: await act.apply(plan) }));
  const sentence = isPossible ? await act.finish() : null;
  if (session.json)
    return session.terminal.json({ files: changes.map((change) => jsonOf(change, act.installs)) });
  for (const change of changes)
    if (change.error === null || !shown.has(change.error)) await report(session, change, act.installs);
  if (sentence !== null) await session.terminal.line(sentence);
}

/** What is not our own error is a bug, and stops everything. */
async function attempt(
  target: Target,
  step: () => Promise<Pick<FileChange, 'plan' | 'backup'>>,
): Promise<FileChange> {
  try {
    return { target, error: null, ...(await step()) };
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    return { target, plan: null, backup: null, error };
  }
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
  { target: { agent, holds }, plan, backup, error }: FileChange,
  installs: boolean,
): Promise<void> {
  const { terminal } = session;
  if (plan === null) return showError(session, agent, error);
  const what = plan.text === null ? 'was removed' : plan.settings.exists ? 'was changed' : 'was made';
  await terminal.line(
    `${agent.title}: ${plan.settings.target} ${isChange(plan) ? what : 'needed no change'}.`,
  );
  if (backup !== null) await terminal.line(`  Backup of the old file: ${backup}`);
  const sentence = installs ? afterInstall(agent, holds) : null;
  if (sentence !== null) await terminal.line(`  ${sentence}`);
}

function showError({ terminal }: Session, { title }: HookedAgent, error: AnnalsError | null): void {
  terminal.note(`${terminal.style.red('error:')} ${title}: ${plainText(error?.message ?? '')}`);
  if (error?.hint != null) terminal.note(plainText(error.hint));
}

function noteLink({ terminal }: Session, plan: Plan | null): void {
  if (plan?.settings.isLink === true && plan.settings.target !== plan.settings.path)
    terminal.note(`${plan.settings.path} is a link; the edited file is ${plan.settings.target}.`);
}

function diffOf({ settings, text }: Plan): readonly string[] {
  return lineDiff(settings.text, text ?? '');
}

/** What the user must do for the hooks. */
function afterInstall({ hooks }: HookedAgent, holds: Target['holds']): string | null {
  return holds.includes('hooks') ? (hooks.settings.afterInstall ?? null) : null;
}

function jsonOf(change: FileChange, installs: boolean) {
  const { target, plan, backup } = change;
  return {
    ...placeJson(change),
    installed: plan === null ? null : installs,
    backup,
    afterInstall: installs ? afterInstall(target.agent, target.holds) : null,
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
