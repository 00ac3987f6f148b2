// The hooks of the built-in agents, each loaded when it is asked for: a person waits for the start of a session, and needs
// those of one agent.
import type { AgentHooks } from './common/agent.ts';

type Load = () => Promise<{ readonly hooks: AgentHooks }>;

export const HOOKS: ReadonlyMap<string, Load> = new Map<string, Load>([
  ['claude-code', () => import('./claude-code/hooks.ts')],
  ['codex', () => import('./codex/hooks.ts')],
  ['gemini-cli', () => import('./gemini-cli/hooks.ts')],
  ['opencode', () => import('./opencode/hooks.ts')],
  ['copilot', () => import('./copilot/hooks.ts')],
  ['cursor', () => import('./cursor/hooks.ts')],
  ['qwen-code', () => import('./qwen-code/hooks.ts')],
  ['windsurf', () => import('./windsurf/hooks.ts')],
]);

/** Null for an agent that has none, or that is not known. */
export async function hooksOf(agent: string): Promise<AgentHooks | null> {
  return (await HOOKS.get(agent)?.())?.hooks ?? null;
}
