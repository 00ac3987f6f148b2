// Counts what an import's input holds: prompts, commands and tool uses of its sessions and sub-agents. It counts in the
// `turns` view, so that a prompt reported by two lines, or a line copied into a fork, counts once.
import {
  type ItemRow,
  isItemRow,
  itemIdentity,
  type OptionalPause,
  readPrompt,
  sessionKeys,
  type TurnRow,
  type ViewReader,
} from '../../projections/index.ts';

export interface SessionOrSubagent {
  readonly agent: string;
  readonly session: string;
  /** The sub-agent of a separate file; null for the main file, which also holds inline side-chains. */
  readonly agentId: string | null;
}

export interface InputCounts {
  readonly sessions: number;
  readonly prompts: number;
  readonly commands: number;
  readonly toolUses: number;
}

export async function countInput(
  found: readonly SessionOrSubagent[],
  openToolUses: readonly string[],
  turns: ViewReader,
  pause: OptionalPause,
): Promise<InputCounts> {
  const sessions = new Map<string, Map<string | null, SessionOrSubagent>>();
  for (const one of found) {
    const name = JSON.stringify([one.agent, one.session]);
    const threads = sessions.get(name) ?? new Map<string | null, SessionOrSubagent>();
    sessions.set(name, threads.set(one.agentId, one));
  }
  const prompts = new Set<string>();
  const commands = new Set<string>();
  const toolUses = new Set(openToolUses);
  for (const threads of sessions.values()) {
    await pause();
    const { agent, session } = [...threads.values()][0]!;
    for (const [, item] of await turns.range<TurnRow | ItemRow>(sessionKeys.turns(agent, session))) {
      if (!isItemRow(item)) continue;
      if (item.kind === 'prompt' && threads.has(null)) {
        (readPrompt(item).kind === 'command' ? commands : prompts).add(itemIdentity(item));
      } else if (item.kind === 'tool' && threads.has(item.reports[0]!.agentId ?? null)) {
        toolUses.add(itemIdentity(item));
      }
    }
  }
  return { sessions: sessions.size, prompts: prompts.size, commands: commands.size, toolUses: toolUses.size };
}
