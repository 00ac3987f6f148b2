// The MCP server in the settings of every agent: whether it is registered, and the one of this home.
import type { InstallRequest } from '../install/home-scripts.ts';
import { type HookState, hookStates } from '../install/hook-status.ts';
import { install } from '../install/installation.ts';
import type { Check, Finding } from './check.ts';

export function mcpServer(request: InstallRequest, now: () => number): Check {
  return {
    name: 'MCP server',
    async look() {
      const states = (await hookStates(request)).filter(
        ({ present, mcp }) => present || mcp.state !== 'missing',
      );
      return [...summary(states), ...states.flatMap((state) => findingsOf(state, request, now))];
    },
  };
}

function summary(states: readonly HookState[]): readonly Finding[] {
  const titles = (...wanted: HookState['mcp']['state'][]) =>
    states
      .filter(({ mcp }) => wanted.includes(mcp.state) && mcp.problem === null)
      .map(({ agent }) => agent.title)
      .join(', ');
  const lines = [
    ['Registered in', titles('registered', 'plugin')],
    ['A server named annals that is not as `annals install` writes it, in', titles('other')],
    ['Not registered in', titles('missing')],
  ] as const;
  return lines
    .filter(([, agents]) => agents !== '')
    .map(([what, agents]) => ({ state: 'ok', message: `${what}: ${agents}.` }));
}

function findingsOf(
  { agent: { title, name }, mcp, byPlugin }: HookState,
  request: InstallRequest,
  now: () => number,
): readonly Finding[] {
  const advice = `annals install ${name} shows the change and asks.`;
  if (mcp.problem !== null)
    return [
      {
        state: mcp.state === 'unknown' ? 'problem' : 'warning',
        message: `${title} cannot be given the MCP server. ${mcp.problem}`,
        advice: `Fix the file, then annals install ${name}.`,
      },
    ];
  if (byPlugin && mcp.state === 'registered')
    return [
      {
        state: 'problem',
        message: `${title} starts the MCP server twice: from its settings and from the plugin.`,
        advice: 'annals uninstall claude-code, or disable the plugin in Claude Code with /plugin.',
      },
    ];
  const { plan } = mcp;
  if (mcp.state !== 'outdated' || plan === null) return [];
  return [
    {
      state: 'problem',
      message: `${title} starts the MCP server of another home, or from another place.`,
      advice,
      fix: async () => {
        const backup = await install(request, plan, now());
        return `Registered the MCP server of this home for ${title}${backup === null ? '' : `; backup: ${backup}`}.`;
      },
    },
  ];
}
