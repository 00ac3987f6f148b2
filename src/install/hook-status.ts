// Whether an agent's hooks and the MCP server are installed, and whether they can run. Settings may name a script that
// somebody removed, and a hook that finds nothing to run is silent by design, so `status` and `doctor` check.
import { isAnnalsError } from '../../log/index.ts';
import { pluginIsEnabledIn } from '../agents/claude-code/plugin.ts';
import { AGENTS } from '../agents/index.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import { isPresent } from './find-agents.ts';
import { type InstallRequest, isGone } from './home-scripts.ts';
import { ourCommands } from './hook-settings.ts';
import {
  formOf,
  foundServer,
  type Held,
  type HookedAgent,
  hookedAgents,
  isChange,
  mayHoldServer,
  type Plan,
  planInstall,
  serverFile,
  targetsOf,
} from './installation.ts';
import { mcpScriptPath } from './mcp-script.ts';
import { homeOf, ourCall } from './our-command.ts';
import { readSettingsFile, SETTINGS_BYTES_MAX } from './settings-file.ts';
import { unmarked } from './settings-part.ts';

export interface HookState {
  readonly agent: HookedAgent;
  /** Whether the agent seems to be on this machine. */
  readonly present: boolean;
  /** Whether the settings hold hooks that write to this home. Null when they cannot be parsed and may hold some. */
  readonly installed: boolean | null;
  /** Whether they hold hooks that write to another home. */
  readonly elsewhere: boolean;
  /** Whether those start only scripts that are gone, so that nothing is recorded there. */
  readonly gone: boolean;
  /** Whether Claude Code's plugin has the hooks and the MCP server. */
  readonly byPlugin: boolean;
  /** Installed, and as this version installs them. */
  readonly current: boolean;
  /** What an installation of the hooks would change. Null when the settings cannot be read. */
  readonly plan: Plan | null;
  /** Why the settings cannot be used, in one sentence. Then no hooks can be installed. */
  readonly problem: string | null;
  readonly mcp: McpState;
}

/**
 * The MCP server in an agent's settings. `outdated`: it serves another home, or starts our program where it is no more.
 * `other`: a server of our name that is not as we write it. `unknown`: the settings cannot be used and may hold it.
 */
export interface McpState {
  readonly state: 'missing' | 'registered' | 'plugin' | 'outdated' | 'other' | 'unknown';
  /** What an installation would change, for one that is outdated. */
  readonly plan: Plan | null;
  /** Why the settings cannot be used, in one sentence. */
  readonly problem: string | null;
}

/** Whether its sessions are not recorded as they happen, and could be. */
export function lacksHooks({ present, installed, elsewhere, byPlugin }: HookState): boolean {
  return present && installed === false && !elsewhere && !byPlugin;
}

/** Whether something of ours is in an agent's settings, or may be in settings that cannot be read. */
export function mayHoldOurs({ installed, elsewhere, mcp: { state } }: HookState): boolean {
  return installed !== false || elsewhere || ['registered', 'outdated', 'unknown'].includes(state);
}

/** What an agent's settings hold of this home, or may hold. A server that is outdated may still start the home's script. */
export function heldOfHome({ installed, mcp: { state, plan } }: HookState, home: string): readonly Held[] {
  const isServed =
    ['registered', 'unknown'].includes(state) ||
    (state === 'outdated' && plan?.settings.text.includes(mcpScriptPath(home)) === true);
  return [...(installed === false ? [] : (['hooks'] as const)), ...(isServed ? (['mcp'] as const) : [])];
}

/** Of every agent that hooks can be installed for. */
export function hookStates(request: InstallRequest): Promise<readonly HookState[]> {
  return Promise.all(hookedAgents(AGENTS).map((agent) => hookState(agent, request)));
}

export async function hookState(agent: HookedAgent, request: InstallRequest): Promise<HookState> {
  const present = isPresent(agent, request.machine);
  const byPlugin = await hasPlugin(agent, request.machine);
  const mcp = await mcpState(agent, request, byPlugin);
  const [target] = targetsOf(agent, request.machine, ['hooks']);
  try {
    const plan = await planInstall(target!, request);
    const found = installedIn(plan, request.home);
    const current = found.installed && !found.elsewhere && !isChange(plan);
    return { agent, present, ...found, byPlugin, current, plan, problem: null, mcp };
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    const installed = mayHoldHooks(target!.path) ? null : false;
    const nothing = { elsewhere: false, gone: false, current: false, plan: null };
    return { agent, present, installed, ...nothing, byPlugin, problem: error.message, mcp };
  }
}

/** Whether Claude Code's plugin is enabled, which has the hooks and the MCP server too. */
export async function hasPlugin(agent: HookedAgent, machine: InstallRequest['machine']): Promise<boolean> {
  if (agent.name !== 'claude-code') return false;
  const path = agent.hooks.settings.file(machine);
  const file = readRegularFile(path, { bytesMax: SETTINGS_BYTES_MAX, followLinks: true });
  return 'bytes' in file && pluginIsEnabledIn(file.bytes.toString('utf8'));
}

async function mcpState(agent: HookedAgent, request: InstallRequest, byPlugin: boolean): Promise<McpState> {
  const { mcp, title } = agent;
  const none: McpState = { state: byPlugin ? 'plugin' : 'missing', plan: null, problem: null };
  if (mcp === null) return none;
  const path = serverFile(mcp, request.machine);
  try {
    const { text } = await readSettingsFile(path);
    const found = foundServer(mcp, text, { path, title });
    if (found !== 'ours') return found === null ? none : { ...none, state: 'other' };
    const plan = await planInstall({ agent, path, holds: ['mcp'] }, request);
    return isChange(plan) ? { ...none, state: 'outdated', plan } : { ...none, state: 'registered' };
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    return { ...none, state: mayHoldServer(path) ? 'unknown' : none.state, problem: error.message };
  }
}

/** Whether a file that cannot be parsed may hold hooks of ours: each names our script or our program. */
function mayHoldHooks(path: string): boolean {
  const file = readRegularFile(path, { bytesMax: SETTINGS_BYTES_MAX, followLinks: true });
  if ('why' in file) return file.code !== 'ENOENT';
  return ['/bin/capture', 'cli.cjs'].some((name) => file.bytes.includes(name));
}

/** A file of our own counts as installed unless it names another home: a person may have changed it. */
function installedIn({ agent, settings: file }: Plan, home: string) {
  const { settings } = agent.hooks;
  const calls =
    settings.kind === 'file'
      ? [ourCall(settings.commandIn(file.text) ?? [])].filter((call) => call !== null)
      : ourCommands(unmarked(file.text).plain, formOf(agent, settings, file.path));
  const others = calls.filter((call) => homeOf(call) !== home);
  const elsewhere = others.length > 0;
  return {
    installed: others.length < calls.length || (settings.kind === 'file' && file.exists && !elsewhere),
    elsewhere,
    gone: elsewhere && others.every(({ script }) => script !== null && isGone(script)),
  };
}
