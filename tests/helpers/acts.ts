// Events of a person's acts.
import type { ActedItem, BodyInput, EventType, NewEvent } from '../../log/index.ts';

/** An item as a person saw it. */
export function actedItem(
  kind: ActedItem['kind'],
  events: readonly string[],
  more: Partial<ActedItem> = {},
): ActedItem {
  return {
    id: `x-${events[0]!.slice(0, 12)}`,
    kind,
    agent: 'annals',
    session: null,
    turn: null,
    workdir: '',
    at: 1_767_225_600_000,
    author: 'agent',
    title: 'As it was',
    text: 'Some text',
    ...more,
    events: [...events],
  };
}

/** In the session of its item. `at`: Unix ms. */
export function actEvent<T extends Extract<EventType, `memory.${string}`>>(
  type: T,
  body: BodyInput<T>,
  at = 1_767_225_700_000,
): NewEvent<T> {
  const { item } = body as { item?: ActedItem | null };
  return {
    type,
    agent: 'annals',
    session: item?.session ?? null,
    dedupeKey: `act ${at} ${JSON.stringify(body)}`,
    channel: 'cli',
    occurredAt: at,
    body,
  };
}
