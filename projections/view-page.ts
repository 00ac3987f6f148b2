// What one page of input writes, before it is on disk. Reads see the page's own writes; nothing leaves it
// until the whole page is committed. Rows are turned into text once, when the page is sealed: until then a
// row that was put is handed back as the same object, and a row from the store is parsed anew for each read,
// so a projector that changes a row without putting it changes nothing.
import { compareKeys, prefixEnd } from './keys.ts';
import type { Row, ViewWriter } from './projector.ts';
import { storeFailure } from './store.ts';

/** Where rows come from below the page: the view's store, as text. */
export interface RowTexts {
  text(key: string): string | undefined | Promise<string | undefined>;
  texts(keys: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** Rows between two keys (`from` included, `to` not), in order. */
  textRange(bounds: {
    from: string;
    to: string;
    limit: number;
    reverse: boolean;
  }): Promise<readonly (readonly [string, string])[]>;
}

/** A key's text before the page and after it. undefined: no row. */
export interface RowChange {
  readonly key: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const DELETED = Symbol('deleted');

export class ViewPage implements ViewWriter {
  readonly #view: string;
  readonly #store: RowTexts;
  /** What the store holds, as far as it was looked at. */
  readonly #stored = new Map<string, string | undefined>();
  /** Written by this page and final unless written again. undefined: deleted. */
  readonly #sealed = new Map<string, string | undefined>();
  /** Written since the last seal. */
  readonly #pending = new Map<string, Row | typeof DELETED>();
  /** Keys of sealed and pending in key order; made by the first range of the page. */
  #order: string[] | null = null;
  #failure: { readonly error: unknown } | null = null;

  constructor(view: string, store: RowTexts) {
    this.#view = view;
    this.#store = store;
  }

  async get<R = Row>(key: string): Promise<R | undefined> {
    if (this.#pending.has(key)) return this.#pendingRow<R>(key);
    if (this.#sealed.has(key)) return this.#parse<R>(this.#sealed.get(key));
    if (this.#stored.has(key)) return this.#parse<R>(this.#stored.get(key));
    return this.#guard(async () => {
      const text = await this.#store.text(key);
      this.#stored.set(key, text);
      return this.#parse<R>(text);
    });
  }

  async getMany<R = Row>(keys: readonly string[]): Promise<(R | undefined)[]> {
    await this.#load(keys.filter((key) => !this.#pending.has(key) && !this.#sealed.has(key)));
    return Promise.all(keys.map((key) => this.get<R>(key)));
  }

  async range<R = Row>(
    prefix: string,
    options: { limit?: number; after?: string; reverse?: boolean } = {},
  ): Promise<[string, R][]> {
    const { limit = Number.POSITIVE_INFINITY, after, reverse = false } = options;
    const { from, to } = rangeBounds(prefix, after, reverse);
    const written = this.#writtenBetween(from, to);
    // As many more as the page may have deleted; what it wrote over is counted twice at most.
    const stored = await this.#guard(() =>
      this.#store.textRange({ from, to, limit: limit + written.length, reverse }),
    );
    for (const [key, text] of stored) if (!this.#stored.has(key)) this.#stored.set(key, text);
    const own = new Set(written);
    const keys = stored.map(([key]) => key).filter((key) => !own.has(key));
    for (const key of written) if (this.#alive(key)) keys.push(key);
    if (written.length > 0) keys.sort(reverse ? (a, b) => compareKeys(b, a) : compareKeys);
    const rows: [string, R][] = [];
    for (const key of keys) {
      if (rows.length >= limit) break;
      rows.push([key, (await this.get<R>(key)) as R]);
    }
    return rows;
  }

  put(key: string, row: Row): void {
    if (row === null || row === undefined) throw new TypeError('A row is a JSON value other than null.');
    this.#note(key);
    this.#pending.set(key, row);
  }

  del(key: string): void {
    this.#note(key);
    this.#pending.set(key, DELETED);
  }

  /** Turns what was written since the last seal into text. Throws where a row is not JSON: the fold's fault. */
  seal(): void {
    const texts: [string, string | undefined][] = [];
    for (const [key, row] of this.#pending) {
      const text = row === DELETED ? undefined : JSON.stringify(row);
      if (row !== DELETED && text === undefined) throw new TypeError('A row is JSON.');
      texts.push([key, text]);
    }
    this.#pending.clear();
    for (const [key, text] of texts) this.#sealed.set(key, text);
  }

  /** Forgets what was written since the last seal. */
  dropPending(): void {
    this.#pending.clear();
    this.#order = null;
  }

  /** Throws what the store failed with, also when the fold swallowed it: that is no fault of the input. */
  check(): void {
    if (this.#failure !== null) throw storeFailure(this.#view, this.#failure.error);
  }

  /**
   * The page's net effect in key order: keys whose text differs from what the store holds. When nobody wants
   * to know what was there before, rows that the fold did not read are not looked up: writing such a row as it
   * was is cheaper than finding out.
   */
  async changes(wanted: { readonly before: boolean }): Promise<readonly RowChange[]> {
    const keys = [...this.#sealed.keys()];
    if (wanted.before) await this.#load(keys);
    const changes: RowChange[] = [];
    for (const key of keys) {
      const before = this.#stored.get(key);
      const after = this.#sealed.get(key);
      if (before !== after || !this.#stored.has(key)) changes.push({ key, before, after });
    }
    return changes.sort((one, other) => compareKeys(one.key, other.key));
  }

  #pendingRow<R>(key: string): R | undefined {
    const row = this.#pending.get(key);
    return row === DELETED ? undefined : (row as R);
  }

  #alive(key: string): boolean {
    if (this.#pending.has(key)) return this.#pending.get(key) !== DELETED;
    return this.#sealed.get(key) !== undefined;
  }

  async #load(keys: readonly string[]): Promise<void> {
    const missing = keys.filter((key) => !this.#stored.has(key));
    if (missing.length === 0) return;
    const texts = await this.#guard(() => this.#store.texts(missing));
    for (let index = 0; index < missing.length; index++) this.#stored.set(missing[index]!, texts[index]);
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

  #note(key: string): void {
    if (this.#order === null || this.#pending.has(key) || this.#sealed.has(key)) return;
    this.#order.splice(firstAtLeast(this.#order, key), 0, key);
  }

  #writtenBetween(from: string, to: string): string[] {
    this.#order ??= [...new Set([...this.#sealed.keys(), ...this.#pending.keys()])].sort(compareKeys);
    return this.#order.slice(firstAtLeast(this.#order, from), firstAtLeast(this.#order, to));
  }
}

/** The keys a range covers: `from` included, `to` not. */
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
