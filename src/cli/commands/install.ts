import { AnnalsError } from '../../../log/index.ts';
import { AGENTS } from '../../agents/index.ts';
import { isPresent } from '../../install/find-agents.ts';
import { hasPlugin } from '../../install/hook-status.ts';
import {
  type HookedAgent,
  hookedAgents,
  install,
  isServerTaken,
  planInstall,
  type Target,
  targetsOf,
} from '../../install/installation.ts';
import { openHome } from '../../platform/home-folder.ts';
import type { Machine } from '../../platform/machine.ts';
import { defineCommand, type Session } from '../command/command.ts';
import { installRequest } from '../install-request.ts';
import { agentsNamed, type ChangeOptions, changeSettings, knownAgents } from '../settings-changes.ts';

export const command = defineCommand<ChangeOptions & { readonly mcp: boolean }>({
  description:
    'Adds hooks to the settings of coding agents, so that every session is recorded as it happens, and the MCP server, ' +
    'with which agents search the memory. Without a name: of all agents that are on this machine. Shows the changes and ' +
    'asks first, makes a backup, and keeps everything else in each file. Installing twice is the same as once. Respects ' +
    'CLAUDE_CONFIG_DIR, CODEX_HOME and the like.',
  shape: (command) =>
    command
      .argument('[agents...]', 'such as claude-code or codex; all that are here when not given')
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
    const targets: Target[] = [];
    for (const agent of agents)
      targets.push(...(await targetsFor(session, agent, request.machine, options.mcp)));
    return changeSettings(session, options, targets, {
      installs: true,
      async plan(target) {
        const plan = await planInstall(target, request);
        if (isServerTaken(plan))
          session.terminal.note(
            `${target.agent.title}: ${plan.path} has an MCP server named annals that \`annals install\` did not write. It was left alone.`,
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

/** The plugin brings the MCP server too, which is not registered a second time. */
async function targetsFor(
  { terminal }: Session,
  agent: HookedAgent,
  machine: Machine,
  mcp: boolean,
): Promise<readonly Target[]> {
  const isTwice = await hasPlugin(agent, machine);
  if (isTwice)
    terminal.note(
      'The plugin of Annals is enabled in Claude Code, and does the same. With both, every event is reported twice: disable it with /plugin. Its MCP server is not registered a second time.',
    );
  return targetsOf(agent, machine, mcp && !isTwice ? ['hooks', 'mcp'] : ['hooks']);
}

function presentAgents(machine: Machine): readonly HookedAgent[] {
  const present = hookedAgents(AGENTS).filter((agent) => isPresent(agent, machine));
  if (present.length > 0) return present;
  throw new AnnalsError('USAGE', 'No coding agent was found on this machine.', {
    hint: `Name the one that you will use. ${knownAgents()}`,
  });
}
