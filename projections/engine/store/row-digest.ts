// The digest of a view: sha-256 over its rows in key order as canonical JSON. Checkpoint, feed, dead letters and the
// generation's name are not included, so equal digests mean equal rows.
import { createHash } from 'node:crypto';
import { prefixEnd } from './row-keys.ts';
import type { ViewStore } from './view-store.ts';

const ROWS_PER_READ = 500;

export interface DigestOptions {
  /**
   * Also looks up every row by its key and reads backwards, because LevelDB then uses other bytes than a forward scan:
   * bloom filter, index block, restart points. A row that is not found this way changes the digest. Four times as slow.
   */
  readonly everyWay: boolean;
}

/** 64 hex digits. `prefix`: of the keys of the view's rows; the digest covers the rest of each key. */
export async function digestRows(
  store: ViewStore,
  prefix: string,
  { everyWay }: DigestOptions,
): Promise<string> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const page of pagesOf(store, prefix, false)) {
    const found = everyWay ? await store.getMany(page.map(([key]) => key)) : null;
    page.forEach(([key, text], index) => {
      hash.update(`${JSON.stringify(key.slice(prefix.length))}\n${canonicalJson(JSON.parse(text))}\n`);
      if (found !== null && found[index] !== text) hash.update('lookup by key finds another row\n');
    });
    count += page.length;
  }
  if (everyWay && !(await isSameBackwards(store, prefix, count)))
    hash.update('reading backwards finds other rows\n');
  return hash.digest('hex');
}

/** Whether reading backwards finds the same rows as lookups by key, and all of them. */
async function isSameBackwards(store: ViewStore, prefix: string, count: number): Promise<boolean> {
  let seen = 0;
  let last: string | null = null;
  for await (const page of pagesOf(store, prefix, true)) {
    const looked = await store.getMany(page.map(([key]) => key));
    for (const [index, [key, text]] of page.entries()) {
      if (looked[index] !== text || key === last) return false;
      last = key;
    }
    seen += page.length;
  }
  return seen === count;
}

async function* pagesOf(
  store: ViewStore,
  prefix: string,
  reverse: boolean,
): AsyncGenerator<readonly [string, string][]> {
  const rows = store.iterator({ gte: prefix, lt: prefixEnd(prefix), reverse });
  try {
    for (;;) {
      const page = await rows.nextv(ROWS_PER_READ);
      if (page.length === 0) return;
      yield page;
    }
  } finally {
    await rows.close();
  }
}

/** JSON with object keys sorted by UTF-16 unit and without white space; numbers as JSON writes them. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = value as Record<string, unknown>;
  return `{${Object.keys(fields)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(fields[name])}`)
    .join(',')}}`;
}
