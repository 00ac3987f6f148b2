// Prompts and tool uses of each real file, counted by the simple rule of the data's own table.
import type { TranscriptFile } from '../transcripts.ts';

export interface FileCounts {
  readonly name: string;
  readonly prompts: number;
  readonly toolUses: number;
}

/** The real files with known counts, by the start of their names. */
export function countsOf(files: readonly TranscriptFile[]): readonly FileCounts[] {
  const counts: Record<string, readonly [number, number]> = {
    'EntityProcess__agentv/f6b7329a': [1, 17],
    'JanDeDobbeleer__oh-my-posh/6b6f4218': [20, 591],
    'JanDeDobbeleer__oh-my-posh/03ce845f': [9, 264],
    'JanDeDobbeleer__oh-my-posh/597d17fc': [3, 80],
    'JanDeDobbeleer__oh-my-posh/b342582f': [3, 56],
    'JanDeDobbeleer__oh-my-posh/69d8706c': [4, 50],
    'JanDeDobbeleer__oh-my-posh/8521e3ab': [3, 32],
    'JanDeDobbeleer__oh-my-posh/d1d5001b': [1, 1],
    'JanDeDobbeleer__oh-my-posh/88e16f61': [1, 1],
    'Mai0313__VibeCodingTracker/claude_code': [4, 31],
    'd-kimuson__claude-code-viewer/fe5e1c67': [1, 167],
    'd-kimuson__claude-code-viewer/5c0375b4': [0, 21],
    'd-kimuson__claude-code-viewer/1af7fc5e': [0, 12],
    'entireio__cli/08940314': [22, 303],
    'entireio__cli/a318ad73': [13, 201],
    'entireio__cli/0276a600': [26, 178],
    'entireio__cli/f8190a9b': [4, 51],
    'entireio__cli/253fd5ef': [5, 55],
    'entireio__cli/15a48867': [3, 53],
    'entireio__cli/f736da47': [4, 52],
    'entireio__cli/ba517c53': [2, 25],
    'entireio__cli/bc3bf53b': [1, 10],
    'entireio__cli/e59f0f58': [1, 2],
    'marot__spotter/fa812bfe-b295-4cca-9c2f-fdf01028cb46.jsonl': [2, 197],
    'marot__spotter/258c7280-ae70-4798-800f-63464d01a85d.jsonl': [2, 186],
    'marot__spotter/fa812bfe-b295-4cca-9c2f-fdf01028cb46/subagents/agent-aa84377': [0, 21],
    'marot__spotter/fa812bfe-b295-4cca-9c2f-fdf01028cb46/subagents/agent-a93ccab': [0, 25],
    'marot__spotter/258c7280-ae70-4798-800f-63464d01a85d/subagents/agent-a881341': [0, 2],
    'marot__spotter/fa812bfe-b295-4cca-9c2f-fdf01028cb46/subagents/agent-acompact-70d8e7': [0, 0],
    'marot__spotter/258c7280-ae70-4798-800f-63464d01a85d/subagents/agent-acompact-fffbd0': [0, 0],
    'marot__spotter/tool_heavy': [2, 6],
    'marot__spotter/short': [1, 2],
  };
  return Object.entries(counts).flatMap(([start, [prompts, toolUses]]) => {
    const name = files.find((file) => file.name.startsWith(start))?.name;
    return name === undefined ? [] : [{ name, prompts, toolUses }];
  });
}
