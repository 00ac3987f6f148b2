import { planUninstall, uninstall } from '../../agents/claude-code/install/install-hooks.ts';
import { defineCommand } from '../command/command.ts';
import { agreed, expectClaudeCode, type InstallOptions, report, requestOf } from './install.ts';

export const command = defineCommand<InstallOptions>({
  description:
    "Takes our hooks out of Claude Code's settings.json and removes the capture script. Other hooks, and " +
    'everything recorded so far, stay.',
  shape: (command) =>
    command
      .argument('<agent>', 'claude-code')
      .option('--dry-run', 'show what would change, and change nothing')
      .option('--yes', 'do not ask'),
  examples: [
    ['uninstall claude-code --dry-run', 'look first'],
    ['uninstall claude-code', 'asks, then takes them out'],
  ],
  async run(session, options, [agent]) {
    expectClaudeCode(agent);
    const { home, claudeFolder } = requestOf(session, options);
    const plan = await planUninstall(claudeFolder);
    if (!(await agreed(session, options, plan, 'uninstalled'))) return;
    const backup = await uninstall(home, plan, session.world.now());
    await report(session, plan, { installed: false, backup }, 'What was recorded stays.');
  },
});
