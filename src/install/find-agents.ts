// Finds out which agents are on this machine: their folder exists, or their program is on the PATH. What this
// user may not look at counts as missing.
import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../agents/common/agent.ts';
import type { Machine } from '../platform/machine.ts';

export function isPresent(agent: Agent, machine: Machine): boolean {
  return isFolder(agent.folder(machine)) || (agent.programs ?? []).some((name) => isOnPath(name, machine));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export function isOnPath(program: string, { environment, windows }: Machine): boolean {
  const folders = (environment.PATH ?? environment.Path ?? '').split(windows ? ';' : ':');
  const names = windows ? ['.exe', '.cmd', '.bat'].map((end) => program + end) : [program];
  return folders.some((folder) => folder !== '' && names.some((name) => isProgram(join(folder, name))));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
