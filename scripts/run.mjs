// Runs one program and waits for it. It inherits our stdout and stderr; stdin is closed, so it cannot prompt.
// The tools of this repository are started through `tool`, which needs no shell and no PATH.
import { spawn, spawnSync } from 'node:child_process';
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
  return run(process.execPath, [toolPath(packageName, commandName), ...args], options);
}

/** Starts a Node program in the repository's root. Resolves to its exit code and what it printed. */
export function start(path, args = []) {
  const child = spawn(process.execPath, [path, ...args], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve({ code: 1, output: `${path} could not be started: ${error.message}\n` }),
    );
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

export function toolPath(packageName, commandName) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[commandName]);
}
