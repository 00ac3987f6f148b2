// The rows of a view as the texts in which its store holds them, read as cheaply as the store can: in place where it
// can do that and little is asked, and not at all where it is known that a key was never written.

import type { RowTexts } from './view-page.ts';
import { ROWS, type ViewStore } from './view-store.ts';

/** A read in place costs 5 µs, one through the thread pool 30; many at once are as cheap there and block nothing. */
const IN_PLACE_MAX = 16;

/** `mayHold` may say yes to a key that the view does not hold, never no to one that it holds. */
export function rowTexts(store: ViewStore, mayHold: (key: string) => boolean): RowTexts {
  const inPlace = canReadInPlace(store);
  const texts: RowTexts['texts'] = (keys) => {
    const found = new Array<string | undefined>(keys.length).fill(undefined);
    const workdirs: number[] = [];
    for (let workdir = 0; workdir < keys.length; workdir++)
      if (mayHold(keys[workdir]!)) workdirs.push(workdir);
    if (workdirs.length === 0) return found;
    if (inPlace && workdirs.length <= IN_PLACE_MAX) {
      for (const workdir of workdirs) found[workdir] = store.getSync(ROWS + keys[workdir]!);
      return found;
    }
    return store.getMany(workdirs.map((workdir) => ROWS + keys[workdir]!)).then((values) => {
      values.forEach((value, index) => {
        found[workdirs[index]!] = value;
      });
      return found;
    });
  };
  return {
    text: (key) => {
      if (!mayHold(key)) return undefined;
      return inPlace ? store.getSync(ROWS + key) : store.get(ROWS + key);
    },
    texts,
    textRange: async ({ from, to, limit, reverse }) => {
      const rows = await store
        .iterator({ gte: ROWS + from, lt: ROWS + to, reverse, limit: Number.isFinite(limit) ? limit : -1 })
        .all();
      return rows.map(([key, text]) => [key.slice(ROWS.length), text] as const);
    },
  };
}

/** Of any key of the store. */
export function storedText(store: ViewStore, key: string): string | undefined | Promise<string | undefined> {
  return canReadInPlace(store) ? store.getSync(key) : store.get(key);
}

function canReadInPlace(store: ViewStore): boolean {
  return (store.supports as { getSync?: boolean }).getSync === true;
}
