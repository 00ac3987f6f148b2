// Resolves ids of copies: an id shown when a copied line was all there was, because a fork was imported before its
// original. Such an id resolves to the item in the session that owns the line.
import {
  copiedFrom,
  copiesByStart,
  type MemoryDocument,
  memoryKeys,
  observationId,
  summaryId,
  type ViewReader,
} from '../../projections/index.ts';

interface Views {
  readonly turns: ViewReader;
  readonly memory: ViewReader;
}

/** How many parts of a turn are tried for an id. */
const PARTS_MAX = 40;
const FOUND_MAX = 5;

/** The documents that replaced those with this id or id prefix. */
export async function movedDocuments(id: string, views: Views): Promise<readonly MemoryDocument[]> {
  const letter = /^([pausoy])-[0-9a-z]*$/.exec(id)?.[1];
  if (letter === undefined) return [];
  const ids = letter === 'o' || letter === 'y' ? await observedIds(id, views) : await movedItems(id, views);
  const documents = await views.memory.getMany<MemoryDocument>(ids.map(memoryKeys.document));
  return documents.filter((document) => document !== undefined);
}

async function movedItems(id: string, { turns }: Views): Promise<readonly string[]> {
  const owners = new Set<string>();
  for (const copy of await copiesByStart(turns, id, FOUND_MAX)) {
    const owner = await copiedFrom(turns, copy);
    if (owner !== undefined) owners.add(owner.item.id);
  }
  return [...owners];
}

/** Observations and summaries are not items: their ids follow from the turn, and the turn's from its prompt. */
async function observedIds(id: string, { turns }: Views): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const prompt of await copiesByStart(turns, 'p-')) {
    const part = partWithId(id, { ...prompt, id: prompt.turn });
    if (part === null) continue;
    const owner = await copiedFrom(turns, prompt);
    if (owner === undefined) continue;
    const turn = { agent: prompt.agent, session: owner.session, id: owner.item.turn };
    found.add(part === 0 ? summaryId(turn) : observationId(turn, part));
  }
  return [...found].slice(0, FOUND_MAX);
}

/** The part of a turn that has this id or id prefix; 0 for its summary, null for none. */
function partWithId(id: string, turn: Parameters<typeof summaryId>[0]): number | null {
  if (id.startsWith('y')) return summaryId(turn).startsWith(id) ? 0 : null;
  for (let part = 1; part <= PARTS_MAX; part++) if (observationId(turn, part).startsWith(id)) return part;
  return null;
}
