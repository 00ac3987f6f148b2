// A store in memory with exactly the parts of LevelDB that the product uses: no events, no encodings, no deferred
// opening. A run opens about ten stores and calls them a thousand times, and abstract-level's handling of
// cases that we do not have took a quarter of its time. The conformance suite of the log runs over this store, and the
// same runs also use LevelDB.

/** A complete state, in key order. It is immutable, so a reader keeps the state that it started with. */
export interface Image {
  /** Keys as texts whose order equals byte order. */
  readonly order: readonly string[];
  readonly keys: readonly Stored[];
  readonly values: readonly Stored[];
}

type Stored = string | Buffer;

interface Range {
  readonly gt?: Stored;
  readonly gte?: Stored;
  readonly lt?: Stored;
  readonly lte?: Stored;
  readonly reverse?: boolean;
  /** -1 and Infinity mean all. */
  readonly limit?: number;
  readonly snapshot?: Snapshot;
}

type Operation =
  | { readonly type: 'put'; readonly key: Stored; readonly value: Stored }
  | { readonly type: 'del'; readonly key: Stored };

const EMPTY: Image = { order: [], keys: [], values: [] };

export class MemoryStore {
  readonly status = 'open';
  readonly supports = { getSync: true };
  #image: Image = EMPTY;
  /** Every value written: LevelDB keeps them in its files until it happens to merge these. */
  written: Stored[] = [];
  /** Numbers of its tables. */
  #tables: readonly number[] = [];
  #newestTable = 0;
  #hasUnflushed = false;

  /** The current state. */
  get image(): Image {
    return this.#image;
  }

  goBackTo(image: Image): void {
    this.#image = image;
  }

  getSync(key: Stored): Stored | undefined {
    return find(this.#image, key);
  }

  async get(key: Stored, { snapshot }: Range = {}): Promise<Stored | undefined> {
    return find(snapshot?.image ?? this.#image, key);
  }

  async getMany(keys: readonly Stored[], { snapshot }: Range = {}): Promise<(Stored | undefined)[]> {
    const image = snapshot?.image ?? this.#image;
    return keys.map((key) => find(image, key));
  }

  put(key: Stored, value: Stored): Promise<void> {
    return this.#write([{ type: 'put', key, value }]);
  }

  del(key: Stored): Promise<void> {
    return this.#write([{ type: 'del', key }]);
  }

  /** With operations: writes them. Without: returns a batch to be filled. */
  batch(operations?: readonly Operation[]): Batch | Promise<void> {
    return operations === undefined ? new Batch((all) => this.#write(all)) : this.#write(operations);
  }

  async clear(range: Range): Promise<void> {
    const [from, to] = bounds(this.#image.order, range);
    await this.#write(this.#image.keys.slice(from, to).map((key) => ({ type: 'del', key })));
  }

  /** Merges all tables if there is more than one and the range holds a key, as LevelDB does with tables that overlap. */
  async compactRange(from: string | Buffer, to: string | Buffer): Promise<void> {
    if (this.#hasUnflushed) this.#tables = [...this.#tables, ++this.#newestTable];
    this.#hasUnflushed = false;
    const [first, end] = bounds(this.#image.order, { gte: from, lt: to });
    if (first === end || this.#tables.length < 2) return;
    this.#tables = [++this.#newestTable];
    this.written = [...this.#image.values];
  }

  /** Only `leveldb.sstables`. */
  getProperty(_name: string): string {
    const first = this.#image.order[0] ?? '';
    return this.#tables.map((number) => ` ${number}:1['${first}' @ 1 : 1 .. '${first}' @ 1 : 1]\n`).join('');
  }

  snapshot(): Snapshot {
    return new Snapshot(this.#image);
  }

  iterator(range: Range = {}): Reading<[Stored, Stored]> {
    return this.#reading(range, ({ keys, values }, at) => [keys[at]!, values[at]!]);
  }

  keys(range: Range = {}): Reading<Stored> {
    return this.#reading(range, ({ keys }, at) => keys[at]!);
  }

  values(range: Range = {}): Reading<Stored> {
    return this.#reading(range, ({ values }, at) => values[at]!);
  }

  #reading<T>(range: Range, entry: (image: Image, at: number) => T): Reading<T> {
    const image = range.snapshot?.image ?? this.#image;
    return new Reading(image, range, entry);
  }

  async #write(operations: readonly Operation[]): Promise<void> {
    this.#hasUnflushed = true;
    const order = [...this.#image.order];
    const keys = [...this.#image.keys];
    const values = [...this.#image.values];
    for (const operation of operations) {
      const text = textOf(operation.key);
      const at = firstAtLeast(order, text);
      const there = order[at] === text ? 1 : 0;
      if (operation.type === 'put') this.written.push(operation.value);
      if (operation.type === 'put' && there === 1) values[at] = operation.value;
      else if (operation.type === 'put') {
        order.splice(at, 0, text);
        keys.splice(at, 0, operation.key);
        values.splice(at, 0, operation.value);
      } else if (there === 1) {
        order.splice(at, 1);
        keys.splice(at, 1);
        values.splice(at, 1);
      }
    }
    this.#image = { order, keys, values };
  }
}

/** Operations that are written together when `write` is called. */
class Batch {
  readonly #operations: Operation[] = [];
  readonly #write: (operations: readonly Operation[]) => Promise<void>;

  constructor(write: (operations: readonly Operation[]) => Promise<void>) {
    this.#write = write;
  }

  get length(): number {
    return this.#operations.length;
  }

  put(key: Stored, value: Stored): this {
    this.#operations.push({ type: 'put', key, value });
    return this;
  }

  del(key: Stored): this {
    this.#operations.push({ type: 'del', key });
    return this;
  }

  write(): Promise<void> {
    return this.#write(this.#operations);
  }

  async close(): Promise<void> {}
}

class Snapshot {
  readonly image: Image;

  constructor(image: Image) {
    this.image = image;
  }

  async close(): Promise<void> {}
}

/** Iterates over the entries of one state. */
class Reading<T> {
  readonly #image: Image;
  readonly #entry: (image: Image, at: number) => T;
  readonly #step: 1 | -1;
  #at: number;
  #left: number;

  constructor(image: Image, range: Range, entry: (image: Image, at: number) => T) {
    const { reverse = false, limit = -1 } = range;
    const [from, to] = bounds(image.order, range);
    this.#image = image;
    this.#entry = entry;
    this.#step = reverse ? -1 : 1;
    this.#at = reverse ? to - 1 : from;
    this.#left = limit < 0 ? to - from : Math.min(limit, to - from);
  }

  async nextv(size: number): Promise<T[]> {
    const entries: T[] = [];
    for (let count = Math.min(size, this.#left); count > 0; count--) {
      entries.push(this.#entry(this.#image, this.#at));
      this.#at += this.#step;
      this.#left -= 1;
    }
    return entries;
  }

  all(): Promise<T[]> {
    return this.nextv(this.#left);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (let [entry] = await this.nextv(1); entry !== undefined; [entry] = await this.nextv(1)) yield entry;
  }

  async close(): Promise<void> {}
}

/** Latin-1 keeps byte order. Text keys are our own and ASCII, so their order equals byte order too. */
function textOf(key: Stored): string {
  return typeof key === 'string' ? key : key.toString('latin1');
}

function find({ order, values }: Image, key: Stored): Stored | undefined {
  const text = textOf(key);
  const at = firstAtLeast(order, text);
  return order[at] === text ? values[at] : undefined;
}

/** The first index of a range, and the one after its last. */
function bounds(order: readonly string[], { gt, gte, lt, lte }: Range): readonly [number, number] {
  let from = 0;
  if (gte !== undefined) from = firstAtLeast(order, textOf(gte));
  else if (gt !== undefined) from = firstAfter(order, textOf(gt));
  let to = order.length;
  if (lt !== undefined) to = firstAtLeast(order, textOf(lt));
  else if (lte !== undefined) to = firstAfter(order, textOf(lte));
  return [from, Math.max(from, to)];
}

function firstAfter(order: readonly string[], text: string): number {
  const at = firstAtLeast(order, text);
  return order[at] === text ? at + 1 : at;
}

function firstAtLeast(order: readonly string[], text: string): number {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
