// A view in memory for projector tests: rows in a map, compared in the same way as in the real view.

import { ViewMemory } from '../../projections/engine/store/view-memory.ts';
import type { Row, ViewWriter } from '../../projections/index.ts';

export class MemoryView implements ViewWriter {
  readonly #rows = new Map<string, string>();
  memory = new ViewMemory().page();

  get = async <R = Row>(key: string): Promise<R | undefined> => {
    const row = this.#rows.get(key);
    return row === undefined ? undefined : (JSON.parse(row) as R);
  };

  getMany = async <R = Row>(keys: readonly string[]): Promise<(R | undefined)[]> =>
    Promise.all(keys.map((key) => this.get<R>(key)));

  range = async <R = Row>(
    prefix: string,
    options: { limit?: number; after?: string; reverse?: boolean } = {},
  ): Promise<[string, R][]> => {
    const { limit = Number.POSITIVE_INFINITY, after, reverse = false } = options;
    const keys = [...this.#rows.keys()].filter((key) => key.startsWith(prefix)).sort(byBytes);
    if (reverse) keys.reverse();
    const from =
      after === undefined ? 0 : keys.findIndex((key) => byBytes(key, after) * (reverse ? -1 : 1) > 0);
    const taken =
      from < 0 ? [] : keys.slice(from, limit === Number.POSITIVE_INFINITY ? undefined : from + limit);
    return taken.map((key) => [key, JSON.parse(this.#rows.get(key)!) as R]);
  };

  put = (key: string, row: Row): void => {
    this.#rows.set(key, JSON.stringify(row));
  };

  del = (key: string): void => {
    this.#rows.delete(key);
  };

  /** As a new process: it knows the rows and nothing else. */
  restart(): void {
    this.memory = new ViewMemory().page();
  }

  /** All rows in key order, for comparing views. */
  dump(): [string, Row][] {
    return [...this.#rows.keys()].sort(byBytes).map((key) => [key, JSON.parse(this.#rows.get(key)!) as Row]);
  }
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
