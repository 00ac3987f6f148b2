// What a view comes to, as one number: sha-256 over its rows in key order as canonical JSON. Anchor, feed,
// dead letters and generation are left out, so equal digests mean equal rows and nothing else. Every row is also
// looked up by its key and read backwards, because LevelDB then goes by other bytes than a scan forwards: bloom
// filter, index block, restart points.
import { createHash } from 'node:crypto';
import { ROWS, ROWS_END, type ViewStore } from './view-store.ts';

const ROWS_PER_READ = 500;

/** 64 hex digits. */
export async function digestRows(store: ViewStore): Promise<string> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const page of pagesOf(store, false)) {
    const looked = await store.getMany(page.map(([key]) => key));
    page.forEach(([key, text], index) => {
      hash.update(`${JSON.stringify(key.slice(ROWS.length))}\n${canonicalJson(JSON.parse(text))}\n`);
      if (looked[index] !== text) hash.update('which is not what looking it up finds\n');
    });
    count += page.length;
  }
  if (!(await isSameBackwards(store, count))) hash.update('which is not what reading backwards finds\n');
  return hash.digest('hex');
}

/** Backwards LevelDB goes by other bytes again: each row must be the one that its key finds, and none be left out. */
async function isSameBackwards(store: ViewStore, count: number): Promise<boolean> {
  let seen = 0;
  let last: string | null = null;
  for await (const page of pagesOf(store, true)) {
    const looked = await store.getMany(page.map(([key]) => key));
    for (const [index, [key, text]] of page.entries()) {
      if (looked[index] !== text || key === last) return false;
      last = key;
    }
    seen += page.length;
  }
  return seen === count;
}

async function* pagesOf(store: ViewStore, reverse: boolean): AsyncGenerator<readonly [string, string][]> {
  const rows = store.iterator({ gte: ROWS, lt: ROWS_END, reverse });
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
