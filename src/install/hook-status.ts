// Whether an agent's hooks are installed, and whether they can run. Settings may name a script that somebody removed,
// and a hook that finds nothing to run is silent by design, so `status` and `doctor` check.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAnnalsError } from '../../log/index.ts';
import { pluginIsEnabledIn } from '../agents/claude-code/plugin.ts';
import { AGENTS } from '../agents/index.ts';
import { nodeOf, scriptPath } from '../capture/spool/capture-script.ts';
import { readText } from '../platform/atomic-file.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import { isPresent } from './find-agents.ts';
import { ourCommands } from './hook-settings.ts';
import {
  formOf,
  type HookedAgent,
  hookedAgents,
  type InstallRequest,
  isChange,
  type Plan,
  planInstall,
} from './install-hooks.ts';
import { isOfHome } from './our-command.ts';
import { SETTINGS_BYTES_MAX } from './settings-file.ts';

export interface HookState {
  readonly agent: HookedAgent;
  /** Whether the agent seems to be on this machine. */
  readonly present: boolean;
  /** Whether the settings hold hooks that write to this home. Null when they cannot be parsed and may hold some. */
  readonly installed: boolean | null;
  /** Whether they hold hooks that write to another home. */
  readonly elsewhere: boolean;
  /** Whether Claude Code's plugin has the hooks. */
  readonly byPlugin: boolean;
  /** Installed, and as this version installs them. */
  readonly current: boolean;
  /** What an installation would change. Null when the settings cannot be read. */
  readonly plan: Plan | null;
  /** Why the settings cannot be used, in one sentence. Then no hooks can be installed. */
  readonly problem: string | null;
}

/** Whether its sessions are not recorded as they happen, and could be. */
export function lacksHooks({ present, installed, elsewhere, byPlugin }: HookState): boolean {
  return present && installed === false && !elsewhere && !byPlugin;
}

/** Of every agent that hooks can be installed for. */
export function hookStates(request: InstallRequest): Promise<readonly HookState[]> {
  return Promise.all(hookedAgents(AGENTS).map((agent) => hookState(agent, request)));
}

export async function hookState(agent: HookedAgent, request: InstallRequest): Promise<HookState> {
  const present = isPresent(agent, request.machine);
  try {
    const plan = await planInstall(agent, request);
    const found = installedIn(plan, request.home);
    const current = found.installed && !found.elsewhere && !isChange(plan);
    const byPlugin = agent.name === 'claude-code' && pluginIsEnabledIn(plan.settings.text);
    return { agent, present, ...found, byPlugin, current, plan, problem: null };
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    const installed = mayHoldHooks(agent.hooks.settings.file(request.machine)) ? null : false;
    const nothing = { elsewhere: false, byPlugin: false, current: false, plan: null };
    return { agent, present, installed, ...nothing, problem: error.message };
  }
}

/** Whether a file that cannot be parsed may hold hooks of ours: each names our script or our program. */
function mayHoldHooks(path: string): boolean {
  const file = readRegularFile(path, { bytesMax: SETTINGS_BYTES_MAX, followLinks: true });
  if ('why' in file) return file.code !== 'ENOENT';
  return ['/bin/capture', 'cli.cjs'].some((name) => file.bytes.includes(name));
}

/** A file of our own counts as installed: whose home it names cannot be read from it. */
function installedIn({ agent, settings: file }: Plan, home: string) {
  const { settings } = agent.hooks;
  if (settings.kind === 'file') return { installed: file.exists, elsewhere: false };
  const ofHome = ourCommands(file.text, formOf(agent, settings, file.path)).map((command) =>
    isOfHome(command, home),
  );
  return { installed: ofHome.includes(true), elsewhere: ofHome.includes(false) };
}

/** Why installed hooks of a home record nothing or print no brief: one sentence for each problem. */
export async function captureProblems({ home, machine }: InstallRequest): Promise<readonly string[]> {
  if (machine.windows) return [];
  const problems: string[] = [];
  if (!(await mayRun(scriptPath(home))))
    problems.push(
      `The capture script ${scriptPath(home)} is missing or not executable, so hooks record nothing.`,
    );
  const node = nodeOf(await readText(scriptPath(home)));
  if (node !== null && !(await mayRun(node)))
    problems.push(`Node is no longer at ${node}, so most sessions start without a brief.`);
  return problems;
}

async function mayRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
