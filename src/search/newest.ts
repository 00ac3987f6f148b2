// A search without words: what passes the filters, the newest first. It reads the short rows of `recent`, never whole
// documents but those it shows, only of kinds and types that can pass, and stops at the limit. Where nothing passes it
// has read every row of those kinds once.
import type { MemoryDocument, RecentDocument, RecentSpan } from '../../projections/index.ts';
import type { Filter } from './filter.ts';

export interface NewestSource {
  /** Pages of rows, the newest first; more may come than the span asks for. */
  recent(workdirs: readonly string[], span: RecentSpan): AsyncIterable<readonly RecentDocument[]>;
  documents: {
    getMany(ids: readonly string[]): Promise<readonly (MemoryDocument | undefined)[]>;
  };
}

/** At most `limit` documents that pass, also what only their text shows. */
export async function newestPassing(
  world: NewestSource,
  workdirs: readonly string[],
  filter: Filter,
  textPasses: (document: MemoryDocument) => boolean,
  limit: number,
): Promise<MemoryDocument[]> {
  const found: MemoryDocument[] = [];
  for await (const page of world.recent(workdirs, filter)) {
    const passing = page.filter(filter.passes).map(({ id }) => id);
    for (let from = 0; from < passing.length && found.length < limit; from += limit)
      for (const document of await world.documents.getMany(passing.slice(from, from + limit)))
        if (document !== undefined && textPasses(document)) found.push(document);
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** The ids of everything that passes. */
export async function allPassing(
  world: NewestSource,
  workdirs: readonly string[],
  filter: Filter,
): Promise<ReadonlySet<string>> {
  const passing = new Set<string>();
  for await (const page of world.recent(workdirs, filter))
    for (const row of page) if (filter.passes(row)) passing.add(row.id);
  return passing;
}
