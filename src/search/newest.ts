// A search without words: the newest documents that pass the filters. It reads the short rows of `recent`, and whole
// documents only to show them. It reads only kinds and types that can pass, and stops at the limit. If nothing passes,
// it has read every row of those kinds once.
import type { MemoryDocument, RecentDocument, RecentSpan } from '../../projections/index.ts';
import type { Filter } from './filter.ts';

export interface NewestSource {
  /** Pages of rows, newest first; they may include rows outside the span. */
  recent(workdirs: readonly string[], span: RecentSpan): AsyncIterable<readonly RecentDocument[]>;
  documents: {
    getMany(ids: readonly string[]): Promise<readonly (MemoryDocument | undefined)[]>;
  };
}

/** At most `limit` documents that pass the filter and the text test, newest first. */
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

/** The ids of all rows that pass. */
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
