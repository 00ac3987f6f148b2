// What one page of events writes to one view, before it is on disk. Reads see the page's own writes. Rows are serialized
// once, when the page is sealed. Until then a row that was put is returned as the same object; a row from the store is
// parsed again for each read, so a projector that modifies a row without putting it changes nothing.

import type { Change, Row, ShownChanges, ViewWriter } from '../contract/projector.ts';
import { compareKeys, prefixEnd } from './row-keys.ts';
import { type MemoryOfPage, ViewMemory } from './view-memory.ts';
import { storeFailure } from './view-store.ts';

/** The stored rows of a view, as JSON texts. What can be read in place is returned without a promise. */
export interface RowTexts {
  text(key: string): string | undefined | Promise<string | undefined>;
  texts(keys: readonly string[]): readonly (string | undefined)[] | Promise<readonly (string | undefined)[]>;
  /** Rows between two keys (`from` included, `to` not), in order. */
  textRange(bounds: {
    from: string;
    to: string;
    limit: number;
    reverse: boolean;
  }): Promise<readonly (readonly [string, string])[]>;
}

/** A key's JSON text before and after the page; undefined for no row. */
export interface RowChange {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** `after`, not serialized. */
  readonly row: Row | undefined;
}

/** One key that the page read or wrote. */
interface Entry extends RowChange {
  /** Whether `before` was read from the store. */
  known: boolean;
  before: string | undefined;
  /** Written since the last seal: the row is `unsealed`, undefined if deleted. */
  pending: boolean;
  unsealed: Row | undefined;
  /** Written before the last seal: the row is `after` and `row`. */
  sealed: boolean;
  after: string | undefined;
  row: Row | undefined;
}

/** So many ranges are answered by looking at every written key; keeping the keys sorted costs more for a few ranges. */
const UNSORTED_RANGES = 8;

export class ViewPage implements ViewWriter {
  readonly #store: RowTexts;
  readonly #entries = new Map<string, Entry>();
  /** Entries written since the last seal. */
  #pending: Entry[] = [];
  /** Entries that were ever sealed. */
  readonly #sealed: Entry[] = [];
  /** Written keys in key order; null until the page has read several ranges. */
  #order: string[] | null = null;
  #ranges = 0;
  #failure: { readonly error: unknown } | null = null;

  readonly memory: MemoryOfPage;

  constructor(store: RowTexts, memory: ViewMemory = new ViewMemory()) {
    this.#store = store;
    this.memory = memory.page();
  }

  async get<R = Row>(key: string): Promise<R | undefined> {
    const entry = this.#entries.get(key) ?? this.#entry(key);
    if (!entry.known && !entry.pending && !entry.sealed) await this.#load([entry]);
    return this.#row<R>(entry);
  }

  async getMany<R = Row>(keys: readonly string[]): Promise<(R | undefined)[]> {
    const entries: Entry[] = [];
    const missing: Entry[] = [];
    for (const key of keys) {
      const entry = this.#entries.get(key) ?? this.#entry(key);
      entries.push(entry);
      if (!entry.known && !entry.pending && !entry.sealed) missing.push(entry);
    }
    if (missing.length > 0) await this.#load(missing);
    return entries.map((entry) => this.#row<R>(entry));
  }

  async range<R = Row>(
    prefix: string,
    options: { limit?: number; after?: string; reverse?: boolean } = {},
  ): Promise<[string, R][]> {
    const { limit = Number.POSITIVE_INFINITY, after, reverse = false } = options;
    const { from, to } = rangeBounds(prefix, after, reverse);
    const written = this.#writtenBetween(from, to);
    // More by the number of rows that the page may have deleted.
    const stored = await this.#guard(() =>
      this.#store.textRange({ from, to, limit: limit + written.length, reverse }),
    );
    for (const [key, text] of stored) {
      const entry = this.#entries.get(key) ?? this.#entry(key);
      entry.known = true;
      entry.before = text;
    }
    const own = new Set(written);
    const keys = stored.map(([key]) => key).filter((key) => !own.has(key));
    for (const key of written) if (this.#alive(key)) keys.push(key);
    if (written.length > 0) keys.sort(reverse ? (a, b) => compareKeys(b, a) : compareKeys);
    const rows: [string, R][] = [];
    for (const key of keys) {
      if (rows.length >= limit) break;
      rows.push([key, this.#row<R>(this.#entries.get(key)!) as R]);
    }
    return rows;
  }

  put(key: string, row: Row): void {
    if (row === null || row === undefined) throw new TypeError('A row is a JSON value other than null.');
    this.#write(key, row);
  }

  del(key: string): void {
    this.#write(key, undefined);
  }

  /** Serializes what was written since the last seal. Throws TypeError when a row is not JSON. */
  seal(): void {
    const texts: (string | undefined)[] = [];
    for (const { unsealed } of this.#pending) {
      const text = unsealed === undefined ? undefined : JSON.stringify(unsealed);
      if (unsealed !== undefined && text === undefined) throw new TypeError('A row is JSON.');
      texts.push(text);
    }
    for (let index = 0; index < texts.length; index++) {
      const entry = this.#pending[index]!;
      entry.after = texts[index];
      entry.row = entry.unsealed;
      entry.unsealed = undefined;
      entry.pending = false;
      if (!entry.sealed) this.#sealed.push(entry);
      entry.sealed = true;
    }
    this.#pending = [];
  }

  /** Discards what was written since the last seal. */
  dropPending(): void {
    for (const entry of this.#pending) {
      entry.pending = false;
      entry.unsealed = undefined;
    }
    this.#pending = [];
    this.#order = null;
    this.memory.drop();
  }

  /** Throws the store's error, even if the fold caught it: it says nothing about the input. */
  check(): void {
    if (this.#failure !== null) throw storeFailure('The views', this.#failure.error);
  }

  /**
   * The keys whose row differs from the stored one, in the order of the first writes. Rows that the fold did not read are
   * looked up only if the view shows its followers what they were before: writing an unchanged row is cheaper than finding out.
   */
  async rowChanges(shown: Omit<ShownChanges, 'name'>): Promise<readonly RowChange[]> {
    if (shown.changes === 'rows') {
      const missing = this.#sealed.filter(({ known, key }) => !known && isFollowed(shown, key));
      if (missing.length > 0) await this.#load(missing);
    }
    return this.#sealed.filter(({ known, before, after }) => !known || before !== after);
  }

  /** The same as projectors get them, with parsed rows. */
  changes(rowChanges: readonly RowChange[], shown: Omit<ShownChanges, 'name'>): Change[] {
    const changes: Change[] = [];
    for (const { key, before, row } of rowChanges) {
      if (!isFollowed(shown, key)) continue;
      const was = shown.changes === 'rows' && before !== undefined ? this.#parse(before)! : null;
      changes.push({ key, before: was, after: row ?? null });
    }
    return changes;
  }

  #entry(key: string): Entry {
    const entry: Entry = {
      key,
      known: false,
      before: undefined,
      pending: false,
      unsealed: undefined,
      sealed: false,
      after: undefined,
      row: undefined,
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #write(key: string, row: Row | undefined): void {
    const entry = this.#entries.get(key) ?? this.#entry(key);
    if (!entry.pending) {
      if (this.#order !== null && !entry.sealed) this.#order.splice(firstAtLeast(this.#order, key), 0, key);
      entry.pending = true;
      this.#pending.push(entry);
    }
    entry.unsealed = row;
  }

  #row<R>(entry: Entry): R | undefined {
    if (entry.pending) return entry.unsealed as R | undefined;
    return this.#parse<R>(entry.sealed ? entry.after : entry.before);
  }

  #alive(key: string): boolean {
    const entry = this.#entries.get(key)!;
    return (entry.pending ? entry.unsealed : entry.after) !== undefined;
  }

  /** Reads the stored rows. Returns a promise only if the store cannot read in place. */
  #load(entries: readonly Entry[]): Promise<void> | undefined {
    try {
      const texts = this.#store.texts(entries.map(({ key }) => key));
      if (!(texts instanceof Promise)) {
        take(entries, texts);
        return undefined;
      }
      return this.#guard(async () => take(entries, await texts));
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  #parse<R>(text: string | undefined): R | undefined {
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text) as R;
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  async #guard<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }

  #writtenBetween(from: string, to: string): string[] {
    if (this.#order === null) {
      const isSorted = ++this.#ranges > UNSORTED_RANGES;
      const keys: string[] = [];
      for (const { key, pending, sealed } of this.#entries.values())
        if ((pending || sealed) && (isSorted || (compareKeys(key, from) >= 0 && compareKeys(key, to) < 0)))
          keys.push(key);
      keys.sort(compareKeys);
      if (!isSorted) return keys;
      this.#order = keys;
    }
    return this.#order.slice(firstAtLeast(this.#order, from), firstAtLeast(this.#order, to));
  }
}

function isFollowed({ followedRows }: Omit<ShownChanges, 'name'>, key: string): boolean {
  return followedRows === undefined || followedRows.some((beginning) => key.startsWith(beginning));
}

function take(entries: readonly Entry[], texts: readonly (string | undefined)[]): void {
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index]!;
    entry.known = true;
    entry.before = texts[index];
  }
}

/** The keys of a range: `from` included, `to` excluded. */
export function rangeBounds(
  prefix: string,
  after: string | undefined,
  reverse: boolean,
): { from: string; to: string } {
  const end = prefix === '' ? '\u{10ffff}' : prefixEnd(prefix);
  if (after === undefined) return { from: prefix, to: end };
  if (reverse) return { from: prefix, to: compareKeys(after, end) < 0 ? after : end };
  const next = `${after}\u0000`;
  return { from: compareKeys(next, prefix) > 0 ? next : prefix, to: end };
}

function firstAtLeast(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(sorted[middle]!, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
