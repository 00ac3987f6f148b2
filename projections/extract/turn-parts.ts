// Splits long turns into parts, so that one observation covers one piece of work. It splits from the start, so that a
// growing turn changes its last part only, and what follows a part is split as if it were a turn. A part ends with the first commit after `USES_MIN` tool uses, or at
// `USES_MAX`; a remainder of fewer than `USES_REST` joins the part before it.
//
// Of 164 real turns 141 have at most 36 tool uses and 19 more than 45, up to 166. Those between 45 and 60 cover one thing
// each; the longest five cover two to five things, most of them ended by a commit.
import { firstNot } from '../sessions/collections.ts';
import { commitsOf } from './outcome/commits.ts';
import type { Message, ToolUse } from './transcript/turn-transcript.ts';

const USES_MIN = 40;
const USES_MAX = 60;
/** A part with fewer is no part of its own. */
export const USES_REST = 20;

/** The tool uses of one part and the messages during them. The last part includes the final answer. */
export interface TurnPart {
  readonly toolUses: readonly ToolUse[];
  readonly messages: readonly Message[];
}

/** The parts after an order. At least one, even without tool uses. */
export function partsAfter(from: string, { toolUses, messages }: TurnPart): TurnPart[] {
  const parts = splitUses(between(toolUses, from, null));
  let after = from;
  return parts.map((part, index) => {
    const until = index === parts.length - 1 ? null : part.at(-1)!.order;
    const start = after;
    after = until ?? after;
    return {
      toolUses: part,
      messages: between(messages, start, until),
    };
  });
}

function splitUses(toolUses: readonly ToolUse[]): (readonly ToolUse[])[] {
  const parts: ToolUse[][] = [[]];
  for (const toolUse of toolUses) {
    // Uses of one line stay together: they have one order.
    if (parts.at(-1)!.length === 0 && parts.at(-2)?.at(-1)?.order === toolUse.order) parts.pop();
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

/** Entries after one order, up to and including another. */
function between<T extends { readonly order: string }>(
  entries: readonly T[],
  after: string,
  until: string | null,
): readonly T[] {
  return entries.slice(
    firstNot(entries, ({ order }) => order <= after),
    until === null ? undefined : firstNot(entries, ({ order }) => order <= until),
  );
}
