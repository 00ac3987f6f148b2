// The events that the text of another event was made from: the items that an act of a person or an agent's proposal is about,
// and what a model read before it answered. It is forgotten with them.
import type { ActedItem } from '../catalog/index.ts';

const TYPES: ReadonlySet<string> = new Set([
  'memory.pinned',
  'memory.edited',
  'memory.superseded',
  'memory.proposed',
]);

const ABOUT_TURNS: ReadonlySet<string> = new Set(['observer.asked', 'observer.replied', 'observer.failed']);

type Stated = Pick<ActedItem, 'agent' | 'session' | 'events'>;

/** Empty for any other event, and for a body that is no valid one. */
export function actedItems({
  type,
  body,
  agent,
  session,
}: {
  readonly type: string;
  readonly body: object;
  readonly agent: string;
  readonly session: string | null;
}): Stated[] {
  if (ABOUT_TURNS.has(type)) {
    const { covers } = body as { readonly covers?: unknown };
    return Array.isArray(covers) ? [{ agent, session, events: covers as string[] }] : [];
  }
  if (!TYPES.has(type)) return [];
  const { item, by } = body as { readonly item?: unknown; readonly by?: unknown };
  return [item, by].filter(isItem);
}

function isItem(value: unknown): value is Stated {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<Stated>).events);
}
