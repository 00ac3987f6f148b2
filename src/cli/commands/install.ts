import { join } from 'node:path';
import { AnnalsError } from '../../../log/index.ts';
import {
  claudeFolder,
  type InstallRequest,
  install,
  type Plan,
  planInstall,
} from '../../agents/claude-code/install/install-hooks.ts';
import { pluginIsEnabledIn } from '../../agents/claude-code/install/plugin.ts';
import { lineDiff } from '../../install/line-diff.ts';
import { openHome } from '../../platform/home-folder.ts';
import { homePath } from '../../platform/home-paths.ts';
import { plainText } from '../../terminal-text/plain-text.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { packageRoot } from '../package.ts';

export interface InstallOptions {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export const command = defineCommand<InstallOptions>({
  description:
    "Adds hooks to Claude Code's settings.json, so that every session is recorded as it happens. Shows the change and " +
    'asks first, makes a backup, and keeps everything else in the file. Installing twice is the same as once. ' +
    'Respects CLAUDE_CONFIG_DIR.',
  shape: (command) =>
    command
      .argument('<agent>', 'claude-code')
      .option('--dry-run', 'show what would change; change nothing')
      .option('--yes', 'do not ask'),
  examples: [
    ['install claude-code --dry-run', 'look first'],
    ['install claude-code', 'asks, then installs'],
  ],
  async run(session, options, [agent]) {
    expectClaudeCode(agent);
    const request = requestOf(session);
    const plan = await planInstall(request);
    if (pluginIsEnabledIn(plan.settings.text))
      session.terminal.note(
        'The plugin of Annals is enabled in Claude Code, and does the same. With both, every event is reported twice: disable it with /plugin.',
      );
    if (!(await agreed(session, options, plan, 'installed'))) return;
    await openHome(request.home);
    const backup = await install(request, plan, session.world.now());
    await report(session, plan, { installed: true, backup }, `Claude Code's hooks write to ${request.home}.`);
  },
});

export function requestOf({ world, chosenHome }: Session): InstallRequest {
  return {
    home: chosenHome ?? homePath(world.environment, world.userHome),
    claudeFolder: claudeFolder(world.environment, world.userHome),
    program: { node: process.execPath, cli: join(packageRoot(), 'dist', 'cli.cjs') },
    windows: process.platform === 'win32',
  };
}

export function expectClaudeCode(agent: string | undefined): void {
  if (agent !== 'claude-code')
    throw new AnnalsError('USAGE', `There are no hooks for an agent named "${agent ?? ''}".`, {
      hint: 'Known: claude-code.',
    });
}

/** Shows the change and asks, unless --yes was given. Returns false when there is nothing to do. */
export async function agreed(
  session: Session,
  { dryRun, yes }: InstallOptions,
  { settings, text }: Plan,
  done: 'installed' | 'uninstalled',
): Promise<boolean> {
  const { terminal, world, json } = session;
  const { style } = terminal;
  const changed = settings.text !== text;
  const diff = lineDiff(settings.text, text);
  if (settings.target !== settings.path && settings.isLink)
    terminal.note(`${settings.path} is a link; the edited file is ${settings.target}.`);
  if (dryRun === true) {
    if (json) await terminal.json({ settings: settings.path, target: settings.target, changed, diff });
    else if (!changed) await terminal.line(`${settings.path} needs no change.`);
    else await printDiff(session, settings.target, diff);
    return false;
  }
  if (!changed || yes === true) return true;
  if (!world.stdin.isTerminal)
    throw new AnnalsError('USAGE', 'Nothing was changed: there is no terminal to ask.', {
      hint: 'Add --yes, or look first with --dry-run.',
    });
  await printDiff(session, settings.target, diff);
  terminal.note(style.bold('Change this file? [y/N]'));
  if (/^y(es)?$/i.test((await world.stdin.readLine()).trim())) return true;
  terminal.note(`Nothing was ${done}.`);
  return false;
}

export async function report(
  { terminal, json }: Session,
  { settings, text }: Plan,
  { installed, backup }: { installed: boolean; backup: string | null },
  sentence: string,
): Promise<void> {
  const changed = settings.text !== text;
  const { path, target } = settings;
  if (json) return terminal.json({ settings: path, target, installed, changed, backup });
  await terminal.line(
    changed ? `${target} was changed. ${sentence}` : `${target} needed no change. ${sentence}`,
  );
  if (backup !== null) await terminal.line(`Backup of the old file: ${backup}`);
}

async function printDiff({ terminal }: Session, path: string, diff: readonly string[]): Promise<void> {
  const { style } = terminal;
  await terminal.line(style.bold(path));
  for (const line of diff) {
    const shown = plainText(line);
    await terminal.line(
      line.startsWith('+') ? style.green(shown) : line.startsWith('-') ? style.red(shown) : shown,
    );
  }
}
