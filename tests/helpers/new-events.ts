// Events for tests of the log that do not depend on their content.
import {
  type ActedItem,
  type BodyInput,
  type EventType,
  importKey,
  importOrigin,
  type NewEvent,
} from '../../log/index.ts';

/** A tool use whose id and text are made from its number. */
export function toolEvent(number: number, session = 'session-1', words = 20): NewEvent<'tool.used'> {
  return {
    type: 'tool.used',
    agent: 'claude-code',
    session,
    dedupeKey: `toolu_${number}`,
    channel: 'transcript',
    occurredAt: 1_767_225_600_000 + number,
    body: {
      toolUseId: `toolu_${number}`,
      name: 'Bash',
      input: { command: `make test-${number}` },
      outcome: 'ok',
      result: Array.from({ length: words }, (_, word) => `line ${number * 7 + word * 13}`).join('\n'),
    },
  };
}

export function toolEvents(
  count: number,
  from = 1,
  session = 'session-1',
  words = 20,
): NewEvent<'tool.used'>[] {
  return Array.from({ length: count }, (_, index) => toolEvent(from + index, session, words));
}

export function workdirEvent(cwd: string): NewEvent<'workdir.seen'> {
  return {
    type: 'workdir.seen',
    agent: 'annals',
    session: null,
    dedupeKey: cwd,
    channel: 'cli',
    occurredAt: null,
    body: { cwd },
  };
}

/** A version of a memory of another tool, of the kind note. */
export function importEvent(
  originalId: string,
  body: Partial<BodyInput<'import.memory'>>,
  session: string | null = null,
): NewEvent<'import.memory'> {
  const named = { tool: 'made-up', installation: 'one', kind: 'note', originalId } as const;
  return {
    type: 'import.memory',
    agent: 'annals',
    session,
    dedupeKey: importKey(importOrigin(named), body.version ?? 1),
    channel: 'import',
    occurredAt: 7,
    body: { ...named, ...body },
  };
}

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
