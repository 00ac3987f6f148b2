// Checks whether installed hooks can run. Settings may name a script that somebody removed, and a hook that finds
// nothing to run is silent by design, so `status` checks.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAnnalsError } from '../../../../log/index.ts';
import { captureCommand, nodeOf, scriptPath, shellQuote } from '../../../capture/spool/capture-script.ts';
import { readSettingsFile } from '../../../install/settings-file.ts';
import { readText } from '../../../platform/atomic-file.ts';
import { ourCommands } from './claude-settings.ts';
import { claudeFolder, settingsPath } from './install-hooks.ts';

const FIX = 'run `annals install claude-code` to fix this.';

/** One sentence for each problem. Empty when no hooks of this home are installed. */
export async function hookProblems(home: string, folder = claudeFolder()): Promise<readonly string[]> {
  const path = settingsPath(folder);
  try {
    const { text } = await readSettingsFile(path);
    const commands = ourCommands(text, path);
    if (!commands.some((command) => isOf(home, command))) return [];
    const problems: string[] = [];
    if (commands.includes(captureCommand(home, 'claude-code')) && !(await mayRun(scriptPath(home))))
      problems.push(
        `The capture script ${scriptPath(home)} is missing or not executable, so hooks record nothing; ${FIX}`,
      );
    const node = nodeOf(await readText(scriptPath(home)));
    if (node !== null && !(await mayRun(node)))
      problems.push(`Node is no longer at ${node}, so most sessions start without a brief; ${FIX}`);
    return problems;
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    return error.code === 'INPUT_INVALID'
      ? [`${path} cannot be read, so its hooks do not run: ${error.message}`]
      : [];
  }
}

/** Whether the settings hold hooks that write to this home. Null when they cannot be read. */
export async function hooksInstalled(home: string, folder = claudeFolder()): Promise<boolean | null> {
  const path = settingsPath(folder);
  try {
    const { text } = await readSettingsFile(path);
    return ourCommands(text, path).some((command) => isOf(home, command));
  } catch (error) {
    if (!isAnnalsError(error)) throw error;
    return null;
  }
}

function isOf(home: string, command: string): boolean {
  return command.includes(shellQuote(scriptPath(home))) || command.includes(` --home ${home} hook `);
}

async function mayRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
