// Installs and removes the hooks and the MCP server of an agent, from what its adapter says of its settings. Both may be
// in one file. The whole plan for a file is made before anything is written, and can be shown.
import { existsSync } from 'node:fs';
import { AnnalsError } from '../../log/index.ts';
import type {
  Agent,
  AgentHooks,
  HookCommand,
  HookEntry,
  HookSettings,
  McpSettings,
} from '../agents/common/agent.ts';
import { RECALL_OCCASIONS } from '../api/recall.ts';
import {
  captureCommand,
  type HookAnswer,
  scriptPath,
  sourcedCommand,
} from '../capture/spool/capture-script.ts';
import { eolOf } from '../config/json-text.ts';
import { settingsAt } from '../config/read-settings.ts';
import { homePaths } from '../platform/home-paths.ts';
import type { Machine } from '../platform/machine.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import { type InstallRequest, prepareHome } from './home-scripts.ts';
import { hooksPart, isEmptySettings, type SettingsForm, type WantedHook } from './hook-settings.ts';
import { hashOf, madeFor, noteMade } from './made-files.ts';
import { serverWords } from './mcp-script.ts';
import { type FoundServer, serverIn, serverPart } from './mcp-settings.ts';
import { homeOf, ourCall } from './our-command.ts';
import {
  readBackups,
  readSettingsFile,
  removeBackups,
  removeSettingsFile,
  SETTINGS_BYTES_MAX,
  type SettingsFile,
  writeSettingsFile,
} from './settings-file.ts';
import {
  backupBehind,
  isClean,
  type SettingsName,
  type SettingsPart,
  unmarked,
  withoutParts,
  withParts,
} from './settings-part.ts';

/** An agent that has hooks. */
export type HookedAgent = Agent & { readonly hooks: AgentHooks };

export type SharedSettings = Exclude<HookSettings, { readonly kind: 'file' }>;
type OwnFile = Extract<HookSettings, { readonly kind: 'file' }>;

/** What of ours an agent's settings hold. */
export type Held = 'hooks' | 'mcp';

/** A settings file of an agent, and what of ours it holds, or is to hold. */
export interface Target {
  readonly agent: HookedAgent;
  readonly path: string;
  readonly holds: readonly Held[];
}

export interface Plan extends Target {
  readonly settings: SettingsFile;
  /** The new content of the settings file. Equal to `settings.text` when nothing changes, null when the file goes. */
  readonly text: string | null;
}

/** The agents that hooks can be installed for. */
export function hookedAgents(agents: readonly Agent[]): readonly HookedAgent[] {
  return agents.filter((agent): agent is HookedAgent => agent.hooks !== null);
}

/** One for each file. */
export function targetsOf(
  agent: HookedAgent,
  machine: Machine,
  wanted: readonly Held[] = ['hooks', 'mcp'],
): readonly Target[] {
  const hooks = agent.hooks.settings.file(machine);
  const mcp = agent.mcp === null ? null : serverFile(agent.mcp, machine);
  const holds = (path: string) => wanted.filter((held) => (held === 'hooks' ? path === hooks : path === mcp));
  return [...new Set([hooks, mcp])]
    .filter((path) => path !== null)
    .map((path) => ({ agent, path, holds: holds(path) }))
    .filter(({ holds }) => holds.length > 0);
}

/** The file that the MCP server is in, or would be added to. */
export function serverFile({ files }: McpSettings, machine: Machine): string {
  const paths = files(machine);
  return paths.find(mayHoldServer) ?? paths.find((path) => existsSync(path)) ?? paths[0]!;
}

export function isChange({ settings, text }: Plan): boolean {
  return text !== settings.text;
}

/** Whether the place of our server is taken by one that is not as we write it. */
export function isServerTaken({ agent, holds, settings }: Plan): boolean {
  if (!holds.includes('mcp') || agent.mcp === null || !settings.exists) return false;
  return foundServer(agent.mcp, settings.text, { path: settings.path, title: agent.title }) === 'other';
}

/** @throws AnnalsError INPUT_INVALID */
export function foundServer(mcp: McpSettings, text: string, name: SettingsName): FoundServer {
  const { plain } = unmarked(text);
  // Most settings do not, and some are long.
  return plain.includes('annals') ? serverIn(plain, mcp, name) : null;
}

/** @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE */
export async function planInstall(target: Target, request: InstallRequest): Promise<Plan> {
  const file = await readSettingsFile(target.path);
  const own = ownFile(target);
  const text =
    own === null
      ? withParts(file.text, partsOf(target, request, await recallsEdits(request)))
      : ownContent(target.agent, own, request);
  return { ...target, settings: file, text };
}

/** @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE */
export async function planUninstall(target: Target, request: InstallRequest): Promise<Plan> {
  const file = await readSettingsFile(target.path);
  if (!file.exists) return { ...target, settings: file, text: file.text };
  const own = ownFile(target);
  if (own !== null) {
    await refuseIfChanged(own, file, request.home);
    return { ...target, settings: file, text: null };
  }
  const rest = withoutParts(file.text, partsOf(target, request, false), {
    backups: (await readBackups(file)).map((backup) => backup.text),
    isEmpty: (text) => isEmpty(text, target),
  });
  // Without the file, a link to it would be broken.
  return { ...target, settings: file, text: rest === null && file.isLink ? emptyText(target, file) : rest };
}

/**
 * Writes the scripts first, because the settings must never name a missing script. Of the backups one stays: the file
 * without ours if nobody else changed it since, else the file as it was; then also the newest one without ours, which shows
 * an uninstall what is the user's. Returns the first one's path, if there is one.
 * @throws AnnalsError INPUT_UNREADABLE, HOME_UNWRITABLE, DISK_FULL
 */
export async function install(request: InstallRequest, plan: Plan, now: number): Promise<string | null> {
  await prepareHome(request);
  const { settings, text } = plan;
  if (text === null || text === settings.text) return null;
  const parts = partsOf(plan, request, false);
  const backups = await readBackups(settings);
  const texts = backups.map((backup) => backup.text);
  const behind = backupBehind(settings.text, parts, texts);
  const needsBackup = behind === null;
  const { backup, madeFolder } = await writeSettingsFile(settings, text, { now, needsBackup });
  const kept = needsBackup ? backup : backups.find((one) => one.text === behind)!.path;
  const clean =
    needsBackup && !isClean(settings.text, parts) ? texts.find((one) => isClean(one, parts)) : null;
  if (kept !== null) await removeBackups(backups.filter((one) => one.path !== kept && one.text !== clean));
  const sha256 = ownFile(plan) === null ? null : hashOf(text);
  const made = await madeFor(request.home, settings.path);
  await noteMade(request.home, settings.path, { folder: madeFolder ?? made.folder, sha256 });
  return kept;
}

/**
 * Carries the plan out. The scripts stay: `removeScripts` removes them. Backups that equal the file are removed; of the
 * others the newest stays. Returns its path, if there is one: what is removed whole held nothing of the user's.
 * @throws AnnalsError INPUT_UNREADABLE, HOME_UNWRITABLE, DISK_FULL
 */
export async function uninstall(
  { home }: InstallRequest,
  { settings, text }: Plan,
  now: number,
): Promise<string | null> {
  if (text === settings.text) return null;
  const backups = await readBackups(settings);
  const needsBackup = !backups.some((backup) => backup.text === text);
  const other = backups.find((backup) => backup.text !== text)?.path ?? null;
  let kept = other;
  if (text === null) await removeSettingsFile(settings, (await madeFor(home, settings.path)).folder);
  else kept = (await writeSettingsFile(settings, text, { now, needsBackup })).backup ?? other;
  await removeBackups(backups.filter(({ path }) => path !== kept));
  await noteMade(home, settings.path, null);
  return kept;
}

export function formOf(agent: Agent, { kind, required = {} }: SharedSettings, path: string): SettingsForm {
  return { kind, required, path, title: agent.title };
}

/** A hook before each read and edit costs a process each time, so it is installed only while the setting is on. */
async function recallsEdits({ home, machine }: InstallRequest): Promise<boolean> {
  const { settings } = await settingsAt(homePaths(home).config, machine.environment);
  return settings['recall.edit'];
}

/**
 * What an installation adds to a settings file that the user shares with us.
 * @param edits whether recall before a read or edit is on; Windows runs no capture script, so nothing is recalled there
 */
export function wantedHooks(
  agent: HookedAgent,
  { entries, handler }: SharedSettings,
  request: InstallRequest,
  edits: boolean,
): readonly WantedHook[] {
  const isUsed = edits && !request.machine.windows;
  const used = entries.filter((entry) => isUsed || answersOf(agent, entry) !== 'edit');
  return used.map((entry) => ({
    event: entry.event,
    matcher: entry.matcher,
    handler: handler(entry, commandOf(agent, answersOf(agent, entry), request)),
  }));
}

function partsOf(
  { agent, path, holds }: Target,
  request: InstallRequest,
  edits: boolean,
): readonly SettingsPart[] {
  const { settings } = agent.hooks;
  const parts: SettingsPart[] = [];
  if (holds.includes('hooks') && settings.kind !== 'file')
    parts.push(hooksPart(wantedHooks(agent, settings, request, edits), formOf(agent, settings, path)));
  if (holds.includes('mcp') && agent.mcp !== null) {
    const words = serverWords(request.home, request.program, request.machine.windows);
    parts.push(serverPart(agent.mcp.server(words), agent.mcp, { path, title: agent.title }));
  }
  return parts;
}

/** A file of our own never holds the MCP server too. */
function ownFile({ agent, holds }: Target): OwnFile | null {
  const { settings } = agent.hooks;
  return holds.includes('hooks') && settings.kind === 'file' ? settings : null;
}

function requiredKeys({ agent, holds }: Target) {
  const { settings } = agent.hooks;
  return holds.includes('hooks') && settings.kind !== 'file' ? (settings.required ?? {}) : {};
}

function isToml({ agent, holds }: Target): boolean {
  return holds.includes('mcp') && agent.mcp?.form === 'toml';
}

function isEmpty(text: string, target: Target): boolean {
  return isToml(target) ? text.trim() === '' : isEmptySettings(text, requiredKeys(target));
}

function emptyText(target: Target, { text }: SettingsFile): string {
  return isToml(target) ? '' : `{}${eolOf(text)}`;
}

/** Whether a file, which may be unusable, may hold our server: it names our script or our program. */
export function mayHoldServer(path: string): boolean {
  const file = readRegularFile(path, { bytesMax: SETTINGS_BYTES_MAX, followLinks: true });
  return 'bytes' in file && ['/bin/annals-mcp', 'cli.cjs'].some((name) => file.bytes.includes(name));
}

/** Windows has no sh of its own. There, Node does the script's work. */
function commandOf(agent: Agent, answers: HookAnswer | null, request: InstallRequest): HookCommand {
  const { home, machine } = request;
  return {
    line: captureCommand(home, agent.name, answers),
    shLine: sourcedCommand(home, agent.name, answers),
    words: [...programWords(agent, request), ...(answers === null ? [] : [answers])],
    windows: machine.windows,
  };
}

/** What the hook may print; null for one that only captures. */
function answersOf({ hooks }: HookedAgent, { event, startsSession }: HookEntry): HookAnswer | null {
  if (startsSession) return 'session-start';
  return RECALL_OCCASIONS.find((occasion) => hooks.recallEvents?.[occasion] === event) ?? null;
}

function programWords({ name }: Agent, { home, program: { node, cli } }: InstallRequest): readonly string[] {
  return [node, cli, '--home', home, 'hook', name];
}

function ownContent(agent: Agent, settings: OwnFile, request: InstallRequest): string {
  const { windows } = request.machine;
  return settings.content(windows ? programWords(agent, request) : [scriptPath(request.home), agent.name]);
}

/** The file may name any home. Of another version of ours, only the hash is known, in the home that it names. */
async function refuseIfChanged(settings: OwnFile, { path, text }: SettingsFile, home: string): Promise<void> {
  const command = settings.commandIn(text) ?? [];
  const call = ourCall(command);
  if (call !== null && text === settings.content(command)) return;
  if ((await madeFor(call === null ? home : homeOf(call), path)).sha256 === hashOf(text)) return;
  throw new AnnalsError('INPUT_INVALID', `${path} is not as Annals wrote it, and was not removed.`, {
    hint: 'If nobody needs it, delete it yourself.',
    facts: { path },
  });
}
