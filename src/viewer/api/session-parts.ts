// The parts of a session and of a turn, from the details of the item that the API shows.
import { detail, type ListedSession, listDetail, type ShownItem, textDetail } from './types.ts';

type Json = ShownItem['details'];

/** Two agents may give their sessions the same id. */
export function sessionKey({ agent, id }: Pick<ListedSession, 'agent' | 'id'>): string {
  return `${agent} ${id}`;
}

export interface TurnEntry {
  readonly id: string;
  readonly title: string;
  /** ISO 8601 */
  readonly at: string | null;
  readonly endedAt: string | null;
  readonly toolUses: number;
  readonly failed: number;
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
  /** The events that report it. */
  readonly events: readonly string[];
  /** Null if it is no tool use. */
  readonly tool: UsedTool | null;
  /** The sub-agent that it started. */
  readonly launched: string | null;
  /** It is the agent's summary of what was said before, not an answer. */
  readonly isCompaction: boolean;
}

interface UsedTool {
  readonly name: string;
  readonly title: string;
  /** Null: unknown, or there is none. */
  readonly outcome: string | null;
  readonly error: string;
}

export function turnsOf({ details }: ShownItem): readonly TurnEntry[] {
  return entriesOf(detail(details, 'turns')).map((turn) => ({
    id: textDetail(turn, 'id') ?? '',
    title: textDetail(turn, 'title') ?? '',
    at: textDetail(turn, 'at'),
    endedAt: textDetail(turn, 'endedAt'),
    toolUses: Number(detail(turn, 'toolUses') ?? 0),
    failed: Number(detail(turn, 'failed') ?? 0),
    isInherited: detail(turn, 'inherited') === true,
    isUnfinished: detail(turn, 'unfinished') === true,
  }));
}

/** What was forgotten of the session, by when. */
export function forgottenIn({
  details,
}: ShownItem): readonly { readonly at: string; readonly events: number }[] {
  return entriesOf(detail(details, 'forgotten')).map((one) => ({
    at: textDetail(one, 'at') ?? '',
    events: Number(detail(one, 'events') ?? 0),
  }));
}

export function partsOf({ details }: ShownItem): readonly TurnPart[] {
  return entriesOf(detail(details, 'items')).map((item) => ({
    id: textDetail(item, 'id'),
    kind: (textDetail(item, 'kind') ?? 'stop') as TurnPart['kind'],
    text: textDetail(item, 'text') ?? '',
    at: textDetail(item, 'at'),
    agentId: textDetail(item, 'agentId'),
    events: listDetail(item, 'events'),
    tool: toolOf(detail(item, 'tool') ?? null),
    launched: textDetail(item, 'launched'),
    isCompaction: detail(item, 'compaction') === true,
  }));
}

function toolOf(tool: Json): UsedTool | null {
  const name = textDetail(tool, 'name');
  if (name === null) return null;
  const [title = '', error = ''] = [textDetail(tool, 'title'), textDetail(tool, 'error')].map(
    (text) => text ?? '',
  );
  return { name, title, outcome: textDetail(tool, 'outcome'), error };
}

interface UsedTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheCreation: number;
}

/** Some versions of agents record the usage of a reply before it is written: a few tokens for each. */
export function isPlausible(tokensWritten: number, toolUses: number): boolean {
  return tokensWritten > TOKENS_OF_USE_MIN * Math.max(1, toolUses);
}

/** A call of a tool takes more to write. */
const TOKENS_OF_USE_MIN = 15;

/** Null if no usage is known, or one that cannot be. */
export function usageOf(details: Json): UsedTokens | null {
  const usage = detail(details, 'usage') ?? null;
  const [input, output, cacheRead, cacheCreation] = ['input', 'output', 'cacheRead', 'cacheCreation'].map(
    (name) => Number(detail(usage, name) ?? 0),
  ) as [number, number, number, number];
  const toolUses = Number(detail(detail(details, 'counts') ?? null, 'toolUses') ?? 0);
  return isPlausible(output, toolUses) ? { input, output, cacheRead, cacheCreation } : null;
}

export type Group =
  | { readonly kind: 'part'; readonly part: TurnPart }
  | { readonly kind: 'sub-agent'; readonly agentId: string; readonly groups: readonly Group[] };

/**
 * What a sub-agent did is one group: below the tool use that started it, else where it began, because several may run at
 * once. A sub-agent may start others.
 */
export function groupsOf(parts: readonly TurnPart[]): readonly Group[] {
  const launched = new Set(parts.flatMap((part) => part.launched ?? []));
  const placed = new Set<string>();
  const withLaunched = (part: TurnPart): readonly Group[] => [
    { kind: 'part', part },
    ...(part.launched === null ? [] : groupOf(part.launched)),
  ];
  const groupsIn = (agentId: string): readonly Group[] =>
    parts.filter((part) => part.agentId === agentId).flatMap(withLaunched);
  const groupOf = (agentId: string): readonly Group[] => {
    if (placed.has(agentId) || parts.every((part) => part.agentId !== agentId)) return [];
    placed.add(agentId);
    return [{ kind: 'sub-agent', agentId, groups: groupsIn(agentId) }];
  };
  const groups = parts.flatMap((part): readonly Group[] => {
    const { agentId } = part;
    if (agentId !== null) return launched.has(agentId) ? [] : groupOf(agentId);
    return withLaunched(part);
  });
  // Reports may be wrong: two sub-agents that started each other.
  return [...groups, ...parts.flatMap(({ agentId }) => (agentId === null ? [] : groupOf(agentId)))];
}

/** All parts of these groups. */
export function partsIn(groups: readonly Group[]): readonly TurnPart[] {
  return groups.flatMap((group) => (group.kind === 'part' ? [group.part] : partsIn(group.groups)));
}

function entriesOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
