// Installs in several agents and uninstalls: plans every file first, then changes one after the other. A file that cannot
// be used does not keep the others from being changed.
import { AnnalsError, isAnnalsError } from '../../log/index.ts';
import { AGENTS } from '../agents/index.ts';
import { openHome } from '../platform/home-folder.ts';
import { type InstallRequest, removeScripts } from './home-scripts.ts';
import { hasPlugin, heldOfHome, hookStates } from './hook-status.ts';
import {
  type Held,
  type HookedAgent,
  hookedAgents,
  install,
  type Plan,
  planInstall,
  planUninstall,
  type Target,
  targetsOf,
  uninstall,
} from './installation.ts';
import { lineDiff } from './line-diff.ts';

/** Installing, or uninstalling. */
export interface ChangeAct {
  readonly installs: boolean;
  /** In the order in which they are changed. */
  targets(agents: readonly HookedAgent[]): Promise<readonly Target[]>;
  plan(target: Target): Promise<Plan>;
  /** Called once, before the first change. */
  prepare(): Promise<void>;
  /** Resolves with the path of the backup that stays, if there is one. */
  apply(plan: Plan): Promise<string | null>;
  /** Called once, after the last change. Resolves with what to say then. */
  finish(): Promise<string>;
}

export interface FileChange {
  readonly target: Target;
  readonly plan: Plan | null;
  /** That stays. */
  readonly backup: string | null;
  readonly error: AnnalsError | null;
}

/** The plugin brings the MCP server too, which is not registered a second time. */
export function installing(
  request: InstallRequest,
  { mcp, now }: { readonly mcp: boolean; now(): number },
): ChangeAct {
  const heldBy = async (agent: HookedAgent) =>
    mcp && !(await hasPlugin(agent, request.machine)) ? (['hooks', 'mcp'] as const) : (['hooks'] as const);
  return {
    installs: true,
    async targets(agents) {
      const targets: Target[] = [];
      for (const agent of agents) targets.push(...targetsOf(agent, request.machine, await heldBy(agent)));
      return targets;
    },
    plan: (target) => planInstall(target, request),
    async prepare() {
      await openHome(request.home);
    },
    apply: (plan) => install(request, plan, now()),
    finish: async () => `Hooks write to ${request.home}.`,
  };
}

/**
 * What was made first is removed last: a folder that was made for it may hold the other file.
 * @param held what of an agent is removed; all of ours if absent
 */
export function uninstalling(
  request: InstallRequest,
  { now, held }: { now(): number; held?: ReadonlyMap<HookedAgent, readonly Held[]> },
): ChangeAct {
  return {
    installs: false,
    targets: async (agents) =>
      agents.flatMap((agent) => [...targetsOf(agent, request.machine, held?.get(agent))].reverse()),
    plan: (target) => planUninstall(target, request),
    prepare: async () => {},
    apply: (plan) => uninstall(request, plan, now()),
    async finish() {
      const states = await hookStates(request);
      if (states.every((state) => heldOfHome(state, request.home).length === 0))
        await removeScripts(request.home);
      return 'Everything recorded so far is kept.';
    },
  };
}

export async function planAll(targets: readonly Target[], act: ChangeAct): Promise<readonly FileChange[]> {
  const changes: FileChange[] = [];
  for (const target of targets)
    changes.push(await attempt(target, async () => ({ plan: await act.plan(target), backup: null })));
  return changes;
}

/** `sentence`: what to say afterwards; null when no file could be used. */
export async function applyAll(
  changes: readonly FileChange[],
  act: ChangeAct,
): Promise<{ readonly changes: readonly FileChange[]; readonly sentence: string | null }> {
  const isPossible = changes.some(({ plan }) => plan !== null);
  if (isPossible) await act.prepare();
  const applied: FileChange[] = [];
  for (const change of changes) {
    const { target, plan } = change;
    applied.push(
      plan === null ? change : await attempt(target, async () => ({ plan, backup: await act.apply(plan) })),
    );
  }
  return { changes: applied, sentence: isPossible ? await act.finish() : null };
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

export function diffOf({ settings, text }: Plan): readonly string[] {
  return lineDiff(settings.text, text ?? '');
}

/** What the user must do for the hooks. */
export function afterInstall({ agent: { hooks }, holds }: Target): string | null {
  return holds.includes('hooks') ? (hooks.settings.afterInstall ?? null) : null;
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

export function agentNames(): readonly string[] {
  return hookedAgents(AGENTS).map(({ name }) => name);
}

export function knownAgents(): string {
  return `Known: ${agentNames().join(', ')}.`;
}
