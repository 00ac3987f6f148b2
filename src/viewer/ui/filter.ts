// Filters what is on the screen by words: each word may be the beginning of one, or have a small typo.
import MiniSearch from 'minisearch';
import { useMemo } from 'preact/hooks';

/** Keeps the order of the items. */
export function useFiltered<T>(
  items: readonly T[],
  query: string,
  textOf: (item: T) => string,
): readonly T[] {
  const wanted = query.trim();
  return useMemo(() => {
    if (wanted === '') return items;
    const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] });
    index.addAll(items.map((item, id) => ({ id, text: textOf(item) })));
    const found = index.search(wanted, { prefix: true, fuzzy: 0.15, combineWith: 'AND' });
    const kept = new Set(found.map(({ id }) => id as number));
    return items.filter((_, id) => kept.has(id));
  }, [items, wanted]);
}
