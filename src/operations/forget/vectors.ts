// The vectors of what is forgotten go with it: they hold a trace of its text. An event holds those of many documents,
// so it goes whole, and what it holds of documents that stay is told again first: nobody pays for those twice.
import type { Telling } from '../../../log/index.ts';
import {
  type AttachedVector,
  below,
  type MemoryDocument,
  memoryKeys,
  SHORT_TOKENS,
  type ToldVector,
  vectorKeys,
} from '../../../projections/index.ts';
import { vectorsTelling } from '../../embed/telling.ts';
import type { Opened } from '../opened.ts';

export interface ForgottenVectors {
  /** Ids of the events that go. */
  readonly events: readonly string[];
  /** What of them stays, told anew. */
  readonly retold: readonly Telling<'vectors.computed'>[];
  /** The vectors that go, as they stand in the event. */
  readonly vectors: readonly string[];
}

interface Place {
  readonly agent: string;
  readonly session: string | null;
}

interface Entry extends ToldVector {
  readonly document: string;
}

const DOCUMENTS_PER_READ = 500;

/** @param gone ids of the events that go; `places` are all sessions that they stand in */
export async function vectorsOfForgotten(
  gone: ReadonlySet<string>,
  places: readonly Place[],
  { views }: Pick<Opened, 'views'>,
): Promise<ForgottenVectors> {
  const events: string[] = [];
  const retold: Telling<'vectors.computed'>[] = [];
  const vectors: string[] = [];
  for (const place of places) {
    const byEvent = await entriesOf(place, views.turns);
    if (byEvent.size === 0) continue;
    const staying = await documentsThatStay(place, gone, views.memory);
    for (const [event, entries] of byEvent) {
      const kept = gone.has(event) ? [] : await fitting(entries, staying, views.memory);
      if (kept.length === entries.length) continue;
      events.push(event);
      const keeps = new Set(kept);
      vectors.push(...entries.filter((entry) => !keeps.has(entry)).map(({ vector }) => vector));
      if (kept.length > 0) retold.push(tellingOf(place, kept));
    }
  }
  const again = new Set(retold.flatMap(({ body }) => body.documents.map(({ vector }) => vector)));
  return { events, retold, vectors: vectors.filter((vector) => !again.has(vector)) };
}

async function entriesOf(
  { agent, session }: Place,
  turns: Opened['views']['turns'],
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const prefix = below('vector', agent, session ?? '');
  const byEvent = new Map<string, Entry[]>();
  for (const [rowKey, row] of await turns.range<ToldVector>(prefix)) {
    const entries = byEvent.get(row.event) ?? [];
    byEvent.set(row.event, entries);
    entries.push({ ...row, document: rowKey.slice(prefix.length).split('/')[0]! });
  }
  return byEvent;
}

/** Those of which no event goes, and beside which nothing stands that goes and is part of their vector. */
async function documentsThatStay(
  { agent, session }: Place,
  gone: ReadonlySet<string>,
  memory: Opened['views']['memory'],
): Promise<ReadonlySet<string>> {
  const ids = (await memory.range<string[]>(below('group', agent, session ?? ''))).flatMap(([, one]) => one);
  const documents: MemoryDocument[] = [];
  for (let from = 0; from < ids.length; from += DOCUMENTS_PER_READ) {
    const keys = ids.slice(from, from + DOCUMENTS_PER_READ).map(memoryKeys.document);
    for (const document of await memory.getMany<MemoryDocument>(keys))
      if (document !== undefined) documents.push(document);
  }
  const goes = ({ events }: MemoryDocument) => events.some((id) => gone.has(id));
  const titles = new Set(documents.filter(goes).map(({ title }) => title));
  const isBeside = ({ tokens, neighbours }: MemoryDocument) =>
    tokens < SHORT_TOKENS && neighbours.some((title) => titles.has(title));
  return new Set(documents.filter((one) => !goes(one) && !isBeside(one)).map(({ id }) => id));
}

/** Of texts that a document no longer has, a vector is of no use, and may hold what was beside it then. */
async function fitting(
  entries: readonly Entry[],
  staying: ReadonlySet<string>,
  memory: Opened['views']['memory'],
): Promise<readonly Entry[]> {
  const keys = entries.map(({ recipe, document }) => vectorKeys.vector(recipe, document));
  const attached = await memory.getMany<AttachedVector>(keys);
  return entries.filter(
    ({ document, event }, index) => staying.has(document) && attached[index]?.event === event,
  );
}

function tellingOf(place: Place, kept: readonly Entry[]): Telling<'vectors.computed'> {
  const { recipe, dim, salt, event } = kept[0]!;
  const documents = kept.map(({ document, input, vector }) => ({ id: document, input, vector }));
  return { ...vectorsTelling(place, { recipe, dim, salt, documents }, null), causation: event };
}
