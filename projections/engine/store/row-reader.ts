// Reads the rows of one view from a store, as it is now or as it was when a snapshot was taken.
import type { AbstractSnapshot } from 'abstract-level';
import type { Row, ViewReader } from '../contract/projector.ts';
import { type RowTexts, rangeBounds } from './view-page.ts';
import { rowsOf, storedText, storedTexts, type ViewStore } from './view-store.ts';

/** Runs one read: counts it, or turns its errors into those of the views. */
type ReadGuard = <T>(read: () => Promise<T>) => Promise<T>;

export function rowTexts(store: ViewStore, view: string, snapshot?: AbstractSnapshot): RowTexts {
  const prefix = rowsOf(view);
  return {
    text: (key) => storedText(store, prefix + key, snapshot),
    texts: (keys) =>
      storedTexts(
        store,
        keys.map((key) => prefix + key),
        snapshot,
      ),
    textRange: async ({ from, to, limit, reverse }) => {
      const rows = await store
        .iterator({
          gte: prefix + from,
          lt: prefix + to,
          reverse,
          limit: Number.isFinite(limit) ? limit : -1,
          snapshot,
        })
        .all();
      return rows.map(([key, text]) => [key.slice(prefix.length), text] as const);
    },
  };
}

export function rowReader(texts: RowTexts, guard: ReadGuard): ViewReader {
  return {
    get: <R = Row>(key: string) =>
      guard(async () => {
        const text = await texts.text(key);
        return text === undefined ? undefined : (JSON.parse(text) as R);
      }),
    getMany: <R = Row>(keys: readonly string[]) =>
      guard(async () => {
        const found = await texts.texts(keys);
        return found.map((text) => (text === undefined ? undefined : (JSON.parse(text) as R)));
      }),
    range: <R = Row>(prefix: string, options: { limit?: number; after?: string; reverse?: boolean } = {}) => {
      const { limit = Number.POSITIVE_INFINITY, after, reverse = false } = options;
      return guard(async () => {
        const rows = await texts.textRange({ ...rangeBounds(prefix, after, reverse), limit, reverse });
        return rows.map(([key, text]): [string, R] => [key, JSON.parse(text) as R]);
      });
    },
  };
}
