// Splits long turns into parts, so that one observation covers one piece of work. It splits from the start, so that a
// growing turn changes its last part only. A part ends with the first commit after `USES_MIN` tool uses, or at
// `USES_MAX`; a remainder of fewer than `USES_REST` joins the part before it.
//
// Of 164 real turns 141 have at most 36 tool uses and 19 more than 45, up to 166. Those between 45 and 60 cover one thing
// each; the longest five cover two to five things, most of them ended by a commit.
import { commitsOf } from './outcome/commits.ts';
import type { ToolUse } from './transcript/turn-transcript.ts';

const USES_MIN = 40;
const USES_MAX = 60;
const USES_REST = 20;

/** At least one part, even without tool uses. */
export function partsOf(toolUses: readonly ToolUse[]): (readonly ToolUse[])[] {
  const parts: ToolUse[][] = [[]];
  for (const toolUse of toolUses) {
    const part = parts.at(-1)!;
    part.push(toolUse);
    const committed = part.length >= USES_MIN && commitsOf(toolUse).length > 0;
    if (committed || part.length >= USES_MAX) parts.push([]);
  }
  const rest = parts.at(-1)!;
  if (parts.length > 1 && rest.length < USES_REST) {
    parts.pop();
    parts.at(-1)!.push(...rest);
  }
  return parts;
}
