import { AnnalsError } from '../../../log/index.ts';
import { pluginIsEnabledIn } from '../../agents/claude-code/plugin.ts';
import { AGENTS } from '../../agents/index.ts';
import { isPresent } from '../../install/find-agents.ts';
import { hookedAgents, install, planInstall } from '../../install/install-hooks.ts';
import { openHome } from '../../platform/home-folder.ts';
import { defineCommand } from '../command/command.ts';
import { agentsNamed, changeHooks, type HookOptions, knownAgents } from '../hook-changes.ts';
import { installRequest } from '../install-request.ts';

export const command = defineCommand<HookOptions>({
  description:
    'Adds hooks to the settings of coding agents, so that every session is recorded as it happens. Without a name: of ' +
    'all agents that are on this machine. Shows the changes and asks first, makes a backup, and keeps everything else ' +
    'in each file. Installing twice is the same as once. Respects CLAUDE_CONFIG_DIR, CODEX_HOME and the like.',
  shape: (command) =>
    command
      .argument('[agents...]', 'such as claude-code or codex; all that are here when not given')
      .option('--dry-run', 'show what would change; change nothing')
      .option('--yes', 'do not ask'),
  examples: [
    ['install --dry-run', 'look first'],
    ['install', 'asks, then installs for every agent that is here'],
    ['install codex gemini-cli', 'for these two'],
  ],
  async run(session, options, names) {
    const request = installRequest(session);
    const agents = names.length > 0 ? agentsNamed(names) : presentAgents(request.machine);
    return changeHooks(session, options, agents, {
      installs: true,
      async plan(agent) {
        const plan = await planInstall(agent, request);
        if (agent.name === 'claude-code' && pluginIsEnabledIn(plan.settings.text))
          session.terminal.note(
            'The plugin of Annals is enabled in Claude Code, and does the same. With both, every event is reported twice: disable it with /plugin.',
          );
        return plan;
      },
      async prepare() {
        await openHome(request.home);
      },
      apply: (plan) => install(request, plan, session.world.now()),
      finish: async () => `Hooks write to ${request.home}.`,
    });
  },
});

function presentAgents(machine: Parameters<typeof isPresent>[1]) {
  const present = hookedAgents(AGENTS).filter((agent) => isPresent(agent, machine));
  if (present.length > 0) return present;
  throw new AnnalsError('USAGE', 'No coding agent was found on this machine.', {
    hint: `Name the one that you will use. ${knownAgents()}`,
  });
}
