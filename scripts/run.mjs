// Runs one program and waits for it. It inherits our stdout and stderr; stdin is closed, so it cannot prompt.
// The tools of this repository are started through `tool`, which needs no shell and no PATH.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..');

/** Runs a program in the repository's root and returns its exit code; `env` is added to ours, `input` is its stdin. */
export function run(
  command,
  args,
  { env = {}, stdio = ['ignore', 'inherit', 'inherit'], shell = false, input } = {},
) {
  const result = spawnSync(command, args, {
    cwd: root,
    stdio: input === undefined ? stdio : ['pipe', ...stdio.slice(1)],
    shell,
    env: { ...process.env, ...env },
    ...(input === undefined ? {} : { input }),
  });
  if (result.error) {
    console.error(`${command} could not be started: ${result.error.message}`);
    return 1;
  }
  return result.status ?? 1;
}

/** Runs a development tool by its package and command name with this same Node. */
export function tool(packageName, commandName, args, options) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const path = typeof bin === 'string' ? bin : bin[commandName];
  return run(process.execPath, [join(folder, path), ...args], options);
}
