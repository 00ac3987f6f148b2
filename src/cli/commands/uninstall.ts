import { agentNames, agentsNamed, uninstalling } from '../../install/change-agents.ts';
import { hookStates, mayHoldOurs } from '../../install/hook-status.ts';
import { defineCommand } from '../command/command.ts';
import { oneOf } from '../command/options.ts';
import { installRequest } from '../install-request.ts';
import { type ChangeOptions, changeSettings } from '../settings-changes.ts';

export const command = defineCommand<ChangeOptions>({
  description:
    'Removes our hooks and our MCP server from the settings of coding agents. Without a name: of all agents that have ' +
    'them. A file that was not touched since is as before, byte for byte, and its backup is removed. Keeps everything ' +
    'else in the settings and everything recorded so far. The scripts in the home go with the last agent.',
  shape: (command) =>
    command
      .addArgument(
        oneOf('[agents...]', 'such as claude-code or codex; all that have ours when not given', agentNames()),
      )
      .option('--dry-run', 'show what would change; change nothing')
      .option('--yes', 'do not ask'),
  examples: [
    ['uninstall --dry-run', 'look first'],
    ['uninstall', 'asks, then removes the hooks and the MCP server of every agent'],
    ['uninstall codex', 'only those of Codex'],
  ],
  async run(session, options, names) {
    const request = installRequest(session);
    const agents =
      names.length > 0
        ? agentsNamed(names)
        : (await hookStates(request)).filter(mayHoldOurs).map(({ agent }) => agent);
    if (agents.length === 0 && !session.json)
      await session.terminal.line('Nothing of Annals is installed in an agent.');
    return changeSettings(
      session,
      options,
      agents,
      uninstalling(request, { now: () => session.world.now() }),
    );
  },
});
