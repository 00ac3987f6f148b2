import { AnnalsError } from '../../../log/index.ts';
import { agentNames, agentsNamed, uninstalling } from '../../install/change-agents.ts';
import { type HookState, heldOfHome, hookStates, mayHoldOurs } from '../../install/hook-status.ts';
import type { Held, HookedAgent } from '../../install/installation.ts';
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
    const named = agentsNamed(names);
    const states = (await hookStates(request)).filter(mayHoldOurs);
    const held = session.chosenHome === null ? undefined : heldOf(session.chosenHome, states, named);
    const all = held === undefined ? states.map(({ agent }) => agent) : [...held.keys()];
    const agents = names.length > 0 ? named : all;
    if (agents.length === 0 && !session.json)
      await session.terminal.line('Nothing of Annals is installed in an agent.');
    return changeSettings(
      session,
      options,
      agents,
      uninstalling(request, { now: () => session.world.now(), ...(held && { held }) }),
    );
  },
});

/** What agents have of a home. @throws AnnalsError NOT_FOUND: others have something of ours, but none of it, or not these */
function heldOf(
  home: string,
  states: readonly HookState[],
  named: readonly HookedAgent[],
): ReadonlyMap<HookedAgent, readonly Held[]> {
  const held = new Map(
    states
      .map((state) => [state.agent, heldOfHome(state, home)] as const)
      .filter(([, parts]) => parts.length > 0),
  );
  const other = named.find((agent) => !held.has(agent));
  if (states.length === 0 || (other === undefined && held.size > 0)) return held;
  const who = other === undefined ? 'No agent has anything' : `${other.title} has nothing`;
  throw new AnnalsError('NOT_FOUND', `${who} of the home ${home}.`, {
    hint: 'Without --home, `annals uninstall` removes what is of any home.',
  });
}
