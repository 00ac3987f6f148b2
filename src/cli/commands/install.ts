import { AnnalsError } from '../../../log/index.ts';
import { AGENTS } from '../../agents/index.ts';
import { agentNames, agentsNamed, installing, knownAgents } from '../../install/change-agents.ts';
import { isPresent } from '../../install/find-agents.ts';
import { hasPlugin } from '../../install/hook-status.ts';
import { type HookedAgent, hookedAgents } from '../../install/installation.ts';
import type { Machine } from '../../platform/machine.ts';
import { defineCommand } from '../command/command.ts';
import { oneOf } from '../command/options.ts';
import { installRequest } from '../install-request.ts';
import { type ChangeOptions, changeSettings } from '../settings-changes.ts';

export const command = defineCommand<ChangeOptions & { readonly mcp: boolean }>({
  description:
    'Adds hooks to the settings of coding agents, so that every session is recorded as it happens, and the MCP server, ' +
    'with which agents search the memory. Without a name: of all agents that are on this machine. Shows the changes and ' +
    'asks first, makes a backup, and keeps everything else in each file. Installing twice is the same as once. Respects ' +
    'CLAUDE_CONFIG_DIR, CODEX_HOME and the like.',
  shape: (command) =>
    command
      .addArgument(
        oneOf('[agents...]', 'such as claude-code or codex; all that are here when not given', agentNames()),
      )
      .option('--no-mcp', 'only the hooks, without the MCP server')
      .option('--dry-run', 'show what would change; change nothing')
      .option('--yes', 'do not ask'),
  examples: [
    ['install --dry-run', 'look first'],
    ['install', 'asks, then installs for every agent that is here'],
    ['install codex gemini-cli', 'for these two'],
    ['install --no-mcp', 'hooks alone'],
  ],
  async run(session, options, names) {
    const request = installRequest(session);
    const agents = names.length > 0 ? agentsNamed(names) : presentAgents(request.machine);
    for (const agent of agents) if (await hasPlugin(agent, request.machine)) session.terminal.note(TWICE);
    const act = installing(request, { mcp: options.mcp, now: () => session.world.now() });
    return changeSettings(session, options, agents, act);
  },
});

const TWICE =
  'The plugin of Annals is enabled in Claude Code, and does the same. With both, every event is reported twice: disable it with /plugin. Its MCP server is not registered a second time.';

function presentAgents(machine: Machine): readonly HookedAgent[] {
  const present = hookedAgents(AGENTS).filter((agent) => isPresent(agent, machine));
  if (present.length > 0) return present;
  throw new AnnalsError('USAGE', 'No coding agent was found on this machine.', {
    hint: `Name the one that you will use. ${knownAgents()}`,
  });
}
