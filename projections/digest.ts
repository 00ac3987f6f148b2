// What a view comes to, as one number: sha-256 over its rows in key order as canonical JSON. Anchor, feed,
// dead letters and generation are left out, so equal digests mean equal rows and nothing else.
import { createHash } from 'node:crypto';
import { ROWS, ROWS_END, type ViewStore } from './store.ts';

const ROWS_PER_READ = 500;

/** 64 hex digits. */
export async function digestRows(store: ViewStore): Promise<string> {
  const hash = createHash('sha256');
  const rows = store.iterator({ gte: ROWS, lt: ROWS_END });
  try {
    for (;;) {
      const page = await rows.nextv(ROWS_PER_READ);
      if (page.length === 0) return hash.digest('hex');
      for (const [key, text] of page)
        hash.update(`${JSON.stringify(key.slice(ROWS.length))}\n${canonicalJson(JSON.parse(text))}\n`);
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
