import { type HookState, hookStates } from '../../install/hook-status.ts';
import { planUninstall, removeCapture, uninstall } from '../../install/install-hooks.ts';
import { defineCommand } from '../command/command.ts';
import { agentsNamed, changeHooks, type HookOptions } from '../hook-changes.ts';
import { installRequest } from '../install-request.ts';

export const command = defineCommand<HookOptions>({
  description:
    'Removes our hooks from the settings of coding agents. Without a name: of all agents that have them. A file that ' +
    'was not touched since is as before, byte for byte. Keeps other hooks and everything recorded so far. The capture ' +
    'script goes with the last hook.',
  shape: (command) =>
    command
      .argument('[agents...]', 'such as claude-code or codex; all that have hooks when not given')
      .option('--dry-run', 'show what would change; change nothing')
      .option('--yes', 'do not ask'),
  examples: [
    ['uninstall --dry-run', 'look first'],
    ['uninstall', 'asks, then removes the hooks of every agent'],
    ['uninstall codex', 'only those of Codex'],
  ],
  async run(session, options, names) {
    const request = installRequest(session);
    // Of settings that cannot be read, it is not known.
    const mayHave = ({ installed, elsewhere }: HookState) => installed !== false || elsewhere;
    const agents =
      names.length > 0
        ? agentsNamed(names)
        : (await hookStates(request)).filter(mayHave).map(({ agent }) => agent);
    if (agents.length === 0 && !session.json)
      await session.terminal.line('No hooks of Annals are installed.');
    return changeHooks(session, options, agents, {
      installs: false,
      plan: (agent) => planUninstall(agent, request),
      prepare: async () => {},
      apply: (plan) => uninstall(request, plan, session.world.now()),
      async finish() {
        const states = await hookStates(request);
        if (states.every(({ installed }) => installed === false)) await removeCapture(request.home);
        return 'Everything recorded so far is kept.';
      },
    });
  },
});
