// Filters what is on the screen by words: each word may be the beginning of one, or have a small typo.
import MiniSearch from 'minisearch';
import { useMemo } from 'preact/hooks';

interface Words<T> {
  keyOf(item: T): string;
  textOf(item: T): string;
}

/** Keeps the order of the items. */
export function useFiltered<T>(
  items: readonly T[],
  query: string,
  { keyOf, textOf }: Words<T>,
): readonly T[] {
  const wanted = query.trim();
  return useMemo(() => {
    if (wanted === '') return items;
    const index = new MiniSearch<{ id: string; text: string }>({ fields: ['text'] });
    index.addAll(items.map((item) => ({ id: keyOf(item), text: textOf(item) })));
    const found = index.search(wanted, { prefix: true, fuzzy: 0.15, combineWith: 'AND' });
    const kept = new Set(found.map(({ id }) => id as string));
    return items.filter((item) => kept.has(keyOf(item)));
  }, [items, wanted]);
}
