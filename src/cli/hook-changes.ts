// Installs or uninstalls the hooks of several agents: plans all, shows what would change, asks once, then changes one
// after the other. An agent whose settings cannot be used does not keep the others from being changed.
import { AnnalsError, isAnnalsError } from '../../log/index.ts';
import { AGENTS } from '../agents/index.ts';
import { type HookedAgent, hookedAgents, isChange, type Plan } from '../install/install-hooks.ts';
import { lineDiff } from '../install/line-diff.ts';
import { plainText } from '../terminal-text/plain-text.ts';
import type { Session } from './command/command.ts';
import { counted } from './output/amount.ts';

export interface HookOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Installing, or uninstalling. */
export interface HookAct {
  readonly installs: boolean;
  plan(agent: HookedAgent): Promise<Plan>;
  /** Called once, before the first change. */
  prepare(): Promise<void>;
  /** Resolves with the backup's path, if one was made. */
  apply(plan: Plan): Promise<string | null>;
  /** Called once, after the last change. Resolves with what to say then. */
  finish(): Promise<string>;
}

interface AgentChange {
  readonly agent: HookedAgent;
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

/** Returns the exit code: 1 if the hooks of an agent could not be changed. */
export async function changeHooks(
  session: Session,
  { dryRun = false, yes = false }: HookOptions,
  agents: readonly HookedAgent[],
  act: HookAct,
): Promise<number> {
  const changes: AgentChange[] = [];
  for (const agent of agents)
    changes.push(await attempt(agent, async () => ({ plan: await act.plan(agent), backup: null })));
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
  changes: AgentChange[],
  act: HookAct,
  shown: ReadonlySet<AnnalsError | null>,
): Promise<void> {
  const isPossible = changes.some(({ plan }) => plan !== null);
  if (isPossible) await act.prepare();
  for (const [index, { agent, plan }] of changes.entries())
    if (plan !== null)
      changes[index] = await attempt(agent, async () => ({ plan, backup: await act.apply(plan) }));
  const sentence = isPossible ? await act.finish() : null;
  if (session.json)
    return session.terminal.json({ agents: changes.map((change) => jsonOf(change, act.installs)) });
  for (const change of changes)
    if (change.error === null || !shown.has(change.error)) await report(session, change, act.installs);
  if (sentence !== null) await session.terminal.line(sentence);
}

/** What is not our own error is a bug, and stops everything. */
async function attempt(
  agent: HookedAgent,
  step: () => Promise<Pick<AgentChange, 'plan' | 'backup'>>,
): Promise<AgentChange> {
  try {
    return { agent, error: null, ...(await step()) };
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    return { agent, plan: null, backup: null, error };
  }
}

function exitCode(changes: readonly AgentChange[]): number {
  return changes.some(({ error }) => error !== null) ? 1 : 0;
}

async function agreed({ terminal, world }: Session, count: number, { installs }: HookAct): Promise<boolean> {
  const what = count === 1 ? 'this file' : `these ${counted(count, 'file')}`;
  terminal.note(terminal.style.bold(`Change ${what}? [y/N]`));
  if (/^y(es)?$/i.test((await world.stdin.readLine()).trim())) return true;
  terminal.note(`Nothing was ${installs ? 'installed' : 'uninstalled'}.`);
  return false;
}

async function showPlans(session: Session, changes: readonly AgentChange[]): Promise<void> {
  const { terminal, json } = session;
  if (json) return terminal.json({ agents: changes.map(dryRunJson) });
  const { style } = terminal;
  for (const { agent, plan, error } of changes) {
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
  { agent, plan, backup, error }: AgentChange,
  installs: boolean,
): Promise<void> {
  const { terminal } = session;
  if (plan === null) return showError(session, agent, error);
  const what = plan.text === null ? 'was removed' : plan.settings.exists ? 'was changed' : 'was made';
  await terminal.line(
    `${agent.title}: ${plan.settings.target} ${isChange(plan) ? what : 'needed no change'}.`,
  );
  if (backup !== null) await terminal.line(`  Backup of the old file: ${backup}`);
  const { afterInstall } = agent.hooks.settings;
  if (installs && afterInstall !== undefined) await terminal.line(`  ${afterInstall}`);
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

function jsonOf({ agent, plan, backup, error }: AgentChange, installs: boolean) {
  return {
    ...placeJson(agent, plan, error),
    installed: plan === null ? null : installs,
    backup,
    afterInstall: installs ? (agent.hooks.settings.afterInstall ?? null) : null,
  };
}

function dryRunJson({ agent, plan, error }: AgentChange) {
  return { ...placeJson(agent, plan, error), diff: plan === null ? [] : diffOf(plan) };
}

function placeJson({ name }: HookedAgent, plan: Plan | null, error: AnnalsError | null) {
  return {
    agent: name,
    settings: plan?.settings.path ?? null,
    target: plan?.settings.target ?? null,
    changed: plan !== null && isChange(plan),
    error: error === null ? null : { code: error.code, message: error.message, hint: error.hint },
  };
}
