// The item of an act, as the act's event holds it: its text as it is now, and the events it was made from.
import { type ActedItem, AnnalsError, actedItems, type Log } from '../../log/index.ts';
import { type MemoryDocument, withoutMarks } from '../../projections/index.ts';
import type { Home } from '../home/home.ts';
import { resolveId } from '../read/resolve-id.ts';

/** The part of a text that is kept. */
const TEXT_CHARS_MAX = 16_000;

/** @throws AnnalsError NOT_FOUND, AMBIGUOUS_ID, FORGOTTEN, USAGE (a session, a turn or an event) */
export async function documentNamed(id: string, { log, views }: Home): Promise<MemoryDocument> {
  const found = await resolveId(id, { log, turns: views.turns, memory: views.memory });
  if (found.kind === 'document') return found.document;
  throw new AnnalsError(
    'USAGE',
    `“${id}” is ${found.kind === 'event' ? 'an event' : `a ${found.kind}`}; only single items can be acted on.`,
    { hint: 'Give the id of a prompt, an answer, a tool use, a memory, an observation or a summary.' },
  );
}

export async function actedItemOf(document: MemoryDocument, log: Log): Promise<ActedItem> {
  const { id, kind, agent, session, turn, workdir, at, title, body } = document;
  const words = { title, text: body.slice(0, TEXT_CHARS_MAX).toWellFormed() };
  const origin = await originOf(document, log);
  if (origin !== null) return { ...origin, ...words };
  const { events } = withoutMarks(document);
  const own = { id, kind, agent, session, turn, workdir, at, events: [...events] };
  return { ...own, author: authorOf(document), ...words };
}

/** A text that is kept by itself names the events of the item that it came from. */
async function originOf(document: MemoryDocument, log: Log): Promise<ActedItem | null> {
  if (!document.id.startsWith('k-')) return null;
  const [act] = await log.getMany(document.events);
  const [item] = act === undefined ? [] : actedItems(act);
  return (item as ActedItem | undefined) ?? null;
}

function authorOf({ kind, type, author, marks }: MemoryDocument): ActedItem['author'] {
  if (marks?.edited !== undefined) return 'user';
  if (kind === 'tool') return 'tool';
  const isPersons = (kind === 'prompt' && type !== 'plan') || (kind === 'memory' && author === undefined);
  return isPersons ? 'user' : 'agent';
}
