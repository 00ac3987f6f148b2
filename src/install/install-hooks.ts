// Installs and removes the hooks of an agent, from what its adapter says of its settings: which events, which commands,
// the script in the home, the settings file. The whole plan is made before anything is written, and can be shown.
import { constants } from 'node:fs';
import { access, chmod, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AnnalsError } from '../../log/index.ts';
import type { Agent, AgentHooks, HookCommand, HookSettings } from '../agents/common/agent.ts';
import {
  captureCommand,
  captureScript,
  type Program,
  scriptPath,
  sessionStartCommand,
} from '../capture/spool/capture-script.ts';
import { spoolFolders } from '../capture/spool/spool-files.ts';
import type { Machine } from '../platform/machine.ts';
import { type SettingsForm, type WantedHook, withHooks, withoutHooks } from './hook-settings.ts';
import { eolOf } from './json-text.ts';
import { hashOf, madeFor, noteMade } from './made-files.ts';
import {
  readBackups,
  readSettingsFile,
  removeSettingsFile,
  type SettingsFile,
  writeSettingsFile,
} from './settings-file.ts';

export interface InstallRequest {
  readonly home: string;
  readonly program: Program;
  readonly machine: Machine;
}

/** An agent that has hooks. */
export type HookedAgent = Agent & { readonly hooks: AgentHooks };

export type SharedSettings = Exclude<HookSettings, { readonly kind: 'file' }>;
type OwnFile = Extract<HookSettings, { readonly kind: 'file' }>;

export interface Plan {
  readonly agent: HookedAgent;
  readonly settings: SettingsFile;
  /** The new content of the settings file. Equal to `settings.text` when nothing changes, null when the file goes. */
  readonly text: string | null;
}

/** The agents that hooks can be installed for. */
export function hookedAgents(agents: readonly Agent[]): readonly HookedAgent[] {
  return agents.filter((agent): agent is HookedAgent => agent.hooks !== null);
}

export function isChange({ settings, text }: Plan): boolean {
  return text !== settings.text;
}

/** @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE */
export async function planInstall(agent: HookedAgent, request: InstallRequest): Promise<Plan> {
  const { settings } = agent.hooks;
  const file = await readSettingsFile(settings.file(request.machine));
  const text =
    settings.kind === 'file'
      ? ownContent(agent, settings, request)
      : withHooks(file.text, wantedHooks(agent, settings, request), formOf(agent, settings, file.path));
  return { agent, settings: file, text };
}

/** @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE */
export async function planUninstall(agent: HookedAgent, request: InstallRequest): Promise<Plan> {
  const { settings } = agent.hooks;
  const file = await readSettingsFile(settings.file(request.machine));
  if (!file.exists) return { agent, settings: file, text: file.text };
  if (settings.kind === 'file') {
    await refuseIfChanged(agent, settings, file, request);
    return { agent, settings: file, text: null };
  }
  const rest = withoutHooks(file.text, formOf(agent, settings, file.path), await readBackups(file));
  // Without the file, a link to it would be broken.
  return { agent, settings: file, text: rest === null && file.isLink ? `{}${eolOf(file.text)}` : rest };
}

/**
 * Writes the script first, because the settings must never name a missing script. Returns the backup's path, if one was
 * made.
 * @throws AnnalsError INPUT_UNREADABLE
 */
export async function install(request: InstallRequest, plan: Plan, now: number): Promise<string | null> {
  await prepareCapture(request);
  const { settings, text, agent } = plan;
  if (text === null || text === settings.text) return null;
  const { backup, madeFolder } = await writeSettingsFile(settings, text, now);
  const sha256 = agent.hooks.settings.kind === 'file' ? hashOf(text) : null;
  const made = await madeFor(request.home, settings.path);
  await noteMade(request.home, settings.path, { folder: madeFolder ?? made.folder, sha256 });
  return backup;
}

/**
 * Removes the hooks. The script stays: `removeCapture` removes it. Returns the backup's path, if one was made: what is
 * removed whole held nothing of the user's.
 * @throws AnnalsError INPUT_UNREADABLE
 */
export async function uninstall(
  { home }: InstallRequest,
  { settings, text }: Plan,
  now: number,
): Promise<string | null> {
  if (text === settings.text) return null;
  let backup: string | null = null;
  if (text === null) await removeSettingsFile(settings, (await madeFor(home, settings.path)).folder);
  else ({ backup } = await writeSettingsFile(settings, text, now));
  await noteMade(home, settings.path, null);
  return backup;
}

/** Writes what hooks need in the home: the script, and the folders of the spool. */
export async function prepareCapture(request: InstallRequest): Promise<void> {
  if (!request.machine.windows) await writeScript(request);
  const folders = spoolFolders(request.home);
  for (const folder of [folders.tmp, folders.new]) await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Removes the script of a home that no hook names any more. Files waiting in the spool stay. */
export async function removeCapture(home: string): Promise<void> {
  await rm(scriptPath(home), { force: true });
  await rmdir(dirname(scriptPath(home))).catch(() => undefined);
}

/** Whether the script in the home is the one of this version, and may run. */
export async function isScriptCurrent({ home, program }: InstallRequest): Promise<boolean> {
  try {
    const path = scriptPath(home);
    await access(path, constants.X_OK);
    return (await readFile(path, 'utf8')) === captureScript(home, program);
  } catch {
    return false;
  }
}

export function formOf(agent: Agent, { kind, required = {} }: SharedSettings, path: string): SettingsForm {
  return { kind, required, path, title: agent.title };
}

/** What an installation adds to a settings file that the user shares with us. */
export function wantedHooks(
  agent: Agent,
  { entries, handler }: SharedSettings,
  request: InstallRequest,
): readonly WantedHook[] {
  return entries.map((entry) => ({
    event: entry.event,
    matcher: entry.matcher,
    handler: handler(entry, commandOf(agent, entry.startsSession, request)),
  }));
}

/** Windows has no sh of its own. There, Node does the script's work. */
function commandOf(agent: Agent, startsSession: boolean, request: InstallRequest): HookCommand {
  const { home, machine } = request;
  return {
    line: startsSession ? sessionStartCommand(home, agent.name) : captureCommand(home, agent.name),
    words: [...programWords(agent, request), ...(startsSession ? ['session-start'] : [])],
    windows: machine.windows,
  };
}

function programWords({ name }: Agent, { home, program: { node, cli } }: InstallRequest): readonly string[] {
  return [node, cli, '--home', home, 'hook', name];
}

function ownContent(agent: Agent, settings: OwnFile, request: InstallRequest): string {
  const { windows } = request.machine;
  return settings.content({ script: scriptPath(request.home), words: programWords(agent, request), windows });
}

/** Of another version of ours, only the hash is known. */
async function refuseIfChanged(
  agent: Agent,
  settings: OwnFile,
  { path, text }: SettingsFile,
  request: InstallRequest,
): Promise<void> {
  if (text === ownContent(agent, settings, request)) return;
  if ((await madeFor(request.home, path)).sha256 === hashOf(text)) return;
  throw new AnnalsError('INPUT_INVALID', `${path} is not as Annals wrote it, and was not removed.`, {
    hint: 'If nobody needs it, delete it yourself.',
    facts: { path },
  });
}

/**
 * Writes to a second file and renames it: a hook that fires now runs the old script or the new one, never half of it.
 */
async function writeScript({ home, program }: InstallRequest): Promise<void> {
  const path = scriptPath(home);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const newPath = `${path}.new`;
  await writeFile(newPath, captureScript(home, program), { mode: 0o700 });
  await chmod(newPath, 0o700);
  await rename(newPath, path);
}
