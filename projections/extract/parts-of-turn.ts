// A turn as the rules divide it, for a model that reads it part by part.
import type { ItemRow, TurnRow } from '../sessions/session-rows.ts';
import { type Prompt, TurnTranscript } from './transcript/turn-transcript.ts';
import { partsAfter, type TurnPart } from './turn-parts.ts';

export interface DividedTurn {
  readonly prompts: readonly Prompt[];
  /** At least one. */
  readonly parts: readonly TurnPart[];
}

/** Null for a turn in which nothing happened here. */
export function partsOfTurn({ workdir }: TurnRow, items: readonly ItemRow[]): DividedTurn | null {
  const transcript = new TurnTranscript(workdir);
  for (const item of items) transcript.change(item.id, item);
  transcript.settle();
  const { userPrompts, toolUses, messages } = transcript;
  if (toolUses.length + messages.length === 0) return null;
  return { prompts: userPrompts, parts: partsAfter('', transcript) };
}
