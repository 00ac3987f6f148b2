// Removes the vectors of forgotten documents, because they hold a trace of the text. One event holds vectors of many
// documents, so the whole event goes, and the vectors of documents that stay are recorded again first: a model is not
// paid twice for them.
import { type NewEvent, pushTo } from '../../log/index.ts';
import {
  type AttachedVector,
  below,
  documentEvents,
  type MemoryDocument,
  type ModelVector,
  memoryKeys,
  SHORT_TOKENS,
  vectorKeys,
} from '../../projections/index.ts';
import { vectorsEvent } from '../embed/embedders/vectors-event.ts';
import type { Home } from '../home/home.ts';

export interface ForgottenVectors {
  /** Ids of the `vectors.computed` events that go. */
  readonly events: readonly string[];
  /** New events with the vectors that stay. */
  readonly recordedAgain: readonly NewEvent<'vectors.computed'>[];
  /** The vectors that go, encoded as in the event. */
  readonly vectors: readonly string[];
}

interface SessionKey {
  readonly agent: string;
  readonly session: string | null;
}

interface Entry extends ModelVector {
  readonly document: string;
}

const DOCUMENTS_PER_READ = 500;

/** @param gone ids of the events that go; `sessionKeys` are all their sessions */
export async function vectorsOfForgotten(
  gone: ReadonlySet<string>,
  sessionKeys: readonly SessionKey[],
  { views }: Pick<Home, 'views'>,
): Promise<ForgottenVectors> {
  const events: string[] = [];
  const recordedAgain: NewEvent<'vectors.computed'>[] = [];
  const vectors: string[] = [];
  for (const sessionKey of sessionKeys) {
    const byEvent = await entriesOf(sessionKey, views.turns);
    if (byEvent.size === 0) continue;
    const staying = await documentsThatStay(sessionKey, gone, views.memory);
    for (const [event, entries] of byEvent) {
      const kept = gone.has(event) ? [] : await stillAttached(entries, staying, views.memory);
      if (kept.length === entries.length) continue;
      events.push(event);
      const keptEntries = new Set(kept);
      vectors.push(...entries.filter((entry) => !keptEntries.has(entry)).map(({ vector }) => vector));
      if (kept.length > 0) recordedAgain.push(vectorsEventOf(sessionKey, kept));
    }
  }
  const again = new Set(recordedAgain.flatMap(({ body }) => body.documents.map(({ vector }) => vector)));
  return { events, recordedAgain, vectors: vectors.filter((vector) => !again.has(vector)) };
}

async function entriesOf(
  { agent, session }: SessionKey,
  turns: Home['views']['turns'],
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const prefix = below('vector', agent, session ?? '');
  const byEvent = new Map<string, Entry[]>();
  for (const [rowKey, row] of await turns.range<ModelVector>(prefix))
    pushTo(byEvent, row.event, { ...row, document: rowKey.slice(prefix.length).split('/')[0]! });
  return byEvent;
}

/** Documents that lose no event, and whose vector does not include the title of a neighbour that goes. */
async function documentsThatStay(
  { agent, session }: SessionKey,
  gone: ReadonlySet<string>,
  memory: Home['views']['memory'],
): Promise<ReadonlySet<string>> {
  const groups = await memory.range(memoryKeys.ofSession(agent, session));
  const ids = groups.map(([rowKey]) => memoryKeys.documentIn(rowKey));
  const documents: MemoryDocument[] = [];
  const goes = new Set<MemoryDocument>();
  for (let from = 0; from < ids.length; from += DOCUMENTS_PER_READ) {
    const keys = ids.slice(from, from + DOCUMENTS_PER_READ).map(memoryKeys.document);
    for (const document of await memory.getMany<MemoryDocument>(keys))
      if (document !== undefined) {
        documents.push(document);
        if ((await documentEvents(document, memory)).some((id) => gone.has(id))) goes.add(document);
      }
  }
  const titles = new Set([...goes].map(({ title }) => title));
  const isBeside = ({ tokens, neighbours }: MemoryDocument) =>
    tokens < SHORT_TOKENS && neighbours.some((title) => titles.has(title));
  return new Set(documents.filter((one) => !goes.has(one) && !isBeside(one)).map(({ id }) => id));
}

/** The entries whose vector is still attached: a vector of an older text is useless, and may hold what was beside it. */
async function stillAttached(
  entries: readonly Entry[],
  staying: ReadonlySet<string>,
  memory: Home['views']['memory'],
): Promise<readonly Entry[]> {
  const keys = entries.map(({ recipe, document }) => vectorKeys.vector(recipe, document));
  const attached = await memory.getMany<AttachedVector>(keys);
  return entries.filter(
    ({ document, event }, index) => staying.has(document) && attached[index]?.event === event,
  );
}

function vectorsEventOf(sessionKey: SessionKey, kept: readonly Entry[]): NewEvent<'vectors.computed'> {
  const { recipe, dim, salt, event } = kept[0]!;
  const documents = kept.map(({ document, input, vector }) => ({ id: document, input, vector }));
  return { ...vectorsEvent(sessionKey, { recipe, dim, salt, documents }, null), causation: event };
}
