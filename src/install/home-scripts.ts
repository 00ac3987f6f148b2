// What hooks and the MCP server need in the home: two scripts at paths that never change, and the folders of the spool.
import { constants, existsSync } from 'node:fs';
import { access, chmod, mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { captureScript, nodeOf, type Program, scriptPath } from '../capture/spool/capture-script.ts';
import { spoolFolders } from '../capture/spool/spool-files.ts';
import { readText } from '../platform/atomic-file.ts';
import type { Machine } from '../platform/machine.ts';
import { mcpScript, mcpScriptPath } from './mcp-script.ts';

export interface InstallRequest {
  readonly home: string;
  readonly program: Program;
  readonly machine: Machine;
}

export async function prepareHome(request: InstallRequest): Promise<void> {
  if (!request.machine.windows)
    for (const { path, text } of scriptsOf(request)) await writeScript(path, text);
  await mkdir(spoolFolders(request.home).new, { recursive: true, mode: 0o700 });
}

/** Removes the scripts of a home that no agent's settings name any more. Files waiting in the spool stay. */
export async function removeScripts(home: string): Promise<void> {
  for (const path of [scriptPath(home), mcpScriptPath(home)]) await rm(path, { force: true });
  await rmdir(dirname(scriptPath(home))).catch(() => undefined);
}

/** Whether the scripts in the home are those of this version, and may run. */
export async function areScriptsCurrent(request: InstallRequest): Promise<boolean> {
  for (const { path, text } of scriptsOf(request))
    if (!(await mayRun(path)) || (await readFile(path, 'utf8').catch(() => null)) !== text) return false;
  return true;
}

/** Whether the script that a hook starts is gone, with its home for instance. */
export function isGone(script: string): boolean {
  return !existsSync(script);
}

/** Why installed hooks of a home record nothing or print no brief: one sentence for each problem. */
export async function captureProblems(request: InstallRequest): Promise<readonly string[]> {
  const { home, machine } = request;
  if (machine.windows) return [];
  const problems = [await scriptProblem(request)].filter((problem) => problem !== null);
  const node = nodeOf(await readText(scriptPath(home)));
  if (node !== null && !(await mayRun(node)))
    problems.push(`Node is no longer at ${node}, so most sessions start without a brief.`);
  return problems;
}

/** Why installed hooks of a home record nothing; null when they do. */
export async function scriptProblem({ home, machine }: InstallRequest): Promise<string | null> {
  const path = scriptPath(home);
  if (machine.windows || (await mayRun(path))) return null;
  return `The capture script ${path} is missing or not executable, so hooks record nothing.`;
}

/** Why agents cannot start the MCP server of a home; null when they can. */
export async function serverProblem({ home, machine }: InstallRequest): Promise<string | null> {
  const path = mcpScriptPath(home);
  if (machine.windows || (await mayRun(path))) return null;
  return `The script ${path} is missing or not executable, so agents cannot start the MCP server.`;
}

function scriptsOf({ home, program }: InstallRequest) {
  return [
    { path: scriptPath(home), text: captureScript(home, program) },
    { path: mcpScriptPath(home), text: mcpScript(home, program) },
  ];
}

/**
 * Writes to a second file and renames it: an agent that starts the script now runs the old one or the new one, never half
 * of it.
 */
async function writeScript(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const newPath = `${path}.new`;
  await writeFile(newPath, text, { mode: 0o700 });
  await chmod(newPath, 0o700);
  await rename(newPath, path);
}

async function mayRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
