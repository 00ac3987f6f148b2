import { planUninstall, uninstall } from '../../agents/claude-code/install/install-hooks.ts';
import { defineCommand } from '../command/command.ts';
import { agreed, expectClaudeCode, type InstallOptions, report, requestOf } from './install.ts';

export const command = defineCommand<InstallOptions>({
  description:
    "Removes our hooks from Claude Code's settings.json, and the capture script. Keeps other hooks and everything " +
    'recorded so far.',
  shape: (command) =>
    command
      .argument('<agent>', 'claude-code')
      .option('--dry-run', 'show what would change; change nothing')
      .option('--yes', 'do not ask'),
  examples: [
    ['uninstall claude-code --dry-run', 'look first'],
    ['uninstall claude-code', 'asks, then removes the hooks'],
  ],
  async run(session, options, [agent]) {
    expectClaudeCode(agent);
    const { home, claudeFolder } = requestOf(session);
    const plan = await planUninstall(claudeFolder);
    if (!(await agreed(session, options, plan, 'uninstalled'))) return;
    const backup = await uninstall(home, plan, session.world.now());
    await report(session, plan, { installed: false, backup }, 'Everything recorded so far is kept.');
  },
});
