// Resolves an id to its item: documents and items by their short id, turns, sessions, events, each also by an
// unambiguous prefix of its id.
import { AnnalsError, type Log, type LogEvent } from '../../log/index.ts';
import {
  type ItemRow,
  isItemRow,
  type MemoryDocument,
  memoryKeys,
  type SessionRow,
  sessionKeys,
  type TurnRow,
  type ViewReader,
} from '../../projections/index.ts';
import { PREFIX_CHARS_MIN, sessionsNamed } from '../home/named-session.ts';
import { movedDocuments } from './moved-ids.ts';

export type ResolvedItem =
  | { readonly kind: 'document'; readonly document: MemoryDocument }
  | { readonly kind: 'turn'; readonly turn: TurnRow; readonly items: readonly ItemRow[] }
  | { readonly kind: 'session'; readonly session: SessionRow }
  | { readonly kind: 'event'; readonly event: LogEvent };

export interface ItemSources {
  readonly log: Log;
  readonly turns: ViewReader;
  readonly memory: ViewReader;
}

const CANDIDATES_MAX = 5;

/** @throws AnnalsError NOT_FOUND, FORGOTTEN, AMBIGUOUS_ID, USAGE (a prefix that is too short) */
export async function resolveId(id: string, sources: ItemSources): Promise<ResolvedItem> {
  const wanted = id.trim();
  const session = await sessionsNamed(wanted, sources.turns, CANDIDATES_MAX);
  if (session.length === 1) return { kind: 'session', session: session[0]! };
  if (wanted.length < PREFIX_CHARS_MIN) {
    throw new AnnalsError(
      'USAGE',
      `“${wanted}” is too short for an id: give at least ${PREFIX_CHARS_MIN} characters.`,
    );
  }
  const found: ResolvedItem[] = [
    ...session.map((row) => ({ kind: 'session', session: row }) as const),
    ...(await findDocuments(wanted, sources.memory)),
    ...(await findTurns(wanted, sources.turns)),
    ...(await findEvents(wanted, sources.log)),
  ];
  if (found.length === 0) {
    const moved = await movedDocuments(wanted, sources);
    found.push(...moved.map((document) => ({ kind: 'document', document }) as const));
  }
  if (found.length === 1) return found[0]!;
  const forgotten = found.length === 0 ? sources.log.forgotten(wanted) : undefined;
  if (forgotten !== undefined)
    throw new AnnalsError(
      'FORGOTTEN',
      `“${wanted}” was forgotten at ${new Date(forgotten.at).toISOString()}.`,
      {
        hint: 'It is gone for good and cannot be shown.',
        facts: { at: forgotten.at, event: forgotten.event },
      },
    );
  if (found.length === 0) {
    throw new AnnalsError('NOT_FOUND', `Nothing has the id “${wanted}”.`, {
      hint: '`annals search` and `annals log` show ids.',
    });
  }
  throw new AnnalsError(
    'AMBIGUOUS_ID',
    `“${wanted}” matches ${found.length} or more items: ${found.slice(0, CANDIDATES_MAX).map(itemName).join(', ')}.`,
    {
      hint: 'Give more of the id.',
    },
  );
}

export function itemName(found: ResolvedItem): string {
  switch (found.kind) {
    case 'document':
      return found.document.id;
    case 'turn':
      return found.turn.id;
    case 'session':
      return found.session.session;
    case 'event':
      return found.event.id;
  }
}

async function findDocuments(id: string, memory: ViewReader): Promise<ResolvedItem[]> {
  if (!/^[a-z]-[0-9a-z]+$/.test(id)) return [];
  const rows = await memory.range<MemoryDocument>(memoryKeys.document(id), { limit: CANDIDATES_MAX });
  const documents = rows.map(([, row]) => row);
  const exact = documents.find((document) => document.id === id);
  return (exact === undefined ? documents : [exact]).map((document) => ({ kind: 'document', document }));
}

async function findTurns(id: string, turns: ViewReader): Promise<ResolvedItem[]> {
  if (!id.startsWith('t-')) return [];
  const found: ResolvedItem[] = [];
  for (const [, session] of await turns.range<SessionRow>(sessionKeys.sessions())) {
    const rows = await turns.range<TurnRow | ItemRow>(sessionKeys.turn(session.agent, session.session, id));
    for (const [, turn] of rows) {
      if (isItemRow(turn)) continue;
      const items = await turns.range<ItemRow>(sessionKeys.itemsOfTurn(turn.agent, turn.session, turn.id));
      found.push({
        kind: 'turn',
        turn,
        items: items.map(([, item]) => item).sort((a, b) => (a.order < b.order ? -1 : 1)),
      });
    }
  }
  return found;
}

async function findEvents(id: string, log: Log): Promise<ResolvedItem[]> {
  if (!/^[0-9a-f]{4,32}$/.test(id)) return [];
  const ids = id.length === 32 ? [id] : await log.idsByPrefix(id, CANDIDATES_MAX);
  const events = await log.getMany(ids);
  return events.filter((event) => event !== undefined).map((event) => ({ kind: 'event', event }));
}
