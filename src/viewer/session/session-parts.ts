// The parts of a session and of a turn, from the details of the item that the API shows.
import { detail, type ShownItem, textDetail } from '../api/types.ts';
import type { UsedTokens } from '../ui/labels.tsx';

type Json = ShownItem['details'];

export interface TurnEntry {
  readonly id: string;
  readonly title: string;
  /** ISO 8601 */
  readonly at: string | null;
  readonly toolUses: number;
  readonly isInherited: boolean;
  readonly isUnfinished: boolean;
}

export interface TurnPart {
  /** Null: there is nothing more to show of it. */
  readonly id: string | null;
  readonly kind: 'prompt' | 'reply' | 'tool' | 'stop';
  /** Shortened. */
  readonly text: string;
  readonly at: string | null;
  /** The sub-agent that did it. */
  readonly agentId: string | null;
}

export function turnsOf({ details }: ShownItem): readonly TurnEntry[] {
  return entriesOf(detail(details, 'turns')).map((turn) => ({
    id: textDetail(turn, 'id') ?? '',
    title: textDetail(turn, 'title') ?? '',
    at: textDetail(turn, 'at'),
    toolUses: Number(detail(turn, 'toolUses') ?? 0),
    isInherited: detail(turn, 'inherited') === true,
    isUnfinished: detail(turn, 'unfinished') === true,
  }));
}

export function partsOf({ details }: ShownItem): readonly TurnPart[] {
  return entriesOf(detail(details, 'items')).map((item) => ({
    id: textDetail(item, 'id'),
    kind: (textDetail(item, 'kind') ?? 'stop') as TurnPart['kind'],
    text: textDetail(item, 'text') ?? '',
    at: textDetail(item, 'at'),
    agentId: textDetail(item, 'agentId'),
  }));
}

/** Null if no usage is known. */
export function usageOf(details: Json): UsedTokens | null {
  const usage = detail(details, 'usage') ?? null;
  const [input, output, cacheRead, cacheCreation] = ['input', 'output', 'cacheRead', 'cacheCreation'].map(
    (name) => Number(detail(usage, name) ?? 0),
  ) as [number, number, number, number];
  return input + output === 0 ? null : { input, output, cacheRead, cacheCreation };
}

export type Group =
  | { readonly kind: 'part'; readonly part: TurnPart }
  | { readonly kind: 'sub-agent'; readonly agentId: string; readonly parts: readonly TurnPart[] };

/** What a sub-agent did is one group, where it began: several may run at once. */
export function groupsOf(parts: readonly TurnPart[]): readonly Group[] {
  const seen = new Set<string>();
  return parts.flatMap((part): Group[] => {
    const { agentId } = part;
    if (agentId === null) return [{ kind: 'part', part }];
    if (seen.has(agentId)) return [];
    seen.add(agentId);
    return [{ kind: 'sub-agent', agentId, parts: parts.filter((one) => one.agentId === agentId) }];
  });
}

function entriesOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
