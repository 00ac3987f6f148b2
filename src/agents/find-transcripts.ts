// The transcripts that the agents of this machine keep.
import { existsSync } from 'node:fs';
import { type Discovery, discover } from '../capture/transcripts/discover.ts';
import type { Machine } from '../platform/machine.ts';
import type { Agent } from './common/agent.ts';

export interface FoundTranscripts extends Discovery {
  readonly agent: Agent;
  /** Those of the agent that exist. */
  readonly folders: readonly string[];
}

/** Agents without a folder on this machine are left out. */
export async function findTranscripts(
  agents: readonly Agent[],
  machine: Machine,
): Promise<readonly FoundTranscripts[]> {
  const found: FoundTranscripts[] = [];
  for (const agent of agents) {
    const { transcripts } = agent;
    const folders = transcripts?.folders(machine).filter((folder) => existsSync(folder)) ?? [];
    if (transcripts === null || folders.length === 0) continue;
    found.push({
      agent,
      folders,
      ...(await discover(folders, (path) => transcripts.isTranscript(path))),
    });
  }
  return found;
}
