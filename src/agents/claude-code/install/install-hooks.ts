// Installs and removes the hooks of Claude Code: which events, which commands, the script in the home, the settings
// file. The whole plan is made before anything is written, and can be shown.
import { constants } from 'node:fs';
import { access, chmod, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Json } from '../../../../log/index.ts';
import {
  captureCommand,
  captureScript,
  type Program,
  scriptPath,
  sessionStartCommand,
} from '../../../capture/spool/capture-script.ts';
import { spoolFolders } from '../../../capture/spool/spool-files.ts';
import {
  readBackups,
  readSettingsFile,
  type SettingsFile,
  writeSettingsFile,
} from '../../../install/settings-file.ts';
import { type WantedHook, withHooks, withoutHooks } from './claude-settings.ts';

const AGENT = 'claude-code';
/** Seconds. A capture takes milliseconds; a hanging one (a dead network disk) must not hang the agent. */
const CAPTURE_SECONDS = 10;

export interface InstallRequest {
  readonly home: string;
  /** Claude Code's folder: CLAUDE_CONFIG_DIR, else ~/.claude. */
  readonly claudeFolder: string;
  readonly program: Program;
  readonly windows: boolean;
}

export interface Plan {
  readonly settings: SettingsFile;
  /** The new content of the settings file. Equal to `settings.text` when nothing changes. */
  readonly text: string;
}

/** Claude Code's folder. */
export function claudeFolder(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  userHome: string = homedir(),
): string {
  const chosen = environment.CLAUDE_CONFIG_DIR;
  return chosen === undefined || chosen === '' ? join(userHome, '.claude') : resolve(chosen);
}

export function settingsPath(folder: string): string {
  return join(folder, 'settings.json');
}

/** @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE */
export async function planInstall(request: InstallRequest): Promise<Plan> {
  const settings = await readSettingsFile(settingsPath(request.claudeFolder));
  return { settings, text: withHooks(settings.text, wantedHooks(request), settings.path) };
}

/** @throws AnnalsError INPUT_INVALID, INPUT_UNREADABLE */
export async function planUninstall(folder: string): Promise<Plan> {
  const settings = await readSettingsFile(settingsPath(folder));
  const backups = settings.exists ? await readBackups(settings) : [];
  return { settings, text: withoutHooks(settings.text, settings.path, backups) };
}

/**
 * Writes the script first, because the settings must never name a missing script. Returns the backup's path, if one was
 * made.
 */
export async function install(request: InstallRequest, plan: Plan, now: number): Promise<string | null> {
  await prepareCapture(request);
  return writeSettingsFile(plan.settings, plan.text, now);
}

/** Writes what hooks need in the home: the script, and the folders of the spool. */
export async function prepareCapture(request: InstallRequest): Promise<void> {
  if (!request.windows) await writeScript(request);
  const folders = spoolFolders(request.home);
  for (const folder of [folders.tmp, folders.new]) await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Changes the settings first, so that no hook names a deleted script. Files waiting in the spool stay. */
export async function uninstall(home: string, plan: Plan, now: number): Promise<string | null> {
  const backup = await writeSettingsFile(plan.settings, plan.text, now);
  await rm(scriptPath(home), { force: true });
  await rmdir(dirname(scriptPath(home))).catch(() => undefined);
  return backup;
}

/**
 * The events that matter to memory. The prompt hook is never asynchronous, so its file exists before the model starts.
 * Hooks of tools return nothing; that of SessionStart prints the context.
 */
export function wantedHooks({ home, program, windows }: InstallRequest): readonly WantedHook[] {
  const capture = (event: string, matcher: string | null = null): WantedHook => ({
    event,
    matcher,
    handler: { type: 'command', ...captureWords(home, program, windows), timeout: CAPTURE_SECONDS },
  });
  const start: WantedHook = {
    event: 'SessionStart',
    matcher: null,
    handler: { type: 'command', ...startWords(home, program, windows), timeout: CAPTURE_SECONDS },
  };
  return [
    start,
    capture('UserPromptSubmit'),
    capture('PostToolUse', '*'),
    capture('PostToolUseFailure', '*'),
    capture('SubagentStop'),
    capture('Stop'),
    capture('StopFailure'),
    capture('SessionEnd'),
  ];
}

/** Windows has no sh of its own. There, Node does the script's work, started without a shell. */
function captureWords(home: string, { node, cli }: Program, windows: boolean): Record<string, Json> {
  if (!windows) return { command: captureCommand(home, AGENT) };
  return { command: node, args: [cli, '--home', home, 'hook', AGENT] };
}

function startWords(home: string, program: Program, windows: boolean): Record<string, Json> {
  if (!windows) return { command: sessionStartCommand(home, AGENT) };
  return { command: program.node, args: [program.cli, '--home', home, 'hook', AGENT, 'session-start'] };
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
