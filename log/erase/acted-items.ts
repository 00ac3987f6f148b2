// The items that an act of a person or an agent's proposal is about. Its body holds their text, so it is forgotten with the
// events that they were made from.
import type { ActedItem } from '../catalog/index.ts';

const TYPES: ReadonlySet<string> = new Set([
  'memory.pinned',
  'memory.edited',
  'memory.superseded',
  'memory.proposed',
]);

type Stated = Pick<ActedItem, 'agent' | 'session' | 'events'>;

/** Empty for any other event, and for a body that is no valid one. */
export function actedItems({ type, body }: { readonly type: string; readonly body: object }): Stated[] {
  if (!TYPES.has(type)) return [];
  const { item, by } = body as { readonly item?: unknown; readonly by?: unknown };
  return [item, by].filter(isItem);
}

function isItem(value: unknown): value is Stated {
  return typeof value === 'object' && value !== null && Array.isArray((value as Partial<Stated>).events);
}
