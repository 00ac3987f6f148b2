import { AnnalsError } from '../../../log/index.ts';
import { agentNames, agentsNamed, uninstalling } from '../../install/change-agents.ts';
import type { InstallRequest } from '../../install/home-scripts.ts';
import { hookStates, isOfHome, mayHoldOurs } from '../../install/hook-status.ts';
import type { HookedAgent } from '../../install/installation.ts';
import { defineCommand } from '../command/command.ts';
import { oneOf } from '../command/options.ts';
import { installRequest } from '../install-request.ts';
import { type ChangeOptions, changeSettings } from '../settings-changes.ts';

export const command = defineCommand<ChangeOptions>({
  description:
    'Removes our hooks and our MCP server from the settings of coding agents. Without a name: of all agents that have ' +
    'them. A file that was not touched since is as before, byte for byte, and its backup is removed. Keeps everything ' +
    'else in the settings and everything recorded so far. The scripts in the home go with the last agent. With --home: ' +
    'only of agents whose hooks write to that home.',
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
    ['uninstall --home ~/other', 'only those that write to this home'],
  ],
  async run(session, options, names) {
    const request = installRequest(session);
    const agents = await meantBy(names, request, session.chosenHome);
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

/** @throws AnnalsError USAGE for a name that is not known; NOT_FOUND: the chosen home is not that of an agent's hooks */
async function meantBy(
  names: readonly string[],
  request: InstallRequest,
  chosenHome: string | null,
): Promise<readonly HookedAgent[]> {
  const named = agentsNamed(names);
  if (chosenHome === null && names.length > 0) return named;
  const states = (await hookStates(request)).filter(mayHoldOurs);
  const meant = states.filter((state) => chosenHome === null || isOfHome(state)).map(({ agent }) => agent);
  if (states.length === 0 || chosenHome === null) return meant;
  const other = named.find((agent) => !meant.includes(agent));
  if (other !== undefined || meant.length === 0)
    throw new AnnalsError(
      'NOT_FOUND',
      `${other?.title ?? 'No agent'} has no hooks of the home ${chosenHome}.`,
      {
        hint: 'Without --home, `annals uninstall` removes those of every home.',
      },
    );
  return names.length > 0 ? named : meant;
}
