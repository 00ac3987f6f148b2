// The commits that git listed. What was committed elsewhere is known from there only.
import { gitCalls } from '../shell/known-commands.ts';
import type { ToolUse } from '../transcript/turn-transcript.ts';

const SUBJECTS_MAX = 20;
/** `1a2b3c4 (HEAD -> main) Subject`; rtk adds an age. */
const LISTED = /^(?=[a-f]*\d)[\da-f]{7,40} (?:\([^)\n]*\) )?(\S.*?)(?: \(\d+ \w+ ago\).*)?$/gm;
/** Lists commits of any age, or the oldest first. */
const SELECTS = /^(?:--$|-[SGL]|--(?:grep|author|reverse)\b)/;

/** Their subjects, the newest first. */
export function listedCommits(toolUses: readonly ToolUse[]): readonly string[] {
  const subjects = toolUses
    .filter(listsNewest)
    .flatMap(({ tail }) => [...tail.matchAll(LISTED)].map(([, subject]) => subject!));
  return [...new Set(subjects)].slice(0, SUBJECTS_MAX);
}

function listsNewest({ command, outcome }: ToolUse): boolean {
  const calls = command === null || outcome !== 'ok' ? [] : gitCalls(command.whole);
  const lists = calls.filter(({ name }) => name === 'log' || name === 'show');
  return lists.length > 0 && !lists.some(({ words }) => words.some((word) => SELECTS.test(word)));
}
