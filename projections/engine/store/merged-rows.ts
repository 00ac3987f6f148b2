// Reads several groups of rows as one list, in the order of what follows their prefixes. Few more rows are read than are
// returned, however many groups there are.
import type { ViewReader } from '../contract/projector.ts';
import { compareKeys } from './row-keys.ts';

/** Rows read at once of a group: few at first, because most groups contribute few. */
const ROWS_FIRST = 10;
const ROWS_MAX = 500;

export interface MergedRow<R> {
  /** The key without the prefix of its group. */
  readonly order: string;
  readonly prefix: string;
  readonly row: R;
}

/**
 * Yields the rows of all groups in order, those after `after` only. Stop iterating when you have enough.
 * @param wanted how many rows are wanted in all, if that is known
 */
export async function* mergedRows<R>(
  view: ViewReader,
  prefixes: readonly string[],
  after: string | null,
  wanted?: number,
): AsyncGenerator<MergedRow<R>> {
  const rowsFirst =
    wanted === undefined
      ? ROWS_FIRST
      : Math.max(Math.min(ROWS_FIRST, wanted), Math.ceil(wanted / prefixes.length));
  const groups = prefixes.map((prefix) => new Group<R>(view, prefix, after, rowsFirst));
  const heads = await Promise.all(groups.map((group) => group.next()));
  for (;;) {
    let first: MergedRow<R> | null = null;
    let of = 0;
    for (const [index, next] of heads.entries()) {
      if (next === null || (first !== null && compareKeys(first.order, next.order) <= 0)) continue;
      first = next;
      of = index;
    }
    if (first === null) return;
    yield first;
    heads[of] = await groups[of]!.next();
  }
}

class Group<R> {
  readonly #view: ViewReader;
  readonly #prefix: string;
  #after: string | undefined;
  #rows: readonly (readonly [string, R])[] = [];
  #at = 0;
  #limit: number;
  #ended = false;

  constructor(view: ViewReader, prefix: string, after: string | null, rowsFirst: number) {
    this.#view = view;
    this.#prefix = prefix;
    this.#after = after === null ? undefined : `${prefix}${after}`;
    this.#limit = rowsFirst;
  }

  /** null at the end. */
  async next(): Promise<MergedRow<R> | null> {
    if (this.#at >= this.#rows.length && !this.#ended) await this.#read();
    const found = this.#rows[this.#at++];
    if (found === undefined) return null;
    return { order: found[0].slice(this.#prefix.length), prefix: this.#prefix, row: found[1] };
  }

  async #read(): Promise<void> {
    const range = { limit: this.#limit, ...(this.#after === undefined ? {} : { after: this.#after }) };
    this.#rows = await this.#view.range<R>(this.#prefix, range);
    this.#ended = this.#rows.length < this.#limit;
    this.#after = this.#rows.at(-1)?.[0] ?? this.#after;
    this.#at = 0;
    this.#limit = Math.min(4 * this.#limit, ROWS_MAX);
  }
}
